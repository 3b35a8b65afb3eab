// Literals that the validators reject.
import { describe, expect, it } from 'vitest';
import type { AstValidator } from '../../../../src/cel/check/ast-validator.ts';
import { HOMOGENEOUS_LITERALS_VALIDATOR } from '../../../../src/cel/check/homogeneous-validator.ts';
import {
  DURATION_VALIDATOR,
  regexValidator,
  timestampValidator,
} from '../../../../src/cel/check/literal-validators.ts';
import { DYN } from '../../../../src/cel/check/type.ts';
import { Environment } from '../../../../src/cel/environment.ts';
import { OPTIONAL_LIBRARY } from '../../../../src/cel/library/optional.ts';
import { standardLibrary } from '../../../../src/cel/library/standard.ts';
import { STRINGS_2 } from '../../../../src/cel/library/strings.ts';

const EXEMPTING: AstValidator = { name: 'format', mixedLiteralFunctions: ['format'], validate: () => undefined };

const ENVIRONMENT = new Environment({
  libraries: [standardLibrary(), OPTIONAL_LIBRARY, STRINGS_2],
  variables: [{ name: 'any', type: DYN }],
  optionalSyntax: true,
  validators: [
    HOMOGENEOUS_LITERALS_VALIDATOR,
    DURATION_VALIDATOR,
    timestampValidator(26),
    regexValidator((pattern) => pattern !== '['),
    EXEMPTING,
    HOMOGENEOUS_LITERALS_VALIDATOR,
  ],
});

describe('validators', () => {
  it.each([
    ["duration('1h') < duration('x')", ['26: invalid duration argument']],
    ["timestamp('2024-01-01T00:00:00Z') < timestamp('yesterday')", ['46: invalid timestamp argument']],
    ['timestamp(1) < timestamp(99999999999999)', ['25: invalid timestamp argument']],
    ['duration(any) == timestamp(any) - timestamp(any)', []],
    ["any.matches('[')", ['12: invalid matches argument']],
    ["any.matches('a') || any.matches(any)", []],
    ["matches('[', 'a')", ['8: invalid matches argument']],
    ["[1, 2, 'a', true]", ["7: expected type 'int' but found 'string'"]],
    ["[[1], ['a'], any]", ["6: expected type 'list(int)' but found 'list(string)'"]],
    ['[1, any]', ["4: expected type 'int' but found 'dyn'"]],
    ['[[], [1]]', []],
    ["{1: 2, 'a': true}", ["7: expected type 'int' but found 'string'", "12: expected type 'int' but found 'bool'"]],
    ['[?optional.of(1), 2, ?optional.of("a")]', ["33: expected type 'int' but found 'string'"]],
    ['{?1: optional.of(1), 2: 3}', []],
    ["'%d %s'.format([1, 'a'])", []],
    ["'%s'.format([{1: 2, 'a': 3}]) == [1, 'a'][1]", ["37: expected type 'int' but found 'string'"]],
  ])('%s', (text, expected) => {
    const { issues } = ENVIRONMENT.compile(text);
    expect(issues.map(({ offset, message }) => `${offset}: ${message}`)).toEqual(expected);
  });
});
