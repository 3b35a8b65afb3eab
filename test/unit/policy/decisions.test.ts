// Validations, their messages, and what comes of them, row by row (policy/validating/{validator,dispatcher}.go).
import { describe, expect, it } from 'vitest';
import { ask, binding, type Json, namespaceObject, policy, review, reviewOf } from '../../support/review.ts';

const BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';
const check = "authorizer.group('').resource('x').check('get').allowed() == false";
const many = (count: number) => Array.from({ length: count }, () => ({ expression: check }));
const data = (fields: Json) =>
  review({ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: fields } });

function decisions(validations: readonly Json[], spec: Json = {}, request: Json = review()) {
  const found = ask([policy({ validations, ...spec }), binding(), namespaceObject('shop', { env: 'prod' })], request);
  return found.decisions.map(({ action, evaluation, reason, message }) =>
    [action, evaluation, reason, message].join('|'),
  );
}

describe('evaluation (validator.go: Validate)', () => {
  it.each<[string, readonly Json[], Json, readonly string[]]>([
    ['true admits', [{ expression: 'true' }], {}, ['admit|admit||']],
    ['false denies', [{ expression: 'false' }], {}, ['deny|deny|Invalid|failed expression: false']],
    [
      'with its reason',
      [{ expression: 'false', reason: 'Forbidden' }],
      {},
      ['deny|deny|Forbidden|failed expression: false'],
    ],
    [
      'an error denies without a reason',
      [{ expression: 'object.a', reason: 'Forbidden' }],
      {},
      ['deny|error||compilation error: must evaluate to bool but got dyn'],
    ],
    [
      'under Ignore it admits',
      [{ expression: 'object.a' }],
      { failurePolicy: 'Ignore' },
      ['admit|error||compilation error: must evaluate to bool but got dyn'],
    ],
    [
      'one decision for each, in order',
      [{ expression: 'false' }, { expression: 'true' }, { expression: 'false', message: 'm' }],
      {},
      ['deny|deny|Invalid|failed expression: false', 'admit|admit||', 'deny|deny|Invalid|m'],
    ],
    ['28 checks fit the budget of 10,000,000', many(28), {}, Array.from({ length: 28 }, () => 'admit|admit||')],
    ['29 do not, and all is lost', [{ expression: 'false' }, ...many(29)], {}, [`deny|error||${BUDGET}`]],
    ['under Ignore', [{ expression: 'false' }, ...many(29)], { failurePolicy: 'Ignore' }, [`admit|error||${BUDGET}`]],
    [
      'messages share the budget, also of what holds',
      [
        ...many(28),
        { expression: 'true', messageExpression: '"x" + string([1,2,3].map(i, [1,2,3].map(j, string(i * j))))' },
      ],
      {},
      Array.from({ length: 29 }, () => 'admit|admit||'),
    ],
    [
      'a statically dynamic comparison is bool',
      [{ expression: 'object.kind == "ConfigMap"' }, { expression: '!object.kind' }],
      {},
      ['admit|admit||', "deny|error||expression '!object.kind' resulted in error: no such overload"],
    ],
    [
      'variables are evaluated once for all validations',
      [{ expression: 'variables.v' }, { expression: 'variables.v' }, ...many(27)],
      { variables: [{ name: 'v', expression: check }] },
      Array.from({ length: 29 }, () => 'admit|admit||'),
    ],
    [
      'a broken variable nobody reads is harmless',
      [{ expression: 'true' }],
      { variables: [{ name: 'v', expression: 'nonsense' }] },
      ['admit|admit||'],
    ],
    [
      'the last of two with the same name counts',
      [{ expression: 'variables.v' }],
      {
        variables: [
          { name: 'v', expression: 'false' },
          { name: 'v', expression: 'true' },
        ],
      },
      ['admit|admit||'],
    ],
  ])('%s', (_, validations, spec, expected) => {
    expect(decisions(validations, spec)).toEqual(expected);
  });

  it('when messages run out of it everything without an error of its own fails', () => {
    const items = Array.from({ length: 250 }, (_, index) => `${index}`).join(',');
    const heavy = "object.data.l.split(',').all(x, object.data.l.split(',').all(y, x != y || true)) ? 'm' : 'n'";
    const validations = [
      { expression: 'false', messageExpression: heavy },
      { expression: 'object.a == 1' },
      ...many(28),
    ];
    const failed = `failed messageExpression: ${BUDGET}`;
    const own = "expression 'object.a == 1' resulted in error: no such key: a";
    const expected = (action: string) =>
      [failed, own, ...many(28).map(() => failed)].map((text) => `${action}|error||${text}`);
    expect(decisions(validations, {}, data({ l: items }))).toEqual(expected('deny'));
    expect(decisions(validations, { failurePolicy: 'Ignore' }, data({ l: items }))).toEqual(expected('admit'));
    expect(decisions(validations.slice(0, -1), {}, data({ l: items }))[0]).toBe('deny|deny|Invalid|m');
  });

  it('namespaceObject shows the exposed fields of the stored Namespace', () => {
    const shown = (expression: string) => decisions([{ expression: 'false', messageExpression: expression }]);
    expect(shown("namespaceObject.metadata.name + ' ' + namespaceObject.metadata.labels.env")).toEqual([
      'deny|deny|Invalid|shop prod',
    ]);
  });
});

