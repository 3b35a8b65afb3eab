// Pods, Deployments, StatefulSets and DaemonSets (pkg/apis/apps/validation; pkg/registry/apps).
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { claimSpec } from './claim.ts';
import { intOrPercent, isLabel, label } from './formats.ts';
import { keeps, objectOf, type PlainKind } from './kind.ts';
import { isUnrestricted, selector, selects } from './labels.ts';
import { metadata, templateMetadata } from './metadata.ts';
import { isPlainPod, isPlainTemplate, podTemplate, templateLabels } from './pod.ts';
import {
  childOf,
  flag,
  isAbsent,
  itemsOf,
  list,
  naturalNumber,
  nothing,
  oneOf,
  type PlainRule,
  structOf,
  textThat,
} from './rule.ts';
import { sameJson } from './same-json.ts';

/** The server warns if the name is no DNS label. */
const workload = metadata(isLabel, { isNamespaced: true });

const selectsTemplate = (spec: JsonObject): boolean => {
  const chosen = childOf(spec, 'selector');
  return !isUnrestricted(chosen) && selects(chosen, templateLabels(childOf(spec, 'template')));
};

const share: PlainRule = (value) => intOrPercent(value) !== undefined;
const surge: PlainRule = (value) => intOrPercent(value, 999_999) !== undefined;

const shares = structOf({ maxUnavailable: share, maxSurge: surge }, 'maxUnavailable maxSurge', (update) => {
  const [unavailable, more] = [
    intOrPercent(update.get('maxUnavailable')),
    intOrPercent(update.get('maxSurge'), 999_999),
  ];
  return unavailable !== 0 || more !== 0;
});

/** `rollingUpdate` belongs to one of the types. */
const ownsRollingUpdate = (strategy: JsonObject): boolean =>
  strategy.get('type') === 'RollingUpdate' || isAbsent(strategy.get('rollingUpdate'));

const deploymentSpec = structOf(
  {
    replicas: naturalNumber,
    selector,
    template: podTemplate('Always'),
    strategy: structOf({ type: oneOf('RollingUpdate', 'Recreate'), rollingUpdate: shares }, 'type', ownsRollingUpdate),
    minReadySeconds: naturalNumber,
    revisionHistoryLimit: naturalNumber,
    paused: flag,
    progressDeadlineSeconds: naturalNumber,
  },
  'selector template',
  (spec) => {
    const [ready, deadline] = [spec.get('minReadySeconds') ?? 0n, spec.get('progressDeadlineSeconds') ?? 600n];
    return selectsTemplate(spec) && (deadline as bigint) > (ready as bigint);
  },
);

export const deployment: PlainKind = {
  rule: objectOf({ metadata: workload, spec: deploymentSpec, status: nothing }, 'metadata spec'),
  allowsUpdate: keeps('selector'),
  podAt: ['spec', 'template'],
};

const daemonShares = structOf({ maxUnavailable: share, maxSurge: share }, 'maxUnavailable', (update) => {
  const [unavailable, more] = [intOrPercent(update.get('maxUnavailable')), intOrPercent(update.get('maxSurge') ?? 0n)];
  return (unavailable === 0) !== (more === 0);
});

const daemonSetSpec = structOf(
  {
    selector,
    template: podTemplate('Always'),
    updateStrategy: structOf(
      { type: oneOf('RollingUpdate', 'OnDelete'), rollingUpdate: daemonShares },
      'type',
      ownsRollingUpdate,
    ),
    minReadySeconds: naturalNumber,
    revisionHistoryLimit: naturalNumber,
  },
  'selector template',
  selectsTemplate,
);

const noPods = (...names: readonly string[]): PlainRule =>
  structOf(Object.fromEntries(names.map((name) => [name, (value: JsonValue) => value === 0n])));

export const daemonSet: PlainKind = {
  rule: objectOf(
    {
      metadata: metadata(isLabel, {
        isNamespaced: true,
        isKnownAnnotation: (key, value) => key === 'deprecated.daemonset.template.generation' && value === '1',
      }),
      spec: daemonSetSpec,
      status: noPods('currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'),
    },
    'metadata spec',
  ),
  allowsUpdate: keeps('selector'),
  podAt: ['spec', 'template'],
};

const claimTemplates = listByMetadataName(
  structOf(
    {
      apiVersion: oneOf('v1'),
      kind: oneOf('PersistentVolumeClaim'),
      metadata: templateMetadata,
      spec: claimSpec,
      status: structOf({ phase: oneOf('Pending') }),
    },
    'metadata spec',
    (claim) => label(childOf(claim, 'metadata').get('name') ?? null),
  ),
);

function listByMetadataName(rule: PlainRule): PlainRule {
  const claims = list(rule);
  return (value) => claims(value) && claimNames(value).size === itemsOf(value).length;
}

function claimNames(value: JsonValue | undefined): ReadonlySet<JsonValue> {
  return new Set(itemsOf(value).map((claim) => childOf(claim, 'metadata').get('name') ?? null));
}

const retention = oneOf('Retain', 'Delete');
const filledShare: PlainRule = (value) => (intOrPercent(value) ?? 0) > 0;

const statefulSetSpec = structOf(
  {
    replicas: naturalNumber,
    selector,
    // Validated with the claims as volumes.
    template: () => true,
    volumeClaimTemplates: claimTemplates,
    serviceName: textThat((name) => name === '' || isLabel(name)),
    podManagementPolicy: oneOf('OrderedReady', 'Parallel'),
    updateStrategy: structOf(
      {
        type: oneOf('RollingUpdate', 'OnDelete'),
        rollingUpdate: structOf({ partition: naturalNumber, maxUnavailable: filledShare }),
      },
      'type',
      ownsRollingUpdate,
    ),
    revisionHistoryLimit: naturalNumber,
    minReadySeconds: naturalNumber,
    persistentVolumeClaimRetentionPolicy: structOf(
      { whenDeleted: retention, whenScaled: retention },
      'whenDeleted whenScaled',
    ),
    ordinals: structOf({ start: naturalNumber }),
  },
  'selector template',
  (spec) => {
    const claims = [...claimNames(spec.get('volumeClaimTemplates'))];
    return isPlainTemplate(spec.get('template'), ['Always'], claims) && selectsTemplate(spec);
  },
);

export const statefulSet: PlainKind = {
  rule: objectOf(
    { metadata: workload, spec: statefulSetSpec, status: noPods('replicas', 'availableReplicas') },
    'metadata spec',
  ),
  allowsUpdate: (object, old) => keepsIdentity(object, old) && strategyType(object) === strategyType(old),
  podAt: ['spec', 'template'],
};

const keepsIdentity = keeps('selector', 'serviceName', 'volumeClaimTemplates', 'podManagementPolicy');

/** Another type is refused if the stored object has `rollingUpdate`, which the server fills in. */
function strategyType(statefulSet: JsonObject): JsonValue {
  return childOf(childOf(statefulSet, 'spec'), 'updateStrategy').get('type') ?? 'RollingUpdate';
}

export const pod: PlainKind = {
  rule: objectOf(
    { metadata: workload, spec: (spec) => isPlainPod(spec, { isPod: true }), status: nothing },
    'metadata spec',
  ),
  allowsUpdate: (object, old) => sameJson(object.get('spec'), old.get('spec')),
  podAt: [],
};
