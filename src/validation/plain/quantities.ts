// Resource quantities in their usual texts, and resources of containers (pkg/apis/core/validation `validateResourceRequirements`).
import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { isLabelKey } from './formats.ts';
import { childOf, type PlainRule, structOf } from './rule.ts';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
]);

const QUANTITY = /^(\d{1,12})(?:\.(\d{1,3}))?(m|[kMGT]|[KMGT]i)?$/;

/** In thousandths. Undefined unless the text is usual and the number exact. */
export function milliValue(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'bigint') return value >= 0n && value < 1_000_000_000n ? Number(value) * 1e3 : undefined;
  if (typeof value !== 'string') return undefined;
  const match = QUANTITY.exec(value);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', suffix = ''] = match;
  const isMilli = suffix === 'm' && fraction === '';
  const unit = UNITS.get(suffix) ?? Number.NaN;
  const milli = isMilli ? Number(whole) : (Number(whole) * 1e3 + Number(fraction.padEnd(3, '0'))) * unit;
  return Number.isSafeInteger(milli) ? milli : undefined;
}

export function isWhole(milli: number | undefined): milli is number {
  return milli !== undefined && milli % 1e3 === 0;
}

export const positiveQuantity: PlainRule = (value) => (milliValue(value) ?? 0) > 0;

/** Fractional bytes lead to a warning. */
function resourceAmount(name: string, value: JsonValue): number | undefined {
  const milli = milliValue(value);
  return name === 'cpu' || isWhole(milli) ? milli : undefined;
}

const COMPUTE: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** `IsExtendedResourceName`. Native resources such as huge pages are not proven. */
function isExtendedResource(name: string): boolean {
  const isOwn = name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
  return isOwn && isLabelKey(name) && isLabelKey(`requests.${name}`);
}

const resourceList: PlainRule = (value) => {
  if (!isJsonObject(value)) return false;
  for (const [name, amount] of value) {
    if (!COMPUTE.has(name) && !isExtendedResource(name)) return false;
    if (resourceAmount(name, amount) === undefined) return false;
  }
  return true;
};

export const resources = structOf({ requests: resourceList, limits: resourceList }, '', requestsAreLimited);

/** A request is at most its limit; extended resources need a limit that is equal. */
function requestsAreLimited(object: JsonObject): boolean {
  const limits = childOf(object, 'limits');
  for (const [name, amount] of childOf(object, 'requests')) {
    const request = milliValue(amount) as number;
    const limit = milliValue(limits.get(name));
    if (!COMPUTE.has(name) ? request !== limit : limit !== undefined && request > limit) return false;
  }
  return true;
}
