// Attacks by charts and kustomizations: each ends with a clear failure and does not affect the next request.
import { describe, expect, test } from 'vitest';
import type { RenderEngine } from '../../../src/render/engine/render-engine.ts';
import type { FileTree } from '../../../src/source/tree/file-tree.ts';
import { CHANCE, chart, engine, engineWith, failureOf, kustomize, textsOf, tree } from '../../support/render.ts';

const SETTINGS = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n';
const CHART = { 'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n' };
const REQUEST = { engine: 'helm', chart: 'shop', releaseName: 'blue', namespace: 'market' } as const;

function nested(open: string, close: string, depth: number): string {
  return open.repeat(depth) + close.repeat(depth);
}

/** Each level holds nine references to the level below. */
function aliases(depth: number): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i <= depth; i++)
    lines.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return `${lines.join('\n')}\n`;
}

describe('a hostile chart', () => {
  test.each([
    ['repeats a text a thousand million times', '{{ repeat 1000000000 "x" }}', 'limit', 'exceeds the memory limit'],
    ['counts to a thousand million', '{{ range until 1000000000 }}x{{ end }}', 'limit', 'exceeds the memory limit'],
    [
      'includes itself',
      '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
      'template',
      'nested reference name',
    ],
    [
      'calls itself',
      '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
      'template',
      'maximum template depth',
    ],
    [
      'generates templates of templates',
      '{{ define "a" }}{{ tpl "{{ include \\"a\\" . }}" . }}{{ end }}{{ include "a" . }}',
      'limit',
      'nests too deeply',
    ],
    ['nests blocks', nested('{{ if true }}', '{{ end }}', 20_000), 'limit', 'nests too deeply'],
    ['reads the environment', '{{ env "HOME" }}', 'template', 'function "env" not defined'],
  ])('%s', (_, text, failure, words) => {
    expect(failureOf(chart({ 'shop/templates/a.yaml': text }))).toEqual({
      failure,
      message: expect.stringContaining(words),
    });
    expect(textsOf(chart({ 'shop/templates/a.yaml': 'a: {{ .Release.Name }}' }))).toEqual(['a: blue']);
  });

  test('stops at the time limit', () => {
    const impatient = engineWith({ milliseconds: 300 });
    const endless = tree({ ...CHART, 'shop/templates/a.yaml': '{{ range $i := 1000000000 }}{{ end }}' });
    expect(failureOf(impatient.render(REQUEST, endless, CHANCE))).toEqual({
      failure: 'limit',
      message: 'rendering took too long',
    });
  });

  test.each([
    ['nests loops', '{{ range until 5000 }}{{ range until 5000 }}{{ range until 5000 }}{{ end }}{{ end }}{{ end }}'],
    ['generates keys in a loop', '{{ range until 100000 }}{{ $x := genPrivateKey "rsa" }}{{ end }}'],
    ['generates certificates in a loop', '{{ range until 100000 }}{{ $x := genCA "a" 365 }}{{ end }}'],
  ])('%s, and stops at the time limit', (_, text) => {
    const endless = tree({ ...CHART, 'shop/templates/a.yaml': text });
    expect(failureOf(engineWith({ milliseconds: 300 }).render(REQUEST, endless, CHANCE))).toEqual({
      failure: 'limit',
      message: 'rendering took too long',
    });
  });

  test('is not rejected because of a slow machine', () => {
    const slow = engineWith({ patience: 100 });
    const endless = tree({ ...CHART, 'shop/templates/a.yaml': '{{ range $i := 1000000000 }}{{ end }}' });
    expect(failureOf(slow.render(REQUEST, endless, CHANCE))).toEqual({
      failure: 'busy',
      message: 'the machine has too much else to do',
    });
  });

  test('stops at the limit for opened files, repeats included', () => {
    const strict = engineWith({ opens: 5 });
    const templates = Array.from({ length: 9 }, (_, index) => [`shop/templates/${index}.yaml`, 'a: b']);
    expect(failureOf(strict.render(REQUEST, tree({ ...CHART, ...Object.fromEntries(templates) }), CHANCE))).toEqual({
      failure: 'limit',
      message: 'rendering opens too many files: a base is read again for each that builds on it',
    });
  });

  test('stops at the output limit', () => {
    const strict = engineWith({ outputBytes: 1000 });
    const long = tree({ ...CHART, 'shop/templates/a.yaml': 'a: {{ repeat 1000 "x" }}' });
    expect(failureOf(strict.render(REQUEST, long, CHANCE))).toEqual({
      failure: 'limit',
      message: 'the output exceeds 1000 bytes',
    });
    const short = tree({ ...CHART, 'shop/templates/a.yaml': 'a: {{ repeat 10 "x" }}' });
    expect(textsOf(strict.render(REQUEST, short, CHANCE))).toEqual(['a: xxxxxxxxxx']);
  });

  test('multiplies values by aliases', () => {
    expect(failureOf(chart({ 'shop/values.yaml': aliases(9), 'shop/templates/a.yaml': 'a: b' }))).toEqual({
      failure: 'unparsable',
      message: expect.stringContaining('excessive aliasing'),
    });
  });
});

