// Generated values in templates: found by a second rendering, unknown to rules, and not a change.
import { expect, test } from 'vitest';
import { pairedDocuments } from '../../../src/render/sources/root/paired-documents.ts';
import { parseRendered } from '../../../src/render/sources/root/rendered-manifest.ts';
import { formatFieldPath } from '../../../src/source/node/field-path.ts';
import { chart, textsOf } from '../../support/render.ts';
import { renderRepository, rootNamed } from '../../support/render-repository.ts';

const CHART = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';

function object(kind: string, name: string, rest: string): string {
  return `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n${rest}\n`;
}

function madeUpIn(files: Readonly<Record<string, string>>, root = 'chart shop') {
  const { manifests, assumes } = rootNamed(renderRepository(files), root);
  const open = manifests.map((manifest) => (manifest.openFields?.() ?? []).map(formatFieldPath));
  return { open, assumes };
}

test.each([
  ['randAlphaNum 8', true],
  ['randInt 1 100000', true],
  ['uuidv4', true],
  ['shuffle "abcdefghijklmnop"', true],
  ['now | date "15:04"', true],
  ['now | date "2006"', true],
  ['genPrivateKey "ecdsa" | quote', true],
  ['htpasswd "a" "b"', true],
  ['sha256sum "a"', false],
  ['derivePassword 1 "long" "a" "b" "c"', false],
])('{{ %s }}: generated value %s', (call, isMadeUp) => {
  const files = {
    'shop/Chart.yaml': CHART,
    'shop/templates/a.yaml': object(
      'ConfigMap',
      'a',
      `data:\n  plain: {{ .Release.Name }}\n  made: {{ ${call} | toString | quote }}`,
    ),
  };
  expect(madeUpIn(files).open).toEqual([isMadeUp ? ['data.made'] : []]);
});

test('renders charts without generated values once, and kustomizations too', () => {
  const outcome = chart({ 'shop/templates/a.yaml': object('ConfigMap', 'a', 'data: {a: {{ .Release.Name }}}') });
  expect(textsOf(outcome)).toHaveLength(1);
  expect(outcome).not.toHaveProperty('usedChance');
  expect(outcome).not.toHaveProperty('lookedUp');
});

test('marks names, checksums and whole objects that depend on generated values', () => {
  const files = {
    'shop/Chart.yaml': CHART,
    'shop/templates/a.yaml': `{{- $key := randAlphaNum 9 | lower }}${object('Secret', 'job-{{ $key }}', 'stringData: {k: {{ $key }}}')}---\n${object('ConfigMap', 'b', 'data: {sum: {{ sha256sum $key }}, a: b}')}`,
    'shop/templates/later.yaml': `{{ if gt (now | date "2006" | int) 2030 }}${object('ConfigMap', 'late', '')}{{ else }}${object('ConfigMap', 'early', '')}{{ end }}`,
  };
  expect(madeUpIn(files).open.map((paths) => paths.sort())).toEqual([
    ['metadata.name', 'stringData.k'],
    ['data.sum'],
    ['metadata.name'],
  ]);
});

test('assumes that lookups find nothing, and marks fields that depend on them', () => {
  const template = `{{- $old := lookup "v1" "Secret" .Release.Namespace "keys" }}${object('ConfigMap', 'a', 'data: {first: "{{ not $old }}", plain: a}')}`;
  const files = { 'shop/Chart.yaml': CHART, 'shop/templates/a.yaml': template };
  const { open, assumes } = madeUpIn(files);
  expect(open).toEqual([['data.first']]);
  expect(assumes).toEqual([expect.stringContaining('`lookup`')]);
});

test('renders without found lookups if rendering with them fails', () => {
  const template = `{{- $old := lookup "v1" "Secret" .Release.Namespace "keys" }}${object('ConfigMap', 'a', 'data: {key: {{ if $old }}{{ $old.spec.size | b64dec }}{{ else }}none{{ end }}}')}`;
  const files = { 'shop/Chart.yaml': CHART, 'shop/templates/a.yaml': template };
  expect(madeUpIn(files)).toEqual({ open: [[]], assumes: [expect.stringContaining('`lookup`')] });
});

test('finds the keys that a template reads in the data of a found object', () => {
  const template = `{{- $old := lookup "v1" "Secret" .Release.Namespace "keys" }}${object('ConfigMap', 'a', 'data: {key: {{ if $old }}{{ index $old.data "key" | b64dec }}{{ else }}none{{ end }}}')}`;
  const files = { 'shop/Chart.yaml': CHART, 'shop/templates/a.yaml': template };
  expect(madeUpIn(files).open).toEqual([['data.key']]);
});

test('pairs documents in order, or by name if their number differs', () => {
  const documents = (text: string) => parseRendered(text).manifests.map(({ value }) => ({ value, origin: '' }));
  const one = documents(
    `${object('ConfigMap', 'a', 'data: {k: "1"}')}---\n${object('ConfigMap', 'b', 'data: {k: "1"}')}`,
  );
  const reversed = documents(object('ConfigMap', 'b', 'data: {k: "2"}'));
  const pathsOf = (others: typeof one) => pairedDocuments(one, others).pairs.map(({ other, paths }) => other && paths);
  expect(pathsOf(reversed)).toEqual([undefined, [['data', 'k']]]);
  expect(pathsOf(one)).toEqual([[], []]);
});
