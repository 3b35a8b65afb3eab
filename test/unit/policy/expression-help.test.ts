// Common mistakes in expressions, each with its message and its help.
import { expect, it } from 'vitest';
import { binding, policy, reviewerOf } from '../../support/review.ts';

const CASES: readonly (readonly [expression: string, help: string | undefined])[] = [
  // Misspelt names.
  ["object.metadata.name.startWith('a')", 'did you mean `startsWith`?'],
  ["object.metadata.name.endWith('a')", 'did you mean `endsWith`?'],
  ["object.metadata.name.match('a')", 'in CEL, write `text.matches(pattern)`'],
  ["object.metadata.name.lowerASCII() == 'a'", 'did you mean `lowerAscii`?'],
  ['object.metadata.name.isSort()', 'did you mean `isSorted`?'],
  ["object.metadata.name.spilt('-').size() > 1", 'did you mean `split`?'],
  ["quantitiy('1Gi').isGreaterThan(quantity('1'))", 'did you mean `quantity`?'],
  ["quantity('1Gi').isGreaterThen(quantity('1'))", 'did you mean `isGreaterThan`?'],
  ["url('https://a').getHostName() == 'a'", 'did you mean `getHostname`?'],
  ["ip('::1').isLoopBack()", 'did you mean `isLoopback`?'],
  ["cidr('10.0.0.0/8').containsIp('10.0.0.1')", 'did you mean `containsIP`?'],
  ['Size(object.metadata.name) > 3', 'did you mean `size`?'],
  ['objet.spec.replicas > 1', 'did you mean `object`?'],
  ['oldobject == null', 'did you mean `oldObject`?'],
  ["reqest.operation == 'CREATE'", 'did you mean `request`?'],
  ["authoriser.group('').resource('pods').check('get').allowed()", 'did you mean `authorizer`?'],
  ['namespaceobject != null', 'did you mean `namespaceObject`?'],
  ['variable.limit > 1', 'did you mean `variables`?'],
  ['variables.limt > 1', 'did you mean `limit`?'],
  ["request.userinfo.username == 'a'", 'did you mean `userInfo`?'],
  ["request.userInfo.userName == 'a'", 'did you mean `username`?'],
  ["request.Operation == 'CREATE'", 'did you mean `operation`?'],
  ["request.subresource == 'status'", 'did you mean `subResource`?'],
  ['params.limit > 1', 'the policy has no `paramKind`, so it has no `params`'],
  ['parms.limit > 1', 'the policy has no `paramKind`, so it has no `params`'],
  // Names from other languages.
  ["object.spec.list.any(c, c.name == 'x')", 'in CEL, write `list.exists(x, …)`'],
  ["object.spec.list.every(c, c.name == 'x')", 'in CEL, write `list.all(x, …)`'],
  ["object.spec.list.forEach(c, c.name == 'x')", 'in CEL, write `list.all(x, …)` or `list.map(x, …)`'],
  ["object.metadata.labels.contain('a')", 'in CEL, write `text.contains(part)`, and `x in list` or `key in map`'],
  ["object.metadata.labels.hasKey('a')", 'in CEL, write `key in map`'],
  ["object.metadata.finalizers.includes('a')", 'in CEL, write `x in list`, and `text.contains(part)`'],
  ["object.metadata.name.hasPrefix('a')", 'in CEL, write `text.startsWith(part)`'],
  ["object.metadata.name.hasSuffix('a')", 'in CEL, write `text.endsWith(part)`'],
  ['len(object.metadata.name) > 1', 'in CEL, write `size(x)` or `x.size()`'],
  ['object.metadata.name.length() > 1', 'in CEL, write `size(x)` or `x.size()`'],
  ["object.metadata.name.toLower() == 'a'", 'in CEL, write `text.lowerAscii()`'],
  ["object.metadata.name.upper() == 'A'", 'in CEL, write `text.upperAscii()`'],
  ["object.spec.replicas.toString() == '1'", 'in CEL, write `string(x)`'],
  ['parseInt(object.data.size) > 1', 'in CEL, write `int(x)`'],
  ['isEmpty(object.metadata.labels)', 'in CEL, write `size(x) == 0`'],
  ['isNull(oldObject)', 'in CEL, write `x == null`'],
  [
    'exist(object.metadata.labels)',
    'in CEL, write `has(object.spec.field)` of a field, and `list.exists(x, …)` of elements',
  ],
  ["regexMatch(object.metadata.name, 'a')", 'in CEL, write `text.matches(pattern)`'],
  ['oldObject != nil', 'in CEL, write `null`'],
  ['oldObject != None', 'in CEL, write `null`'],
  ['object.metadata.name != undefined', 'in CEL, write `has(object.spec.field)` for fields that may be absent'],
  [
    'self.spec.replicas > 1',
    'in policies, the object is `object`; `self` exists only in rules of CustomResourceDefinitions',
  ],
  ['oldSelf.spec.replicas > 1', 'the object before the change is `oldObject`'],
  [
    "namespace == 'shop'",
    'write `request.namespace` for the name, `namespaceObject` for the Namespace with its labels',
  ],
  ["userInfo.username == 'a'", 'the user is `request.userInfo`'],
  // Syntax of other languages.
  ['object.spec.replicas > 1 and true', 'in CEL, write `&&`'],
  ["object.metadata.name == 'a' or true", 'in CEL, write `||`'],
  ['not object.spec.paused', 'in CEL, write `!x`'],
  ["request.operation = 'CREATE'", 'CEL has no assignment: compare with `==`'],
  ["request.operation === 'CREATE'", 'in CEL, write `==` and `!=`'],
  ['object.spec.paused & true', 'in CEL, write `&&`'],
  ['object.spec.paused | true', 'in CEL, write `||`'],
  ["object.metadata.name matches '^a'", 'in CEL, write `text.matches(pattern)`'],
  ["object.metadata.name startsWith 'a'", 'in CEL, write `text.startsWith(part)`'],
  ["object.metadata.name is 'a'", 'in CEL, write `==`'],
  ['if object.spec.paused then true else false', 'in CEL, write `condition ? one : other`'],
  ['object.spec.list.all(c => c.ok)', 'in CEL, write `list.all(x, …)`: the variable for the element comes first'],
  ['true;', 'remove the `;`: a CEL expression has no terminator'],
  ['{{ request.object.spec.paused }}', 'CEL has no `{{ … }}`: write the expression without the braces'],
  [
    'has(object.metadata.labels["x"])',
    "`has()` takes a field: `has(object.spec.replicas)`; to test for a map key, write `'key' in object.metadata.labels`",
  ],
  // No similar name exists.
  ['frobnicate(object)', undefined],
  ['zzz == 1', undefined],
];

it.each(CASES)('%s', (expression, help) => {
  const spec = { variables: [{ name: 'limit', expression: '3' }], validations: [{ expression }] };
  const found = reviewerOf([policy(spec), binding()]).diagnostics.filter(({ code }) => code === 'invalid-expression');
  expect(found.map((diagnostic) => diagnostic.help)).toEqual([help]);
});

it('the help names the release that adds a function', () => {
  const [found] = reviewerOf(
    [policy({ validations: [{ expression: "ip('::1').isLoopback()" }] }), binding()],
    '1.29',
  ).diagnostics;
  expect(found?.help).toBe('`ip` is available in Kubernetes 1.31 and later');
});

it('analysis time grows linearly with the length of an expression', () => {
  // With quadratic time, this takes minutes.
  const expression = `object.metadata.name == "${'x'.repeat(400_000)}"`;
  const found = reviewerOf([policy({ validations: [{ expression }] }), binding()]).diagnostics;
  expect(found.map(({ code, help }) => [code, help])).toEqual([['invalid-expression', undefined]]);
});
