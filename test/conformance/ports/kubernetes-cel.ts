// Port: CEL with Kubernetes' libraries, as kube-apiserver 1.36 evaluates stored expressions, with types, costs and messages.
import { DYN } from '../../../src/cel/check/type.ts';
import type { Value } from '../../../src/cel/value/value.ts';
import { answerExpression } from '../../../src/kubernetes/cel/answer.ts';
import { callCosts } from '../../../src/kubernetes/cel/cost.ts';
import { kubernetesEnvironment } from '../../../src/kubernetes/cel/environment.ts';
import type { CelCalls } from './cel-calls.ts';
import { celFunctions, celSurface } from './cel-calls.ts';
import type { Port } from './port.ts';
import * as texts from './texts.ts';

const VERSION = { major: 1, minor: 36 };

const FORMATS = [
  '%s',
  '%d',
  '%f',
  '%e',
  '%x',
  '%X',
  '%o',
  '%b',
  '%%',
  '%.3f',
  '%.0f',
  '%.20f',
  '%.e',
  '%.2e',
  '%s %d',
  '%',
  '%z',
  '%5d',
  '%.x',
  '%1.2f',
  '%.99f',
  'a%sb%sc',
  '',
  '%s%s%s',
  '%-d',
  '%.3s',
  '%.s',
  '%.3d',
];
const FORMAT_NAMES = [
  'dns1123Label',
  'dns1123Subdomain',
  'dns1035Label',
  'qualifiedName',
  'dns1123LabelPrefix',
  'dns1123SubdomainPrefix',
  'dns1035LabelPrefix',
  'labelValue',
  'uri',
  'uuid',
  'byte',
  'date',
  'datetime',
  'unknown',
  '',
];
const FORMATTED = [
  ...texts.TEXTS,
  ...texts.URLS.slice(0, 12),
  ...texts.TIMESTAMPS.slice(0, 12),
  ...texts.BASE64,
  'my-name',
  'my.name',
  'a.b/c',
  'a/b/c',
  '-a',
  'a-',
  '1a',
  'A',
  'my-name-',
  'x'.repeat(63),
  'x'.repeat(64),
  'x'.repeat(253),
  'x'.repeat(254),
  '123e4567-e89b-12d3-a456-426614174000',
  '123E4567-E89B-12D3-A456-426614174000',
  '2024-02-30',
  '2024-02-29',
];

export const CEL_TEXT_POOLS: CelCalls['textPools'] = [
  [/^(matches|find|findAll|regex\.extract|regex\.extractAll)$/, texts.TEXTS, texts.PATTERNS],
  [/^regex\.replace$/, texts.TEXTS, texts.PATTERNS, texts.REPLACEMENTS],
  [/^(quantity|isQuantity)$/, texts.QUANTITIES],
  [/^(url|isURL)$/, texts.URLS],
  [/^(ip|isIP|ip\.isCanonical)$/, texts.IPS],
  [/^(cidr|isCIDR)$/, texts.CIDRS],
  [/^containsIP$/, texts.CIDRS, texts.IPS],
  [/^containsCIDR$/, texts.CIDRS, texts.CIDRS],
  [/^(semver|isSemver)$/, texts.SEMVERS],
  [/^duration$/, texts.DURATIONS],
  [/^timestamp$/, texts.TIMESTAMPS],
  [/^get[A-Z]/, undefined, texts.ZONES],
  [/^(int|uint|double|bool)$/, texts.NUMBERS],
  [/^format$/, FORMATS],
  [/^format\.named$/, FORMAT_NAMES],
  [/^validate$/, undefined, FORMATTED],
  [/^base64\.decode$/, texts.BASE64],
];

export const CEL_VALUES: CelCalls['values'] = {
  'kubernetes.Quantity': (calls) => `quantity(${calls.text(texts.QUANTITIES)})`,
  'kubernetes.URL': (calls) => `url(${calls.text(texts.URLS)})`,
  'net.IP': (calls) => `ip(${calls.text(texts.IPS)})`,
  'net.CIDR': (calls) => `cidr(${calls.text(texts.CIDRS)})`,
  'kubernetes.Semver': (calls) => `semver(${calls.text(texts.SEMVERS)})`,
  'kubernetes.NamedFormat': (calls) =>
    calls.chance.in(50)
      ? `format.${calls.chance.pick(FORMAT_NAMES.slice(0, 13))}()`
      : `format.named(${calls.text(FORMAT_NAMES)}).value()`,
};

