// Wildcards, patterns and denial texts. Data cached between objects must not affect results.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DenialWriter } from '../../../../src/policy/kyverno/classic/denial-text.ts';
import { SpokenRules } from '../../../../src/policy/kyverno/classic/spoken-rules.ts';
import type { MatchAnswer } from '../../../../src/policy/kyverno/matching/match-answer.ts';
import { compilePattern } from '../../../../src/policy/kyverno/pattern/compiled-pattern.ts';
import { matchPattern } from '../../../../src/policy/kyverno/pattern/match-pattern.ts';
import { CompiledPolicy } from '../../../../src/policy/kyverno/rule/compiled-policy.ts';
import { matchesWildcard } from '../../../../src/policy/kyverno/value/wildcard.ts';
import { objectOrEmpty } from '../../../../src/source/json/json-field.ts';
import { jsonOf } from './json-of.ts';

describe('wildcards', () => {
  it.each([
    ['*:latest', 'nginx:latest', true],
    ['*:latest', 'nginx:latest-1', false],
    ['*:latest', ':latest', true],
    ['ab*ba', 'aba', false],
    ['ab*ba', 'abba', true],
    ['*a*b', 'xaxb', true],
    ['*a*b', 'xbxa', false],
    ['?', '\u{1f600}', true],
    ['??', '\u{1f600}', false],
    ['*\u{1f600}', 'a\u{1f600}', true],
    // A surrogate pair is one character.
    ['*\ude00', '\u{1f600}', false],
    ['*\ude00', '\ude00', true],
    ['nginx', 'nginx-1', false],
    ['*', '', true],
    ['?*', '', false],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(matchesWildcard(pattern, text)).toBe(expected);
  });

  it('match like the equivalent regular expression', () => {
    const text = (letters: readonly string[]): fc.Arbitrary<string> =>
      fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((each) => each.join(''));
    fc.assert(
      fc.property(text(['a', 'b', '\u{1f600}', '*', '?']), text(['a', 'b', '\u{1f600}']), (pattern, name) => {
        const meaning = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su');
        expect(matchesWildcard(pattern, name)).toBe(meaning.test(name));
      }),
      { numRuns: 3000, seed: 5 },
    );
  });
});

describe('a pattern matched against several objects', () => {
  it('reports the location in each of them', () => {
    const pattern = compilePattern(
      jsonOf('{"spec": {"containers": [{"image": "*:1", "ports": [{"hostPort": 0}]}], "replicas": ">1"}}'),
    );
    const places = [
      '{"spec": {"containers": [], "replicas": 1}}',
      '{"spec": {"containers": [{"image": "a:1", "ports": []}, {"image": "a:2"}], "replicas": 2}}',
      '{"spec": {"containers": [{"image": "a:1", "ports": [{"hostPort": 0}, {"hostPort": 1}]}], "replicas": 2}}',
      '{"spec": {"containers": [{"image": "a:2"}], "replicas": 2}}',
      '{"spec": {"containers": [], "replicas": 1}}',
    ].map((object) => matchPattern(jsonOf(object), pattern)?.path);
    expect(places).toEqual([
      '/spec/replicas/',
      '/spec/containers/1/image/',
      '/spec/containers/0/ports/1/hostPort/',
      '/spec/containers/0/image/',
      '/spec/replicas/',
    ]);
  });

  it('is skipped if a value, pattern or key contains the text of an anchor error, as in upstream', () => {
    const skipped = (pattern: string, object: string): string | undefined =>
      matchPattern(jsonOf(object), compilePattern(jsonOf(pattern)))?.result;
    expect(skipped('{"a": "b"}', '{"a": "c"}')).toBe('fail');
    expect(skipped('{"a": "b"}', '{"a": "global anchor mismatch"}')).toBe('skip');
    expect(skipped('{"a": "conditional anchor mismatch"}', '{"a": "c"}')).toBe('skip');
    expect(skipped('{"global anchor mismatch": "b"}', '{}')).toBe('skip');
    expect(skipped('{"global anchor mismatch": {"a": "b"}}', '{}')).toBe('skip');
    expect(skipped('{"an anchor": {"a": "b"}}', '{}')).toBe('fail');
  });
});

describe('the text of a denial', () => {
  const object = objectOrEmpty(jsonOf('{"kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}}'));
  const failed = (policy: string, rule: string, message = 'bad'): Parameters<DenialWriter['write']>[1][number] => {
    return { policy, rule, message };
  };
  const body = (writer: DenialWriter, failures: Parameters<DenialWriter['write']>[1]): string =>
    writer.write(object, failures).split('policies \n\n')[1] ?? '';

  it('is sorted by policy and rule, regardless of input order', () => {
    const writer = new DenialWriter(['p-10', 'p-2', 'a']);
    const expected = 'a:\n  r: bad\np-2:\n  r1: bad\n  r2: bad\np-10:\n  r: bad\n';
    const failures = [failed('p-10', 'r'), failed('p-2', 'r2'), failed('a', 'r'), failed('p-2', 'r1')];
    expect(body(writer, failures)).toBe(expected);
    expect(body(writer, failures.toReversed())).toBe(expected);
  });

  it('contains the last of two rules with the same name', () => {
    const writer = new DenialWriter(['p', 'p']);
    expect(body(writer, [failed('p', 'r', 'first'), failed('p', 'r', 'last')])).toBe('p:\n  r: last\n');
  });

  it('lists unregistered policies last, each once', () => {
    const writer = new DenialWriter(['z']);
    const failures = [failed('b', 'r'), failed('a', 'r1'), failed('b', 'q'), failed('z', 'r'), failed('a', 'r2')];
    expect(body(writer, failures)).toBe('z:\n  r: bad\nb:\n  q: bad\n  r: bad\na:\n  r1: bad\n  r2: bad\n');
  });
});

describe('the action of a failing rule', () => {
  const policyOf = (spec: string, validate: string): CompiledPolicy => {
    const rule = `{"name": "r", "match": {"any": [{"resources": {"kinds": ["Pod"]}}]}, "validate": ${validate}}`;
    const written = `{"kind": "ClusterPolicy", "metadata": {"name": "p"}, "spec": {${spec}"rules": [${rule}]}}`;
    return new CompiledPolicy(objectOrEmpty(jsonOf(written)));
  };
  const blocks = (spec: string, validate: string): readonly MatchAnswer[] => {
    const policy = policyOf(spec, validate);
    const rules = new SpokenRules(policy);
    const [rule] = policy.rulesFor('Pod');
    return ['prod', 'test', 'prod'].map((namespace) =>
      rules.isEnforced(rule?.computed, namespace, { namespaceLabels: new Map() }),
    );
  };
  const inProd = '[{"action": "Enforce", "namespaces": ["prod"]}]';

  it.each([
    ['', '{"pattern": {}}', [false, false, false]],
    ['', '{"failureAction": "Enforce", "pattern": {}}', [true, true, true]],
    ['"validationFailureAction": "Enforce", ', '{"pattern": {}}', [true, true, true]],
    ['', `{"failureActionOverrides": ${inProd}, "pattern": {}}`, [true, false, true]],
    [`"validationFailureActionOverrides": ${inProd}, `, '{"pattern": {}}', [true, false, true]],
    [
      `"validationFailureActionOverrides": ${inProd}, `,
      '{"failureAction": "Audit", "pattern": {}}',
      [false, false, false],
    ],
  ])('%s%s', (spec, validate, expected) => {
    expect(blocks(spec, validate)).toEqual(expected);
  });
});
