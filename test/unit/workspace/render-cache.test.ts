// Cached output is used only for the same request and the same files, and damage is harmless.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RenderEngine } from '../../../src/render/engine/render-engine.ts';
import type { KustomizeRequest, RenderOutcome } from '../../../src/render/engine/render-request.ts';
import { cachedEngine } from '../../../src/workspace/render/render-cache.ts';
import { CHANCE, tree } from '../../support/render.ts';

const REQUEST: KustomizeRequest = { engine: 'kustomize', root: 'app', anyFile: true };

let folder: string;
let root: string;
let cache: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-render-cache-'));
  root = join(folder, 'repository');
  cache = join(folder, 'cache');
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the text of `app/a.yaml`, and of `app/b.yaml` if it exists. */
function countingEngine(answer?: RenderOutcome) {
  let count = 0;
  const engine: RenderEngine = {
    render: (_request, files) => {
      count += 1;
      const texts = ['app/a.yaml', 'app/b.yaml'].flatMap((path) =>
        files.kind(path) === undefined ? [] : [new TextDecoder().decode(files.read(path))],
      );
      return answer ?? { objects: texts.map((text) => ({ text })), warnings: [] };
    },
  };
  return { engine, count: () => count };
}

/** One run with a new engine and the same cache folder. */
function run(files: Readonly<Record<string, string>>, options: { answer?: RenderOutcome; maximumBytes?: number } = {}) {
  const { engine, count } = countingEngine(options.answer);
  const { maximumBytes } = options;
  const cached = cachedEngine(() => engine, {
    folder: cache,
    root,
    version: '1.0.0',
    ...(maximumBytes !== undefined && { maximumBytes }),
  });
  const outcome = cached().render(REQUEST, tree(files), CHANCE);
  return { outcome, rendered: count() };
}

function entries(): readonly string[] {
  return readdirSync(cache).map((name) => join(cache, name));
}

test('the same request for the same files is rendered once, also in another tree', () => {
  const first = run({ 'app/a.yaml': 'a: 1' });
  const second = run({ 'app/a.yaml': 'a: 1', 'other/x.yaml': 'x' });
  expect([first.rendered, second.rendered]).toEqual([1, 0]);
  expect(second.outcome).toEqual(first.outcome);
});

test('a changed or added file is rendered again, and the earlier entry is kept', () => {
  const states = [{ 'app/a.yaml': 'a: 1' }, { 'app/a.yaml': 'a: 2' }, { 'app/a.yaml': 'a: 1', 'app/b.yaml': 'b' }];
  expect(states.map((files) => run(files).rendered)).toEqual([1, 1, 1]);
  expect(states.map((files) => run(files).rendered)).toEqual([0, 0, 0]);
  expect(run(states[1] as Record<string, string>).outcome).toEqual({ objects: [{ text: 'a: 2' }], warnings: [] });
});

test('three states of a request are kept', () => {
  for (const value of [1, 2, 3, 4]) run({ 'app/a.yaml': `a: ${value}` });
  expect(run({ 'app/a.yaml': 'a: 2' }).rendered).toBe(0);
  expect(run({ 'app/a.yaml': 'a: 1' }).rendered).toBe(1);
});

test('another request, chance or version has its own entries', () => {
  const { engine, count } = countingEngine();
  const { render } = cachedEngine(() => engine, { folder: cache, root, version: '1.0.0' })();
  const files = tree({ 'app/a.yaml': 'a' });
  render(REQUEST, files, CHANCE);
  render({ ...REQUEST, provenance: true }, files, CHANCE);
  render(REQUEST, files, { ...CHANCE, seed: 2 });
  render(REQUEST, files, CHANCE);
  expect(count()).toBe(3);
  cachedEngine(() => engine, { folder: cache, root, version: '1.0.1' })().render(REQUEST, files, CHANCE);
  expect(count()).toBe(4);
});

const withDigest = (content: string): string => `${createHash('sha256').update(content).digest('hex')}\n${content}`;

test.each([
  ['cut off', (text: string) => text.slice(0, -5)],
  ['changed', (text: string) => text.replace('a: 1', 'a: 9')],
  ['empty', () => ''],
  ['of another program', () => withDigest('{"objects":[]}')],
  ['without texts', () => withDigest('[{"questions":[],"digest":"","outcome":{"objects":[{}],"warnings":[]}}]')],
  [
    'with questions nobody asks',
    (text: string) => withDigest((text.split('\n')[1] as string).replaceAll('"read"', '"open"')),
  ],
])('an entry that is %s counts as missing', (_, damaged) => {
  const { outcome } = run({ 'app/a.yaml': 'a: 1' });
  for (const file of entries()) writeFileSync(file, damaged(readFileSync(file, 'utf8')));
  expect(run({ 'app/a.yaml': 'a: 1' })).toEqual({ outcome, rendered: 1 });
  expect(run({ 'app/a.yaml': 'a: 1' })).toEqual({ outcome, rendered: 0 });
});

test('a failure is cached, but not a time limit, which may not be reached the next time', () => {
  const failed = { failure: 'cycle', message: 'round', warnings: [] } as const;
  expect([1, 2].map(() => run({ 'app/a.yaml': 'a' }, { answer: failed }).rendered)).toEqual([1, 0]);
  const stopped = { failure: 'limit', message: 'too long', warnings: [] } as const;
  expect([1, 2].map(() => run({ 'app/a.yaml': 'b' }, { answer: stopped }).rendered)).toEqual([1, 1]);
});

test('the folder does not exceed its size limit', () => {
  const { engine } = countingEngine();
  const { render } = cachedEngine(() => engine, { folder: cache, root, version: '1.0.0', maximumBytes: 20_000 })();
  const files = tree({ 'app/a.yaml': 'a'.repeat(1000) });
  for (let number = 0; number < 50; number++) render({ ...REQUEST, root: `app-${number}` }, files, CHANCE);
  const bytes = entries().reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThanOrEqual(20_000);
  expect(bytes).toBeGreaterThan(5_000);
});

test('a deleted folder is harmless', () => {
  const { engine, count } = countingEngine();
  const { render } = cachedEngine(() => engine, { folder: cache, root, version: '1.0.0' })();
  rmSync(cache, { recursive: true });
  const files = tree({ 'app/a.yaml': 'a' });
  expect(render(REQUEST, files, CHANCE)).toEqual(render(REQUEST, files, CHANCE));
  expect(count()).toBe(2);
});

test('a folder inside the repository is rejected, because a change could write to it', () => {
  const { engine } = countingEngine();
  for (const inside of [root, join(root, '.cache')]) {
    expect(() => cachedEngine(() => engine, { folder: inside, root, version: '1.0.0' })).toThrow(
      /inside the checked repository/,
    );
  }
});
