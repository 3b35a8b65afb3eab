// Code frames hide Secret values in every notation, and keep other lines.
import { expect, it } from 'vitest';
import { shownLine } from '../../../../src/kubernetes/secret/shown-lines.ts';
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
