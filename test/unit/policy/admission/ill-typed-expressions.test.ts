// Preadmit's check of expressions against their policy's kinds: what it reports and what it ignores.
import { describe, expect, it } from 'vitest';
import { DEFAULT_VERSION, type KubernetesVersion } from '../../../../src/kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../../../src/kubernetes/cel/admission-environment.ts';
import { compilePolicy } from '../../../../src/policy/admission/validating/compiled-policy.ts';
import { IllTypedExpressions } from '../../../../src/policy/admission/validating/ill-typed-expressions.ts';
import { clusterOf, matching, validatingPolicy } from '../../../support/validating-policy.ts';

const DEPLOYMENTS = matching({ group: 'apps', resources: ['deployments'] });
const PODS_AND_DEPLOYMENTS = matching({ resources: ['pods'] }, { group: 'apps', resources: ['deployments'] });
const EVERYTHING = matching({ group: '*', version: '*', resources: ['*'] });

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
              count: {type: integer}
              share: {type: number}
              size: {x-kubernetes-int-or-string: true}
              template: {type: object, x-kubernetes-embedded-resource: true}
              any: {type: object}
              rows: {type: array, items: {type: array, items: {type: string}}}
              owners: {type: object, additionalProperties: {type: object, properties: {name: {type: string}}}}
