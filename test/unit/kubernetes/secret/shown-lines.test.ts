// Code frames hide Secret values in every notation, and keep other lines.
import { expect, it } from 'vitest';
import { shownLine, shownMessage } from '../../../../src/kubernetes/secret/shown-lines.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

function shown(text: string): string {
  const file = new SourceFile('secret.yaml', text);
  return file.lineStarts.map((_, index) => shownLine(file, index + 1)).join('\n');
}

const SPELLINGS: Readonly<Record<string, string>> = {
  block:
    'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n  password: aHVudGVyMg==\n  other: hunter2\ntype: Opaque\n',
  'block before its kind': 'data:\n  password: hunter2\nkind: Secret\n',
  'string data': 'kind: Secret\nstringData:\n  config: |\n    user: x\n    password: hunter2\n  "b": \'hunter2\'\n',
  'block scalar with colons': 'kind: Secret\nstringData:\n  url: |-\n    hunter2: hunter2\n',
  flow: 'kind: Secret\ndata: {password: hunter2, b: hunter2}\n',
  'flow over lines': '{kind: Secret, stringData: {\npassword: hunter2,\n"b": hunter2\n}, type: Opaque}\n',
  JSON: '{"kind":"Secret","data":{"password":"hunter2"}}',
  'JSON over lines': '{\n  "kind": "Secret",\n  "data": {\n    "password": "hunter2"\n  }\n}\n',
  'item of a List':
    'kind: List\nitems:\n- kind: Secret\n  data:\n    password: hunter2\n- kind: Secret\n  stringData: {a: hunter2}\n',
  'last applied': 'kind: Secret\nmetadata:\n  annotations:\n    last: "{\\"data\\":{\\"a\\":\\"hunter2\\"}}"\n',
  broken: 'kind: Secret\ndata:\n  password: hunter2\n  : [\n',
  'a misspelt field': 'kind: Secret\nstringdata:\n  password: hunter2\nspec: {a: hunter2}\nmore: hunter2\n',
  'a misspelt field in one line':
    '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"strngData":{"a":"hunter2"}}',
  'a wrongly-cased kind': 'kind: secret\nvalues:\n- hunter2\n',
  annotations: 'kind: Secret\nmetadata:\n  annotations:\n    note: hunter2\n',
  'literals of a generator': 'secretGenerator:\n- name: a\n  literals:\n  - a=hunter2\n- literals: [b=hunter2]\n',
  'a JSON patch':
    'kind: Kustomization\npatches:\n- patch: |-\n    - op: add\n      path: /stringData/a\n      value: hunter2\n',
  'values of a chart': 'db:\n  adminPassword: hunter2\n  apiKeys: [hunter2]\nauth: {token: hunter2}\n',
  'values of a release':
    'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  values:\n    password: hunter2\n',
  'parameters of an Application':
    'apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  parameters:\n  - name: auth.password\n    value: hunter2\n  - {name: token, value: hunter2}\n',
  'plain values beside encrypted ones': 'a: ENC[x]\nb: hunter2\nsops:\n  mac: x\n',
  'windows lines': 'kind: Secret\r\ndata:\r\n  password: hunter2\r\n',
};

it.each(Object.entries(SPELLINGS))('hides values written as %s', (_name, text) => {
  expect(shown(text)).not.toMatch(/hunter2|aHVudGVyMg/);
});

it('shows keys and other fields', () => {
  expect(shown(SPELLINGS['block'] ?? '')).toBe(
    'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n  password: …\n  other: …\ntype: Opaque\n',
  );
});

it('does not change other documents', () => {
  const text = 'kind: ConfigMap\ndata:\n  size: "3"\n';
  expect(shown(text)).toBe(text);
  expect(shown(`${text}---\nkind: Secret\ndata:\n  a: hunter2\n`)).toBe(`${text}---\nkind: Secret\ndata:\n  a: …\n`);
});

it('shows references, switches and other values of a chart', () => {
  const text =
    'existingSecret: a\nsecretName: b\nautomountServiceAccountToken: false\ntopologyKey: zone\nreplicas: 3\n';
  expect(shown(text)).toBe(text);
  const reference =
    'apiVersion: v1\nkind: Pod\nspec:\n  target: {kind: Secret, name: a}\n  from:\n    kind: Secret\n    name: b\n';
  expect(shown(reference)).toBe(reference);
});

it('hides what a message quotes, but no name that other lines show', () => {
  const file = new SourceFile(
    'secret.yaml',
    'kind: Secret\nmetadata:\n  annotations: {a: Secret}\nstringdata:\n  a: hunter2\n',
  );
  expect(shownMessage('Secret: cannot parse "hunter2"', file)).toBe('Secret: cannot parse "…"');
});
