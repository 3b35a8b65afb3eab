// Costs of cel-go's own functions (cel-go `interpreter/runtimecost.go: costCall`, `checker/cost.go: functionCost`).

import type { Price, TextSizes } from '../declaration/price.ts';
import type { CallEstimate, CallEstimator, EstimatedValue } from '../estimate/cost-model.ts';
import { ANYTHING, lesser, ONE, product, type Range, scaled, sum, wrapped } from '../estimate/range.ts';
import { costSizeOf } from '../value/cost-size.ts';
import type { Value } from '../value/value.ts';

/** cel-go's factors per character of a text and of a pattern. */
export const TEXT = 0.1;
export const PATTERN = 0.25;

export function traversal(size: number): number {
  return Math.ceil(size * TEXT);
}

/** A comparison reads up to the length of the shorter value. */
export function comparisonCost(left: Value, right: Value): number {
  return traversal(Math.min(costSizeOf(left), costSizeOf(right)));
}

/** Matches every character of the text, plus one, against every part of the pattern. */
export function matchingCost(text: Range, pattern: Range): Range {
  return product(scaled(sum(text, ONE), TEXT), scaled(pattern, PATTERN));
}

function sizeIn(sizes: TextSizes, value: Value): number {
  return typeof value === 'string' ? sizes.textSize(value) : costSizeOf(value);
}

/** Sizes of the receiver and the arguments, as far as known from the expression. */
interface CallSizes {
  readonly target: Range | undefined;
  readonly args: readonly Range[];
}

function estimated(estimate: (sizes: CallSizes) => CallEstimate | undefined): CallEstimator {
  const sizeOf = ({ size }: EstimatedValue): Range => size ?? ANYTHING;
  return ({ target, args }) => estimate({ target: target && sizeOf(target), args: args.map(sizeOf) });
}

const traverseFirst: Price['run'] = (sizes, first) => traversal(sizeIn(sizes, first));

/** Price of quoting, and of conversions between strings and bytes. */
function converting(resultSizeOf: (size: Range) => Range): Price {
  return {
    run: traverseFirst,
    estimate: estimated(({ args: [text] }) => text && { cost: scaled(text, TEXT), resultSize: resultSizeOf(text) }),
  };
}

export const TO_BYTES: Price = converting(({ min, max }) => ({ min, max: wrapped(max * 4n) }));
export const FROM_BYTES: Price = converting(({ min, max }) => ({ min: min / 4n, max }));
export const QUOTING: Price = converting(({ min, max }) => ({ min: wrapped(min + 2n), max: wrapped(max * 2n + 2n) }));

export const FORMATTING: Price = {
  run: traverseFirst,
  estimate: estimated(({ target }) => target && { cost: scaled(target, TEXT) }),
};

/** Price of checking the start or end of a text. */
export const AFFIX: Price = {
  run: traverseFirst,
  estimate: estimated(({ args: [text] }) => text && { cost: scaled(text, TEXT) }),
};

export const SEARCH: Price = {
  run: (sizes, first, second) => traversal(sizeIn(sizes, first)) * traversal(costSizeOf(second)),
  estimate: estimated(
    ({ target, args: [part] }) => target && part && { cost: product(scaled(target, TEXT), scaled(part, TEXT)) },
  ),
};

export const MATCHING: Price = {
  run: (sizes, first, second) => traversal(1 + sizeIn(sizes, first)) * Math.ceil(costSizeOf(second) * PATTERN),
  estimate: estimated(({ target, args: [pattern] }) => target && pattern && { cost: matchingCost(target, pattern) }),
};

export const COMPARISON: Price = {
  run: (_sizes, first, second) => comparisonCost(first, second),
  estimate: estimated(({ args: [left, right] }) => {
    if (left === undefined || right === undefined) return undefined;
    const max = lesser(left.max, right.max);
    return { cost: scaled({ min: max > 0n ? 1n : 0n, max }, TEXT) };
  }),
};

export const CONCATENATION: Price = {
  run: (_sizes, first, second) => traversal(costSizeOf(first) + costSizeOf(second)),
  estimate: estimated(({ args: [left, right] }) => {
    if (left === undefined || right === undefined) return undefined;
    const resultSize = sum(left, right);
    return { cost: scaled(resultSize, TEXT), resultSize };
  }),
};

/** Price of joining lists, which are not copied. */
export const JOINING: Price = {
  run: undefined,
  estimate: estimated(({ args: [left, right] }) => left && right && { cost: ONE, resultSize: sum(left, right) }),
};

export const MEMBERSHIP: Price = {
  run: (_sizes, _element, list) => costSizeOf(list),
  estimate: estimated(({ args: [, list] }) => list && { cost: scaled(list, 1) }),
};
