// What calls of Kubernetes' functions cost before evaluation (apiserver `pkg/cel/library/cost.go: EstimateCallCost`).
import {
  type CallEstimate,
  type CallEstimator,
  type CostModel,
  type EstimatedCall,
  type EstimatedValue,
  estimatedSize,
  type ValuePath,
} from '../../cel/estimate/cost-model.ts';
import { exactly, NOTHING, ONE, product, type Range, scaled, sum, union } from '../../cel/estimate/range.ts';
import { matchingCost, PATTERN, TEXT } from '../../cel/estimate/standard-calls.ts';
import { LISTS_ESTIMATES } from '../../cel/library/lists-cost.ts';
import { SETS_ESTIMATES } from '../../cel/library/sets.ts';

const NOMINAL: CallEstimator = () => ({ cost: ONE });

/** An address is compared as bytes: of version 4 or of version 6. */
const ADDRESS: Range = { min: 4n, max: 16n };

/** Longest pattern and longest name of a named format. */
const MAX_FORMAT_PATTERN = 128;
const MAX_FORMAT = 64n;

/** Keyed on names alone, as `COSTS` of cost.ts. */
const FUNCTIONS: ReadonlyMap<string, CallEstimator> = new Map<string, CallEstimator>([
  ...named('check', () => ({ cost: exactly(350_000) })),
  ...named('serviceAccount path group resource subresource namespace name allowed reason error errored', NOMINAL),
  ...named('fieldSelector labelSelector', selectorEstimate),
  ...named('isSorted sum max min indexOf lastIndexOf includes', elementsEstimate),
  ...named('url jsonpatch.escapeKey', ({ args: [text] }, model) => text && keepingText(text, model)),
  ...named('lowerAscii upperAscii substring trim', ({ target }, model) => target && keepingText(target, model)),
  ...named('replace', replaceEstimate),
  ...named('split', splitEstimate),
  ...named('join', joinEstimate),
  ...named('find findAll', findEstimate),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', textEstimate(TEXT)),
  ...named('ip', (call, model) => (call.overloadId === 'cidr_ip' ? { cost: ONE } : textEstimate(TEXT)(call, model))),
  ...named('ip.isCanonical', textEstimate(2 * TEXT)),
  ...named('masked prefixLength family isUnspecified isLoopback', NOMINAL),
  ...named('isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', NOMINAL),
  ...named('containsIP', (call, model) => containsEstimate(call, model, 'cidr_contains_ip_string', NOTHING)),
  ...named('containsCIDR', (call, model) =>
    containsEstimate(call, model, 'cidr_contains_cidr_string', sum(scaled(ADDRESS, TEXT), ONE)),
  ),
  ...named('validate', ({ args: [text] }, model) => {
    const traversal = text && scaled(estimatedSize(text, model), TEXT);
    return traversal && { cost: scaled(traversal, MAX_FORMAT_PATTERN * PATTERN) };
  }),
  ...named('format.named', NOMINAL),
  ...named('sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub', NOMINAL),
  ...named('major minor patch', NOMINAL),
  ...named('getScheme getHostname getHost getPort getEscapedPath getQuery', NOMINAL),
  ...named('_==_', equalityEstimate),
]);

const OVERLOADS: ReadonlyMap<string, CallEstimator> = new Map([...SETS_ESTIMATES, ...LISTS_ESTIMATES]);

export function costModel(sizeAt: (path: ValuePath) => Range | undefined): CostModel {
  return { sizeAt, overloads: OVERLOADS, functions: FUNCTIONS };
}

function named(names: string, estimate: CallEstimator): readonly (readonly [string, CallEstimator])[] {
  return names.split(' ').map((name) => [name, estimate]);
}

function textEstimate(factor: number): CallEstimator {
  return ({ args: [text] }, model) => text && { cost: scaled(estimatedSize(text, model), factor) };
}

