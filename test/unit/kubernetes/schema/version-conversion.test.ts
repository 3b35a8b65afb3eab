// Conversion of built-in objects between versions: converted fields, and unknown results.
import { describe, expect, it } from 'vitest';
import { convertVersion } from '../../../../src/kubernetes/schema/version-conversion.ts';
import type { JsonObject } from '../../../../src/source/json/json.ts';
import { stringifyJson } from '../../../../src/source/json/json.ts';
import { parseJson } from '../../../../src/source/json/parse-json.ts';

const V1 = { group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' };
const V2 = { ...V1, version: 'v2' };

function object(value: unknown): JsonObject {
  const parsed = parseJson(JSON.stringify(value));
  if (!('value' in parsed)) throw new Error('no JSON');
  return parsed.value as JsonObject;
}

function converted(value: unknown, from: typeof V1, to: typeof V1): unknown {
  const result = convertVersion(object(value), from, to);
  return result && JSON.parse(stringifyJson(result, { sortKeys: true, escapeHtml: false }));
}

const metric = (averageUtilization: number, name = 'cpu') => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization } },
});
const older = (spec: object, status: object = { currentReplicas: 0, desiredReplicas: 0 }) => ({
  apiVersion: 'autoscaling/v1',
  spec,
  status,
});
const newer = (spec: object, status: object = { currentMetrics: null, desiredReplicas: 0 }) => ({
  apiVersion: 'autoscaling/v2',
  spec,
  status,
});

describe('HorizontalPodAutoscaler', () => {
  it.each([
    [
      { maxReplicas: 3, targetCPUUtilizationPercentage: 70 },
      { maxReplicas: 3, metrics: [metric(70)] },
    ],
    [{ maxReplicas: 3 }, { maxReplicas: 3, metrics: [metric(80)] }],
  ])('converts v1 with %o to a v2 metric', (spec, expected) => {
    expect(converted(older(spec), V1, V2)).toEqual(newer(expected));
  });

  it('converts the v2 fields that v1 has', () => {
    const spec = { maxReplicas: 3, metrics: [metric(60)] };
    expect(converted(newer(spec), V2, V1)).toEqual(older({ maxReplicas: 3, targetCPUUtilizationPercentage: 60 }));
  });

  it.each([
    ['behavior', { behavior: {} }, {}],
    ['other metrics', { metrics: [metric(60, 'memory')] }, {}],
    ['two metrics', { metrics: [metric(60), metric(50)] }, {}],
    ['conditions', {}, { conditions: [{ type: 'ScalingActive' }] }],
  ])('does not convert v2 with %s, which needs annotations', (_title, spec, status) => {
    expect(converted(newer(spec, status), V2, V1)).toBeUndefined();
  });

  it('does not convert v1 with v2 fields in annotations', () => {
    const metadata = { annotations: { 'autoscaling.alpha.kubernetes.io/behavior': '{}' } };
    expect(converted({ ...older({}), metadata }, V1, V2)).toBeUndefined();
  });
});

it('converts no other kinds', () => {
  const from = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1beta3', kind: 'FlowSchema' };
  expect(convertVersion(new Map(), from, { ...from, version: 'v1' })).toBeUndefined();
  expect(convertVersion(new Map(), V1, { ...V2, kind: 'Deployment' })).toBeUndefined();
});
