// Prices shared by several Kubernetes libraries (apiserver `pkg/cel/library/cost.go: CallCost, EstimateCallCost`).

import type { NamePrice } from '../../../cel/declaration/price.ts';
import {
  type CallEstimate,
  type CostModel,
  type EstimatedCall,
  type EstimatedValue,
  estimatedSize,
} from '../../../cel/estimate/cost-model.ts';
import { ONE, product, type Range, scaled, sum } from '../../../cel/estimate/range.ts';
import { PATTERN, TEXT } from '../../../cel/library/standard-prices.ts';
import { costSizeOf } from '../../../cel/value/cost-size.ts';
import { isMap } from '../../../cel/value/equality.ts';
import { Bytes } from '../../../cel/value/scalar.ts';
import { Optional, type Value } from '../../../cel/value/value.ts';

export const NOMINAL: NamePrice = { run: () => 1, estimate: () => ({ cost: ONE }) };

/** Kubernetes' `actualSize`, which does not unwrap optionals. */
export function actualSize(value: Value): number {
  return value instanceof Optional ? 1 : costSizeOf(value);
}

/** The cost of `count` passes over the first argument. */
export function passes(count: number): NamePrice['run'] {
  return ([text]) => (text === undefined ? undefined : Math.ceil(actualSize(text) * count * TEXT));
}

/** The cost of parsing a text that is an argument, not a receiver. */
export function reading(count: number): NamePrice {
  return {
    run: passes(count),
    estimate: ({ args: [text] }, model) => text && { cost: scaled(estimatedSize(text, model), count * TEXT) },
  };
}

/** The cost of a pass whose result has the length of the text. */
export function keepingText(text: EstimatedValue, model: CostModel): CallEstimate {
  const resultSize = estimatedSize(text, model);
  return { cost: scaled(resultSize, TEXT), resultSize };
}

/** One pass over a text that is an argument. */
export const PASS: NamePrice = {
  run: passes(1),
  estimate: ({ args: [text] }, model) => text && keepingText(text, model),
};

export function patternCost(text: Value, patternSize: number): number {
  return Math.ceil((1 + actualSize(text)) * TEXT) * Math.ceil(patternSize * PATTERN);
}

/** The cost of visiting every element. */
export const ELEMENTS: NamePrice = {
  run: (args) => traversalCost(args.slice(0, 1)),
  estimate: elementsEstimate,
};

/** One unit per scalar and a tenth of a unit per byte of text, rounded down for each text. */
function traversalCost(roots: readonly Value[]): number {
  const pending: Value[] = [...roots];
  let cost = 0;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') cost += Math.floor(byteLength(value) * TEXT);
    else if (value instanceof Bytes) cost += Math.floor(value.data.length * TEXT);
    else if (Array.isArray(value)) for (const element of value) pending.push(element);
    else if (isMap(value)) for (const [key, entry] of value.entries()) pending.push(key, entry);
    else cost += 1;
  }
  return cost;
}

function byteLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Each half of a surrogate pair is two of the four bytes.
    if (code >= 0x800 && (code < 0xd800 || code > 0xdfff)) length += 2;
    else if (code >= 0x80) length += 1;
  }
  return length;
}

/** One unit per element, plus the traversal cost of text elements. */
function elementsEstimate({ target }: EstimatedCall, model: CostModel): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size: Range = estimatedSize(target, model);
  const element = listElement(target);
  if (element === undefined) return { cost: scaled(size, TEXT) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const elementCost = isText ? sum(ONE, scaled(estimatedSize(element, model), TEXT)) : ONE;
  return { cost: product(size, elementCost) };
}

/** Works for lists. Like upstream, for a map it returns a key with the path of its elements. */
export function listElement({ path, type }: EstimatedValue): EstimatedValue | undefined {
  const [elementType] = type.parameters;
  if (elementType === undefined) return undefined;
  return {
    path: path.length === 0 ? [] : [...path, '@items'],
    type: elementType,
    expr: undefined,
    size: undefined,
  };
}
