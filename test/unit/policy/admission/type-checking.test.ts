// The type checking warnings in a policy's status, with the schemas that Kubernetes publishes.
import { describe, expect, it } from 'vitest';
import { DEFAULT_VERSION, type KubernetesVersion } from '../../../../src/kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../../../src/kubernetes/cel/admission-environment.ts';
import { KnownKinds } from '../../../../src/kubernetes/cel/known-kinds.ts';
import { PublishedKinds } from '../../../../src/kubernetes/cel/published-kinds.ts';
import { TypeChecker } from '../../../../src/policy/admission/validating/type-checking.ts';
import { clusterOf, matching, validatingPolicy } from '../../../support/validating-policy.ts';

const DEPLOYMENTS = matching({ group: 'apps', resources: ['deployments'] });

const WIDGETS = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              text: {type: string}
              due: {type: string, format: date-time}
              open: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;

function warnings(spec: unknown, version: KubernetesVersion = DEFAULT_VERSION): [string, string][] {
  const kinds = new PublishedKinds(new KnownKinds(clusterOf(WIDGETS, version)));
  const checked = new TypeChecker(
    validatingPolicy(spec),
    kinds,
    new AdmissionEnvironments(version),
    version,
  ).warnings();
  return checked.map(({ fieldRef, warning }) => [fieldRef, warning]);
}

/** Only messages, without kinds and excerpts. */
function messages(expression: string, matchConstraints: unknown = DEPLOYMENTS, more: object = {}): string[] {
  return warnings({ matchConstraints, validations: [{ expression }], ...more })
    .flatMap(([, warning]) => warning.split('\n'))
    .flatMap((line) => /ERROR: <input>:\d+:\d+: (.*)/.exec(line)?.[1] ?? []);
}

describe('the text', () => {
  it('has a paragraph per kind, ordered by group, version and kind', () => {
    const spec = {
      matchConstraints: matching({ resources: ['pods'] }, { group: 'apps', resources: ['deployments'] }),
      validations: [{ expression: 'object.foo == 1', messageExpression: "'x' + object.bar" }, { expression: 'true' }],
    };
    const excerpt = (column: number, text: string): string => ` | ${text}\n | ${'.'.repeat(column)}^\n`;
    expect(warnings(spec)).toEqual([
      [
        'spec.validations[0].expression',
        `/v1, Kind=Pod: ERROR: <input>:1:7: undefined field 'foo'\n${excerpt(6, 'object.foo == 1')}\n` +
          `apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'foo'\n${excerpt(6, 'object.foo == 1')}`,
      ],
      [
        'spec.validations[0].messageExpression',
        `/v1, Kind=Pod: ERROR: <input>:1:13: undefined field 'bar'\n${excerpt(12, "'x' + object.bar")}\n` +
          `apps/v1, Kind=Deployment: ERROR: <input>:1:13: undefined field 'bar'\n${excerpt(12, "'x' + object.bar")}`,
      ],
    ]);
  });
});

it.each([
  [['deployments'], ['Deployment']],
  [
    ['deployments', 'replicasets'],
    ['Deployment', 'ReplicaSet'],
  ],
])('samples of the documentation: %j', (resources, kinds) => {
  const spec = {
    matchConstraints: matching({ group: 'apps', resources }),
    validations: [{ expression: 'object.replicas > 1' }],
  };
  const excerpt = ' | object.replicas > 1\n | ......^\n';
  const paragraphs = kinds.map(
    (kind) => `apps/v1, Kind=${kind}: ERROR: <input>:1:7: undefined field 'replicas'\n${excerpt}`,
  );
  expect(warnings(spec)).toEqual([['spec.validations[0].expression', paragraphs.join('\n')]]);
});

