// Consequences of decisions: Status, warnings and audit annotations (policy/validating/dispatcher.go).
import { describe, expect, it } from 'vitest';
import { ask, binding, type Json, policy, review, reviewOf } from '../../support/review.ts';

const BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';
const check = "authorizer.group('').resource('x').check('get').allowed() == false";
const many = (count: number) => Array.from({ length: count }, () => ({ expression: check }));
const data = (fields: Json) =>
  review({ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: fields } });

describe('the Status of a denial (dispatcher.go, admission/errors.go)', () => {
  const denied = (request: Json, spec: Json = {}) => ask([policy(spec), binding()], request).response.status;

  it('is a single one, for the first failure', () => {
    const validations = [
      { expression: 'true' },
      { expression: 'false', message: 'first', reason: 'Forbidden' },
      { expression: 'false', message: 'second' },
    ];
    expect(denied(review(), { validations })).toEqual({
      metadata: {},
      status: 'Failure',
      message: `configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: first`,
      reason: 'Forbidden',
      details: {
        name: 'settings',
        kind: 'configmaps',
        causes: [{ message: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: first" }],
      },
      code: 403,
    });
  });

  it('covers all validations, params and bindings; errors of audit annotations follow validations', () => {
    const told = (validations: readonly Json[], bindings: readonly Json[] = [binding()]) => {
      const auditAnnotations = [{ key: 'k', valueExpression: 'string(object.a)' }];
      return ask([policy({ validations, auditAnnotations }), ...bindings], review()).response.status?.details.causes;
    };
    const cause = (message: string, name = 'b') => [
      { message: `ValidatingAdmissionPolicy 'p' with binding '${name}' denied request: ${message}` },
    ];
    const annotation = "expression 'string(object.a)' resulted in error: no such key: a";
    expect(told([{ expression: 'true' }, { expression: 'false' }])).toEqual(cause('failed expression: false'));
    expect(told([{ expression: 'true' }])).toEqual(cause(annotation));
    const warning = binding({ validationActions: ['Warn'] }, 'warning');
    expect(told([{ expression: 'false' }], [warning])).toEqual(cause(annotation, 'warning'));
  });

  it.each([
    [undefined, 'Invalid', 422],
    ['Invalid', 'Invalid', 422],
    ['Forbidden', 'Forbidden', 403],
    ['Unauthorized', 'Unauthorized', 401],
    ['RequestEntityTooLarge', 'RequestEntityTooLarge', 413],
  ])('reason %s: %s, %i', (reason, expected, code) => {
    expect(denied(review(), { validations: [{ expression: 'false', reason }] })).toMatchObject({
      reason: expected,
      code,
    });
  });

  it.each<[string, Json, string]>([
    ['the group follows the resource', reviewOf('apps/v1 Deployment deployments'), 'deployments.apps "settings"'],
    ['a subresource is not told', reviewOf('v1 PodExecOptions pods/exec'), 'pods "settings"'],
    ['the name of the object where the request has none', review({ name: '' }), 'configmaps "settings"'],
    ['generateName', review({ name: '', object: { metadata: { generateName: 'web-' } } }), 'configmaps "web-"'],
    ['no name at all', review({ name: '', object: { metadata: {} } }), 'configmaps "Unknown"'],
    ['no object', review({ name: '', operation: 'DELETE', object: null }), 'configmaps "Unknown"'],
    [
      'an object without metadata',
      review({ name: '', object: { kind: 'PodExecOptions' } }),
      'configmaps "Unknown/errorGettingName"',
    ],
    ['quoted as Go does', review({ name: 'a"\u0007日' }), 'configmaps "a\\"\\a日"'],
  ])('%s', (_, request, expected) => {
    expect(denied(request)?.message).toBe(
      `${expected} is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: false`,
    );
  });

  it('omits the binding for an error of the policy as a whole', () => {
    expect(denied(review(), { paramKind: { apiVersion: 'v1', kind: 'Nothing' } })?.details.causes).toEqual([
      {
        message:
          "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=Nothing'",
      },
    ]);
  });
});

describe('warnings (dispatcher.go, endpoints/filters/warning.go)', () => {
  const warnings = (messages: readonly string[]) => {
    const validations = messages.map((message) => ({ expression: 'false', message }));
    return ask([policy({ validations }), binding({ validationActions: ['Warn'] })], review()).response.warnings;
  };
  const prefix = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': ";
  const runes = (length: number, first: string) => first.padEnd(length - prefix.length, '日');

  it('one per failure, and the request is allowed', () => {
    expect(warnings(['one', 'two'])).toEqual([`${prefix}one`, `${prefix}two`]);
  });
  it('each text only once', () => {
    expect(warnings(['one', 'two', 'one'])).toEqual([`${prefix}one`, `${prefix}two`]);
  });
  it('whole up to a total of 4,096 runes', () => {
    expect(warnings([runes(4000, 'a'), runes(96, 'b')])?.map((text) => [...text].length)).toEqual([4000, 96]);
  });
  it('otherwise cut to 256 runes, including earlier ones', () => {
    expect(warnings([runes(4000, 'a'), runes(97, 'b'), runes(300, 'c')])?.map((text) => [...text].length)).toEqual([
      256, 97, 256,
    ]);
  });
  it('until 4,096 runes are reached again', () => {
    const sent = warnings(Array.from({ length: 40 }, (_, index) => runes(300, String.fromCodePoint(0x61 + index))));
    expect(sent?.map((text) => [...text].length)).toEqual(Array.from({ length: 16 }, () => 256));
  });
  it('a text with control characters never leaves the server (util/net: NewWarningHeader)', () => {
    expect(warnings(['one', 'bell\u0007', 'two'])).toEqual([`${prefix}one`, `${prefix}two`]);
    const validations = [{ expression: 'nonsense' }];
    expect(ask([policy({ validations }), binding({ validationActions: ['Warn'] })], review()).response).toEqual({
      uid: 'uid',
      allowed: true,
    });
  });
  it('none if the expression cannot be evaluated and failurePolicy is Ignore', () => {
    const objects = [
      policy({ failurePolicy: 'Ignore', validations: [{ expression: 'object.a == 1' }] }),
      binding({ validationActions: ['Warn'] }),
    ];
    expect(ask(objects, review()).response).toEqual({ uid: 'uid', allowed: true });
  });
});

describe('the Audit action (dispatcher.go: publishValidationFailureAnnotation)', () => {
  const KEY = 'validation.policy.admission.k8s.io/validation_failure';
  const audited = (validations: readonly Json[], validationActions: readonly string[]) =>
    ask([policy({ validations }), binding({ validationActions })], review()).response;

  it('records only the first failure, as JSON with ordered fields', () => {
    const validations = [
      { expression: 'true' },
      { expression: 'false', message: 'a <b> & "c"' },
      { expression: 'false' },
    ];
    expect(audited(validations, ['Audit'])).toEqual({
      uid: 'uid',
      allowed: true,
      auditAnnotations: {
        [KEY]: String.raw`[{"message":"a \u003cb\u003e \u0026 \"c\"","policy":"p","binding":"b","expressionIndex":1,"validationActions":["Audit"]}]`,
      },
    });
  });
  it('records, since 1.37, the first fifty of all policies and bindings, after their own annotations', () => {
    const validations = Array.from({ length: 40 }, (_, index) => ({ expression: 'false', message: `m${index}` }));
    const bindings = ['b', 'c'].map((name) => binding({ validationActions: ['Audit'] }, name));
    const failures = (version: string) => {
      const { response } = ask([policy({ validations }), ...bindings], review(), version);
      return JSON.parse(response.auditAnnotations?.[KEY] ?? '[]');
    };
    expect(failures('1.36')).toHaveLength(1);
    const shared = failures('1.37');
    expect(shared).toHaveLength(50);
    expect([shared[0], shared[49]]).toEqual([
      { message: 'm0', policy: 'p', binding: 'b', expressionIndex: 0, validationActions: ['Audit'] },
      { message: 'm9', policy: 'p', binding: 'c', expressionIndex: 9, validationActions: ['Audit'] },
    ]);
  });
  it('does not overwrite a policy annotation with the same key, which since 1.37 may be added later', () => {
    const named = (name: string) => [
      policy({ validations: [{ expression: 'false' }] }, 'first'),
      binding({ policyName: 'first', validationActions: ['Audit'] }),
      policy({ auditAnnotations: [{ key: 'validation_failure', valueExpression: "'own'" }], validations: [] }, name),
      binding({ policyName: name }, 'own'),
    ];
    const value = (version: string) =>
      ask(named('validation.policy.admission.k8s.io'), review(), version).response.auditAnnotations?.[KEY];
    expect(value('1.36')).toContain('failed expression');
    expect(value('1.37')).toBe('own');
  });
  it('works together with Deny and Warn', () => {
    expect(audited([{ expression: 'false' }], ['Deny', 'Audit'])).toMatchObject({
      allowed: false,
      auditAnnotations: { [KEY]: expect.any(String) },
    });
    expect(audited([{ expression: 'false' }], ['Warn', 'Audit'])).toMatchObject({
      allowed: true,
      warnings: [expect.any(String)],
      auditAnnotations: { [KEY]: expect.any(String) },
    });
  });
});

describe('auditAnnotations (validator.go, dispatcher.go: auditAnnotationCollector)', () => {
  const annotated = (valueExpression: string, request: Json = review(), spec: Json = {}) =>
    ask(
      [
        policy({ validations: [{ expression: 'true' }], auditAnnotations: [{ key: 'k', valueExpression }], ...spec }),
        binding({ validationActions: ['Warn'] }),
      ],
      request,
    ).response;

  it.each<[string, string, Json, Json]>([
    ['a string', "'value'", review(), { 'p/k': 'value' }],
    ['trimmed', "' value\\n'", review(), { 'p/k': 'value' }],
    ['blank is left out', "' '", review(), undefined],
    ['null is left out', 'null', review(), undefined],
    ['cut to 10 KiB', 'string(object.data.m)', data({ m: 'x'.repeat(10241) }), { 'p/k': 'x'.repeat(10240) }],
    [
      'cut by bytes, even inside a character',
      'string(object.data.m)',
      data({ m: `x${'é'.repeat(5120)}` }),
      { 'p/k': `x${'é'.repeat(5119)}\ufffd` },
    ],
  ])('%s', (_, valueExpression, request, expected) => {
    expect(annotated(valueExpression, request).auditAnnotations).toEqual(expected);
  });

  it.each([
    ['an error', 'string(object.a)', "expression 'string(object.a)' resulted in error: no such key: a"],
    [
      'a dynamic value',
      'object.metadata.name',
      'compilation error: must evaluate to one of [string null_type] but got dyn',
    ],
    [
      'a choice of string and null',
      "object.kind == 'x' ? 'a' : null",
      "compilation error: compilation failed: ERROR: <input>:1:20: found no matching overload for '_?_:_' applied to '(bool, string, null)'\n | object.kind == 'x' ? 'a' : null\n | ...................^",
    ],
    [
      'the authorizer, which is undefined here',
      "string(authorizer.path('/x').check('get').allowed())",
      "expression 'string(authorizer.path('/x').check('get').allowed())' resulted in error: no such attribute(s): authorizer",
    ],
  ])(
    '%s denies with Fail regardless of validationActions, and is dropped with Ignore',
    (_, valueExpression, message) => {
      expect(annotated(valueExpression).status?.details.causes).toEqual([
        { message: `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${message}` },
      ]);
      expect(annotated(valueExpression, review(), { failurePolicy: 'Ignore' })).toEqual({ uid: 'uid', allowed: true });
    },
  );

  it('a value that is neither string nor null also denies with Ignore', () => {
    const text = `valueExpression 'dyn([1]).orValue('')' resulted in unsupported return type: list(dyn). Return type must be either string or null.`;
    const response = annotated("dyn([1]).orValue('')", review(), { failurePolicy: 'Ignore' });
    expect(response.status?.details.causes).toEqual([
      { message: `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${text}` },
    ]);
  });

  it('distinct values of bindings and params are joined', () => {
    const configMap = (name: string, v: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'shop' },
      data: { v },
    });
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'true' }],
      auditAnnotations: [{ key: 'k', valueExpression: 'string(params.data.v)' }],
    };
    const bound = (name: string, param: string) =>
      binding({ paramRef: { name: param, parameterNotFoundAction: 'Deny' } }, name);
    const objects = [
      configMap('a', '1'),
      configMap('b', '2'),
      configMap('c', '1'),
      policy(spec),
      bound('x', 'a'),
      bound('y', 'b'),
      bound('z', 'c'),
    ];
    expect(ask(objects, review()).response.auditAnnotations).toEqual({ 'p/k': '1, 2' });
  });

  it('have their own budget, and exceeding it replaces all results', () => {
    const items = Array.from({ length: 320 }, (_, index) => `${index}`).join(',');
    const heavy = "string(object.data.l.split(',').all(x, object.data.l.split(',').all(y, x != y || true)))";
    const outcome = (count: number, failurePolicy: string) => {
      const auditAnnotations = Array.from({ length: count }, (_, index) => ({
        key: `k${index}`,
        valueExpression: heavy,
      }));
      const validations = [{ expression: 'false' }, ...many(28)];
      const objects = [policy({ validations, auditAnnotations, failurePolicy }), binding()];
      const { decisions: made, response } = ask(objects, data({ l: items }));
      return [made.length, made[0]?.message, response.allowed, Object.keys(response.auditAnnotations ?? {}).length];
    };
    expect(outcome(10, 'Fail')).toEqual([29, 'failed expression: false', false, 10]);
    expect(outcome(20, 'Fail')).toEqual([1, BUDGET, false, 0]);
    expect(outcome(20, 'Ignore')).toEqual([1, BUDGET, true, 0]);
  });

  it('are not evaluated if the validations exceed their budget', () => {
    const spec = { validations: many(29), failurePolicy: 'Ignore' };
    expect(annotated("'v'", review(), spec)).toEqual({ uid: 'uid', allowed: true });
  });

  it('are published when validations fail', () => {
    expect(annotated("'v'", review(), { validations: [{ expression: 'false' }] })).toMatchObject({
      auditAnnotations: { 'p/k': 'v' },
    });
  });
  it('see the whole Namespace, although the types declare only the exposed part', () => {
    expect(annotated('namespaceObject.metadata.name').auditAnnotations).toEqual({ 'p/k': 'shop' });
  });
});
