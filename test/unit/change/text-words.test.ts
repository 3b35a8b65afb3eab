// Decides without parsing that a text cannot contain a word, in any YAML or JSON notation.
import { expect, test } from 'vitest';
import { TextWords } from '../../../src/pipeline/scope/text-words.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

const file = (text: string): SourceFile => new SourceFile('a.yaml', text);

test.each([
  'kind: Namespace\n',
  'kind: Namespace # comment',
  'kind: Namespace\r\nmetadata: {}\r\n',
  'kind: "Namespace"',
  "{kind: 'Namespace', metadata: {}}",
  '{"kind":"Namespace","metadata":{"name":"shop"}}',
  'kind: &kind Namespace',
  'kind: !!str &kind Namespace',
  'kind:\n  Namespace',
  '? kind\n: Namespace',
  'kind: |-\n  Namespace\n',
  'kind: NamespaceList\n',
  'kind: "\\x4eamespace"',
  'kind: "Name\\u0073pace"',
  'kind: "Name\\\n  space"',
  'kind: !!binary TmFtZXNwYWNl',
  '%TAG !y! tag:yaml.org,2002:bin\n---\nkind: !y!ary TmFtZXNwYWNl',
])('%j may contain a Namespace', (text) => {
  expect(new TextWords().mayHaveKind(file(text), 'Namespace')).toBe(true);
});

test.each([
  'kind: Service\n',
  'description: the Namespace\n',
  'NamespaceSelector: {}\n',
  'a: in its Namespace it is\n',
])('%j contains no Namespace', (text) => {
  expect(new TextWords().mayHaveKind(file(text), 'Namespace')).toBe(false);
});

test('finds words anywhere in the text', () => {
  expect(
    new TextWords().mayMention(file('apiVersion: kustomize.config.k8s.io/v1beta1'), 'kustomize.config.k8s.io'),
  ).toBe(true);
  expect(new TextWords().mayMention(file('apiVersion: v1'), 'kustomize.config.k8s.io')).toBe(false);
});
