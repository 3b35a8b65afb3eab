// What calls of cel-go's own functions cost by the sizes of their arguments (cel-go `checker/cost.go: functionCost`).
import type { CallEstimate } from './cost-model.ts';
import { lesser, ONE, product, type Range, scaled, sum, wrapped } from './range.ts';

/** cel-go's factors: per character of a text, and of a pattern. */
export const TEXT = 0.1;
export const PATTERN = 0.25;

/** Sizes of the receiver and the arguments. */
interface CallSizes {
  readonly target: Range | undefined;
  readonly args: readonly Range[];
}

type Estimate = (sizes: CallSizes) => CallEstimate | undefined;

const UNARY: Estimate = ({ args: [text] }) => text && { cost: scaled(text, TEXT) };

const COMPARISON: Estimate = ({ args: [left, right] }) => {
  if (left === undefined || right === undefined) return undefined;
  const max = lesser(left.max, right.max);
  return { cost: scaled({ min: max > 0n ? 1n : 0n, max }, TEXT) };
};

const CONCATENATION: Estimate = ({ args: [left, right] }) => {
  if (left === undefined || right === undefined) return undefined;
  const resultSize = sum(left, right);
  return { cost: scaled(resultSize, TEXT), resultSize };
};

const ESTIMATES: ReadonlyMap<string, Estimate> = new Map([
  ['string_format', ({ target }) => target && { cost: scaled(target, TEXT) }],
  ['string_to_bytes', resized(({ min, max }) => ({ min, max: wrapped(max * 4n) }))],
  ['bytes_to_string', resized(({ min, max }) => ({ min: min / 4n, max }))],
  ['strings_quote', resized(({ min, max }) => ({ min: wrapped(min + 2n), max: wrapped(max * 2n + 2n) }))],
  ['starts_with_string', UNARY],
  ['ends_with_string', UNARY],
  ['in_list', ({ args: [, list] }) => list && { cost: scaled(list, 1) }],
  ['matches_string', ({ target, args: [pattern] }) => target && pattern && { cost: matchingCost(target, pattern) }],
  [
    'contains_string',
    ({ target, args: [part] }) => target && part && { cost: product(scaled(target, TEXT), scaled(part, TEXT)) },
  ],
  ['add_string', CONCATENATION],
  ['add_bytes', CONCATENATION],
  ['add_list', ({ args: [left, right] }) => left && right && { cost: ONE, resultSize: sum(left, right) }],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((comparison): [string, Estimate][] => [
    [`${comparison}_string`, COMPARISON],
    [`${comparison}_bytes`, COMPARISON],
  ]),
  ['equals', COMPARISON],
  ['not_equals', COMPARISON],
]);

/** Calls that are not known cost one. */
export function standardEstimate(overloadId: string, sizes: CallSizes): CallEstimate {
  return ESTIMATES.get(overloadId)?.(sizes) ?? { cost: ONE };
}

/** Every character of the text, and one more, against every part of the pattern. */
export function matchingCost(text: Range, pattern: Range): Range {
  return product(scaled(sum(text, ONE), TEXT), scaled(pattern, PATTERN));
}

function resized(resultSizeOf: (size: Range) => Range): Estimate {
  return ({ args: [text] }) => text && { cost: scaled(text, TEXT), resultSize: resultSizeOf(text) };
}