describe('error texts', () => {
  const compilation = (message: string) =>
    `deny|error||compilation error: compilation failed: ERROR: <input>:${message}`;
  it.each<[string, string, string]>([
    ['at run time', 'object.a == 1', "deny|error||expression 'object.a == 1' resulted in error: no such key: a"],
    [
      'verbatim, white space included',
      '  object.a == 1\n',
      "deny|error||expression '  object.a == 1\n' resulted in error: no such key: a",
    ],
    [
      'a name',
      'objekt == null',
      compilation("1:1: undeclared reference to 'objekt' (in container '')\n | objekt == null\n | ^"),
    ],
    [
      'two names',
      'a == b',
      compilation(
        "1:1: undeclared reference to 'a' (in container '')\n | a == b\n | ^\nERROR: <input>:1:6: undeclared reference to 'b' (in container '')\n | a == b\n | .....^",
      ),
    ],
    ['the type of the result', '"text"', 'deny|error||compilation error: must evaluate to bool but got string'],
    [
      'a program that cannot be made',
      "int('12x') == 1",
      "deny|error||compilation error: program instantiation failed: type conversion error from 'string' to 'int'",
    ],
    [
      'the limit of one expression',
      `${check} && ${check} && ${check}`,
      `deny|error||expression '${check} && ${check} && ${check}' resulted in error: operation cancelled: actual cost limit exceeded`,
    ],
    [
      'nothing',
      '',
      compilation(
        "1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
      ),
    ],
    [
      'a variable that does not compile',
      'variables.broken == 1',
      `deny|error||expression 'variables.broken == 1' resulted in error: composited variable "broken" fails to compile: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nonsense' (in container '')\n | nonsense\n | ^`,
    ],
    [
      'a variable that fails',
      'variables.failing == 1',
      `deny|error||expression 'variables.failing == 1' resulted in error: composited variable "failing" fails to evaluate: no such key: a`,
    ],
    [
      'a variable that is none',
      'variables.nothing == 1',
      compilation("1:10: undefined field 'nothing'\n | variables.nothing == 1\n | .........^"),
    ],
  ])('%s', (_, expression, expected) => {
    const variables = [
      { name: 'broken', expression: 'nonsense' },
      { name: 'failing', expression: 'object.a' },
    ];
    expect(decisions([{ expression }], { variables })).toEqual([expected]);
  });
});

