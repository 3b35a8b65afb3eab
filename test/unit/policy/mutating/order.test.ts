// Order of mutations and policies, and the remark on policies whose result depends on it.
import { describe, expect, it } from 'vitest';
import { answer, mutateOnce, plain, type WrittenPolicy, type WrittenRequest } from './mutate.ts';

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {tier: web}}
spec: {containers: [{name: a}, {name: b}, {name: c}]}`;
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, labels: {tier: web}}
spec: {replicas: 1}`;

const MERGED = 'Object{spec: Object.spec{replicas: object.spec.replicas + 100}}';
const PATCHED = '[JSONPatch{op: "replace", path: "/spec/replicas", value: object.spec.replicas + 10}]';

function label(name: string, value: string): string {
  return `Object{metadata: Object.metadata{labels: {"${name}": ${value}}}}`;
}

function never(...mutations: readonly string[]): WrittenPolicy {
  return { mutations, reinvocationPolicy: 'Never' };
}

function mutated(request: WrittenRequest): Record<string, Record<string, unknown>> {
  const result = answer(request);
  if (!('object' in result)) throw new Error(result.message);
  return result.object as Record<string, Record<string, unknown>>;
}

function namesOf(containers: unknown): readonly string[] {
  return (containers as readonly { readonly name: string }[]).map(({ name }) => name);
}

/** Codes of the remarks, and the help of the first one. */
function remarks(request: WrittenRequest): { readonly codes: readonly string[]; readonly help: string | undefined } {
  const told = mutateOnce(request).remarks;
  return { codes: told.map(({ code }) => code), help: told[0]?.help };
}

describe('mutations of one policy', () => {
  it.each([
    ['merged, then patched', [MERGED, PATCHED]],
    ['patched, then merged', [PATCHED, MERGED]],
  ])('see the result of the previous one: %s', (_, mutations) => {
    expect(mutated({ policies: { p: never(...mutations) }, object: DEPLOYMENT })['spec']?.['replicas']).toBe(111);
  });

  it.each([
    ['removes the second', '{op: "remove", path: "/spec/containers/1"}', ['a', 'c']],
    [
      'copies the first to the end',
      '{op: "copy", from: "/spec/containers/0", path: "/spec/containers/-"}',
      ['a', 'b', 'c', 'a'],
    ],
    [
      'moves the first to the end',
      '{op: "move", from: "/spec/containers/0", path: "/spec/containers/-"}',
      ['b', 'c', 'a'],
    ],
    ['replaces the first', '{op: "replace", path: "/spec/containers/0", value: {"name": "x"}}', ['x', 'b', 'c']],
  ])('in a list: %s', (_, operation, expected) => {
    const { spec } = mutated({ policies: { p: never(`[JSONPatch${operation}]`) }, object: POD });
    expect(namesOf(spec?.['containers'])).toEqual(expected);
  });

  it('keeps the positions of map keys and appends keys that are added again', () => {
    const steps = [
      'JSONPatch{op: "test", path: "/metadata/labels/tier", value: "web"}',
      'JSONPatch{op: "add", path: "/metadata/labels/x", value: "1"}',
      'JSONPatch{op: "remove", path: "/metadata/labels/tier"}',
      'JSONPatch{op: "add", path: "/metadata/labels/y", value: "2"}',
      'JSONPatch{op: "remove", path: "/metadata/labels/x"}',
      'JSONPatch{op: "add", path: "/metadata/labels/tier", value: "db"}',
      'JSONPatch{op: "test", path: "/metadata/labels", value: {"tier": "db", "y": "2"}}',
    ];
    const { object } = mutateOnce({ policies: { p: never(`[${steps.join()}]`) }, object: POD });
    const { metadata } = plain(object) as { metadata: { labels: Record<string, string> } };
    expect(Object.entries(metadata.labels)).toEqual([
      ['y', '2'],
      ['tier', 'db'],
    ]);
  });
});

describe('policies', () => {
  it('set different labels in any order', () => {
    const policies = { p: never(label('p', '"1"')), q: never(label('q', '"2"')) };
    expect(mutated({ policies, object: POD })['metadata']?.['labels']).toEqual({ tier: 'web', p: '1', q: '2' });
    expect(remarks({ policies, object: POD }).codes).toEqual([]);
  });

  it('depend on their order if one writes a field that the other reads', () => {
    const policies = { p: never(label('n', 'string(object.spec.replicas)')), q: never(MERGED) };
    expect(remarks({ policies, object: DEPLOYMENT }).codes).toEqual(['order-dependent-mutation']);
  });

  it('depend on it if a patch tests a field that another sets, even if no expression reads it', () => {
    const seen = 'JSONPatch{op: "add", path: "/metadata/labels/seen", value: "yes"}';
    const tests = `[JSONPatch{op: "test", path: "/metadata/labels/tier", value: "db"}, ${seen}]`;
    const policies = { p: never(tests), q: never(label('tier', '"db"')) };
    const { codes, help } = remarks({ policies, object: POD });
    expect(codes).toEqual(['order-dependent-mutation']);
    expect(help).toBe('Pod default/web has nothing at metadata.labels.seen in name order and "yes" in reverse order');
  });

  it('depend on it if a patch copies a field that another writes', () => {
    const copy = '[JSONPatch{op: "copy", from: "/metadata/labels/tier", path: "/metadata/labels/copy"}]';
    const policies = { p: never(copy), q: never(label('tier', '"db"')) };
    expect(remarks({ policies, object: POD }).codes).toEqual(['order-dependent-mutation']);
  });

  it.each([
    ['is escaped', '"/metadata/labels/" + jsonpatch.escapeKey("example.com/a")'],
    ['is put together', '"/metadata/labels/" + object.metadata.name'],
    ['is not written out at all', 'variables.path'],
  ])('do not depend on it if the path of a patch %s and leads to another field', (_, path) => {
    const patch = {
      ...never(`[JSONPatch{op: "add", path: ${path}, value: "1"}]`),
      variables: { path: '"/metadata/labels/v"' },
    };
    const policies = { p: patch, q: never(label('tier', '"db"')) };
    expect(remarks({ policies, object: POD }).codes).toEqual([]);
  });

  it('that depend on it are found among a thousand others', () => {
    const many = Array.from({ length: 1000 }, (_, index) => [`m${index}`, never(label(`m${index}`, '"1"'))] as const);
    const policies = {
      ...Object.fromEntries(many),
      x: never(label('copy', 'object.metadata.labels.tier')),
      y: never(label('tier', '"db"')),
    };
    const told = mutateOnce({ policies, object: POD }).remarks;
    expect(told.map(({ message }) => message)).toEqual([
      'the result of `x` and `y` depends on their order, which the API server does not define',
    ]);
  });
});
