// PodDisruptionBudgets, PriorityClasses, StorageClasses, LimitRanges and ResourceQuotas (pkg/apis/{policy,scheduling,storage,core}/validation).
import { isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { intOrPercent, isLabelKey, isSubdomain } from './formats.ts';
import { anyUpdate, keepsFields, objectOf, type PlainKind } from './kind.ts';
import { selector } from './labels.ts';
import { metadata } from './metadata.ts';
import { isWhole, milliValue } from './quantities.ts';
import {
  anyText,
  childOf,
  flag,
  integer,
  isAbsent,
  list,
  listBy,
  nothing,
  oneOf,
  type PlainRule,
  structOf,
  textMap,
  textThat,
} from './rule.ts';

const namespaced = metadata(isSubdomain, { isNamespaced: true });
const ofCluster = metadata(isSubdomain, { isNamespaced: false });
const share: PlainRule = (value) => intOrPercent(value) !== undefined;
const zero = integer(0n, 0n);

export const podDisruptionBudget: PlainKind = {
  rule: objectOf(
    {
      metadata: namespaced,
      spec: structOf(
        {
          minAvailable: share,
          maxUnavailable: share,
          selector,
          unhealthyPodEvictionPolicy: oneOf('IfHealthyBudget', 'AlwaysAllow'),
        },
        '',
        (spec) => isAbsent(spec.get('minAvailable')) || isAbsent(spec.get('maxUnavailable')),
      ),
      status: structOf({ disruptionsAllowed: zero, currentHealthy: zero, desiredHealthy: zero, expectedPods: zero }),
    },
    'metadata spec',
  ),
  allowsUpdate: anyUpdate,
};

const HIGHEST_PRIORITY = 1_000_000_000n;

export const priorityClass: PlainKind = {
  rule: objectOf(
    {
      metadata: metadata((name) => isSubdomain(name) && !name.startsWith('system-'), { isNamespaced: false }),
      value: integer(-(2n ** 31n), HIGHEST_PRIORITY),
      globalDefault: flag,
      description: anyText,
      preemptionPolicy: oneOf('PreemptLowerPriority', 'Never'),
    },
    'metadata value',
  ),
  allowsUpdate: (object, old) => keepsFields(object, old, ['value', 'preemptionPolicy']),
};

const MAX_PARAMETERS = 512;

export const storageClass: PlainKind = {
  rule: objectOf(
    {
      metadata: ofCluster,
      provisioner: textThat((name) => isLabelKey(name.toLowerCase())),
      parameters: textMap(
        (key) => key !== '' && key.length < 256,
        (value) => value.length < 256,
      ),
      reclaimPolicy: oneOf('Delete', 'Retain'),
      volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
      allowVolumeExpansion: flag,
      mountOptions: list(anyText),
    },
    'metadata provisioner',
    (object) => childOf(object, 'parameters').size < MAX_PARAMETERS / 4,
  ),
  allowsUpdate: (object, old) =>
    keepsFields(object, old, ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode', 'mountOptions']),
};

/** Resources that are counted in fractions. */
const FRACTIONAL = ['cpu', 'memory', 'ephemeral-storage'];
const QUOTA_AMOUNTS: ReadonlySet<string> = new Set([
  ...FRACTIONAL.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  'requests.storage',
]);
const QUOTA_COUNTS: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
]);

/** `ValidateResourceQuotaResourceName`; names with a slash are not checked further. */
const hard: PlainRule = (value) => {
  if (!isJsonObject(value)) return false;
  for (const [name, amount] of value) {
    const milli = milliValue(amount);
    const isAmount = QUOTA_AMOUNTS.has(name);
    if (!isAmount && !QUOTA_COUNTS.has(name) && !(name.includes('/') && isLabelKey(name))) return false;
    if (milli === undefined || !(isAmount || isWhole(milli))) return false;
  }
  return FRACTIONAL.every((name) => {
    const request = milliValue(value.get(`requests.${name}`)) ?? milliValue(value.get(name));
    const limit = milliValue(value.get(`limits.${name}`));
    return request === undefined || limit === undefined || request <= limit;
  });
};

export const resourceQuota: PlainKind = {
  rule: objectOf({ metadata: namespaced, spec: structOf({ hard }), status: nothing }),
  allowsUpdate: anyUpdate,
};

const amounts: PlainRule = (value) => {
  if (!isJsonObject(value)) return false;
  for (const [name, amount] of value) {
    if (!FRACTIONAL.includes(name) && name !== 'storage') return false;
    if (milliValue(amount) === undefined) return false;
  }
  return true;
};

const ORDER = ['min', 'defaultRequest', 'default', 'max'];

const limit = structOf(
  {
    type: oneOf('Container', 'Pod', 'PersistentVolumeClaim'),
    ...Object.fromEntries(ORDER.map((name) => [name, amounts])),
  },
  'type',
  (object) => hasResourcesOfType(object) && isOrdered(object),
);

function hasResourcesOfType(object: JsonObject): boolean {
  const type = object.get('type');
  const has = (name: string): boolean => ORDER.some((field) => childOf(object, field).has(name));
  if (type === 'PersistentVolumeClaim')
    return childOf(object, 'min').has('storage') || childOf(object, 'max').has('storage');
  const hasDefaults = childOf(object, 'default').size + childOf(object, 'defaultRequest').size > 0;
  return !has('storage') && !(type === 'Pod' && hasDefaults);
}

/** min ≤ defaultRequest ≤ default ≤ max for each resource. */
function isOrdered(object: JsonObject): boolean {
  return [...FRACTIONAL, 'storage'].every((name) => {
    const values = ORDER.map((field) => milliValue(childOf(object, field).get(name))).filter(
      (milli) => milli !== undefined,
    );
    return values.every((milli, index) => index === 0 || (values[index - 1] as number) <= milli);
  });
}

export const limitRange: PlainKind = {
  rule: objectOf(
    { metadata: namespaced, spec: structOf({ limits: listBy('type', limit) }, 'limits') },
    'metadata spec',
  ),
  allowsUpdate: anyUpdate,
};
