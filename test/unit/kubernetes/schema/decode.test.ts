// Typed decoding: kept, dropped, normalized and refused values, with the API server's messages.
import { describe, expect, test } from 'vitest';
import { parseApiVersion } from '../../../../src/kubernetes/api/group-version.ts';
import { type DecodeResult, decodeTyped, strictDecodingMessage } from '../../../../src/kubernetes/schema/decode.ts';
import { SchemaCatalog } from '../../../../src/kubernetes/schema/schema-catalog.ts';
import { formatFieldPath } from '../../../../src/source/node/field-path.ts';
import { manifest, sortedJson } from '../../../support/typed-object.ts';

function decode(apiVersion: string, kind: string, body: string, minor = 36): DecodeResult {
  const groupVersion = parseApiVersion(apiVersion);
  const struct = groupVersion && new SchemaCatalog(minor).structForKind({ ...groupVersion, kind });
  if (struct === undefined) throw new Error(`no such kind: ${apiVersion} ${kind}`);
  return decodeTyped(manifest(body), struct);
}

function spec(apiVersion: string, kind: string, body: string, minor?: number): string {
  const decoded = decode(apiVersion, kind, `spec: ${body}`, minor);
  return 'error' in decoded ? decoded.error.message : sortedJson(decoded.object.get('spec') ?? null);
}

describe('decoded objects', () => {
  test.each([
    [
      'zero values of optional fields go',
      '{containers: [], hostNetwork: false, nodeName: "", nodeSelector: {}}',
      '{"containers":[]}',
    ],
    [
      'pointers keep zero',
      '{containers: null, priority: 0, setHostnameAsFQDN: false}',
      '{"containers":null,"priority":0,"setHostnameAsFQDN":false}',
    ],
    ['null is absent', '{containers: [], priority: null, tolerations: null}', '{"containers":[]}'],
    ['fields that are always written', '{containers: [{}]}', '{"containers":[{"name":"","resources":{}}]}'],
    ['null in a list of structs', '{containers: [null]}', '{"containers":[{"name":"","resources":{}}]}'],
    ['unknown fields are dropped', '{containers: [], Containers: [1], x: {y: 1}}', '{"containers":[]}'],
    [
      'embedded structs',
      '{containers: [], volumes: [{name: a, emptyDir: {}}]}',
      '{"containers":[],"volumes":[{"emptyDir":{},"name":"a"}]}',
    ],
  ])('%s', (_, body, expected) => {
    expect(spec('v1', 'Pod', body)).toBe(expected);
  });

  test.each([
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['1', '1'],
    ['" 1 "', '1'],
    ['null', '0'],
  ])('quantity %s', (text, expected) => {
    expect(spec('v1', 'ResourceQuota', `{hard: {cpu: ${text}}}`)).toBe(`{"hard":{"cpu":"${expected}"}}`);
  });

  test.each([
    ['2024-01-02T03:04:05Z', '"2024-01-02T03:04:05Z"'],
    ['"2024-01-02T03:04:05.678+02:00"', '"2024-01-02T01:04:05Z"'],
    ['"0001-01-01T00:00:00Z"', 'null'],
  ])('time %s', (text, expected) => {
    const decoded = decode('v1', 'ConfigMap', `metadata: {deletionTimestamp: ${text}}`);
    const json = 'error' in decoded ? decoded.error.message : sortedJson(decoded.object);
    expect(json).toBe(`{"metadata":{"deletionTimestamp":${expected}}}`);
  });

  test('an absent creation time is null up to 1.33', () => {
    const text = (minor: number) => {
      const decoded = decode('v1', 'ConfigMap', '{}', minor);
      return 'error' in decoded ? '' : sortedJson(decoded.object);
    };
    expect(text(33)).toBe('{"metadata":{"creationTimestamp":null}}');
    expect(text(34)).toBe('{"metadata":{}}');
  });

  test('int-or-string keeps its kind, bytes are base64', () => {
    expect(spec('v1', 'Service', '{ports: [{port: 1, targetPort: http}, {port: 2}]}')).toBe(
      '{"ports":[{"port":1,"targetPort":"http"},{"port":2,"targetPort":0}]}',
    );
    const secret = decode('v1', 'Secret', 'data: {a: "YWJj\\nZGV=", b: ""}');
    expect('object' in secret && sortedJson(secret.object.get('data') ?? null)).toBe('{"a":"YWJjZGU=","b":""}');
  });

  test('schemas inside a CustomResourceDefinition', () => {
    const body = `
      versions:
      - name: v1
        schema:
          openAPIV3Schema:
            maximum: 5
            items: {type: string, maximum: 5, nonsense: 1}
            additionalProperties: false
            dependencies: {a: [b], c: {type: object}}
            default: {a: 1}`;
    expect(spec('apiextensions.k8s.io/v1', 'CustomResourceDefinition', body)).toContain(
      '{"additionalProperties":false,"default":{"a":1},"dependencies":{"a":["b"],"c":{"type":"object"}},"items":{"maximum":5,"type":"string"},"maximum":5}',
    );
  });
});