`;

interface Remark {
  readonly message: string;
  readonly help: string | undefined;
  /** The text at the reported location. */
  readonly at: string;
}

function remarks(spec: unknown, version: KubernetesVersion = DEFAULT_VERSION): readonly Remark[] {
  const policy = validatingPolicy(spec);
  const environments = new AdmissionEnvironments(version);
  const compiled = compilePolicy(policy, 'new', environments);
  const all = [...compiled.matchConditions, ...compiled.validations, ...compiled.variables.all];
  expect(all.map((expression) => expression?.error).filter((error) => error !== undefined)).toEqual([]);
  return new IllTypedExpressions(clusterOf(WIDGETS, version), environments)
    .diagnostics(policy, compiled)
    .map(({ message, help, primary }) => ({
      message,
      help,
      at: primary === undefined ? '' : primary.file.text.slice(primary.range.start, primary.range.end),
    }));
}

function messages(expression: string, matchConstraints: unknown = DEPLOYMENTS, more: object = {}): string[] {
  return remarks({ matchConstraints, validations: [{ expression }], ...more }).map(({ message }) => message);
}

describe('finds', () => {
  it.each<[string, string]>([
    ['object.spec.replcas == 1', 'DeploymentSpec has no field `replcas` (Deployment)'],
    ['has(object.spec.foo.bar)', 'DeploymentSpec has no field `foo` (Deployment)'],
    ["object.spec['replcas'] == 1", 'DeploymentSpec has no field `replcas` (Deployment)'],
    ['oldObject.spec.nope == object.spec.replicas', 'DeploymentSpec has no field `nope` (Deployment)'],
    ['object.spec.template.spec.containers.all(c, c.img != "")', 'Container has no field `img` (Deployment)'],
    [
      'object.spec.template.spec.containers.map(c, c.resources).all(r, r.limit == {})',
      'ResourceRequirements has no field `limit` (Deployment)',
    ],
    ['object.metadata.name > 1', '`>` does not take (string, int) (Deployment)'],
    ['object.spec.replicas.startsWith("1")', '`startsWith` does not take int.(string) (Deployment)'],
    ['object.spec.replicas == "1"', 'int and string are never equal (Deployment)'],
    ['object.spec.replicas != "1"', 'int and string are never equal (Deployment)'],
    ['object.spec.replicas in ["1", "2"]', 'list(string) never holds a value of type int (Deployment)'],
    ['object.metadata.labels.app.name == ""', 'string has no fields (Deployment)'],
    ['object.spec.template.spec.containers.name == ""', 'list(Container) has no fields (Deployment)'],
    [
      'object.spec.template.spec.containers["web"].image == ""',
      '`[]` does not take (list(Container), string) (Deployment)',
    ],
    ['object.metadata.name.all(c, true)', 'string has no elements (Deployment)'],
    ['object.metadata.name && true', '`&&` does not take (string) (Deployment)'],
    ['quantity(object.spec.replicas).isGreaterThan(quantity("1"))', '`quantity` does not take (int) (Deployment)'],
    ['object.spec.?template.?spc.hasValue()', 'PodTemplateSpec has no field `spc`, which this tests for (Deployment)'],
    ['has(object.spec.replcas)', 'DeploymentSpec has no field `replcas`, which this tests for (Deployment)'],
    ["'replcas' in object.spec", 'DeploymentSpec has no field `replcas`, which this tests for (Deployment)'],
  ])('%s', (expression, message) => {
    expect(messages(expression)).toEqual([message]);
  });

  it('problems in every evaluated expression and in the variables that it uses', () => {
    const spec = {
      matchConstraints: DEPLOYMENTS,
      matchConditions: [{ name: 'a', expression: '  object.a == 1 ' }],
      variables: [
        { name: 'used', expression: 'object.b' },
        { name: 'unused', expression: 'object.c' },
        { name: 'indirect', expression: 'variables.used' },
      ],
      validations: [{ expression: 'variables.indirect == 1', messageExpression: 'string(object.d)' }],
      auditAnnotations: [{ key: 'a', valueExpression: ' string(object.e)' }],
    };
    expect(remarks(spec).map(({ at }) => at)).toEqual(['a', 'b', 'd', 'e']);
  });

  it('the exact location, even after characters outside the basic plane', () => {
    const [remark] = remarks({
      matchConstraints: DEPLOYMENTS,
      validations: [{ expression: "'\u{1f600}' == object.nope" }],
    });
    expect(remark?.at).toBe('nope');
  });
});

describe('ignores', () => {
  it.each<[string, unknown?]>([
    // Unnecessary warnings of the API server.
    ['object.spec.template.spec.containers.all(c, has(c.resources.limits) && c.resources.limits["cpu"] == "1")'],
    ["authorizer.requestResource.check('get').allowed()"],
    ["object.metadata.creationTimestamp == '2030-01-01T00:00:00Z'"],
    ["object.data['password'] == 'c2VjcmV0'", matching({ resources: ['secrets'] })],
    ['oldObject == null || oldObject.spec.replicas == null || object.metadata.labels == null'],
    ["object.spec['replicas'] == 1 && object.spec.all(key, key != 'paused')"],
    ['object.spec.?somethingElse.orValue(1) == 1'],
    ['object.spec.template.spec.containers + object.spec.template.spec.initContainers != []'],
    ["object.kind != 'Pod' || object.spec.nodeName != ''"],
    // Values with several possible types.
    ['object.spec.strategy.rollingUpdate.maxSurge == 1 || object.spec.strategy.rollingUpdate.maxSurge == "10%"'],
    ['(has(object.spec.paused) ? object.spec.paused : "no") == "no"'],
    ['object.spec.replicas == 1.5 || object.spec.replicas > 1.5'],
    ['[object.spec.replicas, object.metadata.name].size() == 2'],
    ['dyn(object.spec).anything.at.all == 1'],
    ['type(object.metadata.name) == int ? object.metadata.name > 1 : true'],
    ['object.spec.template.spec.volumes.all(v, v.size() == 2)'],
    ['namespaceObject.metadata.labels.x == ""'],
    ['object.metadata.managedFields.all(f, f.fieldsV1.x == 1)'],
    // Errors that another operand absorbs, and unreachable parts.
    ['object.spec.nope == 1 || true'],
    ['object.spec.nope == 1 && false'],
    ['true ? true : object.spec.nope == 1'],
    ["request.resource.resource == 'pods' && object.spec.nope"],
    ["request.kind.group.startsWith('apps') || object.spec.nope"],
    ["!(object.apiVersion in ['v1', 'apps/v1beta1']) || object.spec.nope"],
    ["['Pod', 'Job'].exists(kind, kind == object.kind) ? object.spec.nope == 1 : true"],
    ['has(object.spec.jobTemplate) ? object.spec.jobTemplate.spec.parallelism == 1 : true'],
    ['object.spec.?jobTemplate.optMap(template, template.spec.parallelism == 1).orValue(true)'],
  ])('%s', (expression, matchConstraints = DEPLOYMENTS) => {
    expect(messages(expression, matchConstraints)).toEqual([]);
  });

  it('kinds that matchConditions exclude', () => {
    const matchConditions = [{ name: 'pods', expression: "request.kind.kind == 'Pod'" }];
    expect(messages('object.spec.nodeName != ""', PODS_AND_DEPLOYMENTS, { matchConditions })).toEqual([]);
  });

  it('kinds that variables exclude', () => {
    const variables = [
      { name: 'isPod', expression: "object.kind == 'Pod'" },
      { name: 'spec', expression: 'variables.isPod ? object.spec : object.spec.template.spec' },
    ];
    expect(messages('variables.spec.hostNetwork != true', PODS_AND_DEPLOYMENTS, { variables })).toEqual([]);
    expect(messages('variables.isPod && object.spec.nodeName != ""', PODS_AND_DEPLOYMENTS, { variables })).toEqual([]);
  });

  it('messages of validations that cannot fail', () => {
    const validations = [{ expression: "object.kind == 'Deployment'", messageExpression: "'x' + object.nope" }];
    expect(remarks({ matchConstraints: DEPLOYMENTS, validations })).toEqual([]);
  });

  it('presence tests for fields of some kinds or of other releases', () => {
    expect(messages('has(object.spec.template) || has(object.spec.nodeName)', PODS_AND_DEPLOYMENTS)).toEqual([]);
    const pods = {
      matchConstraints: matching({ resources: ['pods'] }),
      validations: [{ expression: 'has(object.spec.resources)' }],
    };
    expect(remarks(pods, { major: 1, minor: 30 })).toEqual([]);
  });
});

describe('kinds', () => {
  it('are named in the message, up to three', () => {
    const workloads = matching({
      group: 'apps',
      resources: ['deployments', 'statefulsets', 'daemonsets', 'replicasets'],
    });
    expect(messages('object.spec.suspend == true', workloads)).toEqual([
      'DaemonSetSpec, DeploymentSpec, ReplicaSetSpec and 1 more have no field `suspend` (DaemonSet, Deployment, ReplicaSet and 1 more)',
    ]);
  });

  it('are distinguished by version', () => {
    const scalers = matching(
      { group: 'autoscaling', version: 'v1', resources: ['horizontalpodautoscalers'] },
      { group: 'autoscaling', version: 'v2', resources: ['horizontalpodautoscalers'] },
    );
    expect(messages('object.spec.metric == 1', scalers)).toEqual([
      'HorizontalPodAutoscalerSpec has no field `metric` (autoscaling/v1 HorizontalPodAutoscaler, autoscaling/v2 HorizontalPodAutoscaler)',
    ]);
  });

  it('of subresources are those of the request body', () => {
    const scale = matching({ group: 'apps', resources: ['deployments/scale'] });
    expect(messages('object.spec.replicas > 0', scale)).toEqual([]);
    expect(messages('object.spec.template == {}', scale)).toEqual(['ScaleSpec has no field `template` (Scale)']);
  });

  it('that no rule names are reported only if all of them fail', () => {
    expect(messages('object.spec.replicas > 0', EVERYTHING)).toEqual([]);
    expect(messages('object.metadata.nope == 1', EVERYTHING)[0]).toMatch(
      /^ObjectMeta has no field `nope` \(.* and \d+ more\)$/,
    );
    expect(messages('has(object.metadata.labls)', EVERYTHING)).toEqual([]);
  });

  it('that are excluded are ignored', () => {
    const exclude = { apiGroups: ['apps'], apiVersions: ['*'], operations: ['*'], resources: ['deployments'] };
    expect(messages('object.nope == 1', { ...(DEPLOYMENTS as object), excludeResourceRules: [exclude] })).toEqual([]);
  });

  it('of params are checked, too', () => {
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    expect(messages('params.data.max > 1', DEPLOYMENTS, { paramKind })).toEqual([
      '`>` does not take (string, int) (Deployment)',
    ]);
    expect(messages('params.dta.max == "1"', DEPLOYMENTS, { paramKind })).toEqual([
      'ConfigMap has no field `dta` (Deployment)',
    ]);
    const unknown = { apiVersion: 'example.com/v1', kind: 'Unknown' };
    expect(messages('params.anything > 1', DEPLOYMENTS, { paramKind: unknown })).toEqual([]);
  });
});

describe('custom resources', () => {
  const widgets = matching({ group: 'example.com', resources: ['widgets'] });

  it.each<[string, string[]]>([
    ['object.spec.count > 1 && object.spec.share > 1 && object.spec.share > 0.5', []],
    ['object.spec.size == 1 || object.spec.size == "1"', []],
    ['object.spec.template.spec.x == 1 && object.spec.any.x == 1', []],
    ['object.metadata.namespace == "default"', []],
    ['object.spec.rows.all(row, row.all(cell, cell == ""))', []],
    ['object.spec.owners.all(key, object.spec.owners[key].name == "")', []],
    ['object.status.x == 1', ['Widget has no field `status` (Widget)']],
    ['object.spec.count > "1"', ['`>` does not take (int, string) (Widget)']],
    ['object.spec.rows.all(row, row.all(cell, cell.x == ""))', ['string has no fields (Widget)']],
    [
      'object.spec.owners.all(key, object.spec.owners[key].nme == "")',
      ['Widget.spec.owners{} has no field `nme` (Widget)'],
    ],
  ])('%s', (expression, expected) => {
    expect(messages(expression, widgets)).toEqual(expected);
  });

  it('without a schema are ignored', () => {
    expect(messages('object.nope == 1', matching({ group: 'example.org', resources: ['gadgets'] }))).toEqual([]);
  });
});

describe('help', () => {
  const help = (expression: string, version?: KubernetesVersion): (string | undefined)[] =>
    remarks({ matchConstraints: PODS_AND_DEPLOYMENTS, validations: [{ expression }] }, version).map(
      (remark) => remark.help,
    );

  it.each<[string, string | undefined]>([
    ["object.kind == 'Pod' || object.spec.replcas == 1", 'did you mean `replicas`?'],
    ["object.kind == 'Pod' || object.spec.containers == []", 'did you mean `template.spec.containers`?'],
    ["object.kind == 'Pod' || object.spec.zzz == 1", undefined],
    [
      'object.metadata.name > 1',
      'quantities and the values of ConfigMaps are strings: convert them with `int(…)` or `quantity(…)`',
    ],
    [
      "object.metadata.creationTimestamp < timestamp('2030-01-01T00:00:00Z')",
      "policies see times as strings: convert them with `timestamp(…)`; the API server's type checking does not report this",
    ],
  ])('%s', (expression, expected) => {
    expect(help(expression)).toEqual([expected]);
  });

  it('names the releases that have a field', () => {
    expect(help("object.kind == 'Deployment' || object.spec.resources == {}", { major: 1, minor: 30 })).toEqual([
      'Kubernetes has `resources` since 1.32, and policies are checked for 1.30',
    ]);
  });
});
