// Random policies, bindings, params and other objects of a cluster.
import fc from 'fast-check';
import { binding, customResource, type Json, namespaceObject, policy } from './review.ts';

const expression = fc.constantFrom(
  'true',
  'false',
  'object.spec.replicas <= 3',
  'object.nothing == 1',
  'params != null && params.limit > 2',
  'variables.v',
  "namespaceObject == null || 'env' in namespaceObject.metadata.labels",
  "authorizer.group('').resource('secrets').check('get').allowed()",
  "request.userInfo.username != 'mallory'",
  'not an expression',
);
export const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
/** Often matches everything, so that several policies apply to one request. */
const rule = fc.oneof(
  { weight: 2, arbitrary: fc.constant(everything) },
  fc.record({
    apiGroups: fc.constantFrom(['*'], [''], ['apps'], ['example.com']),
    apiVersions: fc.constantFrom(['*'], ['v1'], ['v1beta1']),
    operations: fc.constantFrom(['*'], ['CREATE'], ['UPDATE', 'DELETE']),
    resources: fc.constantFrom(['*/*'], ['*'], ['configmaps', 'gadgets'], ['deployments/*']),
  }),
);
const selector = fc.constantFrom(
  undefined,
  undefined,
  {},
  { matchLabels: { env: 'prod' } },
  { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] },
);
const spec = fc.record({
  failurePolicy: fc.constantFrom('Fail', 'Ignore'),
  paramKind: fc.constantFrom(undefined, { apiVersion: 'example.com/v1', kind: 'Gadget' }),
  matchConstraints: fc.record({
    resourceRules: fc.array(rule, { minLength: 1, maxLength: 2 }),
    namespaceSelector: selector,
  }),
  matchConditions: fc.array(fc.record({ name: fc.constantFrom('a', 'b'), expression }), { maxLength: 2 }),
  variables: fc.constant([{ name: 'v', expression: 'object.spec.replicas > 1' }]),
  validations: fc.array(fc.record({ expression, message: fc.constantFrom(undefined, 'm', 'n') }), {
    minLength: 1,
    maxLength: 3,
  }),
  auditAnnotations: fc.constantFrom([], [{ key: 'k', valueExpression: "'v'" }]),
});
const bound = fc.record({
  validationActions: fc.constantFrom(['Deny'], ['Warn'], ['Audit'], ['Deny', 'Audit']),
  paramRef: fc.constantFrom(
    undefined,
    { name: 'g0', parameterNotFoundAction: 'Deny' },
    { selector: {}, parameterNotFoundAction: 'Allow' },
  ),
  matchResources: fc.option(fc.record({ objectSelector: selector }), { nil: undefined }),
});
export const cluster: readonly Json[] = [
  customResource('Gadget', 'Namespaced', ['v1', 'v1beta1']),
  namespaceObject('shop', { env: 'prod' }),
  { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g0', namespace: 'shop' }, limit: 1 },
  { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g1', namespace: 'shop' }, limit: 3 },
];
/** Each policy has its own binding; further bindings may name any policy, or none. */
export const admissionObjects = fc
  .tuple(
    fc.array(fc.tuple(spec, bound), { minLength: 2, maxLength: 3, size: 'max' }),
    fc.array(fc.tuple(bound, fc.constantFrom('p0', 'p1', 'p2', 'nothing')), { maxLength: 2 }),
  )
  .map(([policies, others]): readonly Json[] => [
    ...cluster,
    ...policies.map(([fields], index) => policy(fields, `p${index}`)),
    ...policies.map(([, fields], index) => binding({ ...fields, policyName: `p${index}` }, `b${index}`)),
    ...others.map(([fields, policyName], index) => binding({ ...fields, policyName }, `other${index}`)),
  ]);