function keepingText(text: EstimatedValue, model: CostModel): CallEstimate {
  const resultSize = estimatedSize(text, model);
  return { cost: scaled(resultSize, TEXT), resultSize };
}

/** As `selectorCost` of cost.ts. */
function selectorEstimate({ args }: EstimatedCall, model: CostModel): CallEstimate | undefined {
  const [selector] = args;
  if (selector === undefined || args.length !== 1) return undefined;
  const length = estimatedSize(selector, model);
  return { cost: sum(exactly(10), scaled(length, TEXT), scaled(scaled(length, 0.5), 50)) };
}

/** One for every element, and the traversal of those that are texts. */
function elementsEstimate({ target }: EstimatedCall, model: CostModel): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = estimatedSize(target, model);
  const element = elementOf(target);
  if (element === undefined) return { cost: scaled(size, TEXT) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const elementCost = isText ? sum(ONE, scaled(estimatedSize(element, model), TEXT)) : ONE;
  return { cost: product(size, elementCost) };
}

/** Of a list; of a map it is a key that is found at the place of its elements. */
function elementOf({ path, type }: EstimatedValue): EstimatedValue | undefined {
  const [elementType] = type.parameters;
  if (elementType === undefined) return undefined;
  return {
    path: path.length === 0 ? [] : [...path, '@items'],
    type: elementType,
    expr: undefined,
    size: undefined,
  };
}

function replaceEstimate({ target, args: [from, to] }: EstimatedCall, model: CostModel): CallEstimate | undefined {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const text = estimatedSize(target, model);
  const resultSize = replacedSize(text, estimatedSize(from, model), estimatedSize(to, model));
  return { cost: scaled(text, 2 * TEXT), resultSize };
}

/** An empty text is found around every character; what is left of the old text counts only where upstream counts it. */
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

/** In doubles, as upstream. */
function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return scaled(exactly(1n), Number(dividend) / Number(divisor)).max;
}

/** At most as many parts as there are characters, or as a literal says. */
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
  const element = elementOf(target);
  let size = element === undefined ? NOTHING : product(list, estimatedSize(element, model));
  if (separator !== undefined) {
    const gaps = { min: list.min > 0n ? list.min - 1n : 0n, max: list.max > 0n ? list.max - 1n : 0n };
    size = sum(size, product(estimatedSize(separator, model), gaps));
  }
  return { cost: scaled(size, TEXT), resultSize: size };
}

function findEstimate({ target, args: [pattern] }: EstimatedCall, model: CostModel): CallEstimate | undefined {
  if (target === undefined || pattern === undefined) return undefined;
  const text = estimatedSize(target, model);
  return { cost: matchingCost(text, estimatedSize(pattern, model)), resultSize: { min: 0n, max: text.max } };
}

/** Two addresses are compared; one that is given as a text is read first. */
function containsEstimate(
  { overloadId, args: [other] }: EstimatedCall,
  model: CostModel,
  textOverloadId: string,
  more: Range,
): CallEstimate | undefined {
  if (other === undefined) return undefined;
  const parsing = overloadId === textOverloadId ? scaled(estimatedSize(other, model), TEXT) : NOTHING;
  return { cost: sum(scaled(sum(ADDRESS, ADDRESS), TEXT), more, parsing) };
}

const UNIT_EQUALITY: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);

/** Of the libraries' values; other values are left to cel-go. */
function equalityEstimate({ args: [left, right] }: EstimatedCall): CallEstimate | undefined {
  if (left === undefined || right === undefined || left.type.name !== right.type.name) return undefined;
  const { name } = left.type;
  if (UNIT_EQUALITY.has(name)) return { cost: ONE };
  if (name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1n, max: MAX_FORMAT }, TEXT) };
  if (name !== 'kubernetes.URL') return undefined;
  const size = right.size === undefined ? ONE : union(right.size, right.size);
  return { cost: scaled({ min: 1n, max: size.max }, TEXT) };
}
