// matchConditions and failurePolicy (webhook/matchconditions/matcher.go; policy/validating/dispatcher.go).
import { describe, expect, it } from 'vitest';
import { ask, binding, customResource, type Json, namespaceObject, policy, review } from '../../support/review.ts';

const BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';
const missing = (key: string) => `expression 'object.${key} == 1' resulted in error: no such key: ${key}`;
const check = "authorizer.group('').resource('x').check('get').allowed() == false";

/** Messages of the decisions. `failed expression: false` means that the policy was evaluated. */
function outcome(conditions: readonly string[], spec: Json = {}, request: Json = review()): readonly string[] {
  const matchConditions = conditions.map((expression, index) => ({ name: `c${index}`, expression }));
  const { decisions } = ask([policy({ matchConditions, ...spec }), binding(), namespaceObject('shop')], request);
  return decisions.map(({ message }) => message);
}

const ASKED = ['failed expression: false'];

describe('the order of conditions', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['all true: the policy is asked', ['true', "request.operation == 'CREATE'"], ASKED],
    ['one false: not evaluated', ['true', 'false'], []],
    ['false wins over errors before it', ['object.a == 1', 'false'], []],
    ['and after it', ['false', 'object.a == 1'], []],
    ['an error without false is the error of the policy', ['object.a == 1', 'true'], [missing('a')]],
    ['several errors are one', ['object.a == 1', 'object.b == 1'], [`[${missing('a')}, ${missing('b')}]`]],
    ['equal errors are told once', ['object.a == 1', 'object.a == 1'], [missing('a')]],
    [
      'three, two of them equal',
      ['object.a == 1', 'object.b == 1', 'object.a == 1'],
      [`[${missing('a')}, ${missing('b')}]`],
    ],
    ['a condition that is not bool', ['object.a'], ['compilation error: must evaluate to bool but got dyn']],
    ['2,500,000 are enough for seven checks of the authorizer', Array.from({ length: 7 }, () => check), ASKED],
    ['not for eight', Array.from({ length: 8 }, () => check), [BUDGET]],
    ['not even if one was false', ['false', ...Array.from({ length: 8 }, () => check)], [BUDGET]],
  ])('%s', (_, conditions, expected) => {
    expect(outcome(conditions)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['an error', ['object.a == 1']],
    ['an error beside a false', ['object.a == 1', 'false']],
    ['no budget', Array.from({ length: 8 }, () => check)],
    ['a condition that does not compile', ['nonsense']],
  ])('failurePolicy Ignore skips the policy: %s', (_, conditions) => {
    expect(outcome(conditions, { failurePolicy: 'Ignore' })).toEqual([]);
  });

  it('validationActions apply to an error as to a failed validation', () => {
    const matchConditions = [{ name: 'c', expression: 'object.a == 1' }];
    const answer = (validationActions: readonly string[]) =>
      ask([policy({ matchConditions }), binding({ validationActions })], review()).response;
    expect(answer(['Deny'])).toMatchObject({ status: { code: 422, reason: 'Invalid' } });
    expect(answer(['Warn'])).toEqual({
      uid: 'uid',
      allowed: true,
      warnings: [`Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': ${missing('a')}`],
    });
    expect(Object.values(answer(['Audit']).auditAnnotations ?? {}).map((text) => JSON.parse(text))).toEqual([
      [{ message: missing('a'), policy: 'p', binding: 'b', expressionIndex: 0, validationActions: ['Audit'] }],
    ]);
  });

  it('audit annotations are not evaluated when a condition is false', () => {
    const spec = { auditAnnotations: [{ key: 'k', valueExpression: "'v'" }] };
    const objects = (expression: string) => [
      policy({ matchConditions: [{ name: 'c', expression }], ...spec }),
      binding(),
    ];
    expect(ask(objects('true'), review()).response.auditAnnotations).toEqual({ 'p/k': 'v' });
    expect(ask(objects('false'), review()).response.auditAnnotations).toBeUndefined();
  });
});

describe('variables of conditions', () => {
  it.each<[string, string, readonly string[]]>([
    ['object', "object.kind == 'ConfigMap'", ASKED],
    ['oldObject', 'oldObject == null', ASKED],
    ['request', "request.userInfo.username == 'alice'", ASKED],
    ['authorizer', "!authorizer.path('/metrics').check('get').allowed()", ASKED],
    ['authorizer.requestResource', "!authorizer.requestResource.check('delete').allowed()", ASKED],
    ['namespaceObject is null', 'namespaceObject == null', ASKED],
    [
      'and has no fields',
      "namespaceObject.metadata.name == 'shop'",
      ["expression 'namespaceObject.metadata.name == 'shop'' resulted in error: no such key: metadata"],
    ],
    [
      'params only with paramKind',
      'params == null',
      [
        "compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^",
      ],
    ],
  ])('%s', (_, condition, expected) => {
    expect(outcome([condition])).toEqual(expected);
  });

  it('params', () => {
    const kinds = customResource('Gadget', 'Namespaced', ['v1']);
    const paramKind = { apiVersion: 'example.com/v1', kind: 'Gadget' };
    const objects = [
      kinds,
      policy({ paramKind, matchConditions: [{ name: 'c', expression: 'params == null' }] }),
      binding(),
    ];
    expect(ask(objects, review()).decisions.map(({ message }) => message)).toEqual(ASKED);
  });
});

describe('scope of failurePolicy', () => {
  const budget = { validations: Array.from({ length: 29 }, () => ({ expression: check })) };
  it.each<[string, Json, Json, string]>([
    [
      'an expression that does not compile',
      { validations: [{ expression: 'nonsense == 1' }] },
      {},
      'compilation error: ',
    ],
    ['an error at run time', { validations: [{ expression: 'object.a == 1' }] }, {}, missing('a')],
    ['the budget', budget, {}, BUDGET],
    [
      'matching',
      {
        matchConstraints: {
          resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
          objectSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] },
        },
      },
      {},
      'failed to configure policy: Internal error occurred: ',
    ],
    [
      'missing params',
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
      { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } },
      'failed to configure binding: ',
    ],
    ['a missing paramKind', { paramKind: { apiVersion: 'v1', kind: 'Nothing' } }, {}, 'failed to configure policy: '],
    [
      'an audit annotation',
      { validations: [], auditAnnotations: [{ key: 'k', valueExpression: 'string(object.a)' }] },
      {},
      "expression 'string(object.a)' resulted in error: no such key: a",
    ],
  ])('%s', (_, spec, bound, message) => {
    const answer = (failurePolicy: string | undefined) =>
      ask([policy({ ...spec, failurePolicy }), binding(bound)], review()).response;
    for (const failurePolicy of [undefined, 'Fail']) {
      expect(answer(failurePolicy).status?.details.causes[0].message).toContain(`denied request: ${message}`);
    }
    expect(answer('Ignore').allowed).toBe(true);
  });

  it('a false validation also denies with Ignore', () => {
    expect(ask([policy({ failurePolicy: 'Ignore' }), binding()], review()).response.allowed).toBe(false);
  });
});
