// Random CEL expressions: mostly well-typed, with and without necessary parentheses.
import fc from 'fast-check';

/** `{type}` stands for an expression of that type. Variables are defined in `variables.ts`. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  bool: [
    ...['true', 'false', 't', 'x.ready'],
    ...['!{bool}', '{bool} && {bool}', '{bool} || {bool}', '{bool} ? {bool} : {bool}', '{bool} == {bool}'],
    ...['{int} < {int}', '{int} >= {int}', '{int} == {int}', '{int} != {int}', '{uint} < {uint}', '{uint} == {uint}'],
    ...['{double} < {double}', '{double} <= {double}', '{double} == {double}', '{int} < {double}', '{uint} > {int}'],
    ...['{string} == {string}', '{string} < {string}', '{bytes} == {bytes}', '{bytes} < {bytes}'],
    ...['{duration} < {duration}', '{timestamp} <= {timestamp}', '{timestamp} == {timestamp}'],
    ...[
      '{ints} == {ints}',
      '{strings} == {strings}',
      '{map} == {map}',
      '{dyn} == {dyn}',
      '{dyn} != {dyn}',
      '{type} == {type}',
    ],
    ...['{int} in {ints}', '{string} in {strings}', '{string} in {map}', '{dyn} in {ints}', '{dyn} < {int}'],
    ...['{string}.startsWith({string})', '{string}.endsWith({string})', '{string}.contains({string})'],
    ...['{string}.matches({pattern})', 'bool({string})', 'has(x.{field})', 'has({map}.a)', '{optional}.hasValue()'],
    ...['{ints}.all(v, {intTest})', '{ints}.exists(v, {intTest})', '{ints}.exists_one(v, {intTest})'],
    ...['{map}.all(k, k != {string})', '{map}.exists(k, m[k] > {int})', '{strings}.exists(w, w.size() > {int})'],
  ],
  intTest: ['v > {int}', 'v % 2 == 0', 'v / {int} > 0', 'v == {int} || {bool}', 'v in {ints}'],
  int: [
    ...['0', '1', '-1', '3', '0x1F', '9223372036854775807', '-9223372036854775808', 'i', 'j', 'x.replicas', 'm.a'],
    ...['{int} + {int}', '{int} - {int}', '{int} * {int}', '{int} / {int}', '{int} % {int}', '-{int}'],
    ...[
      '{bool} ? {int} : {int}',
      'size({string})',
      '{string}.size()',
      '{bytes}.size()',
      '{ints}.size()',
      'size({map})',
    ],
    ...['int({double})', 'int({uint})', 'int({string})', 'int({timestamp})', '{ints}[{int}]', '{map}[{string}]'],
    ...['{duration}.getSeconds()', '{duration}.getHours()', '{timestamp}.getFullYear()', '{timestamp}.getMonth()'],
    ...['{timestamp}.getDayOfYear()', '{timestamp}.getHours()', '{timestamp}.getDate()', '{timestamp}.getDayOfWeek()'],
    ...[
      '{string}.indexOf({string})',
      '{optional}.orValue({int})',
      '{optional}.value()',
      '{ints}.filter(v, {intTest})[0]',
    ],
  ],
  uint: [
    ...['0u', '1u', '7u', '18446744073709551615u', 'u'],
    ...['{uint} + {uint}', '{uint} - {uint}', '{uint} * {uint}', '{uint} / {uint}', '{uint} % {uint}'],
    ...['uint({int})', 'uint({double})', 'uint({string})', '{bool} ? {uint} : {uint}'],
  ],
  double: [
    ...['0.0', '1.5', '-2.25', '1e10', '1e308', '.5', 'd', 'x.ratio'],
    ...['{double} + {double}', '{double} - {double}', '{double} * {double}', '{double} / {double}', '-{double}'],
    ...['double({int})', 'double({uint})', 'double({string})', '{bool} ? {double} : {double}'],
  ],
  string: [
    ...[
      "''",
      "'a'",
      '"b"',
      "'12'",
      "'-7'",
      "'1.5'",
      "'true'",
      "'2h'",
      "'é😀'",
      "r'\\d'",
      "'a\\tb\\u00e9'",
      's',
      'x.name',
    ],
    ...['{string} + {string}', '{bool} ? {string} : {string}', 'string({int})', 'string({uint})', 'string({double})'],
    ...['string({bool})', 'string({bytes})', 'string({duration})', 'string({timestamp})', '{strings}[{int}]'],
    ...['{string}.substring({int})', '{string}.substring({int}, {int})', '{string}.charAt({int})', '{string}.trim()'],
    ...[
      '{string}.replace({string}, {string})',
      '{string}.lowerAscii()',
      '{string}.upperAscii()',
      '{strings}.join({string})',
    ],
    ...["'%s|%d'.format([{dyn}, {int}])", "'%s'.format([{ints}])", 'strings.quote({string})', 'x.labels.app'],
  ],
  bytes: [
    "b''",
    "b'ab'",
    "b'\\xff\\x00'",
    "b'é'",
    'b',
    '{bytes} + {bytes}',
    'bytes({string})',
    '{bool} ? {bytes} : {bytes}',
  ],
  duration: [
    ...["duration('1h')", "duration('-1.5s')", "duration('90m10s')", "duration('1ms')", 'duration({string})'],
    ...['{duration} + {duration}', '{duration} - {duration}', '{timestamp} - {timestamp}'],
  ],
  timestamp: [
    ...[
      "timestamp('2024-02-29T12:30:45Z')",
      "timestamp('1969-12-31T23:59:59.5Z')",
      "timestamp('2024-01-01T00:00:00+05:30')",
    ],
    ...['{timestamp} + {duration}', '{timestamp} - {duration}', 'timestamp({int})', 'timestamp({string})'],
  ],
  ints: [
    ...['[]', '[1]', '[1, 2, 3]', '[3, 1, 2, 1]', 'l', '[{int}]', '[{int}, {int}]', '{ints} + {ints}', 'x.ports'],
    ...[
      '{ints}.map(v, v * {int})',
      '{ints}.filter(v, {intTest})',
      '{ints}.map(v, {intTest}, v + 1)',
      '{bool} ? {ints} : {ints}',
    ],
    ...['{strings}.map(w, w.size())', '{map}.map(k, m[k])'],
  ],
  strings: [
    ...[
      "['a', 'b']",
      "['']",
      'ls',
      '[{string}, {string}]',
      '{string}.split({string})',
      '{string}.split({string}, {int})',
    ],
    ...['{strings} + {strings}', '{strings}.filter(w, w != {string})', '{ints}.map(v, string(v))', '{map}.map(k, k)'],
  ],
  map: [
    "{'a': 1}",
    '{}',
    "{'a': 1, 'b': 2}",
    'm',
    '{{string}: {int}}',
    '{{string}: {int}, {string}: {int}}',
    'x.counts',
  ],
  optional: [
    ...[
      'optional.of({int})',
      'optional.none()',
      'm[?{string}]',
      'm.?{field}',
      'l[?{int}]',
      '{optional}.or({optional})',
    ],
    ...['optional.ofNonZeroValue({int})', '{optional}.optMap(o, o + {int})'],
  ],
  type: ['int', 'string', 'bool', 'list', 'map', 'type({dyn})', 'type({int})', 'type({type})', 'null_type', 'double'],
  dyn: [
    ...[
      'null',
      'x',
      'x.{field}',
      'x.containers[{int}].image',
      'x.containers.map(c, c.image)',
      "x['{field}']",
      'x.labels[{string}]',
    ],
    ...[
      'dyn({int})',
      'dyn({uint})',
      'dyn({double})',
      'dyn({string})',
      'dyn({bool})',
      'dyn({ints})',
      'dyn({map})',
      'dyn({bytes})',
    ],
    ...[
      '{int}',
      '{string}',
      '{bool}',
      '{map}',
      '{strings}',
      '[{dyn}]',
      '{{int}: {dyn}}',
      '{bool} ? dyn({int}) : dyn({string})',
    ],
    ...['x.?{field}.orValue({dyn})', 'x.{field}.size()', 'x.{field} + {int}', 'x.nested.deep.value', '{dyn}[{dyn}]'],
  ],
  field: ['name', 'replicas', 'labels', 'ready', 'nothing', 'absent', 'nested', 'ports', 'a'],
  pattern: [
    "'a'",
    "'^a.*b$'",
    "'[0-9]+'",
    "'(a|b)*'",
    "'\\\\\\\\d'",
    "'('",
    "'^[a-z]([-a-z0-9]*[a-z0-9])?$'",
    '{string}',
  ],
};

/** Parts of expressions that are not expressions themselves. */
const FRAGMENTS: readonly string[] = ['field', 'pattern', 'intTest'];
const RESULTS = Object.keys(TEMPLATES).filter((type) => !FRAGMENTS.includes(type));