describe('a hostile kustomization', () => {
  test.each([
    ['runs a program', 'transformers: [run.yaml]', 'plugin'],
    ['fetches over ssh', 'resources: ["git@git.example.com:shop/base.git"]', 'remote-base'],
    ['fetches with a helper', 'resources: ["ext::sh -c id"]', 'missing-file'],
    ['fetches a folder', 'resources: ["https://git.example.com/shop/base//deploy?ref=v1"]', 'remote-base'],
    ['reads a file of the host', 'resources: [/etc/passwd]', 'missing-file'],
    ['generates from a file of the host', 'configMapGenerator: [{name: a, files: [/etc/hostname]}]', 'missing-input'],
    ['climbs', 'resources: [../../../../../../etc/passwd]', 'missing-file'],
    ['follows a link out', 'resources: [out.yaml]', 'missing-file'],
    ['follows a climbing link', 'resources: [climb.yaml]', 'missing-file'],
    ['follows links in a cycle', 'resources: [one.yaml]', 'missing-file'],
    ['includes itself', 'resources: [inner]', 'cycle'],
  ])('%s', (_, kustomization, failure) => {
    const files = {
      'app/kustomization.yaml': `${kustomization}\n`,
      'app/inner/kustomization.yaml': 'resources: [..]\n',
      'app/run.yaml':
        'apiVersion: example.com/v1\nkind: Run\nmetadata:\n  name: run\n  annotations:\n    config.kubernetes.io/function: "exec: {path: ./run.sh}"\n',
    };
    const links = {
      'app/out.yaml': '/etc/passwd',
      'app/climb.yaml': '../../../../../etc/passwd',
      'app/one.yaml': 'two.yaml',
      'app/two.yaml': 'one.yaml',
    };
    expect(failureOf(kustomize(files, { root: 'app' }, links)).failure).toBe(failure);
  });

  test('doubles its resources repeatedly', () => {
    const impatient = engineWith({ milliseconds: 500 });
    const files: Record<string, string> = { 'settings.yaml': SETTINGS, 'kustomization.yaml': 'resources: [a0, b0]\n' };
    for (let i = 0; i < 30; i++) {
      for (const side of ['a', 'b']) {
        const inner = i === 29 ? '../settings.yaml' : `../a${i + 1}, ../b${i + 1}`;
        files[`${side}${i}/kustomization.yaml`] = `namePrefix: ${side}\nresources: [${inner}]\n`;
      }
    }
    const request = { engine: 'kustomize', root: '', anyFile: true } as const;
    expect(failureOf(impatient.render(request, tree(files), CHANCE))).toEqual({
      failure: 'limit',
      message: 'rendering took too long',
    });
  });

  test('replaces values in all objects, again and again', () => {
    const numbers = Array.from({ length: 800 }, (_, index) => index);
    const replacements = numbers.map(
      (index) =>
        `- source: {kind: ConfigMap, name: a${index}}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.b${index}], options: {create: true}}]\n`,
    );
    const files = {
      'kustomization.yaml': `resources: [a.yaml]\nreplacements:\n${replacements.join('')}`,
      'a.yaml': numbers.map((index) => SETTINGS.replace('settings', `a${index}`)).join('---\n'),
    };
    const request = { engine: 'kustomize', root: '', anyFile: true } as const;
    expect(failureOf(engineWith({ milliseconds: 500 }).render(request, tree(files), CHANCE))).toEqual({
      failure: 'limit',
      message: 'rendering took too long',
    });
  });

  test('nests its content deeply', () => {
    const files = {
      'kustomization.yaml': 'resources: [a.yaml]\n',
      'a.yaml': `${SETTINGS}data: ${nested('[', ']', 5000)}\n`,
    };
    expect(failureOf(kustomize(files))).toEqual({ failure: 'limit', message: 'rendering nests too deeply' });
    expect(textsOf(kustomize({ ...files, 'a.yaml': SETTINGS }))).toHaveLength(1);
  });
});

test('reads only the required files of the tree', () => {
  const files = tree({
    'overlay/kustomization.yaml': 'resources: [../base]\n',
    'base/kustomization.yaml': 'resources: [settings.yaml]\n',
    'base/settings.yaml': SETTINGS,
    'base/other.yaml': SETTINGS,
    'elsewhere/settings.yaml': SETTINGS,
  });
  const watched = watch(files, engine());
  expect(watched).toEqual(['base/kustomization.yaml', 'base/settings.yaml', 'overlay/kustomization.yaml']);
});

/** Returns the files that are read while `overlay` is rendered. */
function watch(files: FileTree, rendering: RenderEngine): readonly string[] {
  const read = new Set<string>();
  const watched: FileTree = {
    ...files,
    read: (path) => {
      read.add(path);
      return files.read(path);
    },
  };
  rendering.render({ engine: 'kustomize', root: 'overlay', anyFile: true }, watched, CHANCE);
  return [...read].sort();
}
