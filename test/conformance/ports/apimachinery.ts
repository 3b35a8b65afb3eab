// Port: quantities, selectors and names of k8s.io/apimachinery.
import type { Quantity } from '../../../src/kubernetes/quantity/quantity.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  subtractQuantities,
} from '../../../src/kubernetes/quantity/quantity.ts';
import { signOf, toApproximateDouble, toInt64 } from '../../../src/kubernetes/quantity/quantity-amount.ts';
import {
  isEmptySelector,
  readLabelSelector,
  selectorMatches,
} from '../../../src/kubernetes/selector/label-selector.ts';
import { parseFieldSelector, parseLabelSelector } from '../../../src/kubernetes/selector/selector-text.ts';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelKey,
  labelValue,
  maskTrailingDash,
} from '../../../src/kubernetes/validation/name-format.ts';
import { objectOrEmpty } from '../../../src/source/json/json-field.ts';
import type { Chance } from './chance.ts';
import type { Answer, Arguments, Port } from './port.ts';
import { jsonArgument } from './tagged-json.ts';
import * as texts from './texts.ts';

const LONG = 'x'.repeat(64);
const KEYS = [
  ...[
    'a',
    'app',
    'app.kubernetes.io/name',
    'a/b',
    'a/b/c',
    '/a',
    'a/',
    '',
    '-a',
    'a-',
    'a_b.c',
    'A',
    'A.B/c',
    'ab c',
    'é',
  ],
  ...[
    'in',
    'notin',
    LONG,
    LONG.slice(1),
    `${'a.'.repeat(126)}b/c`,
    `${'a.'.repeat(127)}b/c`,
    'a\u0000b',
    'a\n',
    '日本',
  ],
];
const VALUES = [...KEYS, 'web', 'Web', 'v1.2', '1', '-1', 'true', ' ', '"', "'", ...texts.NUMBERS.slice(0, 12)];
const NAMES = [
  ...VALUES,
  ...['web-1', 'web.example.com', 'a..b', '.a', 'a.', 'a-.b', '1a', '..', '.', '..a', 'x'.repeat(253), 'x'.repeat(254)],
  ...['web-', '-', '--', 'é-', '日-', '😀-', 'a.-', 'key_1', 'a/b%', 'a%', 'K', '%2F'],
];
const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'in', '', 'Gt', '='];

const LABEL_PIECES = [
  ...[
    'app',
    'tier',
    'a/b',
    'in',
    'notin',
    '!',
    '=',
    '==',
    '!=',
    '>',
    '<',
    '(',
    ')',
    ',',
    ' ',
    '\t',
    'web',
    '5',
    '-3',
    '',
  ],
  ...[
    ' in (',
    ' notin (',
    'a,b)',
    'x,,y)',
    '()',
    '=>',
    '=<',
    '===',
    '!=!',
    'é',
    '\u0000',
    '"',
    "'",
    '\u00a0',
    LONG,
    '+7',
    '0x1',
  ],
  ...[
    'app=web',
    'app!=web',
    '!app',
    'app',
    'n>5',
    'n<99999999999999999999',
    'app in (a, b)',
    'app notin (a)',
    '-a=b',
    'a=-b',
  ],
];
const FIELD_PIECES = [
  ...[
    'metadata.name',
    'spec.nodeName',
    '=',
    '==',
    '!=',
    ',',
    '\\',
    '\\,',
    '\\=',
    '\\\\',
    '\\x',
    'a',
    '',
    ' ',
    'é',
    '!',
    '>',
  ],
  ...['metadata.name=web', 'a!=b', 'a==b', '=b', 'a=', '=', 'a=b\\', 'a=b=c', ',,', '\u0000', '日=😀'],
];

type Generate = (chance: Chance) => Arguments;

const oneText =
  (pool: readonly string[]): Generate =>
  (chance) => [chance.text(pool)];
/** The original computes a power of ten with more digits for hours. */
const HUGE = /[eE][-+]?[0-9]{4}/;

function quantity(chance: Chance): string {
  const text = chance.text(texts.QUANTITIES);
  return HUGE.test(text) ? '1e9' : text;
}

const twoQuantities: Generate = (chance) => [quantity(chance), quantity(chance)];

const pieces =
  (pool: readonly string[]): Generate =>
  (chance) => [chance.several(0, 7, () => (chance.in(10) ? chance.text(pool) : chance.pick(pool))).join('')];

function labels(chance: Chance): Readonly<Record<string, string>> {
  return Object.fromEntries(chance.several(0, 3, () => [chance.pick(KEYS), chance.pick(VALUES)]));
}

