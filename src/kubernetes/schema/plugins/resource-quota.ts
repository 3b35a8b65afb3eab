// Objects that alone exceed a ResourceQuota (apiserver `pkg/admission/plugin/resourcequota/controller.go: CheckRequest`).
import type { JsonObject } from '../../../source/json/json.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../quantity/quantity.ts';
import { signOf } from '../../quantity/quantity-amount.ts';
import { childObject, type MutableObject } from '../typed-field.ts';
import { type KnownObjects, lookedUpName, type PluginContext, RESOURCE_QUOTA } from './plugin-request.ts';
import { type ResourceList, resourceList } from './pod-resources.ts';
import { isInScopes } from './quota-scopes.ts';
import { CHARGES, type ChargedKind } from './quota-usage.ts';

/** As the server prints an amount that nothing uses. */
const NOTHING = parseQuantity('0') as Quantity;
const NO_USAGE: ResourceList = new Map();

export function isCharged(kind: string): kind is ChargedKind {
  return Object.hasOwn(CHARGES, kind);
}

/**
 * Forbids objects that exceed a quota in an empty Namespace, so that they exceed it in every other, too. The message says that nothing else is
 * used, because the files do not say more. Of several quotas, the server checks the first one in random order.
 */
export function validateQuota(
  object: JsonObject,
  old: JsonObject | undefined,
  kind: ChargedKind,
  namespace: string,
  known: KnownObjects,
  context: PluginContext,
): void {
  const charge = CHARGES[kind];
  if (old !== undefined && !charge.isChargedOnUpdate) return;
  const quotas = known.objects(RESOURCE_QUOTA, namespace);
  if (quotas.length === 0) return;
  for (const quota of quotas) {
    if (!isInScopes(object, kind, quota, context.minor)) continue;
    const missing = charge.missing(object as MutableObject, hardLimits(quota), context.minor);
    if (missing === undefined) continue;
    const message = `failed quota: ${lookedUpName(quota)}: must specify ${missing.message}`;
    context.forbid({ message, path: missing.path, reads: charge.reads, isAfterPolicies: true });
    return;
  }
  const usage = charge.usage(object as MutableObject, context.minor);
  const before = old === undefined ? NO_USAGE : charge.usage(old as MutableObject, context.minor);
  for (const quota of quotas) {
    if (!isInScopes(object, kind, quota, context.minor)) continue;
    const hard = hardLimits(quota);
    const used = old !== undefined && isInScopes(old, kind, quota, context.minor) ? before : NO_USAGE;
    const names = [...usage.keys()].filter((name) => {
      const limit = hard.get(name);
      const added = limit && addedBy(usage.get(name), used.get(name));
      const total = added && (addQuantities(used.get(name) ?? NOTHING, added) ?? added);
      return limit !== undefined && total !== undefined && compareQuantities(total, limit) > 0;
    });
    if (names.length === 0) continue;
    names.sort();
    const print = (amount: (name: string) => Quantity | undefined): string =>
      names.map((name) => `${name}=${formatQuantity(amount(name) ?? NOTHING)}`).join(',');
    const requested = print((name) => addedBy(usage.get(name), used.get(name)));
    const amounts = `used: ${print((name) => used.get(name))}, limited: ${print((name) => hard.get(name))}`;
    const message = `exceeded quota: ${lookedUpName(quota)}, requested: ${requested}, ${amounts}`;
    const path = charge.place(names[0] as string);
    context.forbid({ message, path, reads: charge.reads, isAfterPolicies: true });
    return;
  }
}

const HARD_LIMITS = new WeakMap<JsonObject, ResourceList>();

/** Read once: every object of the Namespace is compared with them. */
function hardLimits(quota: JsonObject): ResourceList {
  let limits = HARD_LIMITS.get(quota);
  if (limits === undefined) {
    limits = resourceList(childObject(quota as MutableObject, 'spec'), 'hard');
    HARD_LIMITS.set(quota, limits);
  }
  return limits;
}

/** Undefined if nothing is added; the server then does not look at the quota. */
function addedBy(now: Quantity | undefined, before: Quantity | undefined): Quantity | undefined {
  if (now === undefined) return undefined;
  const added = before === undefined ? now : (subtractQuantities(now, before) ?? now);
  return signOf(added.amount) > 0 ? added : undefined;
}
