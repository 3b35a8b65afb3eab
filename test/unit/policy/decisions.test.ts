// Validations with their errors and messages (policy/validating/validator.go).
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
    ['an empty reason stays empty', [{ expression: 'false', reason: '' }], {}, ['deny|deny||failed expression: false']],
    [
      'an error denies without a reason',
      [{ expression: 'object.a', reason: 'Forbidden' }],
      {},
      ['deny|error||compilation error: must evaluate to bool but got dyn'],
    ],
    [
      'an error admits with Ignore',
      [{ expression: 'object.a' }],
      { failurePolicy: 'Ignore' },
      ['admit|error||compilation error: must evaluate to bool but got dyn'],
    ],
    [
      'one decision per validation, in order',
      [{ expression: 'false' }, { expression: 'true' }, { expression: 'false', message: 'm' }],
      {},
      ['deny|deny|Invalid|failed expression: false', 'admit|admit||', 'deny|deny|Invalid|m'],
    ],
    ['28 checks fit the budget of 10,000,000', many(28), {}, Array.from({ length: 28 }, () => 'admit|admit||')],
    ['29 do not, and all is lost', [{ expression: 'false' }, ...many(29)], {}, [`deny|error||${BUDGET}`]],
    ['under Ignore', [{ expression: 'false' }, ...many(29)], { failurePolicy: 'Ignore' }, [`admit|error||${BUDGET}`]],
    [
      'messages share the budget, including those of passing validations',
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
      'a broken variable that is not read has no effect',
      [{ expression: 'true' }],
      { variables: [{ name: 'v', expression: 'nonsense' }] },
      ['admit|admit||'],
    ],
    [
      'of two variables with the same name, the last one is used',
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

  it('if messages exceed the budget, every validation without its own error fails', () => {
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

  it('messages evaluate variables again and pay for them', () => {
    const items = Array.from({ length: 250 }, (_, index) => `${index}`).join(',');
    const heavy = "object.data.l.split(',').all(x, object.data.l.split(',').all(y, x != y || true))";
    const outcome = (checks: number, messageExpression?: string) =>
      decisions(
        [{ expression: 'variables.v', messageExpression }, ...many(checks)],
        { variables: [{ name: 'v', expression: heavy }] },
        data({ l: items }),
      )[0];
    const message = 'string(variables.v)';
    expect(outcome(26, message)).toBe('admit|admit||');
    expect(outcome(27)).toBe('admit|admit||');
    expect(outcome(27, message)).toBe(`deny|error||failed messageExpression: ${BUDGET}`);
  });

  it.each([
    ['a cluster-scoped object', reviewOf('v1 Node nodes', { namespace: '' })],
    ['a Namespace', reviewOf('v1 Namespace namespaces', { name: 'shop' })],
  ])('namespaceObject of %s is null', (_, request) => {
    expect(decisions([{ expression: 'namespaceObject == null' }], {}, request)).toEqual(['admit|admit||']);
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
      'verbatim, including white space',
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
      'a program that cannot be built',
      "int('12x') == 1",
      "deny|error||compilation error: program instantiation failed: type conversion error from 'string' to 'int'",
    ],
    [
      'a program with an invalid pattern',
      "object.kind.find('[') == ''",
      'deny|error||compilation error: program instantiation failed: error parsing regexp: missing closing ]: `[`',
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
      'a variable that depends on itself',
      'variables.twice == 1',
      `deny|error||expression 'variables.twice == 1' resulted in error: composited variable "twice" fails to evaluate: "twice" depends on itself, which crashes kube-apiserver`,
    ],
    [
      'a variable whose name looks like an escaped name',
      'variables.a__b__c == 1',
      "deny|error||expression 'variables.a__b__c == 1' resulted in error: no such key: a__b__c",
    ],
    [
      'a value that Go cannot hash',
      "dyn(semver('1.2.3')) in ['1.2.3']",
      `deny|error||expression 'dyn(semver('1.2.3')) in ['1.2.3']' resulted in error: internal error: runtime error: hash of unhashable type cel.Semver`,
    ],
    [
      'an undeclared variable',
      'variables.nothing == 1',
      compilation("1:10: undefined field 'nothing'\n | variables.nothing == 1\n | .........^"),
    ],
  ])('%s', (_, expression, expected) => {
    const variables = [
      { name: 'broken', expression: 'nonsense' },
      { name: 'failing', expression: 'object.a' },
      { name: 'a__b__c', expression: '1' },
      { name: 'twice', expression: '1' },
      { name: 'twice', expression: 'variables.twice + 1' },
    ];
    expect(decisions([{ expression }], { variables })).toEqual([expected]);
  });
});

describe('the message of a failed validation', () => {
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
      'longer than that: message',
      { messageExpression: 'object.data.m + ""', message: 'plain' },
      data({ m: `${long(2560)}x` }),
      'plain',
    ],
    ['an error: message', { messageExpression: "'' + object.nothing", message: 'plain' }, review(), 'plain'],
    ['of another type: message', { messageExpression: 'object.metadata.name', message: 'plain' }, review(), 'plain'],
    [
      'that calls the authorizer: message',
      { messageExpression: "string(authorizer.path('/x').check('get').allowed())", message: 'plain' },
      review(),
      'plain',
    ],
    [
      'a variable that calls the authorizer: message',
      { messageExpression: "'may ' + string(variables.may)", message: 'plain' },
      review(),
      'plain',
    ],
    ['a type: its name', { messageExpression: "dyn(type(object)).orValue('')", message: 'plain' }, review(), 'map'],
    ['null: message', { messageExpression: 'null', message: 'plain' }, review(), 'plain'],
    ['message, trimmed', { message: ' plain ' }, review(), 'plain'],
    ['neither', {}, review(), 'failed expression: object == null || (\n  false)'],
    [
      'blank ones',
      { messageExpression: "''", message: ' ' },
      review(),
      'failed expression: object == null || (\n  false)',
    ],
  ])('%s', (_, fields, request, expected) => {
    const spec = { variables: [{ name: 'may', expression: "authorizer.path('/x').check('get').allowed()" }] };
    expect(decisions([{ expression: ' object == null || (\n  false) ', ...fields }], spec, request)).toEqual([
      `deny|deny|Invalid|${expected}`,
    ]);
  });
});
