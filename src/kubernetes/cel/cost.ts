// What calls of Kubernetes' functions cost at run time (apiserver `pkg/cel/library/cost.go: CallCost`).

import { LISTS_3 } from '../../cel/library/lists.ts';
import { LISTS_COSTS } from '../../cel/library/lists-cost.ts';
import type { OverloadCost } from '../../cel/library/overload-cost.ts';
import { SETS, SETS_COSTS } from '../../cel/library/sets.ts';
import type { CallCost } from '../../cel/library.ts';
import { costSizeOf } from '../../cel/value/cost-size.ts';
import { isMap } from '../../cel/value/equality.ts';
import { Bytes } from '../../cel/value/scalar.ts';
import { Optional, type Value } from '../../cel/value/value.ts';
import { isAtLeast, type KubernetesVersion } from '../version.ts';
import { ReceiverOnlyValue } from './library/authz.ts';
import { CidrValue } from './library/cidr.ts';
import { FormatValue } from './library/format.ts';
import { IpValue } from './library/ip.ts';
import { QuantityValue } from './library/quantity.ts';
import { SemverValue } from './library/semver.ts';
import { UrlValue } from './library/urls.ts';

/** cel-go's factors: per byte or character of a text, and of a pattern. */
const TEXT = 0.1;
const PATTERN = 0.25;

/** A check is made so dear that two fit into one expression. */
const ACCESS_CHECK = 350_000;

type Cost = (args: readonly Value[], result: Value, overloadId: string) => number | undefined;

const NOMINAL: Cost = () => 1;

/**
 * Keyed on names alone, so whatever is called `name`, `add` or `path` costs what Kubernetes' function of that name does.
 * `_==_` is here for the values of the libraries; other values are left to cel-go.
 */
const COSTS: ReadonlyMap<string, Cost> = new Map([
  ...named('check', () => ACCESS_CHECK),
  ...named('serviceAccount path group resource subresource namespace name allowed reason error errored', NOMINAL),
  ...named('fieldSelector labelSelector', selectorCost),
  ...named('isSorted sum max min indexOf lastIndexOf includes', (args) => traversalCost(args.slice(0, 1))),
  ...named('url lowerAscii upperAscii substring trim jsonpatch.escapeKey', textCost(1)),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', textCost(1)),
  ...named('ip', (args, result, id) => (id === 'cidr_ip' ? 1 : textCost(1)(args, result, id))),
  ...named('replace split ip.isCanonical', textCost(2)),
  ...named('join', (args, result) => (args.length === 0 ? undefined : Math.ceil(sizeOf(result) * 2 * TEXT))),
  ...named('find findAll', ([text, pattern]) =>
    text === undefined || pattern === undefined ? undefined : patternCost(text, sizeOf(pattern)),
  ),
  ...named('masked prefixLength family isUnspecified isLoopback', NOMINAL),
  ...named('isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', NOMINAL),
  ...named('containsIP', containsIpCost),
  ...named('containsCIDR', containsCidrCost),
  ...named('validate', ([format, text]) =>
    format instanceof FormatValue && text !== undefined ? patternCost(text, format.format.regexSize) : undefined,
  ),
  ...named('format.named', NOMINAL),
  ...named('sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub', NOMINAL),
  ...named('major minor patch', NOMINAL),
  ...named('getScheme getHostname getHost getPort getEscapedPath getQuery', NOMINAL),
  ...named('_==_', ([left]) => (left !== undefined && hasUnitEquality(left) ? 1 : undefined)),
]);

function named(names: string, cost: Cost): readonly (readonly [string, Cost])[] {
  return names.split(' ').map((name) => [name, cost]);
}

export interface CallCosts {
  readonly callCost: CallCost;
  /** The functions that `callCost` knows. */
  readonly callCostFunctions: ReadonlySet<string>;
}

/** What cel-go's own libraries ask for their overloads, which goes before Kubernetes' prices. */
const OVERLOAD_COSTS: ReadonlyMap<string, OverloadCost> = new Map([...SETS_COSTS, ...LISTS_COSTS]);
const EXTENSION_FUNCTIONS: readonly string[] = [...SETS.functions, ...LISTS_3.functions].map(({ name }) => name);

/** Before 1.32 Kubernetes' prices were not asked of admission policies (feature gate StrictCostEnforcementForVAP). */
export function callCosts(version: KubernetesVersion): CallCosts {
  return costsWith(isAtLeast(version, '1.32') ? COSTS : new Map());
}

/** The rules of custom resources pay Kubernetes' prices in every release. */
export function ruleCallCosts(): CallCosts {
  return costsWith(COSTS);
}

function costsWith(costs: typeof COSTS): CallCosts {
  return {
    callCost: (functionName, overloadId, args, result) =>
      OVERLOAD_COSTS.get(overloadId)?.(args, result) ?? costs.get(functionName)?.(args, result, overloadId),
    callCostFunctions: new Set([...EXTENSION_FUNCTIONS, ...costs.keys()]),
  };
}

/** Kubernetes' `actualSize`, which does not look into optionals. */
function sizeOf(value: Value): number {
  return value instanceof Optional ? 1 : costSizeOf(value);
}

/** So many passes over the first argument. */
function textCost(passes: number): Cost {
  return ([text]) => (text === undefined ? undefined : Math.ceil(sizeOf(text) * passes * TEXT));
}

function patternCost(text: Value, patternSize: number): number {
  return Math.ceil((1 + sizeOf(text)) * TEXT) * Math.ceil(patternSize * PATTERN);
}

/** A list, a pass over the text, and a struct with a list for every requirement: at least two characters each. */
function selectorCost([, selector]: readonly Value[]): number | undefined {
  if (selector === undefined) return undefined;
  const length = sizeOf(selector);
  return 10 + Math.ceil(length * TEXT) + Math.ceil(length * 0.5) * 50;
}

function containsIpCost([cidr, ip]: readonly Value[], _result: Value, overloadId: string): number | undefined {
  if (cidr === undefined || ip === undefined) return undefined;
  const parsing = overloadId === 'cidr_contains_ip_string' ? Math.ceil(sizeOf(ip) * TEXT) : 0;
  return Math.ceil(2 * sizeOf(cidr) * TEXT) + parsing;
}

function containsCidrCost([cidr, other]: readonly Value[], _result: Value, overloadId: string): number | undefined {
  if (cidr === undefined || other === undefined) return undefined;
  const size = sizeOf(cidr);
  const parsing = overloadId === 'cidr_contains_cidr_string' ? Math.ceil(sizeOf(other) * TEXT) : 0;
  return Math.ceil(2 * size * TEXT) + Math.ceil(size * TEXT) + 1 + parsing;
}

/** One for every scalar, a tenth of a unit for every byte of texts, each text rounded down. */
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
    // Either half of a surrogate pair stands for two of its four bytes.
    if (code >= 0x800 && (code < 0xd800 || code > 0xdfff)) length += 2;
    else if (code >= 0x80) length += 1;
  }
  return length;
}

function hasUnitEquality(value: Value): boolean {
  return (
    value instanceof QuantityValue ||
    value instanceof IpValue ||
    value instanceof CidrValue ||
    value instanceof FormatValue ||
    value instanceof UrlValue ||
    value instanceof SemverValue ||
    value instanceof ReceiverOnlyValue
  );
}
