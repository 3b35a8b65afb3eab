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
import { resourceList } from './pod-resources.ts';
import { isInScopes } from './quota-scopes.ts';
import { CHARGES, type ChargedKind } from './quota-usage.ts';

/** As the server prints an amount that nothing uses. */
const NOTHING = parseQuantity('0') as Quantity;

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
  for (const quota of quotas) {
    const hard = resourceList(childObject(quota as MutableObject, 'spec'), 'hard');
    const names = [...hard.keys()].filter(charge.isTracked);
    if (names.length === 0 || !isInScopes(object, kind, quota)) continue;
    const missing = charge.missing(object as MutableObject, new Set(names), context.minor);
    if (missing === undefined) continue;
    context.forbid({
      message: `failed quota: ${lookedUpName(quota)}: must specify ${missing.message}`,
      path: missing.path,
      reads: charge.reads,
      isAfterPolicies: true,
    });
    return;
  }
  const usage = charge.usage(object as MutableObject, context.minor);
  const before = old === undefined ? new Map() : charge.usage(old as MutableObject, context.minor);
  for (const quota of quotas) {
    const hard = resourceList(childObject(quota as MutableObject, 'spec'), 'hard');
    if (!isInScopes(object, kind, quota)) continue;
    const used = old !== undefined && isInScopes(old, kind, quota) ? before : new Map<string, Quantity>();
    const exceeded = [...hard].filter(([name, limit]) => {
      const added = addedBy(usage.get(name), used.get(name));
      const total = added && (addQuantities(used.get(name) ?? NOTHING, added) ?? added);
      return charge.isTracked(name) && total !== undefined && compareQuantities(total, limit) > 0;
    });
    if (exceeded.length === 0) continue;
    const names = exceeded.map(([name]) => name).sort();
    const print = (amount: (name: string) => Quantity | undefined): string =>
      names.map((name) => `${name}=${formatQuantity(amount(name) ?? NOTHING)}`).join(',');
    const requested = print((name) => addedBy(usage.get(name), used.get(name)));
    const limits = print((name) => hard.get(name));
    context.forbid({
      message: `exceeded quota: ${lookedUpName(quota)}, requested: ${requested}, used: ${print((name) => used.get(name))}, limited: ${limits}`,
      path: charge.place(names[0] as string),
      reads: charge.reads,
      isAfterPolicies: true,
    });
    return;
  }
}

/** Undefined if nothing is added; the server then does not look at the quota. */
function addedBy(now: Quantity | undefined, before: Quantity | undefined): Quantity | undefined {
  if (now === undefined) return undefined;
  const added = before === undefined ? now : (subtractQuantities(now, before) ?? now);
  return signOf(added.amount) > 0 ? added : undefined;
}
