// Requests that a policy matches, according to the API server's rules. Each group names its upstream file.
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../src/kubernetes/cluster/cluster.ts';
import { readAdmissionReview } from '../../../src/kubernetes/request/admission-review.ts';
import { readMatchResources } from '../../../src/policy/matching/match-resources.ts';
import { matchRequest } from '../../../src/policy/matching/matcher.ts';
import type { JsonObject } from '../../../src/source/json/json.ts';
import { parseJson } from '../../../src/source/json/parse-json.ts';
import {
  ask,
  binding,
  customResource,
  type Json,
  namespaceObject,
  policy,
  review,
  reviewOf,
} from '../../support/review.ts';

const LABEL_NAME =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const rule = (fields: Json = {}) => ({
  apiGroups: ['*'],
  apiVersions: ['*'],
  operations: ['*'],
  resources: ['*'],
  ...fields,
});
const constraints = (fields: Json = {}) => policy({ matchConstraints: { resourceRules: [rule()], ...fields } });
const onlyRule = (fields: Json) => constraints({ resourceRules: [rule(fields)] });

/** A policy that matches denies with `failed expression: false`. */
function matches(objects: readonly Json[], request: Json): boolean {
  const { response } = ask(
    [...objects, ...(objects.some(({ kind }) => kind.endsWith('Binding')) ? [] : [binding()])],
    request,
  );
  return !response.allowed;
}

function jsonObject(value: Json): JsonObject {
  const parsed = parseJson(JSON.stringify(value));
  return ('value' in parsed ? parsed.value : null) as JsonObject;
}

const labelled = (labels: Json) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', labels } });
const deployment = reviewOf('apps/v1 Deployment deployments');
const node = reviewOf('v1 Node nodes', { namespace: '' });
const namespaceRequest = (request: Json = {}) =>
  reviewOf('v1 Namespace namespaces', {
    name: 'shop',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { env: 'incoming' } } },
    ...request,
  });
const shop = namespaceObject('shop', { env: 'stored' });
const OTHER_NAMESPACES = { group: 'example.com', version: 'v1', resource: 'namespaces' };
const UNREADABLE = { matchExpressions: [{ key: 'env', operator: 'Like', values: ['prod'] }] };

describe('namespaceSelector (webhook/predicates/namespace/matcher.go)', () => {
  const env = (value: string) => constraints({ namespaceSelector: { matchLabels: { env: value } } });
  const not = (value: string) =>
    constraints({ namespaceSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: [value] }] } });

  it.each<[string, Json[], Json, boolean]>([
    ['empty selects everything', [constraints({ namespaceSelector: {} })], review(), true],
    ['by the labels of the stored Namespace', [env('stored'), shop], review(), true],
    ['and not of another', [env('stored'), shop], review({ namespace: 'other' }), false],
    ['never excludes cluster-scoped objects', [env('stored'), shop], node, true],
    ['and is not even read for them', [constraints({ namespaceSelector: UNREADABLE })], node, true],
    [
      'a resource named namespaces in another group is matched by its own labels, too',
      [env('incoming')],
      namespaceRequest({
        kind: { group: 'example.com', version: 'v1', kind: 'Namespace' },
        resource: OTHER_NAMESPACES,
      }),
      true,
    ],
    ['cluster-scoped or not', [env('stored')], namespaceRequest({ namespace: '', resource: OTHER_NAMESPACES }), false],
    ['NotIn of a Namespace that no file defines', [not('stored')], review(), true],
    [
      'the name label is on every Namespace',
      [constraints({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } })],
      review(),
      true,
    ],
    ['a created Namespace goes by its own labels', [env('incoming'), shop], namespaceRequest(), true],
    ['not by stored ones', [env('stored'), shop], namespaceRequest(), false],
    ['so does an updated one', [env('incoming'), shop], namespaceRequest({ operation: 'UPDATE' }), true],
    [
      'a deleted Namespace is matched by its stored labels',
      [env('stored'), shop],
      namespaceRequest({ operation: 'DELETE', object: null }),
      true,
    ],
    [
      'and so are its subresources',
      [
        constraints({
          namespaceSelector: { matchLabels: { env: 'stored' } },
          resourceRules: [rule({ resources: ['*/*'] })],
        }),
        shop,
      ],
      namespaceRequest({ operation: 'UPDATE', subResource: 'finalize' }),
      true,
    ],
  ])('%s', (_, objects, request, expected) => {
    expect(matches(objects, request)).toBe(expected);
  });
});

