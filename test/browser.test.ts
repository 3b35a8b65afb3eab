// The library without Node: bundled for browsers and run where there is nothing of Node, it finds what it finds on disk.
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { BROWSER_BUILD } from '../scripts/dist.ts';
import { checkState } from '../src/pipeline/check-state.ts';
import { reporters } from '../src/report/format/reporters.ts';
import type { ReporterOptions } from '../src/report/reporter.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { discover } from '../src/workspace/discover.ts';
import { PURE_PACKAGES } from './architecture/rooms.ts';

const SHOP = join(import.meta.dirname, '../examples/shop');

/** What browsers have besides the language itself. */
const BROWSER_GLOBALS = { TextEncoder, TextDecoder, URL, atob, btoa, structuredClone };

const OPTIONS: ReporterOptions = { color: false, width: 100, showSkipped: true, quiet: false };

let code = '';
let imports: readonly string[] = [];
let packages: readonly string[] = [];

beforeAll(async () => {
  const { outputFiles, metafile } = await build({
    ...BROWSER_BUILD,
    format: 'iife',
    globalName: 'preadmit',
    write: false,
    metafile: true,
  });
  code = outputFiles[0]?.text ?? '';
  const outputs = Object.values(metafile.outputs);
  imports = outputs.flatMap((output) => output.imports.map(({ path }) => path));
  packages = outputs
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
});

const RUN = `(input) => {
  const { files, paths, notRead, today, options } = JSON.parse(input);
  const report = preadmit.checkState({
    files: files.map(({ path, text, selected }) => ({ file: new preadmit.SourceFile(path, text), selected })),
    paths: new Set(paths),
    notRead,
    today,
    configuration: preadmit.defaultConfiguration(),
  });
  return JSON.stringify({ report, texts: [...preadmit.reporters.values()].map(({ render }) => render(report, options)) });
}`;

/** What the pure packages bring along. */
const BROUGHT = ['@isaacs/nonrecursive-glob-match', 'balanced-match', 'brace-expansion'];

it('is one file of our own and a few pure packages', () => {
  expect(imports).toEqual([]);
  const known = new Set([...PURE_PACKAGES, ...BROUGHT]);
  expect(packages).toContain('re2js');
  expect(packages.filter((name) => !known.has(name))).toEqual([]);
});

it('finds in a browser what it finds on disk', async () => {
  const today = '2026-11-22';
  const { files, paths, notRead } = await discover({ directory: SHOP });
  // Nothing is rendered where nobody gives an engine.
  const expected = checkState({ files, paths, notRead, today, configuration: defaultConfiguration() });
  expect(expected.findings.length).toBeGreaterThan(0);
  const input = JSON.stringify({
    files: files.map(({ file: { path, text }, selected }) => ({ path, text, selected })),
    paths: [...paths],
    notRead,
    today,
    options: OPTIONS,
  });
  const context = createContext({ ...BROWSER_GLOBALS });
  runInContext(code, context);
  expect(runInContext('typeof process + typeof require + typeof Buffer + typeof setTimeout', context)).toBe(
    'undefined'.repeat(4),
  );
  const run = runInContext(RUN, context) as (text: string) => string;
  const { report, texts } = JSON.parse(run(input)) as { readonly report: unknown; readonly texts: readonly string[] };
  expect(report).toEqual(JSON.parse(JSON.stringify(expected)));
  expect(texts).toEqual([...reporters.values()].map(({ render }) => render(expected, OPTIONS)));
});

it('judges plain objects there', () => {
  const context = createContext({ ...BROWSER_GLOBALS });
  runInContext(code, context);
  const answer = runInContext(
    `JSON.stringify([
      preadmit.evaluate({ policies: '', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } }).verdict,
      preadmit.compileExpression('object.a + 1').evaluate({ object: { a: 1 } }).value,
      preadmit.check({ files: {} }).verdict.conclusion,
      preadmit.test({ files: {} }).passed,
    ])`,
    context,
  ) as string;
  expect(JSON.parse(answer)).toEqual(['undecided', 2, 'nothing-checked', 0]);
});
