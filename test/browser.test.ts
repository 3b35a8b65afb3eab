// The library without Node: bundled for browsers and run without Node's globals, it gives the same results as on disk.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { BROWSER_BUILD } from '../scripts/dist.ts';
import { checkState } from '../src/pipeline/check-state.ts';
import { reporters } from '../src/report/format/reporters.ts';
import type { ReporterOptions } from '../src/report/reporter.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { discover } from '../src/workspace/discover/discover.ts';
import { PURE_PACKAGES } from './architecture/rooms.ts';

const SHOP = join(import.meta.dirname, '../examples/shop');

/** Globals of browsers besides those of the language. */
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

/** Dependencies of the pure packages. */
const BROUGHT = ['@isaacs/nonrecursive-glob-match', 'balanced-match', 'brace-expansion'];

it('is one file of our own and a few pure packages', () => {
  expect(imports).toEqual([]);
  const known = new Set([...PURE_PACKAGES, ...BROUGHT]);
  expect(packages).toContain('re2js');
  expect(packages.filter((name) => !known.has(name))).toEqual([]);
});

it('gives the same results in a browser as on disk', async () => {
  const today = '2026-11-22';
  const { files, paths, notRead } = await discover({ directory: SHOP });
  // Without an engine, nothing is rendered.
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

it('evaluates plain objects in a browser', () => {
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

it('renders in a browser with the given module', () => {
  const wasm = brotliDecompressSync(readFileSync(join(import.meta.dirname, '../render/engine.wasm.br')));
  const context = createContext({ ...BROWSER_GLOBALS, wasm, elapsed: () => performance.now() });
  runInContext(code, context);
  const names = runInContext(
    `const texts = new Map([
      ['kustomization.yaml', 'namePrefix: live-\\nresources: [web.yaml]'],
      ['web.yaml', 'apiVersion: v1\\nkind: ServiceAccount\\nmetadata: { name: web }'],
      ['policy.yaml', policy],
    ]);
    const files = [...texts].map(([path, text]) => ({ file: new preadmit.SourceFile(path, text), selected: true }));
    const engine = preadmit.renderingEngine({ wasm, elapsed, memory: 256 });
    const report = preadmit.checkState({
      files,
      paths: new Set(texts.keys()),
      notRead: [],
      configuration: preadmit.defaultConfiguration(),
      rendering: { tree: preadmit.treeOf({ files: texts }), engine: () => engine },
    });
    JSON.stringify(report.findings.map(({ resource, primary }) => [resource.name, primary.path, primary.startLine]));`.replace(
      'policy]',
      `${JSON.stringify(POLICY)}]`,
    ),
    context,
  ) as string;
  expect(JSON.parse(names)).toEqual([['live-web', 'kustomization.yaml', 1]]);
});

it('loads without WebAssembly, and fails only when it renders', () => {
  const context = createContext({ ...BROWSER_GLOBALS });
  runInContext('delete globalThis.WebAssembly', context);
  runInContext(code, context);
  expect(runInContext('preadmit.check({ files: {} }).verdict.conclusion', context)).toBe('nothing-checked');
});

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: no-live }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [serviceaccounts] }]
  validations: [{ expression: "!object.metadata.name.startsWith('live-')" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: no-live }
spec: { policyName: no-live, validationActions: [Deny] }
`;
