// Preconditions and deny conditions: forms, messages and every operator.
import { describe, expect, it } from 'vitest';
import { readConditions } from '../../../../src/policy/kyverno/conditions/condition.ts';
import { evaluateConditions } from '../../../../src/policy/kyverno/conditions/evaluate-conditions.ts';
import { operatorOf } from '../../../../src/policy/kyverno/conditions/operators.ts';
import { VariableError } from '../../../../src/policy/kyverno/variables/variable-error.ts';
import type { VariableSource } from '../../../../src/policy/kyverno/variables/variable-source.ts';
import { jsonOf } from './json-of.ts';

const NOTHING: VariableSource = {
  operation: 'CREATE',
  query: (text) => (text === 'yes' ? 'a' : new VariableError('failure', `no ${text}`)),
};

const T = (message = ''): string => `{"key": "a", "operator": "Equals", "value": "a", "message": "${message}"}`;
const F = (message = ''): string => `{"key": "a", "operator": "Equals", "value": "b", "message": "${message}"}`;

function evaluate(conditions: string): string {
  const answer = evaluateConditions(NOTHING, jsonOf(conditions));
  return answer instanceof VariableError ? `error: ${answer.message}` : `${answer.holds}: ${answer.message}`;
}

describe('forms', () => {
  it.each([
    [`{"any": []}`, 'false: '],
    [`{"all": []}`, 'true: '],
    [`{}`, 'true: '],
    [`[]`, 'true: '],
    [`{"any": [${F('one')}, ${T('two')}, ${T('three')}]}`, 'true: two'],
    [`{"any": [${F('one')}, ${F('two')}]}`, 'false: one; two'],
    [`{"all": [${T('one')}, ${T('two')}]}`, 'true: one; two'],
    [`{"all": [${T('one')}, ${F('two')}, ${F('three')}]}`, 'false: two'],
    [`{"any": [${F('one')}, ${T('two')}], "all": [${F('three')}]}`, 'false: one; three'],
    [`[${T('one')}, ${T('two')}]`, 'true: one;two'],
    [`[${T('one')}, ${F('two')}]`, 'false: two'],
    [`[{"all": [${T('one')}]}, {"any": [${T('two')}]}]`, 'true: one;two'],
    [`{"all": [{"key": "{{ yes }}", "operator": "Equals", "value": "a"}]}`, 'true: '],
    [
      `{"all": [{"key": "{{ no }}", "operator": "Equals", "value": "a"}]}`,
      'error: failed to substitute variables in condition key: failed to resolve no at path : no no',
    ],
    [
      `{"all": [{"key": "a", "operator": "Equals", "value": ["{{ no }}"]}]}`,
      'error: failed to substitute variables in condition value: failed to resolve no at path /0: no no',
    ],
    [
      `{"all": [{"key": "a", "operator": "Is", "value": "a"}]}`,
      'error: failed to create handler for condition operator: %!w(<nil>)',
    ],
    [`5`, 'error: invalid condition'],
  ])('%s gives %s', (conditions, expected) => {
    expect(evaluate(conditions)).toBe(expected);
  });

  it('can be parsed in advance', () => {
    const read = readConditions(jsonOf(`{"any": [${F('one')}]}`));
    expect(read === undefined ? undefined : evaluateConditions(NOTHING, read)).toMatchObject({ holds: false });
  });
});

