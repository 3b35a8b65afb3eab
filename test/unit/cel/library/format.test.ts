// `format` in kube-apiserver; expectations were recorded from release 1.36.
import { describe, expect, it } from 'vitest';
import { Environment } from '../../../../src/cel/environment.ts';
import { displayIssues } from '../../../../src/cel/issue/display-issues.ts';
import { FORMAT_VALIDATOR } from '../../../../src/cel/library/format-validator.ts';
import { OPTIONAL_LIBRARY } from '../../../../src/cel/library/optional.ts';
import { standardLibrary } from '../../../../src/cel/library/standard.ts';
import { STRINGS_2 } from '../../../../src/cel/library/strings.ts';
import { evaluateCel } from '../../../support/cel.ts';

const evaluate = (text: string) => evaluateCel(text, { libraries: [STRINGS_2, OPTIONAL_LIBRARY] });

describe('values', () => {
  it.each([
    [`'%s and %s%%'.format(['a', 1])`, 'a and 1%'],
    [`'%d %d'.format([-5, 18446744073709551615u])`, '-5 18446744073709551615'],
    [`'%b %b %o %x %X'.format([5, true, 8, 255, 'hello'])`, '101 1 10 ff 68656C6C6F'],
    [`'%x %x'.format([-255, b'\\xff'])`, '-ff ff'],
    [`'%f %.2f'.format([1234567.891, -0.005])`, '1,234,567.891000 -0.01'],
    [`'%.0f %.0f'.format([0.5, 1.5])`, '0 2'],
    [`'%f'.format([1e22])`, '10,000,000,000,000,000,000,000.000000'],
    [`'%e %e'.format([1234.5, 0.00012])`, '1.234500×10⁰³ 1.200000×10⁻⁰⁴'],
    [`'%.3e|%.20e'.format([1.5, 1.5])`, '1.500000×10⁰⁰|       1.500000×10⁰⁰'],
    [`'%f %f'.format(['NaN', '-Infinity'])`, 'NaN -∞'],
    [`'%e'.format([double('NaN')])`, '   NaN'],
    [`'%.100000000f'.format([1.0])`, '%!(NOVERB)'],
    [`'%s %s'.format([1.0, 1e21])`, '1 1e+21'],
    [`'%s'.format([[1.5, 'x', b'ab', null, int]])`, '[1.500000, "x", b"ab", null, int]'],
    [`'%s'.format([[duration('90m'), timestamp(0)]])`, '[duration("5400s"), timestamp("1970-01-01T00:00:00Z")]'],
    [`'%s'.format([{'b': 1, 'a': [double('NaN')]}])`, '{"a":["NaN"], "b":1}'],
    [`'%s'.format([{2: 'x', 10: null}])`, '{10:null, 2:"x"}'],
    [`'%s'.format([['\\u202e\\n']])`, '["\\u202e\\n"]'],
  ])('%s', (text, value) => {
    expect(evaluate(text)).toMatchObject({ value });
  });
});

describe('run-time errors', () => {
  const unfit = 'error during formatting: ';
  it.each([
    [`'%s'.format(dyn([]))`, 'index 0 out of range'],
    [`'%'.format(dyn([]))`, 'index 0 out of range'],
    [`'%'.format(dyn([1]))`, 'unexpected end of string'],
    [`'%v'.format(dyn([1]))`, 'could not parse formatting clause: unrecognized formatting clause "v"'],
    [`'%é'.format(dyn([1]))`, 'could not parse formatting clause: unrecognized formatting clause "Ã"'],
    [`'%d'.format(dyn([1.5]))`, `${unfit}decimal clause can only be used on integers, was given double`],
    [`'%s'.format(dyn([[optional.of(1)]]))`, `${unfit}no formatting function for optional_type`],
    [`'%s'.format(dyn([{1.5: 1}]))`, `${unfit}no formatting function for map key of type double`],
    [
      `'%s'.format(dyn([b'\\xff']))`,
      `${unfit}could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string`,
    ],
    [
      `'%.f'.format(dyn([1.0]))`,
      'could not parse formatting clause: error while parsing precision: error while converting precision to integer: ' +
        'strconv.Atoi: parsing "": invalid syntax',
    ],
    [
      `'%.3'.format(dyn([1.0]))`,
      'could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
    ],
  ])('%s', (text, error) => {
    expect(evaluate(text)).toMatchObject({ error });
  });
});

describe('literal format strings', () => {
  const environment = new Environment({
    libraries: [standardLibrary(), STRINGS_2],
    validators: [FORMAT_VALIDATOR],
    homogeneousAggregateLiterals: true,
  });
  const complain = (text: string) => displayIssues(text, environment.compile(text).issues).split('\n')[0];

  it.each([
    [
      `'%d'.format([1.5])`,
      '1:14: error during formatting: decimal clause can only be used on integers, was given double',
    ],
    [`'%s'.format([])`, '1:12: index 0 out of range'],
    [`'%s'.format([1, 2])`, '1:12: too many arguments supplied to string.format (expected 1, got 2)'],
    [`'%%%s'.format(['a'])`, undefined],
    [`'%f'.format(['NaN'])`, undefined],
    [`'%d'.format([dyn('a')])`, undefined],
    [
      `'%b'.format(['a'])`,
      '1:14: error during formatting: only integers and bools can be formatted as binary, was given string',
    ],
  ])('%s', (text, expected) => {
    expect(complain(text)).toBe(expected === undefined ? '' : `ERROR: <input>:${expected}`);
  });
});
