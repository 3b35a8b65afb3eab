// Objects that a CleanupPolicy deletes, differences between its controller and admission, and valid schedules.
import { expect, it } from 'vitest';
import { RegexCache } from '../../../../src/go/regexp/regex-cache.ts';
import { parseApiVersion } from '../../../../src/kubernetes/api/group-version.ts';
import type { Resource } from '../../../../src/kubernetes/api/resource.ts';
import { type CleanupAnswer, CleanupPolicy } from '../../../../src/policy/kyverno/cleanup/cleanup-policy.ts';
import { isStandardSchedule } from '../../../../src/policy/kyverno/cleanup/standard-schedule.ts';
import { QueryCache } from '../../../../src/policy/kyverno/variables/query-cache.ts';
import { objectOrEmpty, textField } from '../../../../src/source/json/json-field.ts';
import { jsonOf } from './json-of.ts';

const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } } };
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

function answer(spec: object, object: object = POD, kind = 'ClusterCleanupPolicy'): CleanupAnswer {
  const value = objectOrEmpty(jsonOf(JSON.stringify({ kind, metadata: { name: 'p', namespace: 'shop' }, spec })));
  const policy = new CleanupPolicy({
    value,
    namespace: 'shop',
    gvk: { group: 'kyverno.io', version: 'v2', kind },
  } as Resource);
  const asked = objectOrEmpty(jsonOf(JSON.stringify(object)));
  const { group, version } = parseApiVersion(textField(asked, 'apiVersion')) ?? { group: '', version: '' };
  const subject = {
    object: asked,
    kind: { group, version, kind: textField(asked, 'kind') },
    namespaceLabels: new Map([['stage', 'test']]),
  };
  const environment = { regexes: new RegexCache(), defaultRegistry: 'docker.io', enableDefaultRegistryMutation: true };
  return policy.evaluate(subject, { policyNamespace: '' }, { environment, queries: new QueryCache() });
}

const filter = (resources: object): object => ({ any: [{ resources }] });
const PODS = filter({ kinds: ['Pod'] });

it.each<[string, object, CleanupAnswer, object?, string?]>([
  ['a kind of any version', { match: PODS }, 'deletes'],
  ['a kind with its version', { match: filter({ kinds: ['v1/Pod'] }) }, 'deletes'],
  ['another kind', { match: filter({ kinds: ['Deployment'] }) }, 'keeps'],
  ['operations are ignored', { match: filter({ kinds: ['Pod'], operations: ['DELETE'] }) }, 'deletes'],
  ['a filter without kinds matches nothing', { match: filter({ names: ['web'] }) }, 'keeps'],
  ['an empty exclude block excludes everything', { match: PODS, exclude: {} }, 'keeps'],
  ['an excluded name', { match: PODS, exclude: filter({ names: ['web*'] }) }, 'keeps'],
  ['a name that is not excluded', { match: PODS, exclude: filter({ names: ['db'] }) }, 'deletes'],
  [
    'labels of the Namespace',
    { match: filter({ kinds: ['Pod'], namespaceSelector: { matchLabels: { stage: 'live' } } }) },
    'keeps',
  ],
  [
    'namespaceSelector is ignored for a Namespace',
    { match: filter({ kinds: ['Namespace'], namespaceSelector: { matchLabels: { stage: 'live' } } }) },
    'deletes',
    NAMESPACE,
  ],
  ['its own namespace', { match: PODS }, 'deletes', POD, 'CleanupPolicy'],
  [
    'another namespace',
    { match: PODS },
    'keeps',
    { ...POD, metadata: { ...POD.metadata, namespace: 'other' } },
    'CleanupPolicy',
  ],
  [
    'an error keeps the object',
    { match: PODS, conditions: { all: [{ key: '{{ target.spec.none }}', operator: 'Equals', value: 1 }] } },
    'keeps',
  ],
  [
    'one of any is enough, and evaluation stops at the first that holds',
    {
      match: PODS,
      conditions: {
        any: [
          { key: '{{ target.metadata.labels.app }}', operator: 'Equals', value: 'web' },
          { key: '{{ target.status.phase }}', operator: 'Equals', value: 'Failed' },
        ],
      },
    },
    'deletes',
  ],
  [
    "the object's namespace",
    { match: PODS, conditions: { all: [{ key: '{{ request.namespace }}', operator: 'Equals', value: 'shop' }] } },
    'deletes',
  ],
  [
    'all fields at once',
    { match: PODS, conditions: { all: [{ key: '{{ length(target) }}', operator: 'GreaterThan', value: 1 }] } },
    { open: 'all fields of the object at that time' },
  ],
  [
    'the status',
    { match: PODS, conditions: { all: [{ key: '{{ target.status.phase }}', operator: 'Equals', value: 'Failed' }] } },
    { open: "the object's `status` at that time" },
  ],
  [
    'an entry that reads the object',
    {
      match: PODS,
      context: [{ name: 'app', variable: { jmesPath: 'target.metadata.labels.app' } }],
      conditions: { all: [{ key: '{{ app }}', operator: 'Equals', value: 'web' }] },
    },
    { open: 'the context entry app, which Kyverno reads once for all objects' },
  ],
  [
    'every kind',
    { match: filter({ kinds: ['*'] }) },
    { open: 'whether Kyverno lists objects for kinds with wildcards' },
  ],
])('%s', (_, spec, expected, object, kind) => {
  expect(answer(spec, object, kind)).toEqual(expected);
});

it.each([
  ...[
    '* * * * *',
    '0 3 * * *',
    '*/15 1-5 1,15 jan-mar MON',
    '? ? ? ? ?',
    '@daily',
    '@every 1h30m',
    'TZ=Asia/Tokyo 0 5 * * *',
  ],
  '5/10 * * * *',
])('%s is a schedule', (text) => {
  expect(isStandardSchedule(text)).toBe(true);
});

it.each([
  ...['', 'every night', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 7'],
  ...['5-1 * * * *', '*/0 * * * *', '1-2-3 * * * *', '1/2/3 * * * *', '@often', '@every soon', 'x * * * *'],
])('%s is not a schedule', (text) => {
  expect(isStandardSchedule(text)).toBe(false);
});
