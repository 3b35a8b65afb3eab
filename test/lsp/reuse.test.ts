// What is kept between keystrokes changes nothing: after many edits the same is said as by a server that sees the last texts alone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LanguageClient, startLanguageClient } from '../support/language-client.ts';

const TESTS = join(import.meta.dirname, '..');

/** Policies, what they decide about, and definitions; in the last two clusters that differ. */
const FOLDERS: readonly (readonly [folder: string, files: RegExp])[] = [
  ['../examples/shop', /(?:replica-limits?|checkout)\.yaml$/],
  ['cases/check/kyverno-validation', /\.yaml$/],
  ['cases/check/ill-typed-custom-resource', /\.yaml$/],
  ['cases/diff/rendered-cluster-added/head', /(?:production|policies)\/.*\.yaml$/],
];

/** Without one line, with a field that nobody knows, with another number and name; the last one stays. */
function writings(text: string, turn: number): readonly string[] {
  const lines = text.split('\n');
  const without = lines.filter((_, index) => index !== Math.floor((lines.length * (turn + 1)) / 4)).join('\n');
  const unknown = text.replace(/^spec:$/m, 'spec:\n  unknwon: true');
  const other = text.replace(/: (\d)$/m, ': 9$1').replace(/(name: [a-z-]+)$/m, '$1-too');
  return turn % 2 === 0 ? [without, other, text, unknown] : [unknown, without, text, other];
}

test.each(FOLDERS)(
  '%s',
  async (name, files) => {
    const folder = join(TESTS, name);
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => files.test(path))
      .sort();
    expect(paths.length).toBeGreaterThan(0);
    const [typing, fresh] = await Promise.all([startLanguageClient(folder), startLanguageClient(folder)]);
    const last = new Map<string, string>();
    for (const [turn, path] of paths.entries()) {
      await typing.open(path);
      for (const [index, text] of writings(readFileSync(join(folder, path), 'utf8'), turn).entries()) {
        await typing.change(path, text);
        // Once to the end, and before and after it as somebody types who does not wait.
        if (index === 1) await typing.settled(path);
        last.set(path, text);
      }
    }
    for (const [path, text] of last) await fresh.open(path, text);
    let number = 0;
    // The last word on each: what was written into another file since may mean something for it.
    for (const [path, text] of last) {
      await typing.change(path, text);
      await fresh.change(path, text);
      const [one, other] = [await typing.settled(path), await fresh.settled(path)];
      expect(told(one, typing), path).toEqual(told(other, fresh));
      number += one.length;
    }
    expect(number).toBeGreaterThan(0);
    expect([await typing.stop(), await fresh.stop()]).toEqual([0, 0]);
    expect([...typing.complaints, ...fresh.complaints]).toEqual([]);
  },
  120_000,
);

/** In any order, and wherever the folder lies. */
function told(diagnostics: readonly object[], { uri }: LanguageClient): readonly string[] {
  return diagnostics.map((each) => JSON.stringify(each).replaceAll(uri(''), '')).sort();
}
