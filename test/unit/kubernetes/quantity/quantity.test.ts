import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../../../src/kubernetes/quantity/quantity.ts';
import { toApproximateDouble, toInt64 } from '../../../../src/kubernetes/quantity/quantity-amount.ts';

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed;
}

describe('parseQuantity and formatQuantity', () => {
  it.each([
    ['0', '0'],
    ['1', '1'],
    ['+1', '+1'],
    ['-1.5Gi', '-1536Mi'],
    ['1.5Gi', '1536Mi'],
    ['1024Ki', '1Mi'],
    ['1000m', '1'],
    ['0.1', '100m'],
    ['.5', '500m'],
    ['5.', '5.'],
    ['1.500', '1.500'],
    ['1500m', '1500m'],
    ['12e6', '12e6'],
    ['12E3', '12E3'],
    ['1e1', '10'],
    ['1000k', '1M'],
    ['0.5Ki', '512'],
    ['0.0001Ki', '102400u'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['100Ei', '9223372036854775807'],
    ['9223372036854775808', '9223372036854775808'],
    ['1000E', '1'],
    ['1e4294967296', '1e4294967296'],
    ['+', '0'],
    ['.', '0'],
    ['Ki', '0'],
    ['000', '0'],
  ])('%s is written %s', (text, canonical) => {
    expect(formatQuantity(quantity(text))).toBe(canonical);
  });

  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  it.each([
    ['', format],
    [' 1', format],
    ['1 ', format],
    ['1.2.3', format],
    ['１', format],
    ['1K', "unable to parse quantity's suffix"],
    ['12+3', "unable to parse quantity's suffix"],
    ['1e9223372036854775808', "unable to parse quantity's suffix"],
    ['e-10', 'unable to parse numeric part of quantity'],
  ])('%j is refused', (text, error) => {
    expect(parseQuantity(text)).toEqual({ error });
  });

  it('parses hostile exponents without expanding them', () => {
    for (const text of ['1e999999999', '1e-999999999', '1.0000000000000000001e999999999']) {
      expect(typeof formatQuantity(quantity(text))).toBe('string');
    }
    expect(compareQuantities(quantity('1e999999999'), quantity('1e999999998'))).toBe(1);
    expect(addQuantities(quantity('1e999999999'), quantity('1'))).toBeUndefined();
  });
});

describe('arithmetic', () => {
  it.each([
    ['1', '1Ki', '1025'],
    ['0', '1Ki', '1Ki'],
    ['1Ki', '1', '1025'],
    ['1.5Gi', '512Mi', '2Gi'],
    ['1', '-1', '0'],
    ['9223372036854775807', '1', '9223372036854775808'],
    ['100m', '900m', '1'],
  ])('%s + %s = %s', (left, right, sum) => {
    const result = addQuantities(quantity(left), quantity(right)) as Quantity;
    expect(formatQuantity(result)).toBe(sum);
    expect(compareQuantities(subtractQuantities(result, quantity(right)) as Quantity, quantity(left))).toBe(0);
  });

  it('has no integer for fractions and big decimals', () => {
    expect(toInt64(quantity('2k').amount)).toBe(2000n);
    expect(toInt64(quantity('1.0').amount)).toBeUndefined();
    expect(toInt64(quantity('9223372036854775807').amount)).toBeUndefined();
  });

  it('approximates like Go', () => {
    expect(toApproximateDouble(quantity('1e308').amount)).toBe(1e308);
    expect(toApproximateDouble(quantity('1e309').amount)).toBe(Number.POSITIVE_INFINITY);
    expect(toApproximateDouble(quantity('0e400').amount)).toBeNaN();
    expect(toApproximateDouble(quantity('12345678901234567890').amount)).toBe(12345678901234570000);
  });
});