describe('the message of a validation that fails', () => {
  const long = (letters: number) => 'é'.repeat(letters);
  it.each<[string, Json, Json, string]>([
    [
      'messageExpression',
      { messageExpression: "'name ' + object.metadata.name", message: 'plain' },
      review(),
      'name settings',
    ],
    ['trimmed', { messageExpression: "' \\t name \\u00a0'" }, review(), 'name'],
    ['blank: message', { messageExpression: "' \\n '", message: ' plain ' }, review(), 'plain'],
    ['with a line break: message', { messageExpression: "'a\\nb'", message: 'plain' }, review(), 'plain'],
    ['a carriage return is kept', { messageExpression: "'a\\rb'", message: 'plain' }, review(), 'a\rb'],
    ['5,120 bytes', { messageExpression: 'object.data.m + ""', message: 'plain' }, data({ m: long(2560) }), long(2560)],
    [
      'more than that: message',
      { messageExpression: 'object.data.m + ""', message: 'plain' },
      data({ m: `${long(2560)}x` }),
      'plain',
    ],
    ['an error: message', { messageExpression: "'' + object.nothing", message: 'plain' }, review(), 'plain'],
    ['of another type: message', { messageExpression: 'object.metadata.name', message: 'plain' }, review(), 'plain'],
    [
      'that asks the authorizer: message',
      { messageExpression: "string(authorizer.path('/x').check('get').allowed())", message: 'plain' },
      review(),
      'plain',
    ],
    ['message, trimmed', { message: ' plain ' }, review(), 'plain'],
    ['neither', {}, review(), 'failed expression: object == null || (\n  false)'],
    [
      'blank ones',
      { messageExpression: "''", message: ' ' },
      review(),
      'failed expression: object == null || (\n  false)',
    ],
  ])('%s', (_, fields, request, expected) => {
    expect(decisions([{ expression: ' object == null || (\n  false) ', ...fields }], {}, request)).toEqual([
      `deny|deny|Invalid|${expected}`,
    ]);
  });
});

describe('the Status of a denial (dispatcher.go, admission/errors.go)', () => {
  const denied = (request: Json, spec: Json = {}) => ask([policy(spec), binding()], request).response.status;

  it('is one, of the first failure', () => {
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

  it('an error of the policy as a whole names no binding', () => {
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

  it('one for each failure, and the request is allowed', () => {
    expect(warnings(['one', 'two'])).toEqual([`${prefix}one`, `${prefix}two`]);
  });
  it('each text once', () => {
    expect(warnings(['one', 'two', 'one'])).toEqual([`${prefix}one`, `${prefix}two`]);
  });
  it('whole while all of them are 4,096 runes at most', () => {
    expect(warnings([runes(4000, 'a'), runes(96, 'b')])?.map((text) => [...text].length)).toEqual([4000, 96]);
  });
  it('else cut to 256 runes, those before too', () => {
    expect(warnings([runes(4000, 'a'), runes(97, 'b'), runes(300, 'c')])?.map((text) => [...text].length)).toEqual([
      256, 97, 256,
    ]);
  });
  it('until there are 4,096 again', () => {
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
  it('nothing when the expression cannot be evaluated and failurePolicy is Ignore', () => {
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

  it('only the first failure, as JSON with the fields in their order', () => {
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
  it('beside Deny and Warn', () => {
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
      'in bytes, also inside a character',
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
      'the authorizer, which has no value here',
      "string(authorizer.path('/x').check('get').allowed())",
      "expression 'string(authorizer.path('/x').check('get').allowed())' resulted in error: no such attribute(s): authorizer",
    ],
  ])(
    '%s denies under Fail, whatever the validationActions, and is dropped under Ignore',
    (_, valueExpression, message) => {
      expect(annotated(valueExpression).status?.details.causes).toEqual([
        { message: `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${message}` },
      ]);
      expect(annotated(valueExpression, review(), { failurePolicy: 'Ignore' })).toEqual({ uid: 'uid', allowed: true });
    },
  );

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

  it('are published when validations fail', () => {
    expect(annotated("'v'", review(), { validations: [{ expression: 'false' }] })).toMatchObject({
      auditAnnotations: { 'p/k': 'v' },
    });
  });
  it('see the whole Namespace, of which the types show the exposed part', () => {
    expect(annotated('namespaceObject.metadata.name').auditAnnotations).toEqual({ 'p/k': 'shop' });
  });
});