describe('objectSelector (webhook/predicates/object/matcher.go)', () => {
  const env = constraints({ objectSelector: { matchLabels: { env: 'prod' } } });
  const without = constraints({
    objectSelector: { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] },
    resourceRules: [rule({ resources: ['*/*'] })],
  });
  const exec = reviewOf('v1 PodExecOptions pods/exec', {
    operation: 'CONNECT',
    object: { apiVersion: 'v1', kind: 'PodExecOptions', command: ['sh'] },
  });

  it.each<[string, Json, Json, boolean]>([
    ['by the labels of the object', env, review({ object: labelled({ env: 'prod' }) }), true],
    ['which has to have them', env, review({ object: labelled({ env: 'dev' }) }), false],
    [
      'or of the old object',
      env,
      review({ operation: 'UPDATE', object: labelled({}), oldObject: labelled({ env: 'prod' }) }),
      true,
    ],
    [
      'only of the old object on DELETE',
      env,
      review({ operation: 'DELETE', object: null, oldObject: labelled({ env: 'prod' }) }),
      true,
    ],
    ['an object without labels has none of them', without, review(), true],
    ['an object without metadata never matches', without, exec, false],
    [
      'unless the selector is empty',
      constraints({ objectSelector: {}, resourceRules: [rule({ resources: ['*/*'] })] }),
      exec,
      true,
    ],
  ])('%s', (_, definition, request, expected) => {
    expect(matches([definition], request)).toBe(expected);
  });
});

