// cel-go's `ext.Strings` with Kubernetes' prices (apiserver `pkg/cel/library/cost.go`).

import type { Library } from '../../../cel/declaration/library.ts';
import type { NamePrice } from '../../../cel/declaration/price.ts';
import {
  type CallEstimate,
  type CallEstimator,
  type CostModel,
  type EstimatedCall,
  estimatedSize,
} from '../../../cel/estimate/cost-model.ts';
import { exactly, NOTHING, ONE, product, type Range, scaled, sum } from '../../../cel/estimate/range.ts';
import { TEXT } from '../../../cel/library/standard-prices.ts';
import { STRINGS_0, STRINGS_2, STRINGS_2_CLAMPED } from '../../../cel/library/strings.ts';
import { actualSize, ELEMENTS, keepingText, listElement, passes } from './prices.ts';

const receiverPass: CallEstimator = ({ target }, model) => target && keepingText(target, model);
const ONE_PASS: NamePrice = { run: passes(1), estimate: receiverPass };

/** Functions that are not listed have cel-go's price. */
const PRICES: ReadonlyMap<string, NamePrice> = new Map<string, NamePrice>([
  // Kubernetes prices these like the list functions of the same name.
  ['indexOf', ELEMENTS],
  ['lastIndexOf', ELEMENTS],
  ['lowerAscii', ONE_PASS],
  ['upperAscii', ONE_PASS],
  ['substring', ONE_PASS],
  ['trim', ONE_PASS],
  ['replace', { run: passes(2), estimate: replaceEstimate }],
  ['split', { run: passes(2), estimate: splitEstimate }],
  [
    'join',
    {
      run: (args, result) => (args.length === 0 ? undefined : Math.ceil(actualSize(result) * 2 * TEXT)),
      estimate: joinEstimate,
    },
  ],
]);

export const STRINGS_LIBRARY_0: Library = priced(STRINGS_0);
export const STRINGS_LIBRARY: Library = priced(STRINGS_2);
export const STRINGS_LIBRARY_CLAMPED: Library = priced(STRINGS_2_CLAMPED);

function priced(library: Library): Library {
  const functions = library.functions.map((declaration) => {
    const price = PRICES.get(declaration.name);
    return price === undefined ? declaration : { ...declaration, price };
  });
  return { ...library, functions };
}

function replaceEstimate({ target, args: [from, to] }: EstimatedCall, model: CostModel): CallEstimate | undefined {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const text = estimatedSize(target, model);
  const resultSize = replacedSize(text, estimatedSize(from, model), estimatedSize(to, model));
  return { cost: scaled(text, 2 * TEXT), resultSize };
}

/** An empty text matches around every character. `kept` is the part of the old text that upstream includes in the size. */
function replacedSize(text: Range, from: Range, to: Range): Range {
  let most = { count: 0n, kept: text.max };
  if (from.min === 0n) most = { count: sum(exactly(text.max), ONE).max, kept: text.max };
  else if (to.max > from.min) most = { count: dividedUp(text.max, from.min), kept: 0n };
  let least = { count: 0n, kept: text.min };
  if (from.max === 0n) least = { count: sum(exactly(text.min), ONE).max, kept: text.min };
  else if (from.max > to.min) least = { count: dividedUp(text.min, from.max), kept: 0n };
  const replaced = product({ min: least.count, max: most.count }, to);
  return sum(replaced, { min: least.kept, max: most.kept });
}

/** Uses doubles, as upstream. */
function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return scaled(exactly(1n), Number(dividend) / Number(divisor)).max;
}

/** At most one part per character, or as many as a literal limit allows. */
function splitEstimate({ target, args: [, limit] }: EstimatedCall, model: CostModel): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const text = estimatedSize(target, model);
  const literal = limit?.expr?.kind === 'literal' ? limit.expr.value : undefined;
  const max = typeof literal === 'bigint' ? BigInt.asUintN(64, literal) : text.max;
  return { cost: scaled(text, 2 * TEXT), resultSize: { min: 0n, max } };
}

function joinEstimate({ target, args: [separator] }: EstimatedCall, model: CostModel): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const list = estimatedSize(target, model);
  const element = listElement(target);
  let size = element === undefined ? NOTHING : product(list, estimatedSize(element, model));
  if (separator !== undefined) {
    const gaps = { min: list.min > 0n ? list.min - 1n : 0n, max: list.max > 0n ? list.max - 1n : 0n };
    size = sum(size, product(estimatedSize(separator, model), gaps));
  }
  return { cost: scaled(size, TEXT), resultSize: size };
}
