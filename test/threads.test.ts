// A state evaluated in parts gives the report of one thread, byte for byte, for any distribution of objects.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateHanded, type HandedState } from '../src/pipeline/check/handed-state.ts';
import { SharedState } from '../src/pipeline/check/shared-state.ts';
import { type CheckInput, checkState } from '../src/pipeline/check-state.ts';
import { json } from '../src/report/format/document/json.ts';
import type { Report } from '../src/report/report.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { loadBaseline } from '../src/settings/load-baseline.ts';
import { loadConfiguration } from '../src/settings/load-configuration.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { IS_THOROUGH } from './support/tries.ts';

const CASES = join(import.meta.dirname, 'cases');
const EXAMPLE = join(import.meta.dirname, '../examples/shop');
const OPTIONS = { color: false, width: 100, showSkipped: true, quiet: false };
const COUNTS = IS_THOROUGH ? [1, 2, 4, 8] : [3];

/** Every thread reads the texts itself. */
function read(folder: string): CheckInput {
  const text = (path: string): SourceFile => new SourceFile(path, readFileSync(join(folder, path), 'utf8'));
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  const written = existsSync(join(folder, '.preadmit.yaml')) ? loadConfiguration(text('.preadmit.yaml')) : undefined;
  const baseline = paths.find((path) => path.endsWith('baseline.yaml'));
  const known = baseline === undefined ? undefined : loadBaseline(text(baseline)).baseline;
  const files = paths.filter((path) => /\.(?:ya?ml|json)$/.test(path) && path !== '.preadmit.yaml').sort();
  return {
    files: files.map((path) => ({ file: text(path), selected: true })),
    paths: new Set(paths),
    notRead: [],
    configuration: written?.configuration ?? defaultConfiguration(),
    explainsMutations: true,
    today: '2026-11-21',
    ...(known && { baseline: known }),
  };
}

/** A pseudo-random stream of numbers. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** `lost`: index of a thread that returns nothing. */
function shared(input: () => CheckInput, count: number, block: number, lost?: number): Report {
  const state = new SharedState(input(), block);
  const random = chance(count * 31 + block);
  const takers = Array.from({ length: state.blocks }, () => random(count));
  const blocksOf = (thread: number): IterableIterator<number> =>
    takers.flatMap((taker, index) => (taker === thread ? [index] : [])).values();
  const mine = blocksOf(0);
  const parts = [state.evaluate(() => mine.next().value)];
  for (let thread = 1; thread < count; thread++) {
    const blocks = blocksOf(thread);
    const handed = structuredClone(state.handed() as HandedState);
    const part = structuredClone(
      evaluateHanded(
        handed,
        () => blocks.next().value,
        () => {},
      ),
    );
    if (thread !== lost) parts.push(part);
  }
  return state.report(parts);
}

const folders = [
  EXAMPLE,
  ...readdirSync(CASES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === 'expected.txt')
    .map((entry) => entry.parentPath),
];

describe('in parts', () => {
  it.each(folders)('%s', (folder) => {
    const whole = json.render(checkState(read(folder)), OPTIONS);
    for (const count of COUNTS) {
      expect(
        json.render(
          shared(() => read(folder), count, 2),
          OPTIONS,
        ),
      ).toBe(whole);
    }
    expect(
      json.render(
        shared(() => read(folder), 2, 1, 1),
        OPTIONS,
      ),
    ).toBe(whole);
  });
});
