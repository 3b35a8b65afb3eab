// HorizontalPodAutoscalers of autoscaling/v2 (pkg/apis/autoscaling/validation).
import type { JsonObject } from '../../source/json/json.ts';
import { isPathSegment, isSubdomain, label } from './formats.ts';
import { anyUpdate, objectOf, type PlainKind } from './kind.ts';
import { metadata } from './metadata.ts';
import { positiveQuantity } from './quantities.ts';
import { filledText, integer, isAbsent, list, oneOf, type PlainRule, structOf, textThat, unionOf } from './rule.ts';

const segment = textThat(isPathSegment);
const reference = structOf(
  { apiVersion: textThat((value) => /^[a-z][a-z0-9.-]*\/v[a-z0-9]+$/.test(value)), kind: segment, name: segment },
  'apiVersion kind name',
);

function target(...kinds: readonly string[]): PlainRule {
  const amounts = { averageUtilization: integer(1n), averageValue: positiveQuantity, value: positiveQuantity };
  const known = Object.entries(amounts).filter(([name]) => kinds.includes(name));
  const amount = unionOf({ ...Object.fromEntries(known), type: () => false });
  return (value) => {
    if (!(value instanceof Map)) return false;
    const rest = new Map(value as JsonObject);
    rest.delete('type');
    return TARGET_TYPES((value as JsonObject).get('type') ?? null) && amount(rest);
  };
}

const TARGET_TYPES = oneOf('Utilization', 'AverageValue', 'Value');
const ofResource = target('averageUtilization', 'averageValue');
const metric = structOf({ name: segment }, 'name');
const resource = oneOf('cpu', 'memory');

const SOURCES: Readonly<Record<string, readonly [type: string, rule: PlainRule]>> = {
  resource: ['Resource', structOf({ name: resource, target: ofResource }, 'name target')],
  containerResource: [
    'ContainerResource',
    structOf({ name: resource, container: label, target: ofResource }, 'name container target'),
  ],
  pods: ['Pods', structOf({ metric, target: target('averageValue') }, 'metric target')],
  external: ['External', structOf({ metric, target: target('averageValue', 'value') }, 'metric target')],
  object: [
    'Object',
    structOf(
      { describedObject: reference, metric, target: target('averageValue', 'value') },
      'describedObject metric target',
    ),
  ],
};

const metrics = list(
  structOf(
    { type: filledText, ...Object.fromEntries(Object.entries(SOURCES).map(([name, [, rule]]) => [name, rule])) },
    'type',
    (each) =>
      Object.entries(SOURCES).every(([name, [type]]) => (each.get('type') === type) === !isAbsent(each.get(name))) &&
      Object.values(SOURCES).some(([type]) => each.get('type') === type),
  ),
);

const scaling = structOf(
  {
    stabilizationWindowSeconds: integer(0n, 3600n),
    selectPolicy: oneOf('Max', 'Min', 'Disabled'),
    policies: list(
      structOf(
        { type: oneOf('Pods', 'Percent'), value: integer(1n), periodSeconds: integer(1n, 1800n) },
        'type value periodSeconds',
      ),
      1,
    ),
  },
  '',
);

export const horizontalPodAutoscaler: PlainKind = {
  rule: objectOf(
    {
      metadata: metadata(isSubdomain, { isNamespaced: true }),
      spec: structOf(
        {
          scaleTargetRef: reference,
          minReplicas: integer(1n),
          maxReplicas: integer(1n),
          metrics,
          behavior: structOf({ scaleUp: scaling, scaleDown: scaling }),
        },
        'scaleTargetRef maxReplicas',
        (spec) => (spec.get('maxReplicas') as bigint) >= ((spec.get('minReplicas') ?? 1n) as bigint),
      ),
      status: structOf({
        desiredReplicas: integer(0n, 0n),
        currentReplicas: integer(0n, 0n),
        currentMetrics: () => false,
      }),
    },
    'metadata spec',
  ),
  allowsUpdate: anyUpdate,
};
