// The value of `params`, according to the API server's rules (policy/generic/policy_dispatcher.go: CollectParams).
import { describe, expect, it } from 'vitest';
import { ask, binding, customResource, type Json, policy, review, reviewOf } from '../../support/review.ts';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const GADGET = { apiVersion: 'example.com/v1', kind: 'Gadget' };
const WIDGET_TWICE = { apiVersion: 'example.com/v1', kind: 'WidgetTwice' };
const WIDGET = { apiVersion: 'example.com/v1', kind: 'Widget' };
const kinds = [
  customResource('Gadget', 'Namespaced', ['v1', 'v1beta1']),
  customResource('Widget', 'Cluster', ['v1']),
  customResource('WidgetTwice', 'Cluster', ['v1']),
];
const object = (kind: Json, name: string, namespace?: string, labels?: Json, fields?: Json) => ({
  ...kind,
  metadata: { name, ...(namespace !== undefined && { namespace }), ...(labels !== undefined && { labels }) },
  ...fields,
});
const cluster = [
  ...kinds,
  object(CONFIG_MAP, 'limits', 'shop', { use: 'yes' }),
  object(CONFIG_MAP, 'more', 'shop', { use: 'yes' }),
  object(CONFIG_MAP, 'limits', 'platform'),
  object(GADGET, 'limits', 'shop', { use: 'yes' }),
  object(WIDGET, 'limits', undefined, { use: 'yes' }),
  object(WIDGET, 'more', undefined, { use: 'no' }),
  // The server drops the namespace of a cluster-scoped object.
  object(WIDGET_TWICE, 'one', 'shop'),
  object(WIDGET_TWICE, 'one'),
];
const node = reviewOf('v1 Node nodes', { namespace: '' });
const namespaceRequest = reviewOf('v1 Namespace namespaces', { name: 'shop' });

const name =
  "params == null ? 'null' : params.kind + ' ' + params.metadata.?namespace.orValue('-') + '/' + params.metadata.name";
const asking = (paramKind: Json) =>
  policy({ paramKind, validations: [{ expression: 'false', messageExpression: name }] });

/** The evaluated params, or the single error. */
function params(paramKind: Json, paramRef: Json, request: Json = review()): readonly string[] {
  const { decisions } = ask([...cluster, asking(paramKind), binding({ paramRef })], request);
  return decisions.map(({ message }) => message);
}

const deny = { parameterNotFoundAction: 'Deny' };
const failed = (error: string) => [`failed to configure binding: ${error}`];