const selector: Generate = (chance) => {
  const plain = KEYS.slice(0, 4);
  const key = (): string => chance.pick(chance.in(80) ? plain : KEYS);
  const value = (): string => (chance.in(80) ? chance.pick(['web', 'v1.2', 'a', '']) : chance.text(VALUES));
  const expressions = chance.several(0, 3, () => ({
    key: key(),
    operator: chance.pick(chance.in(90) ? OPERATORS.slice(0, 4) : OPERATORS),
    ...(chance.in(70) && { values: chance.several(0, 3, value) }),
  }));
  const written = {
    // Go visits several labels in a random order, so that errors would vary.
    ...(chance.in(60) && { matchLabels: Object.fromEntries(chance.several(0, 1, () => [key(), value()])) }),
    ...(chance.in(80) && { matchExpressions: expressions }),
  };
  return [written, chance.in(80) ? Object.fromEntries(chance.several(0, 3, () => [key(), value()])) : labels(chance)];
};

type Function = readonly [generate: Generate, answer: (args: Arguments) => Answer];

const FUNCTIONS: Readonly<Record<string, Function>> = {
  'name.dns-label': [oneText(NAMES), names(dns1123Label)],
  'name.dns-subdomain': [oneText(NAMES), names(dns1123Subdomain)],
  'name.dns1035-label': [oneText(NAMES), names(dns1035Label)],
  'name.label-key': [oneText(NAMES), names(labelKey)],
  'name.label-value': [oneText(NAMES), names(labelValue)],
  'name.object-prefix': [oneText(NAMES), names((name) => dns1123Subdomain(maskTrailingDash(name)))],
  'quantity.add': [twoQuantities, combined(addQuantities)],
  'quantity.compare': [
    twoQuantities,
    (args) => withQuantities(args, (left, right) => ({ value: compareQuantities(left, right) })),
  ],
  'quantity.parse': [
    (chance) => [quantity(chance)],
    ([text]) => {
      const quantity = parseQuantity(String(text));
      return 'error' in quantity ? { error: quantity.error } : quantityAnswer(quantity);
    },
  ],
  'quantity.subtract': [twoQuantities, combined(subtractQuantities)],
  'selector.labels': [
    selector,
    ([written, set]) => {
      const read = readLabelSelector(objectOrEmpty(jsonArgument(written)));
      if ('error' in read) return { error: read.error };
      const given = new Map(Object.entries(set as Record<string, string>));
      return { value: { matches: selectorMatches(read, given), empty: isEmptySelector(read) } };
    },
  ],
  'selector.parse-fields': [
    pieces(FIELD_PIECES),
    ([text]) => {
      const read = parseFieldSelector(String(text));
      return 'error' in read ? { error: read.error } : { value: read };
    },
  ],
  'selector.parse-labels': [
    pieces(LABEL_PIECES),
    ([text]) => {
      const read = parseLabelSelector(String(text));
      return 'error' in read ? { error: read.error } : { value: read };
    },
  ],
};

function names(check: (name: string) => readonly string[]): Function[1] {
  return ([name]) => ({ value: check(String(name)) });
}

function combined(combine: (left: Quantity, right: Quantity) => Quantity | undefined): Function[1] {
  return (args) =>
    withQuantities(args, (left, right) => {
      const result = combine(left, right);
      return result === undefined ? { undecided: 'too many digits' } : quantityAnswer(result);
    });
}

function withQuantities([left, right]: Arguments, use: (left: Quantity, right: Quantity) => Answer): Answer {
  const [one, other] = [parseQuantity(String(left)), parseQuantity(String(right))];
  if ('error' in one) return { error: one.error };
  if ('error' in other) return { error: other.error };
  return use(one, other);
}

function quantityAnswer(quantity: Quantity): Answer {
  const { amount, format } = quantity;
  const whole = toInt64(amount);
  const double = toApproximateDouble(amount);
  return {
    value: {
      text: formatQuantity(quantity),
      format,
      sign: signOf(amount),
      ...(whole !== undefined && { int: String(whole) }),
      ...(Number.isFinite(double) && { double: double + 0 }),
    },
  };
}

export const APIMACHINERY: Port = {
  name: 'apimachinery',
  program: 'packages',
  sources: [
    'kubernetes/quantity',
    'kubernetes/selector/label-selector.ts',
    'kubernetes/selector/selector-text.ts',
    'kubernetes/validation/name-format.ts',
  ],
  originals: [
    'k8s.io/apimachinery/pkg/api/resource',
    'k8s.io/apimachinery/pkg/labels',
    'k8s.io/apimachinery/pkg/fields',
    'k8s.io/apimachinery/pkg/util/validation',
    'k8s.io/apimachinery/pkg/api/validate/content',
  ],
  sampled: 200,
  functions: () => Object.entries(FUNCTIONS).map(([name, [generate]]) => ({ name, generate })),
  surface: () => Object.keys(FUNCTIONS),
  start: () => (name, args) => (FUNCTIONS[name] as Function)[1](args),
};