describe('errors', () => {
  test.each([
    [
      'v1',
      'ConfigMap',
      'data: {a: 1}',
      'data.a',
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'v1',
      'ConfigMap',
      'data: x',
      'data',
      'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    ],
    [
      'v1',
      'ConfigMap',
      'metadata: {ownerReferences: {}}',
      'metadata.ownerReferences',
      'json: cannot unmarshal object into Go struct field ObjectMeta.metadata.ownerReferences of type []v1.OwnerReference',
    ],
    [
      'v1',
      'ConfigMap',
      'metadata: []',
      'metadata',
      'json: cannot unmarshal array into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
    ],
    [
      'apps/v1',
      'Deployment',
      'spec: {replicas: 1.5}',
      'spec.replicas',
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'apps/v1',
      'Deployment',
      'spec: {replicas: 3000000000}',
      'spec.replicas',
      'json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'v1',
      'Pod',
      'spec: {dnsPolicy: true}',
      'spec.dnsPolicy',
      'json: cannot unmarshal bool into Go struct field PodSpec.spec.dnsPolicy of type v1.DNSPolicy',
    ],
    [
      'v1',
      'Pod',
      'spec: {volumes: [{name: a, emptyDir: 1}]}',
      'spec.volumes[0].emptyDir',
      'json: cannot unmarshal number into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource',
    ],
    [
      'v1',
      'Service',
      'spec: {ports: [{targetPort: {}}]}',
      'spec.ports[0].targetPort',
      'json: cannot unmarshal object into Go struct field ServicePort.spec.ports.targetPort of type int32',
    ],
    ['v1', 'Secret', 'data: {a: "*"}', 'data.a', 'illegal base64 data at input byte 0'],
    [
      'v1',
      'Secret',
      'data: {a: [x]}',
      'data.a[0]',
      'json: cannot unmarshal string into Go struct field Secret.data of type uint8',
    ],
    [
      'v1',
      'ResourceQuota',
      'spec: {hard: {cpu: x}}',
      'spec.hard.cpu',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'v1',
      'ConfigMap',
      'metadata: {deletionTimestamp: soon}',
      'metadata.deletionTimestamp',
      'parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
    ],
    [
      'v1',
      'ConfigMap',
      'metadata: {deletionTimestamp: 5}',
      'metadata.deletionTimestamp',
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.deletionTimestamp of type string',
    ],
  ])('%s %s %s', (apiVersion, kind, body, path, message) => {
    const decoded = decode(apiVersion, kind, body);
    expect('error' in decoded && [formatFieldPath(decoded.error.path), decoded.error.message]).toEqual([path, message]);
  });

  test('omits embedded structs before 1.35', () => {
    expect(spec('v1', 'Pod', '{volumes: [{emptyDir: 1}]}', 34)).toBe(
      'json: cannot unmarshal number into Go struct field Volume.spec.volumes.emptyDir of type v1.EmptyDirVolumeSource',
    );
  });

  test('reports the first error in the order of keys', () => {
    expect(spec('v1', 'Pod', '{restartPolicy: 1, dnsPolicy: 1}')).toContain('spec.dnsPolicy');
  });

  test('an error in a type with its own decoding stops decoding', () => {
    expect(spec('v1', 'Service', '{clusterIP: 1, ports: [{targetPort: true}]}')).toContain('spec.ports.targetPort');
  });

  test('names the outermost struct inside nested schemas', () => {
    const schema = '{items: {items: {type: 1}}}';
    expect(
      spec(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        `{versions: [{schema: {openAPIV3Schema: ${schema}}}]}`,
      ),
    ).toBe(
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items.items.type of type string',
    );
  });
});

describe('strict decoding', () => {
  test('reports unknown fields in the order of keys', () => {
    const decoded = decode(
      'v1',
      'Pod',
      'spec: {containers: [{name: a, Image: b}], zone: c}\nstatus: {bogus: 1}\nextra: 1',
    );
    expect('object' in decoded && strictDecodingMessage(decoded.strictErrors)).toBe(
      'strict decoding error: unknown field "extra", unknown field "spec.containers[0].Image", unknown field "spec.zone", unknown field "status.bogus"',
    );
  });

  test('reports at most 100 errors', () => {
    const fields = Array.from({ length: 150 }, (_, index) => `x${index}: 1`).join('\n');
    const decoded = decode('v1', 'ConfigMap', fields);
    expect('object' in decoded && decoded.strictErrors.length).toBe(100);
  });
});