describe('operators', () => {
  it.each([
    // key, operator, value, result; 5 is an integer, 5.5 a double
    ['"a"', 'Equals', '"a*"', true],
    ['"a*"', 'Equals', '"ab"', false],
    ['5', 'Equals', '"5"', true],
    ['5', 'Equals', '"5.0"', false],
    ['5.5', 'Equals', '"5.50"', true],
    ['"1h"', 'Equals', '"60m"', true],
    ['"1h"', 'Equals', '3600', true],
    ['"1Gi"', 'Equals', '"1024Mi"', true],
    ['"1Gi"', 'Equals', '"*"', false],
    ['"1Gi"', 'NotEquals', '"x"', true],
    ['"5"', 'NotEquals', '""', true],
    ['null', 'Equals', 'null', false],
    ['null', 'NotEquals', '"a"', false],
    ['true', 'Equals', '"true"', false],
    ['[1, 2]', 'Equals', '[1, 2]', true],
    ['[1, 2]', 'Equals', '[1, 2.5]', false],
    ['{"a": 1}', 'NotEquals', '{"a": 1}', false],
    ['{"a": 1}', 'NotEquals', '"x"', true],
    ['"a"', 'AnyIn', '["a*"]', true],
    ['"a*"', 'AnyIn', '["ab"]', true],
    ['"a"', 'AnyIn', '"[\\"a\\", \\"b\\"]"', true],
    ['"a"', 'AnyIn', '"a"', true],
    ['"a"', 'AnyIn', '{"a": 1}', false],
    ['"a"', 'AnyNotIn', '{"a": 1}', false],
    ['"a"', 'AnyNotIn', '"{}"', false],
    ['7', 'AnyIn', '"5-10"', true],
    ['"7Mi"', 'AllIn', '"5Mi-10Mi"', true],
    ['[7, 12]', 'AllIn', '"5-10"', false],
    ['[7, 12]', 'AnyIn', '"5-10"', true],
    ['[7, 12]', 'AnyNotIn', '"5-10"', true],
    ['[7, 12]', 'AllNotIn', '"5-10"', false],
    ['["a", "b"]', 'AnyIn', '["b", "c"]', true],
    ['["a", "b"]', 'AllIn', '["b", "c"]', false],
    ['["a", "b"]', 'AnyNotIn', '["b", "c"]', true],
    ['["a", "b"]', 'AllNotIn', '["b", "c"]', false],
    ['[]', 'AnyIn', '["a"]', false],
    ['[]', 'AllIn', '["a"]', true],
    ['[]', 'AnyNotIn', '["a"]', false],
    ['[]', 'AllNotIn', '["a"]', true],
    ['[5]', 'AnyIn', '5', true],
    ['5', 'AnyIn', '5', false],
    ['[5]', 'AllIn', '5', false],
    ['"a"', 'In', '["a", "b"]', true],
    ['["a"]', 'In', '["a", "b"]', true],
    ['["a", "c"]', 'In', '["a", "b"]', false],
    ['["a", "c"]', 'NotIn', '["a", "b"]', true],
    ['["a"]', 'NotIn', '"a"', true],
    ['"a"', 'NotIn', '5', false],
    ['5', 'GreaterThan', '4', true],
    ['"5"', 'GreaterThan', '"4.5"', true],
    ['"1Gi"', 'LessThan', '"2000Mi"', true],
    ['"1h"', 'GreaterThan', '"59m"', true],
    ['3601', 'GreaterThan', '"1h"', true],
    ['"1.10.0"', 'GreaterThan', '"1.9.0"', true],
    ['"v1"', 'GreaterThan', '"v0"', false],
    ['5', 'LessThanOrEquals', '5.0', true],
    ['true', 'LessThan', '5', false],
    ['5', 'greaterthan', '4', false],
    ['"1h"', 'DurationGreaterThan', '60', true],
    ['90', 'DurationLessThan', '"2m"', true],
    ['1.9', 'DurationGreaterThan', '1', false],
    ['"x"', 'DurationLessThan', '"2m"', false],
  ])('%s %s %s: %s', (key, operator, value, expected) => {
    expect(operatorOf(operator)?.(jsonOf(key), jsonOf(value))).toBe(expected);
  });

  it('reports where Kyverno crashes', () => {
    expect(operatorOf('In')?.([1n], ['a'])).toMatchObject({
      kind: 'panic',
      message: 'interface conversion: interface {} is int64, not string',
    });
  });
});
