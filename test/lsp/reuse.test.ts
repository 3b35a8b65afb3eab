// Caches between keystrokes do not change results: after many edits, diagnostics equal those of a new server with the final texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LanguageClient, startLanguageClient } from '../support/language-client.ts';

const TESTS = join(import.meta.dirname, '..');

/** Policies, the objects they decide about, and definitions. The last folder has two different clusters. */
const FOLDERS: readonly (readonly [folder: string, files: RegExp])[] = [
  ['../examples/shop', /(?:replica-limits?|checkout)\.yaml$/],
  ['cases/check/kyverno-validation', /\.yaml$/],
  ['cases/check/ill-typed-custom-resource', /\.yaml$/],
  ['cases/diff/rendered-cluster-added/head', /(?:production|policies)\/.*\.yaml$/],
];

/** Without one line, with an unknown field, and with another number and name. The last version remains. */
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
        // Waits for the diagnostics once; edits before and after do not wait, like a fast typist.
        if (index === 1) await typing.settled(path);
        last.set(path, text);
      }
    }
    for (const [path, text] of last) await fresh.open(path, text);
    let number = 0;
    // Final diagnostics of each file, because edits in other files may have changed them.
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

/** Sorted, and independent of the folder's path. */
function told(diagnostics: readonly object[], { uri }: LanguageClient): readonly string[] {
  return diagnostics.map((each) => JSON.stringify(each).replaceAll(uri(''), '')).sort();
}