const DEPTH = { maxDepth: 4, depthIdentifier: 'expression' };
/** One in this many subexpressions has any type, and one lacks its parentheses. */
const MISTAKES = 40;

const PLACEHOLDER = /\{([a-zA-Z]+)\}/;

type Tie = (type: string) => fc.Arbitrary<string>;

function ofType(type: string, tie: Tie): fc.Arbitrary<string> {
  const templates = TEMPLATES[type] ?? [];
  const leaves = templates.filter((template) => !isComposite(template));
  const composites = templates.filter(isComposite).map((template) => fill(template, tie));
  if (composites.length === 0) return fc.constantFrom(...leaves);
  if (leaves.length === 0) return fc.oneof(...composites);
  return fc.oneof(
    DEPTH,
    { weight: 2, arbitrary: fc.constantFrom(...leaves) },
    { weight: 5, arbitrary: fc.oneof(...composites) },
  );
}

function isComposite(template: string): boolean {
  return PLACEHOLDER.test(template);
}

function fill(template: string, tie: Tie): fc.Arbitrary<string> {
  const [first = '', ...rest] = template.split(PLACEHOLDER);
  const types = rest.filter((_, index) => index % 2 === 0);
  const texts = rest.filter((_, index) => index % 2 === 1);
  return fc
    .tuple(...types.map((type) => operand(type, tie)))
    .map((operands) => first + operands.map((operand, index) => operand + texts[index]).join(''));
}

function operand(type: string, tie: Tie): fc.Arbitrary<string> {
  if (FRAGMENTS.includes(type)) return tie(type);
  return fc.oneof(
    { weight: MISTAKES - 2, arbitrary: tie(type).map(parenthesized) },
    { weight: 1, arbitrary: tie('any').map(parenthesized) },
    { weight: 1, arbitrary: tie(type) },
  );
}

function parenthesized(text: string): string {
  return /^(?:\w+|'[^']*'|\[\]|\{\})$/.test(text) ? text : `(${text})`;
}

const { any } = fc.letrec<Record<string, string>>((tie) => ({
  any: fc.oneof(...RESULTS.map((type) => tie(type))),
  ...Object.fromEntries(Object.keys(TEMPLATES).map((type) => [type, ofType(type, tie)])),
}));

/** Deterministic for a seed. */
export function sampleExpressions(seed: number, count: number): readonly string[] {
  return fc.sample(any as fc.Arbitrary<string>, { seed, numRuns: count });
}