export const CEL_MACROS: CelCalls['macros'] = {
  all: ['$l.all(x, $t)', '{1: 2, 3: 4}.all(x, $t)', '$l.all(i, x, $t)', '{"a": 1}.all(k, x, $t)'],
  exists: ['$l.exists(x, $t)', '$l.exists(i, x, $t)', '{"a": 1, "b": 0}.exists(k, x, $t)'],
  exists_one: ['$l.exists_one(x, $t)', '$l.exists_one(i, x, $t)', '$l.existsOne(i, x, $t)'],
  filter: ['$l.filter(x, $t)', '$l.filter(x, x in $l)', '{"a": 1}.filter(x, $t)'],
  map: ['$l.map(x, x)', '$l.map(x, $t, x)', '$l.map(x, [x, $s])', '$l.map(x, x + x)', '[[1], [2, $i]].map(x, x.sum())'],
  transformList: [
    '$l.transformList(i, x, x)',
    '$l.transformList(i, x, $t, i)',
    '{"a": $i, "b": 2}.transformList(k, x, k + string(x))',
  ],
  transformMap: [
    '$l.transformMap(i, x, x)',
    '$l.transformMap(i, x, $t, i)',
    '{"a": $i, "b": 2}.transformMap(k, x, x * 2)',
  ],
  transformMapEntry: [
    '$l.transformMapEntry(i, x, {x: i})',
    '{"a": "b"}.transformMapEntry(k, x, {x: k})',
    '[1, 1].transformMapEntry(i, x, {x: i})',
  ],
  optMap: [
    'optional.of($i).optMap(x, x + 1)',
    'optional.none().optMap(x, x)',
    '$l.first().optMap(x, [x])',
    'object[?0].optMap(x, x + $s)',
  ],
  optFlatMap: [
    'optional.of($i).optFlatMap(x, optional.of(x))',
    '$l.last().optFlatMap(x, $l[?0])',
    'object[?$i].optFlatMap(x, optional.none())',
  ],
  sortBy: [
    '$l.sortBy(x, x)',
    '$l.sortBy(x, -x)',
    '[{"a": $i}, {"a": 1}].sortBy(x, x.a)',
    '$l.sortBy(x, string(x))',
    '$l.sortBy(x, $t)',
  ],
  has: ['has({"a": $i}.a)', 'has({"a": 1}.b)', 'has(object.a)'],
};

export const KUBERNETES_CEL: Port = {
  name: 'cel',
  program: 'kubernetes',
  sources: ['cel/library', 'kubernetes/cel/library'],
  originals: [
    'github.com/google/cel-go/ext',
    'github.com/google/cel-go/common/types',
    'k8s.io/apiserver/pkg/cel/library',
    'k8s.io/apimachinery/pkg/api/resource',
  ],
  sampled: 90,
  functions: () =>
    celFunctions({
      environment: environment(),
      textPools: CEL_TEXT_POOLS,
      values: CEL_VALUES,
      macros: CEL_MACROS,
      // No expression has a value of their types without an authorizer.
      skipped: AUTHORIZER,
    }),
  surface: () => celSurface(environment()),
  start: () => {
    const compiled = environment();
    const costs = callCosts(VERSION);
    return (_, [expression, object]) => ({
      ...answerExpression(String(expression), compiled, bound(String(object)), costs),
    });
  },
};

const AUTHORIZER = [
  'path',
  'group',
  'serviceAccount',
  'resource',
  'subresource',
  'namespace',
  'name',
  'check',
  'allowed',
  'reason',
  'errored',
  'error',
  'fieldSelector',
  'labelSelector',
];

function environment(): ReturnType<typeof kubernetesEnvironment> {
  return kubernetesEnvironment(VERSION, 'stored').extend({ variables: [{ name: 'object', type: DYN }] });
}

/** The JSON of `object` contains texts only. */
export function bound(object: string): { readonly resolve: (name: string) => Value | undefined } {
  const value = JSON.parse(object) as readonly string[];
  return { resolve: (name) => (name === 'object' ? value : undefined) };
}
