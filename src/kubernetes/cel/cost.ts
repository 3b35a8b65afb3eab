// The run-time and estimated costs of calls in Kubernetes and cel-go (apiserver `pkg/cel/library/cost.go`).

import type { CallCost, Library } from '../../cel/declaration/library.ts';
import type { NamePrice } from '../../cel/declaration/price.ts';
import type {
  CallEstimate,
  CallEstimator,
  CostModel,
  EstimatedCall,
  ValuePath,
} from '../../cel/estimate/cost-model.ts';
import { ONE, type Range, scaled, union } from '../../cel/estimate/range.ts';
import { LISTS_3 } from '../../cel/library/lists.ts';
import { SETS } from '../../cel/library/sets.ts';
import { standardLibrary } from '../../cel/library/standard.ts';
import { TEXT } from '../../cel/library/standard-prices.ts';
import { STRINGS_2 } from '../../cel/library/strings.ts';
import type { Value } from '../../cel/value/value.ts';
import { RegexCache } from '../../go/regexp/regex-cache.ts';
import { isAtLeast, type KubernetesVersion } from '../api/version.ts';
import { AUTHZ_LIBRARY, AUTHZ_SELECTORS_LIBRARY, ReceiverOnlyValue } from './library/authz.ts';
import { CIDR_LIBRARY, CidrValue } from './library/cidr.ts';
import { FORMAT_LIBRARY, FormatValue } from './library/format.ts';
import { IP_LIBRARY, IpValue } from './library/ip.ts';
import { JSON_PATCH_LIBRARY } from './library/json-patch.ts';
import { LISTS_LIBRARY_WITH_INCLUDES } from './library/lists.ts';
import { QUANTITY_LIBRARY, QuantityValue } from './library/quantity.ts';
import { regexLibrary } from './library/regex.ts';
import { SEMVER_LIBRARY, SemverValue } from './library/semver.ts';
import { STRINGS_LIBRARY } from './library/strings.ts';
import { URLS_LIBRARY, UrlValue } from './library/urls.ts';

/** Prices equality of library values; cel-go prices all other values. */
const EQUALITY: NamePrice = {
  run: ([left]) => (left !== undefined && hasUnitEquality(left) ? 1 : undefined),
  estimate: equalityEstimate,
};

/** All libraries with Kubernetes prices, including those that a release lacks. */
const PRICED: readonly Library[] = [
  AUTHZ_LIBRARY,
  AUTHZ_SELECTORS_LIBRARY,
  CIDR_LIBRARY,
  FORMAT_LIBRARY,
  IP_LIBRARY,
  JSON_PATCH_LIBRARY,
  LISTS_LIBRARY_WITH_INCLUDES,
  QUANTITY_LIBRARY,
  SEMVER_LIBRARY,
  STRINGS_LIBRARY,
  URLS_LIBRARY,
  regexLibrary(new RegexCache()),
];

/** Kubernetes prices calls by function name only, so any function named `name`, `add` or `path` has that price. */
const NAME_PRICES: ReadonlyMap<string, NamePrice> = new Map([
  ...PRICED.flatMap(({ functions }) => functions.flatMap(({ name, price }) => (price ? [[name, price] as const] : []))),
  ['_==_', EQUALITY],
]);

export interface CallCosts {
  readonly callCost: CallCost;
  /** The functions that `callCost` prices. */
  readonly callCostFunctions: ReadonlySet<string>;
}

/** Before 1.32, admission policies did not use Kubernetes' prices (feature gate StrictCostEnforcementForVAP). */
export function callCosts(version: KubernetesVersion): CallCosts {
  return isAtLeast(version, '1.32') ? ruleCallCosts() : { callCost: () => undefined, callCostFunctions: new Set() };
}

/** Rules of custom resources use Kubernetes' prices in every release. */
export function ruleCallCosts(): CallCosts {
  return {
    callCost: (functionName, overloadId, args, result) => NAME_PRICES.get(functionName)?.run(args, result, overloadId),
    callCostFunctions: new Set(NAME_PRICES.keys()),
  };
}

const NAME_ESTIMATES: ReadonlyMap<string, CallEstimator> = new Map(
  [...NAME_PRICES].map(([name, { estimate }]) => [name, estimate]),
);

const OVERLOAD_ESTIMATES: ReadonlyMap<string, CallEstimator> = new Map(
  [standardLibrary(), STRINGS_2, SETS, LISTS_3].flatMap(({ functions }) =>
    functions.flatMap(({ overloads }) =>
      overloads.flatMap(({ id, price }) => (price?.estimate === undefined ? [] : [[id, price.estimate] as const])),
    ),
  ),
);

export function costModel(sizeAt: (path: ValuePath) => Range | undefined): CostModel {
  return { sizeAt, overloads: OVERLOAD_ESTIMATES, functions: NAME_ESTIMATES };
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

/** Longest name of a named format. */
const MAX_FORMAT = 64n;

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

function equalityEstimate({ args: [left, right] }: EstimatedCall): CallEstimate | undefined {
  if (left === undefined || right === undefined || left.type.name !== right.type.name) return undefined;
  const { name } = left.type;
  if (UNIT_EQUALITY.has(name)) return { cost: ONE };
  if (name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1n, max: MAX_FORMAT }, TEXT) };
  if (name !== 'kubernetes.URL') return undefined;
  const size = right.size === undefined ? ONE : union(right.size, right.size);
  return { cost: scaled({ min: 1n, max: size.max }, TEXT) };
}
