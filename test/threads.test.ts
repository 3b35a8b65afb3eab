// A state that is evaluated in parts, whoever takes which objects, gives the report that one thread gives, byte for byte.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CheckInput, checkState } from '../src/pipeline/check-state.ts';
import { SharedState, type StatePart } from '../src/pipeline/shared-state.ts';
import { json } from '../src/report/format/json.ts';
import type { Report } from '../src/report/report.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { loadBaseline } from '../src/settings/load-baseline.ts';
import { loadConfiguration } from '../src/settings/load-configuration.ts';
import { SourceFile } from '../src/source/source-file.ts';
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

/** A stream of numbers that looks like chance. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** `lost`: of a thread of which nothing comes back. */
function shared(input: () => CheckInput, count: number, block: number, lost?: number): Report {
  const states = Array.from({ length: count }, () => new SharedState(input(), block));
  const [main] = states as [SharedState];
  const random = chance(count * 31 + block);
  const blocks = Array.from({ length: main.blocks }, (_, index) => [random(count), index] as const);
  const parts = states.flatMap((state, thread): StatePart[] => {
    const own = blocks.flatMap(([taker, index]) => (taker === thread ? [index] : [])).values();
    const part = state.evaluate(() => own.next().value);
    return thread === lost ? [] : [structuredClone(part)];
  });
  expect(new Set(parts.map(({ key }) => key)).size).toBe(1);
  const missing = main.missing(parts).values();
  if (lost !== undefined) parts.push(main.evaluate(() => missing.next().value));
  return main.report(parts);
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
