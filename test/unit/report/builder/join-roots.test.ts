// One error that several roots render gives one finding with all roots.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinRoots, separated } from '../../../../src/report/builder/join-roots.ts';
import type { Finding } from '../../../../src/report/report.ts';
import { otherMessages, rootsNote } from '../../../../src/report/wording/wording.ts';

function finding(root: string | undefined, changes: Partial<Finding> = {}): Finding {
  return {
    code: 'failed-validation',
    fingerprint: `${root}`,
    target: 'production',
    severity: 'error',
    result: 'fail',
    actions: ['Deny'],
    policy: { kind: 'ValidatingAdmissionPolicy', name: 'replicas' },
    rule: { field: 'spec.validations[0].expression' },
    message: `no more than 3 in ${root}`,
    serverMessage: '',
    reason: 'Invalid',
    operation: 'CREATE',
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: `${root}`, name: 'shop' },
    fieldPath: 'spec.replicas',
    primary: { path: 'base/shop.yaml', startLine: 8, startColumn: 13, endLine: 8, endColumn: 14 },
    related: [],
    ...(root !== undefined && { roots: [root] }),
    ...changes,
  };
}

const rootsOf = (findings: readonly Finding[]) => findings.map(({ roots }) => roots);

describe('findings of several roots', () => {
  test('at one location are joined, with the first object and all roots', () => {
    const joined = joinRoots([finding('c'), finding('a'), finding('b', { target: 'staging' })]);
    expect(rootsOf(joined)).toEqual([['a', 'b', 'c']]);
    expect(joined[0]?.message).toBe('no more than 3 in a');
  });

  test('refer to at most three root declarations', () => {
    const declared = (path: string) => ({ message: 'rendered by', place: { ...finding('a').primary, path } });
    const rule = { message: 'the rule', place: finding('a').primary };
    const of = (root: string) => finding(root, { related: [declared(`${root}.yaml`), rule] });
    expect(joinRoots([of('b'), of('a')])[0]?.related).toEqual([declared('a.yaml'), declared('b.yaml'), rule]);
    const many = ['d', 'b', 'e', 'c', 'a'].map(of);
    const all = joinRoots(many)[0]?.related;
    expect(all).toEqual([declared('a.yaml'), declared('b.yaml'), declared('c.yaml'), rule]);
    expect(joinRoots([...joinRoots(many.slice(0, 2)), ...joinRoots(many.slice(2))])[0]?.related).toEqual(all);
  });

  test('with different locations, rules or results stay separate', () => {
    const primary = { ...finding('a').primary, startLine: 9, endLine: 9 };
    const findings = [
      finding('a'),
      finding('b', { primary }),
      finding('c', { rule: { field: 'spec.validations[1].expression' } }),
      finding('d', { severity: 'warning', actions: ['Warn'] }),
      finding('e', { status: 'existing' }),
      finding('f', { excuse: { by: 'baseline', reason: 'known', place: primary } }),
    ];
    expect(joinRoots(findings)).toEqual(findings);
  });

  test('of one root in several targets are joined, with all targets', () => {
    const joined = joinRoots([finding('a', { target: 'staging' }), finding('a'), finding('b', { target: 'test' })]);
    expect(joined.map(({ target, targets, roots }) => ({ target, targets, roots }))).toEqual([
      { target: 'production', targets: ['production', 'staging', 'test'], roots: ['a', 'b'] },
    ]);
  });

  test('of plain manifests are joined if the targets agree', () => {
    const written = (changes: Partial<Finding>) => finding(undefined, { message: 'no more than 3', ...changes });
    const joined = joinRoots([
      written({}),
      written({ target: 'staging' }),
      written({ target: 'test', message: 'no more than 5' }),
    ]);
    expect(joined.map(({ message, targets, roots }) => ({ message, targets, roots }))).toEqual([
      { message: 'no more than 3', targets: ['production', 'staging'], roots: undefined },
      { message: 'no more than 5', targets: undefined, roots: undefined },
    ]);
    const twice = [written({}), written({}), written({ target: 'staging' })];
    expect(joinRoots(twice).map(({ targets }) => targets)).toEqual([['production', 'staging'], undefined]);
  });

  test('list all objects, so that each can be accepted', () => {
    const given = [finding('b'), finding('a'), finding('a', { target: 'staging' })];
    const [joined] = joinRoots(given);
    const named = (of: readonly Pick<Finding, 'target' | 'resource'>[]) =>
      of.map(({ target, resource }) => `${target} ${resource.namespace}/${resource.name}`);
    expect(named(joined?.objects ?? [])).toEqual(['production a/shop', 'production b/shop', 'staging a/shop']);
    expect(named(separated(joined as Finding))).toEqual(['production a/shop', 'production b/shop', 'staging a/shop']);
    expect(separated(finding('a'))).toEqual([finding('a')]);
  });

  test('keep the message of each object when joined and split', () => {
    const said = (root: string, message: string, changes: Partial<Finding> = {}) =>
      finding(root, { message, serverMessage: `denied: ${message}`, ...changes });
    const given = [
      said('a', 'no more than 3'),
      said('b', 'no more than 3'),
      said('a', 'no more than 5', { target: 'staging' }),
    ];
    const [joined] = joinRoots([...joinRoots(given.slice(2)), ...joinRoots(given.slice(0, 2))]);
    expect(joined).toMatchObject({ message: 'no more than 3', serverMessage: 'denied: no more than 3' });
    expect(joined?.objects?.map(({ message, serverMessage }) => [message, serverMessage])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ['no more than 5', 'denied: no more than 5'],
    ]);
    const parts = separated(joined as Finding);
    expect(parts.map(({ message, serverMessage }) => [message, serverMessage])).toEqual(
      given.map(({ message, serverMessage }) => [message, serverMessage]),
    );
    expect(parts.flatMap(separated)).toEqual(parts);
  });

  test('show further messages, unless only the name differs', () => {
    const [renamed] = joinRoots([finding('aa'), finding('bb')]);
    expect(renamed?.objects?.[1]?.message).toBe('no more than 3 in bb');
    expect(otherMessages(renamed as Finding)).toEqual([]);
    const others = ['c', 'd', 'e', 'f'].map((target, index) => finding('bb', { target, message: `at most ${index}` }));
    const [several] = joinRoots([
      finding('aa', { target: 'b' }),
      finding('bb', { target: 'b', message: 'none' }),
      ...others,
    ]);
    expect(otherMessages(several as Finding)).toEqual([
      'Deployment bb/shop: none',
      'on c: at most 0',
      'on d: at most 1',
      '2 more messages',
    ]);
  });

  test('are joined independently of their order, idempotently', () => {
    const one = fc.record({
      root: fc.constantFrom('a', 'b', 'c', 'd'),
      target: fc.constantFrom('production', 'staging'),
      line: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: (each) => JSON.stringify(each), maxLength: 12 }), (given) => {
        const findings = given.map(({ root, target, line }) =>
          finding(root, {
            target,
            fingerprint: `${root} ${target} ${line}`,
            primary: { ...finding(root).primary, startLine: line },
          }),
        );
        const sorted = (list: readonly Finding[]) => list.map((each) => JSON.stringify(each)).sort();
        const joined = joinRoots(findings);
        expect(sorted(joinRoots([...findings].reverse()))).toEqual(sorted(joined));
        const covered = joined.flatMap(({ roots = [], primary }) =>
          roots.map((root) => `${root} ${primary.startLine}`),
        );
        const wanted = findings.map(({ roots = [], primary }) => `${roots[0]} ${primary.startLine}`);
        expect(new Set(covered)).toEqual(new Set(wanted));
      }),
    );
  });

  test('name the first three roots', () => {
    expect(rootsNote(finding(undefined))).toBe('');
    expect(rootsNote(finding('a'))).toBe('rendered by a');
    expect(rootsNote(finding('a', { roots: ['a', 'b', 'c', 'd'] }))).toBe('in 4 roots: a, b, c, …');
  });
});