describe('paramKind and paramRef', () => {
  it.each<[string, Json, Json, Json, readonly string[]]>([
    ['paramKind without paramRef: null', CONFIG_MAP, undefined, review(), ['null']],
    [
      'namespaced, with a namespace',
      CONFIG_MAP,
      { name: 'limits', namespace: 'platform', ...deny },
      review(),
      ['ConfigMap platform/limits'],
    ],
    [
      'namespaced, without a namespace: that of the request',
      CONFIG_MAP,
      { name: 'limits', ...deny },
      review(),
      ['ConfigMap shop/limits'],
    ],
    [
      'of a Namespace: its own name',
      CONFIG_MAP,
      { name: 'limits', ...deny },
      namespaceRequest,
      ['ConfigMap shop/limits'],
    ],
    [
      'namespaced, without a namespace, for a cluster-scoped object',
      CONFIG_MAP,
      { name: 'limits', ...deny },
      node,
      failed('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources'),
    ],
    [
      'namespaced, with a namespace, for a cluster-scoped object',
      CONFIG_MAP,
      { name: 'limits', namespace: 'shop', ...deny },
      node,
      ['ConfigMap shop/limits'],
    ],
    ['cluster-scoped', WIDGET, { name: 'limits', ...deny }, node, ['Widget -/limits']],
    [
      'cluster-scoped, with a namespace',
      WIDGET,
      { name: 'limits', namespace: 'shop', ...deny },
      review(),
      failed('paramRef.namespace must not be provided for a cluster-scoped `paramKind`'),
    ],
    [
      'the scope is checked before name and selector',
      WIDGET,
      { name: 'limits', selector: {}, namespace: 'shop', ...deny },
      review(),
      failed('paramRef.namespace must not be provided for a cluster-scoped `paramKind`'),
    ],
    [
      'name and selector',
      WIDGET,
      { name: 'limits', selector: {}, ...deny },
      review(),
      failed('paramRef.name and paramRef.selector are mutually exclusive'),
    ],
    [
      'also for a cluster-scoped object',
      CONFIG_MAP,
      { name: 'limits', selector: {}, ...deny },
      node,
      failed('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources'),
    ],
    ['neither', WIDGET, deny, review(), failed('one of name or selector must be provided')],
    [
      'a selector: one evaluation per match',
      CONFIG_MAP,
      { selector: { matchLabels: { use: 'yes' } }, ...deny },
      review(),
      ['ConfigMap shop/limits', 'ConfigMap shop/more'],
    ],
    [
      'in one namespace',
      CONFIG_MAP,
      { selector: {}, namespace: 'platform', ...deny },
      review(),
      ['ConfigMap platform/limits'],
    ],
    ['of two with one name the first', WIDGET_TWICE, { selector: {}, ...deny }, review(), ['WidgetTwice -/one']],
    ['an empty selector: all', WIDGET, { selector: {}, ...deny }, review(), ['Widget -/limits', 'Widget -/more']],
    [
      'nothing found, Deny',
      CONFIG_MAP,
      { name: 'nothing', ...deny },
      review(),
      failed('no params found for policy binding with `Deny` parameterNotFoundAction'),
    ],
    [
      'nothing found, Allow: no evaluation',
      CONFIG_MAP,
      { name: 'nothing', parameterNotFoundAction: 'Allow' },
      review(),
      [],
    ],
    ['nothing found, and nothing said of it', CONFIG_MAP, { name: 'nothing' }, review(), []],
    [
      'nothing selected, Allow',
      CONFIG_MAP,
      { selector: { matchLabels: { use: 'maybe' } }, parameterNotFoundAction: 'Allow' },
      review(),
      [],
    ],
    [
      'nothing selected, Deny',
      CONFIG_MAP,
      { selector: { matchLabels: { use: 'maybe' } }, ...deny },
      review(),
      failed('no params found for policy binding with `Deny` parameterNotFoundAction'),
    ],
    [
      'not found in another namespace',
      GADGET,
      { name: 'limits', parameterNotFoundAction: 'Allow' },
      review({ namespace: 'other' }),
      [],
    ],
    ['a custom resource', GADGET, { name: 'limits', ...deny }, review(), ['Gadget shop/limits']],
    [
      'in any of its versions',
      { ...GADGET, apiVersion: 'example.com/v1beta1' },
      { name: 'limits', ...deny },
      review(),
      ['Gadget shop/limits'],
    ],
  ])('%s', (_, paramKind, paramRef, request, expected) => {
    expect([...params(paramKind, paramRef, request)].sort()).toEqual([...expected].sort());
  });

  it('no paramKind: evaluated once with params undeclared, regardless of the binding', () => {
    const definition = policy({ validations: [{ expression: 'params == null' }] });
    const { decisions } = ask([...cluster, definition, binding({ paramRef: { name: 'limits', ...deny } })], review());
    expect(decisions.map(({ message }) => message)).toEqual([
      "compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^",
    ]);
  });

  it.each([
    ['an unknown core kind', { apiVersion: 'v1', kind: 'Configmap' }, '/v1, Kind=Configmap'],
    [
      'an undefined custom kind',
      { apiVersion: 'rules.example.com/v1', kind: 'Limit' },
      'rules.example.com/v1, Kind=Limit',
    ],
    ['a version that is not served', { apiVersion: 'example.com/v2', kind: 'Gadget' }, 'example.com/v2, Kind=Gadget'],
  ])('%s: an error of the policy, even without paramRef (policy_source.go)', (_, paramKind, gvk) => {
    const { response } = ask([...cluster, asking(paramKind), binding({ validationActions: ['Warn'] })], review());
    expect(response.status?.message).toBe(
      `configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: '${gvk}'`,
    );
  });

  it('an unknown paramKind is reported only for matching requests', () => {
    const definition = policy({
      paramKind: { apiVersion: 'v1', kind: 'Configmap' },
      matchConstraints: {
        resourceRules: [{ apiGroups: ['apps'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
      },
    });
    expect(ask([definition, binding()], review()).response.allowed).toBe(true);
  });

  it('errors of params follow failurePolicy, not validationActions', () => {
    const paramRef = { name: 'nothing', ...deny };
    const answer = (failurePolicy: string, validationActions: readonly string[]) =>
      ask([policy({ paramKind: CONFIG_MAP, failurePolicy }), binding({ paramRef, validationActions })], review())
        .response;
    expect(answer('Fail', ['Audit'])).toMatchObject({ allowed: false, status: { code: 422, reason: 'Invalid' } });
    expect(answer('Ignore', ['Deny'])).toEqual({ uid: 'uid', allowed: true });
  });
});

describe('the value of params', () => {
  const value = (objects: readonly Json[], paramKind: Json, expression: string) =>
    ask(
      [
        ...kinds,
        ...objects,
        policy({ paramKind, validations: [{ expression: 'false', messageExpression: expression }] }),
        binding({ paramRef: { name: 'limits', ...deny } }),
      ],
      review(),
    ).decisions[0]?.message;

  it('has apiVersion and kind', () => {
    expect(value([object(CONFIG_MAP, 'limits', 'shop')], CONFIG_MAP, "params.apiVersion + ' ' + params.kind")).toBe(
      'v1 ConfigMap',
    );
  });
  it('of a Secret has base64 data, even if written as stringData', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret' };
    const objects = [object(secret, 'limits', 'shop', {}, { data: { a: 'MQ==' }, stringData: { b: '2' } })];
    expect(value(objects, secret, "params.data.a + ' ' + params.data.b + ' ' + string(has(params.stringData))")).toBe(
      'MQ== Mg== false',
    );
  });
  it('of a built-in kind has no empty fields', () => {
    expect(
      value([object(CONFIG_MAP, 'limits', 'shop', {}, { data: {} })], CONFIG_MAP, 'string(has(params.data))'),
    ).toBe('false');
  });
  it('of a custom resource is the object as written', () => {
    expect(
      value(
        [object(GADGET, 'limits', 'shop', {}, { data: {}, size: 3 })],
        GADGET,
        "string(has(params.data)) + ' ' + string(params.size + 1)",
      ),
    ).toBe('true 4');
  });
  it('is visible to matchConditions, with one evaluation per param', () => {
    const definition = policy({
      paramKind: WIDGET,
      matchConditions: [{ name: 'named', expression: "params.metadata.name == 'more'" }],
    });
    const { decisions } = ask([...cluster, definition, binding({ paramRef: { selector: {}, ...deny } })], review());
    expect(decisions.map(({ param }) => param?.name)).toEqual(['more']);
  });
  it('has its own budget', () => {
    const check = "authorizer.group('').resource('x').check('get').allowed() == false";
    const validations = Array.from({ length: 27 }, () => ({ expression: check }));
    const { response } = ask(
      [...cluster, policy({ paramKind: WIDGET, validations }), binding({ paramRef: { selector: {}, ...deny } })],
      review(),
    );
    expect(response.allowed).toBe(true);
  });
});