describe('errors in matching (policy/matching/matching.go)', () => {
  const message = (spec: Json, request: Json = review(), bound: Json = {}) =>
    ask([policy(spec), binding(bound)], request).response.status?.details.causes[0].message;
  const withSelectors = (namespaceSelector: Json, objectSelector: Json, fields: Json = {}) => ({
    matchConstraints: { resourceRules: [rule()], namespaceSelector, objectSelector, ...fields },
  });
  const like = (operator: string) => ({ matchExpressions: [{ key: 'env', operator, values: ['prod'] }] });
  const unreadable = (operator: string) =>
    `Internal error occurred: "${operator}" is not a valid label selector operator`;
  const ofPolicy = (error: string) =>
    `ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: ${error}`;
  const ofBinding = (error: string) =>
    `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed to configure binding: ${error}`;
  const never = { matchLabels: { env: 'never' } };

  it.each<[string, Json, string | undefined]>([
    ['a namespaceSelector', withSelectors(like('Like'), {}), ofPolicy(unreadable('Like'))],
    ['an objectSelector', withSelectors({}, like('Near')), ofPolicy(unreadable('Near'))],
    ['both: that of the namespace is told', withSelectors(like('Like'), like('Near')), ofPolicy(unreadable('Like'))],
    ['another selector excludes', withSelectors(like('Like'), never), undefined],
    ['nor where it is the first that does', withSelectors(never, like('Near')), undefined],
    ['no rule matches', withSelectors(like('Like'), {}, { resourceRules: [rule({ apiGroups: ['apps'] })] }), undefined],
    ['a rule excludes', withSelectors(like('Like'), {}, { excludeResourceRules: [rule()] }), undefined],
    [
      'no constraints at all',
      { matchConstraints: undefined },
      ofPolicy('policy contained no match constraints, a required field'),
    ],
    ['failurePolicy Ignore', { failurePolicy: 'Ignore', ...withSelectors(like('Like'), {}) }, undefined],
  ])('%s', (_, spec, expected) => {
    expect(message(spec)).toBe(expected);
  });

  it.each<[string, Json, string]>([
    [
      'no values',
      { key: 'a', operator: 'In', values: [] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      'values',
      { key: 'a', operator: 'Exists', values: ['x'] },
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
    [
      'an invalid key and values',
      { key: '', operator: 'In', values: ['-'] },
      `[key: Invalid value: "": name part must be non-empty; ${LABEL_NAME}, values[0][]: Invalid value: "-": ${LABEL_VALUE}]`,
    ],
  ])('an invalid requirement (labels.NewRequirement): %s', (_, requirement, expected) => {
    const selector = { matchExpressions: [requirement] };
    expect(message(withSelectors({}, selector))).toBe(ofPolicy(`Internal error occurred: ${expected}`));
  });

  it('a selector of the binding, regardless of validationActions', () => {
    const bound = { validationActions: ['Warn'], matchResources: { objectSelector: like('Like') } };
    expect(message({}, review(), bound)).toBe(ofBinding(unreadable('Like')));
  });

  it.each(['resourceRules', 'excludeResourceRules'])('%s: an equivalent of an unknown kind', (field) => {
    const gadgets = { group: 'example.com', version: 'v1', resource: 'gadgets' };
    const cluster = { equivalentResources: () => [gadgets], kindFor: () => undefined };
    const criteria = readMatchResources(
      jsonObject({ resourceRules: [rule()], [field]: [rule({ apiVersions: ['v1'] })] }),
    );
    const asked = reviewOf('example.com/v1beta1 Gadget gadgets', { namespace: '' });
    const read = readAdmissionReview(jsonObject(asked));
    if ('error' in read) throw new Error(read.error);
    expect(matchRequest(criteria, read.request, cluster as unknown as Cluster)).toMatchObject({
      error: 'unable to convert to example.com/v1, Resource=gadgets: unknown kind',
    });
  });
});

describe('rules (webhook/predicates/rules/rules.go)', () => {
  const scale = reviewOf('autoscaling/v1 Scale deployments/scale', {
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    operation: 'UPDATE',
  });
  it.each<[string, Json, Json, boolean]>([
    ['group', { apiGroups: ['apps'] }, deployment, true],
    ['another group', { apiGroups: ['batch', ''] }, deployment, false],
    ['the core group is empty', { apiGroups: [''] }, review(), true],
    ['version', { apiVersions: ['v1'] }, deployment, true],
    ['another version', { apiVersions: ['v2'] }, deployment, false],
    ['operation', { operations: ['UPDATE', 'CREATE'] }, deployment, true],
    ['another operation', { operations: ['UPDATE'] }, deployment, false],
    ['resource', { resources: ['pods', 'deployments'] }, deployment, true],
    ['another resource', { resources: ['pods'] }, deployment, false],
    ['`*` does not match subresources', { resources: ['*'] }, scale, false],
    ['nor does the plain name', { resources: ['deployments'] }, scale, false],
    ['`deployments/*` matches every subresource', { resources: ['deployments/*'] }, scale, true],
    ['and the resource itself', { resources: ['deployments/*'] }, deployment, true],
    ['`*/*` matches everything', { resources: ['*/*'] }, scale, true],
    ['`*/scale` matches one subresource of every resource', { resources: ['*/scale'] }, scale, true],
    ['but not the resource itself', { resources: ['*/scale'] }, deployment, false],
    ['scope Namespaced', { scope: 'Namespaced' }, deployment, true],
    ['scope Namespaced excludes cluster-scoped objects', { scope: 'Namespaced' }, node, false],
    ['nor Namespaces', { scope: 'Namespaced' }, namespaceRequest(), false],
    ['scope Cluster', { scope: 'Cluster' }, node, true],
    ['has Namespaces', { scope: 'Cluster' }, namespaceRequest(), true],
    ['but no namespaced objects', { scope: 'Cluster' }, deployment, false],
    ['scope *', { scope: '*' }, deployment, true],
    ['empty resourceNames match all names', { resourceNames: [] }, deployment, true],
    ['resourceNames', { resourceNames: ['other', 'settings'] }, deployment, true],
    ['another name', { resourceNames: ['other'] }, deployment, false],
    [
      'an object without a name yet',
      { resourceNames: ['settings'] },
      { ...deployment, request: { ...deployment.request, name: '' } },
      false,
    ],
  ])('%s', (_, fields, request, expected) => {
    expect(matches([onlyRule(fields)], request)).toBe(expected);
  });

  it.each<[string, Json[], boolean]>([
    ['one of several rules is enough', [rule({ apiGroups: ['batch'] }), rule({ apiGroups: ['apps'] })], true],
    [
      'two partly matching rules do not match',
      [rule({ apiGroups: ['apps'], operations: ['DELETE'] }), rule({ apiGroups: [''] })],
      false,
    ],
  ])('%s', (_, resourceRules, expected) => {
    expect(matches([constraints({ resourceRules })], deployment)).toBe(expected);
  });

  it.each<[string, Json, Json, boolean]>([
    ['excludeResourceRules win', { excludeResourceRules: [rule({ apiGroups: ['apps'] })] }, deployment, false],
    ['where they match', { excludeResourceRules: [rule({ apiGroups: ['batch'] })] }, deployment, true],
    [
      'also in an equivalent version',
      { excludeResourceRules: [rule({ apiGroups: ['autoscaling'], apiVersions: ['v1'] })] },
      reviewOf('autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers'),
      false,
    ],
    [
      'unless matchPolicy is Exact',
      { matchPolicy: 'Exact', excludeResourceRules: [rule({ apiGroups: ['autoscaling'], apiVersions: ['v1'] })] },
      reviewOf('autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers'),
      true,
    ],
  ])('%s', (_, fields, request, expected) => {
    expect(matches([constraints(fields)], request)).toBe(expected);
  });
});

describe('binding and policy (policy/generic/policy_matcher.go)', () => {
  it.each<[string, Json, Json, boolean]>([
    ['no matchResources: everything that the policy matches', undefined, deployment, true],
    ['matchResources without rules: everything that the policy matches', { namespaceSelector: {} }, deployment, true],
    ['rules of the binding narrow', { resourceRules: [rule({ operations: ['DELETE'] })] }, deployment, false],
    ['selectors of the binding restrict the match', { objectSelector: { matchLabels: { a: 'b' } } }, deployment, false],
    ['the binding may exclude', { excludeResourceRules: [rule({ resources: ['deployments'] })] }, deployment, false],
  ])('%s', (_, matchResources, request, expected) => {
    expect(matches([policy({}), binding({ matchResources })], request)).toBe(expected);
  });

  it('has no effect without its own binding', () => {
    expect(matches([policy({}), binding({ policyName: 'q' })], review())).toBe(false);
    expect(ask([policy({}), policy({}, 'q'), binding({ policyName: 'q' })], review()).decisions).toHaveLength(1);
  });
});

describe('matchPolicy (policy/matching/matching.go)', () => {
  const gadgets = customResource('Gadget', 'Namespaced', ['v1', 'v1beta1']);
  const gadget = reviewOf('example.com/v1beta1 Gadget gadgets');
  const seen =
    "request.kind.version + ' ' + request.resource.version + ' ' + request.requestKind.version + ' ' + request.requestResource.version + ' ' + object.apiVersion";
  const definition = (matchPolicy: string | undefined, fields: Json = {}) =>
    policy({
      matchConstraints: {
        matchPolicy,
        resourceRules: [rule({ apiGroups: ['example.com'], apiVersions: ['v1'], ...fields })],
      },
      validations: [{ expression: 'false', messageExpression: seen }],
    });
  const message = (objects: readonly Json[], request: Json) =>
    ask([...objects, binding()], request).decisions[0]?.message;

  it('Equivalent, the default: another version of the resource, and the object converted to it', () => {
    expect(message([gadgets, definition(undefined)], gadget)).toBe('v1 v1 v1beta1 v1beta1 example.com/v1');
  });
  it('the requested version comes first', () => {
    const both = definition(undefined, { apiVersions: ['v1', 'v1beta1'] });
    expect(message([gadgets, both], gadget)).toBe('v1beta1 v1beta1 v1beta1 v1beta1 example.com/v1beta1');
  });
  it('Exact: only the requested version', () => {
    expect(message([gadgets, definition('Exact')], gadget)).toBeUndefined();
  });
  it('resourceNames also apply to the equivalent', () => {
    expect(message([gadgets, definition(undefined, { resourceNames: ['other'] })], gadget)).toBeUndefined();
  });
  it('the object keeps the version that the policy matched, not the one that the binding matched', () => {
    const bound = binding({ matchResources: { resourceRules: [rule({ apiVersions: ['v1'] })] } });
    const older = definition(undefined, { apiVersions: ['v1beta1'] });
    expect(ask([gadgets, older, bound], gadget).decisions[0]?.message).toBe(
      'v1beta1 v1beta1 v1beta1 v1beta1 example.com/v1beta1',
    );
    const exact = binding({ matchResources: { matchPolicy: 'Exact', resourceRules: [rule({ apiVersions: ['v1'] })] } });
    expect(ask([gadgets, older, exact], gadget).decisions).toEqual([]);
  });
  it('the first rule that matches an equivalent decides the version of the object', () => {
    const three = customResource('Gadget', 'Namespaced', ['v1', 'v2', 'v1beta1']);
    const later = policy({
      matchConstraints: {
        resourceRules: ['v2', 'v1'].map((version) => rule({ apiGroups: ['example.com'], apiVersions: [version] })),
      },
      validations: [{ expression: 'false', messageExpression: seen }],
    });
    expect(message([three, later], gadget)).toBe('v2 v2 v1beta1 v1beta1 example.com/v2');
  });
  it('different resources are never equivalent, except Events of both groups', () => {
    expect(matches([onlyRule({ resources: ['pods'] })], deployment)).toBe(false);
    const events = onlyRule({ apiGroups: ['events.k8s.io'], resources: ['events'] });
    expect(ask([events, binding()], reviewOf('v1 Event events')).decisions).toMatchObject([{ evaluation: 'unknown' }]);
  });
  it('undefined versions are not equivalent, unserved versions are', () => {
    const undefinedVersion = customResource('Gadget', 'Namespaced', ['v1beta1']);
    expect(message([undefinedVersion, definition(undefined)], gadget)).toBeUndefined();
    const versions = [
      { name: 'v1', served: false },
      { name: 'v1beta1', served: true, storage: true },
    ];
    const notServed = customResource('Gadget', 'Namespaced', [], { versions });
    expect(message([notServed, definition(undefined)], gadget)).toBe('v1 v1 v1beta1 v1beta1 example.com/v1');
  });
  it('a subresource of a custom kind is equivalent if both versions have it, and scale is always a Scale', () => {
    const withScale = (name: string, subresources: Json) => ({ name, served: true, subresources });
    const resource = { group: 'example.com', version: 'v1beta1', resource: 'gadgets' };
    const scale = reviewOf('autoscaling/v1 Scale gadgets/scale', { resource });
    const messageWith = (versions: readonly Json[]) =>
      message(
        [customResource('Gadget', 'Namespaced', [], { versions }), definition(undefined, { resources: ['*/scale'] })],
        scale,
      );
    const both = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const older = withScale('v1beta1', { scale: both });
    expect(messageWith([older, withScale('v1', { scale: both })])).toBe('v1 v1 v1 v1beta1 autoscaling/v1');
    expect(messageWith([older, withScale('v1', {})])).toBeUndefined();
  });
  it('matchConditions see the matched kind and the requested resource (webhook/matchconditions/matcher.go)', () => {
    const conditional = policy({
      matchConstraints: { resourceRules: [rule({ apiGroups: ['example.com'], apiVersions: ['v1'] })] },
      matchConditions: [
        { name: 'c', expression: "request.kind.version == 'v1' && request.resource.version == 'v1beta1'" },
      ],
    });
    expect(matches([gadgets, conditional], gadget)).toBe(true);
  });
  it('an object that was converted for a webhook is converted back', () => {
    const converted = reviewOf('example.com/v1 Gadget gadgets', {
      requestKind: { group: 'example.com', version: 'v1beta1', kind: 'Gadget' },
      requestResource: { group: 'example.com', version: 'v1beta1', resource: 'gadgets' },
    });
    expect(message([gadgets, definition('Exact', { apiVersions: ['v1beta1'] })], converted)).toBe(
      'v1beta1 v1beta1 v1beta1 v1beta1 example.com/v1beta1',
    );
  });
  it.each(['HorizontalPodAutoscaler with behavior', 'a conversion webhook'])(
    '%s: the conversion is unknown',
    (what) => {
      const webhook = customResource('Gadget', 'Namespaced', ['v1', 'v1beta1'], {
        conversion: { strategy: 'Webhook' },
      });
      const isBuiltin = what !== 'a conversion webhook';
      const autoscaler = {
        object: { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', spec: { behavior: {} } },
      };
      const request = isBuiltin
        ? reviewOf('autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers', autoscaler)
        : gadget;
      const constraint = { apiGroups: isBuiltin ? ['autoscaling'] : ['example.com'], apiVersions: ['v1'] };
      const { decisions, response } = ask([webhook, onlyRule(constraint), binding()], request);
      expect(response.allowed).toBe(true);
      expect(decisions).toMatchObject([{ evaluation: 'unknown', action: 'deny', message: 'not evaluated' }]);
    },
  );
});

describe('never evaluated (policy/generic/plugin.go, pkg/kubeapiserver/admission/exclusion/resources.go)', () => {
  it.each([
    'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy validatingadmissionpolicies',
    'admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings',
    'admissionregistration.k8s.io/v1 MutatingAdmissionPolicy mutatingadmissionpolicies',
    'admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding mutatingadmissionpolicybindings',
    'authentication.k8s.io/v1 SelfSubjectReview selfsubjectreviews',
    'authentication.k8s.io/v1 TokenReview tokenreviews',
    'authorization.k8s.io/v1 LocalSubjectAccessReview localsubjectaccessreviews',
    'authorization.k8s.io/v1 SelfSubjectAccessReview selfsubjectaccessreviews',
    'authorization.k8s.io/v1 SelfSubjectRulesReview selfsubjectrulesreviews',
    'authorization.k8s.io/v1 SubjectAccessReview subjectaccessreviews',
    'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy validatingadmissionpolicies/status',
  ])('%s', (what) => {
    expect(matches([policy({})], reviewOf(what, { namespace: '' }))).toBe(false);
  });

  it.each([
    'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration validatingwebhookconfigurations',
    'v1 Binding pods/binding',
    'policy/v1 Eviction pods/eviction',
    'authentication.k8s.io/v1 TokenRequest serviceaccounts/token',
  ])('but %s', (what) => {
    expect(matches([policy({})], reviewOf(what))).toBe(true);
  });
});

describe('variables by operation (endpoints/handlers/{create,update,delete}.go)', () => {
  const shape =
    "request.operation + ' ' + string(object != null) + ' ' + string(oldObject != null) + ' ' + request.kind.kind + ' ' + request.?subResource.orValue('-') + ' ' + request.?name.orValue('-')";
  const seen = (request: Json) =>
    ask([policy({ validations: [{ expression: 'false', messageExpression: shape }] }), binding()], request).decisions[0]
      ?.message;
  const old = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };

  it.each<[string, Json, string]>([
    ['CREATE', review(), 'CREATE true false ConfigMap - settings'],
    ['UPDATE', review({ operation: 'UPDATE', oldObject: old }), 'UPDATE true true ConfigMap - settings'],
    ['DELETE', review({ operation: 'DELETE', object: null, oldObject: old }), 'DELETE false true ConfigMap - settings'],
    [
      'an object of a deleted collection',
      review({ operation: 'DELETE', object: null, oldObject: old, name: '' }),
      'DELETE false true ConfigMap - -',
    ],
    [
      'CONNECT',
      reviewOf('v1 PodExecOptions pods/exec', { operation: 'CONNECT' }),
      'CONNECT true false PodExecOptions exec settings',
    ],
    ['a subresource', reviewOf('policy/v1 Eviction pods/eviction'), 'CREATE true false Eviction eviction settings'],
  ])('%s', (_, request, expected) => {
    expect(seen(request)).toBe(expected);
  });
});
