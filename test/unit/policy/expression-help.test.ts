// Slips that people make in expressions, each with one message and the way out.
import { expect, it } from 'vitest';
import { binding, policy, reviewerOf } from '../../support/review.ts';

const CASES: readonly (readonly [expression: string, help: string | undefined])[] = [
  // Names that are nearly right.
  ["object.metadata.name.startWith('a')", 'did you mean `startsWith`?'],
  ["object.metadata.name.endWith('a')", 'did you mean `endsWith`?'],
  ["object.metadata.name.match('a')", 'CEL writes `text.matches(pattern)`'],
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
  // Names of other languages.
  ["object.spec.list.any(c, c.name == 'x')", 'CEL writes `list.exists(x, …)`'],
  ["object.spec.list.every(c, c.name == 'x')", 'CEL writes `list.all(x, …)`'],
  ["object.spec.list.forEach(c, c.name == 'x')", 'CEL writes `list.all(x, …)` or `list.map(x, …)`'],
  ["object.metadata.labels.contain('a')", 'CEL writes `text.contains(part)`, and `x in list` or `key in map`'],
  ["object.metadata.labels.hasKey('a')", 'CEL writes `key in map`'],
  ["object.metadata.finalizers.includes('a')", 'CEL writes `x in list`, and `text.contains(part)`'],
  ["object.metadata.name.hasPrefix('a')", 'CEL writes `text.startsWith(part)`'],
  ["object.metadata.name.hasSuffix('a')", 'CEL writes `text.endsWith(part)`'],
  ['len(object.metadata.name) > 1', 'CEL writes `size(x)` or `x.size()`'],
  ['object.metadata.name.length() > 1', 'CEL writes `size(x)` or `x.size()`'],
  ["object.metadata.name.toLower() == 'a'", 'CEL writes `text.lowerAscii()`'],
  ["object.metadata.name.upper() == 'A'", 'CEL writes `text.upperAscii()`'],
  ["object.spec.replicas.toString() == '1'", 'CEL writes `string(x)`'],
  ['parseInt(object.data.size) > 1', 'CEL writes `int(x)`'],
  ['isEmpty(object.metadata.labels)', 'CEL writes `size(x) == 0`'],
  ['isNull(oldObject)', 'CEL writes `x == null`'],
  [
    'exist(object.metadata.labels)',
    'CEL writes `has(object.spec.field)` of a field, and `list.exists(x, …)` of elements',
  ],
  ["regexMatch(object.metadata.name, 'a')", 'CEL writes `text.matches(pattern)`'],
  ['oldObject != nil', 'CEL writes `null`'],
  ['oldObject != None', 'CEL writes `null`'],
  ['object.metadata.name != undefined', 'CEL has `has(object.spec.field)` for fields that may be absent'],
  ['self.spec.replicas > 1', 'policies name the object `object`; `self` is of the rules in CustomResourceDefinitions'],
  ['oldSelf.spec.replicas > 1', 'the object before the change is `oldObject`'],
  ["namespace == 'shop'", 'the name is `request.namespace`, the Namespace with its labels `namespaceObject`'],
  ["userInfo.username == 'a'", 'who asks is `request.userInfo`'],
  // Forms of other languages.
  ['object.spec.replicas > 1 and true', 'CEL writes `&&`'],
  ["object.metadata.name == 'a' or true", 'CEL writes `||`'],
  ['not object.spec.paused', 'CEL writes `!x`'],
  ["request.operation = 'CREATE'", 'CEL compares with `==` and assigns nothing'],
  ["request.operation === 'CREATE'", 'CEL writes `==` and `!=`'],
  ['object.spec.paused & true', 'CEL writes `&&`'],
  ['object.spec.paused | true', 'CEL writes `||`'],
  ["object.metadata.name matches '^a'", 'CEL writes `text.matches(pattern)`'],
  ["object.metadata.name startsWith 'a'", 'CEL writes `text.startsWith(part)`'],
  ["object.metadata.name is 'a'", 'CEL writes `==`'],
  ['if object.spec.paused then true else false', 'CEL writes `condition ? one : other`'],
  ['object.spec.list.all(c => c.ok)', 'CEL writes `list.all(x, …)`: the name of the element comes first'],
  ['true;', 'an expression has one value and no end mark: leave out the `;`'],
  ['{{ request.object.spec.paused }}', 'CEL has no `{{ … }}`: write the expression without'],
  [
    'has(object.metadata.labels["x"])',
    "`has()` asks for a field, as in `has(object.spec.replicas)`; whether a map has a key is `'key' in object.metadata.labels`",
  ],
  // Nothing is near.
  ['frobnicate(object)', undefined],
  ['zzz == 1', undefined],
];

it.each(CASES)('%s', (expression, help) => {
  const spec = { variables: [{ name: 'limit', expression: '3' }], validations: [{ expression }] };
  const found = reviewerOf([policy(spec), binding()]).diagnostics.filter(({ code }) => code === 'invalid-expression');
  expect(found.map((diagnostic) => diagnostic.help)).toEqual([help]);
});

it('a function of a later release is told with the release', () => {
  const [found] = reviewerOf(
    [policy({ validations: [{ expression: "ip('::1').isLoopback()" }] }), binding()],
    '1.29',
  ).diagnostics;
  expect(found?.help).toBe('expressions have `ip` from Kubernetes 1.31 on');
});

it('a long expression is answered in time that grows with its length', () => {
  // With its square this takes minutes.
  const expression = `object.metadata.name == "${'x'.repeat(400_000)}"`;
  const found = reviewerOf([policy({ validations: [{ expression }] }), binding()]).diagnostics;
  expect(found.map(({ code, help }) => [code, help])).toEqual([['invalid-expression', undefined]]);
});