describe('checked kinds and expressions', () => {
  const failing = { expression: 'object.nope' };

  it.each<[string, unknown, boolean]>([
    ['a named resource', DEPLOYMENTS, true],
    ['its singular', matching({ group: 'apps', resources: ['Deployment'] }), true],
    ['a resource of another group, where the core group is asked for', matching({ resources: ['deployments'] }), true],
    ['a custom resource', matching({ group: 'example.com', resources: ['widgets'] }), true],
    ['no version, which finds every one', matching({ group: 'apps', version: '', resources: ['deployments'] }), true],
    ['any version', matching({ group: 'apps', version: '*', resources: ['deployments'] }), false],
    ['any group', matching({ group: '*', resources: ['deployments'] }), false],
    ['any resource', matching({ group: 'apps', resources: ['*'] }), false],
    ['a subresource', matching({ group: 'apps', resources: ['deployments/scale'] }), false],
    ['an unknown resource', matching({ group: 'apps', resources: ['things'] }), false],
    ['nothing', undefined, false],
  ])('%s', (_, matchConstraints, isChecked) => {
    expect(warnings({ matchConstraints, validations: [failing] })).toHaveLength(isChecked ? 1 : 0);
  });

  it('stops at the tenth kind of a rule and ignores later rules', () => {
    const core = ['configmaps', 'endpoints', 'events', 'limitranges', 'namespaces', 'nodes', 'persistentvolumeclaims'];
    const resources = [...core, 'persistentvolumes', 'pods', 'podtemplates', 'secrets', 'services'];
    const matchConstraints = matching({ resources }, { group: 'apps', resources: ['deployments'] });
    const [[, warning] = ['', '']] = warnings({ matchConstraints, validations: [failing] });
    const kinds = [...warning.matchAll(/^(\S*), Kind=(\w+):/gm)].map(([, version, kind]) => `${version} ${kind}`);
    expect(kinds).toEqual([
      '/v1 ConfigMap',
      '/v1 Endpoints',
      '/v1 Event',
      '/v1 LimitRange',
      '/v1 Namespace',
      '/v1 Node',
      '/v1 PersistentVolume',
      '/v1 PersistentVolumeClaim',
      '/v1 Pod',
      'events.k8s.io/v1 Event',
    ]);
  });

  it('excludes matchConditions, auditAnnotations and errors of variables', () => {
    const spec = {
      matchConstraints: DEPLOYMENTS,
      matchConditions: [{ name: 'a', expression: 'object.nope' }],
      variables: [{ name: 'a', expression: 'object.nope' }],
      validations: [{ expression: 'variables.a.nope' }],
      auditAnnotations: [{ key: 'a', valueExpression: 'object.nope' }],
    };
    expect(warnings(spec)).toEqual([]);
  });

  it('treats an empty paramKind as absent', () => {
    const spec = { paramKind: {}, matchConstraints: DEPLOYMENTS, validations: [{ expression: 'params == 1' }] };
    expect(warnings(spec)[0]?.[1]).toContain("undeclared reference to 'params'");
  });

  it('params of an unknown kind are dyn since 1.36, and undeclared before', () => {
    const spec = {
      paramKind: { apiVersion: 'example.com/v1', kind: 'Unknown' },
      matchConstraints: DEPLOYMENTS,
      validations: [{ expression: 'params.a == 1' }],
    };
    expect(warnings(spec)).toEqual([]);
    expect(warnings(spec, { major: 1, minor: 35 })[0]?.[1]).toContain("undeclared reference to 'params'");
  });
});

describe('types', () => {
  it.each<[string, string[]]>([
    ['object.spec.replicas > 1', []],
    ['object.spec.template.spec.containers.all(c, c.ports.all(p, p.containerPort > 1024))', []],
    ['object.metadata.labels.app == "shop"', []],
    ['object.metadata.labels.app == 1', ["found no matching overload for '_==_' applied to '(string, int)'"]],
    ['variables.names.all(n, n == 1)', ["found no matching overload for '_==_' applied to '(string, int)'"]],
    ['variables.nope', ["undefined field 'nope'"]],
    [
      'object.spec.template == ""',
      ["found no matching overload for '_==_' applied to '(Deployment1.spec.template, string)'"],
    ],
    ['params.data["limit"] > 1', ["found no matching overload for '_>_' applied to '(string, int)'"]],
    ['params.binaryData["limit"] == b"1"', []],
    ["authorizer.group('').resource('pods').check('get').allowed()", []],
  ])('%s', (expression, expected) => {
    const variables = [{ name: 'names', expression: 'object.spec.template.spec.containers.map(c, c.name)' }];
    const more = { variables, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
    expect(messages(expression, DEPLOYMENTS, more).map(unnumbered)).toEqual(expected.map(unnumbered));
  });

  it('of custom resources come from the CRD, those of metadata from Kubernetes', () => {
    const widgets = matching({ group: 'example.com', resources: ['widgets'] });
    expect(messages('object.spec.text == object.metadata.namespace', widgets)).toEqual([]);
    expect(messages("object.spec.due < timestamp('2030-01-01T00:00:00Z')", widgets)).toEqual([]);
    expect(messages('object.spec.open.door', widgets)).toEqual(["undefined field 'door'"]);
    expect(messages('has(object.spec.open)', widgets)).toEqual([]);
  });
});

describe('known false alarms of the server', () => {
  it.each<[string, string]>([
    ['object.spec.template.spec.containers.all(c, has(c.resources.limits))', "undefined field 'limits'"],
    [
      "authorizer.requestResource.check('get').allowed()",
      "unexpected failed resolution of 'kubernetes.authorization.Authorizer'",
    ],
    [
      "object.metadata.creationTimestamp == '2030-01-01T00:00:00Z'",
      "found no matching overload for '_==_' applied to '(timestamp, string)'",
    ],
    ['oldObject.spec.replicas == null', "found no matching overload for '_==_' applied to '(int, null)'"],
    ["object.spec['replicas'] == 1", "found no matching overload for '_[_]' applied to '(Deployment1.spec, string)'"],
    ['object.spec.?nope.hasValue()', "undefined field 'nope'"],
    ["object.kind != 'Pod' || object.spec.nodeName != ''", "undefined field 'nodeName'"],
  ])('%s', (expression, message) => {
    expect(messages(expression).map(unnumbered)).toContain(unnumbered(message));
  });
});

/** Numbers in type names are arbitrary. */
function unnumbered(message: string): string {
  return message.replace(/Deployment\d+/g, 'Deployment');
}
