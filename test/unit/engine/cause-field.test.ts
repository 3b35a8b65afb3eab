// Where a cause of the server is written in the object.
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { causeField } from '../../../src/engine/validation/cause-field.ts';
import { type Resource, resourcesOf } from '../../../src/kubernetes/api/resource.ts';
import { readManifests } from '../../../src/source/manifest/read-manifests.ts';
import { formatFieldPath } from '../../../src/source/node/field-path.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';
import { causePath } from '../../../src/validation/cause-path.ts';

interface Row {
  readonly object: string;
  readonly old?: string;
  readonly field: string;
  readonly message?: string;
  readonly expected: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  'a scalar': { object: 'spec: {replicas: -1}', field: 'spec.replicas', expected: 'spec.replicas value' },
  'a missing field': {
    object: 'spec: {containers: [{name: web}]}',
    field: 'spec.containers[0].image',
    message: 'Required value',
    expected: 'spec.containers[0].image value',
  },
  'a map as a whole': {
    object: 'spec: {selector: {matchLabels: {app: web}}}',
    field: 'spec.selector',
    message: 'Invalid value: {}: field is immutable',
    expected: 'spec.selector key',
  },
  'the changed key of a map': {
    object: 'spec: {selector: {matchLabels: {app: web, tier: b}}}',
    old: 'spec: {selector: {matchLabels: {app: web, tier: a}}}',
    field: 'spec.selector',
    message: 'Invalid value: {}: field is immutable',
    expected: 'spec.selector.matchLabels.tier value',
  },
  'a removed key': {
    object: 'spec: {selector: {matchLabels: {app: web}}}',
    old: 'spec: {selector: {matchLabels: {app: web, tier: a}}}',
    field: 'spec.selector',
    message: 'Invalid value: {}: field is immutable',
    expected: 'spec.selector.matchLabels key',
  },
  'an added item': {
    object: 'spec: {accessModes: [ReadWriteOnce, ReadWriteMany]}',
    old: 'spec: {accessModes: [ReadWriteOnce]}',
    field: 'spec',
    message: 'Forbidden: spec is immutable after creation',
    expected: 'spec.accessModes[1] value',
  },
  'a changed field beside one that may change': {
    object: 'spec: {replicas: 3, serviceName: b}',
    old: 'spec: {replicas: 1, serviceName: a}',
    field: 'spec',
    message: "Forbidden: updates to statefulset spec for fields other than 'replicas', 'template' are forbidden",
    expected: 'spec.serviceName value',
  },
  'a label by its value': {
    object: 'metadata: {labels: {app: web, team: a team}}',
    field: 'metadata.labels',
    message: 'Invalid value: "a team": a valid label must …',
    expected: 'metadata.labels.team value',
  },
  'a label by its key': {
    object: 'metadata: {labels: {"a key": web}}',
    field: 'metadata.labels',
    message: 'Invalid value: "a key": name part must …',
    expected: 'metadata.labels["a key"] key',
  },
  'an annotation by its key in lower case': {
    object: 'metadata: {annotations: {"Example.com/A Key": b}}',
    field: 'metadata.annotations',
    message: 'Invalid value: "example.com/a key": name part must …',
    expected: 'metadata.annotations["Example.com/A Key"] key',
  },
  'a generated name': {
    object: 'metadata: {generateName: Web-}',
    field: 'metadata.name',
    message: 'Invalid value: "Web-xxxxx"',
    expected: 'metadata.generateName value',
  },
  'labels of a template': {
    object: 'spec: {template: {metadata: {labels: {team: a team}}}}',
    field: 'spec.template.labels',
    message: 'Invalid value: "a team": a valid label must …',
    expected: 'spec.template.metadata.labels.team value',
  },
  'data that is written as text': {
    object: 'stringData: {a/b: c}',
    field: 'data[a/b]',
    message: 'Invalid value: "a/b"',
    expected: 'stringData["a/b"] value',
  },
  'a key of stringData beside data': {
    object: 'data: {a: Yg==}\nstringData: {a/b: c}',
    field: 'data[a/b]',
    message: 'Invalid value: "a/b"',
    expected: 'stringData["a/b"] value',
  },
  'an address that is written once': {
    object: 'spec: {clusterIP: 10.0.0.300}',
    field: 'spec.clusterIPs[0]',
    message: 'Invalid value: ["10.0.0.300"]: must be a valid IP address',
    expected: 'spec.clusterIP value',
  },
  'taints of a Node': {
    object: 'metadata: {name: worker}\nspec: {taints: [{key: a, effect: Never}]}',
    field: 'metadata.taints[0].effect',
    message: 'Unsupported value: "Never"',
    expected: 'spec.taints[0].effect value',
  },
  'overhead of a RuntimeClass': {
    object: 'overhead: {podFixed: {cpu: "-1"}}',
    field: 'overhead.limits[cpu]',
    message: 'Invalid value: "-1"',
    expected: 'overhead.podFixed.cpu value',
  },
  'storage of a claim': {
    object: 'spec: {volumes: [{ephemeral: {volumeClaimTemplate: {spec: {resources: {requests: {storage: "0"}}}}}}]}',
    field: 'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]',
    message: 'Invalid value: "0": must be greater than zero',
    expected: 'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests.storage value',
  },
  'a field of another version of the kind': {
    object: 'spec: {targetCPUUtilizationPercentage: -80}',
    field: 'spec.metrics[0].resource.target.averageUtilization',
    message: 'Invalid value: -80: must be greater than 0',
    expected: 'spec.targetCPUUtilizationPercentage value',
  },
};

function resourceOf(text: string): Resource {
  const metadata = 'metadata' in (parse(text) as object) ? '' : 'metadata: {name: web}\n';
  const { manifests } = readManifests(new SourceFile('a.yaml', `apiVersion: v1\nkind: Thing\n${metadata}${text}\n`));
  const found = manifests.flatMap(resourcesOf).flatMap((each) => ('resource' in each ? [each.resource] : []));
  return found[0] as Resource;
}

describe('causeField', () => {
  test.each(Object.entries(ROWS))('finds %s', (_, { object, old, field, message = '', expected }) => {
    const resource = resourceOf(object);
    const found = causeField(resource, causePath(field, resource.value), message, old ? resourceOf(old) : undefined);
    expect(`${formatFieldPath(found.path)} ${found.part}`).toBe(expected);
  });
});
