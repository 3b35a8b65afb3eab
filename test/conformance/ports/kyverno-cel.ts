// Port: CEL with cel-go's and Kyverno's libraries, as Kyverno 1.19 evaluates a ValidatingPolicy.
import { DEFAULT_VERSION } from '../../../src/kubernetes/api/version.ts';
import { answerExpression } from '../../../src/kubernetes/cel/answer.ts';
import { KyvernoEnvironments } from '../../../src/policy/kyverno/cel-policy/kyverno-environment.ts';
import { HOST_VARIABLES, HostValue } from '../../../src/policy/kyverno/cel-policy/library/host-values.ts';
import type { CelSources } from '../../../src/policy/kyverno/cel-policy/sources.ts';
import { celFunctions, celSurface } from './cel-calls.ts';
import { bound, CEL_MACROS, CEL_TEXT_POOLS, CEL_VALUES } from './kubernetes-cel.ts';
import type { Port } from './port.ts';
import * as texts from './texts.ts';

class Unforeseeable extends Error {}

const SERVICE_ACCOUNTS = [
  'system:serviceaccount:ns:name',
  'system:serviceaccount:ns:',
  'system:serviceaccount::name',
  'system:serviceaccount:a:b:c',
  'system:serviceaccount:a',
  'system:node:a',
  '',
  'admin',
  'system:serviceaccounts:a:b',
];

export const KYVERNO_CEL: Port = {
  name: 'kyverno-cel',
  program: 'kyverno',
  sources: ['policy/kyverno/cel-policy/library'],
  originals: [
    'github.com/google/cel-go/ext',
    'github.com/google/cel-go/common/types',
    'k8s.io/apiserver/pkg/cel/library',
    'github.com/kyverno/sdk/extensions/cel/libs/...',
  ],
  sampled: 50,
  // Kyverno has no cost limit.
  compared: ['compileError', 'type', 'programError', 'value', 'error', 'panic', 'undecided', 'thrown'],
  functions: () =>
    celFunctions({
      environment: environments().environment(DECLARATIONS, NO_TYPES),
      textPools: [
        ...CEL_TEXT_POOLS,
        [/^(image|parseImageReference|isImage)$/, texts.IMAGES],
        [/[pP]arseServiceAccount$/, SERVICE_ACCOUNTS],
        [/^unmarshal$/, undefined, texts.JSONS],
        [/^parse$/, undefined, texts.YAMLS],
        [/listObjToMap$/, undefined, undefined, ['a', 'b', ''], ['a', 'c']],
      ],
      values: {
        ...CEL_VALUES,
        'kyverno.image': (calls) => `parseImageReference(${calls.text(texts.IMAGES)})`,
        'json.Json': () => 'json',
        'yaml.Yaml': () => 'yaml',
        'user.ServiceAccount': (calls) => `parseServiceAccount(${calls.text(SERVICE_ACCOUNTS)})`,
      },
      macros: {
        ...CEL_MACROS,
        orValue: [
          'optional.of($i).orValue($i)',
          'optional.none().orValue($s)',
          'dyn($i).orValue(1)',
          '{"a": 1}.?b.orValue($l)',
          '{"a": $i}.a.orValue(2)',
        ],
        bind: ['cel.bind(x, $i, x + x)', 'cel.bind(x, $l, x.size())', 'cel.bind(x.y, 1, 2)'],
        'math.greatest': [
          'math.greatest($i, $i)',
          'math.greatest($l)',
          'math.greatest($i, 1.5, 2u)',
          'math.greatest()',
          'math.greatest($s)',
          'math.greatest(dyn($l))',
        ],
        'math.least': [
          'math.least($i, $i)',
          'math.least($l)',
          'math.least($i, 1.5, 2u)',
          'math.least()',
          'math.least([])',
          'math.least(dyn($s), 1)',
        ],
      },
      skipped: SKIPPED,
    }),
  surface: () => celSurface(environments().environment(DECLARATIONS, NO_TYPES)),
  start: () => {
    const known = environments();
    const environment = known.environment(DECLARATIONS, NO_TYPES);
    known.sources = SOURCES;
    const hosts = new Map([...HOST_VARIABLES.keys()].map((name) => [name, new HostValue(name, SOURCES)]));
    return (_, [expression, object]) => {
      const { resolve } = bound(String(object));
      try {
        return {
          ...answerExpression(
            String(expression),
            environment,
            { resolve: (name) => resolve(name) ?? hosts.get(name) },
            {},
          ),
        };
      } catch (error) {
        if (error instanceof Unforeseeable) return { undecided: error.message };
        throw error;
      }
    };
  },
};

const DECLARATIONS = { namespace: '', hasPatchTypes: false, hasGenerator: false };
const NO_TYPES = { findStruct: () => undefined, findField: () => undefined, fieldNames: () => undefined };

/** Functions that read a cluster, a registry or a server, and those that need an authorizer. */
const SKIPPED = [
  ...['get', 'list', 'post', 'ToGVR', 'getMetadata', 'client'],
  ...['Get', 'List', 'Post', 'Client', 'GetMetadata', 'globalContext.Get', 'toGVR', 'Apply'],
  ...[
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
  ],
];

const unforeseeable = (what = 'the cluster'): never => {
  throw new Unforeseeable(what);
};

const SOURCES: CelSources = {
  resource: () => unforeseeable(),
  resources: () => unforeseeable(),
  resourceOfKind: () => unforeseeable(),
  imageData: () => unforeseeable(),
  globalReference: () => unforeseeable(),
  http: () => unforeseeable(),
  now: () => unforeseeable('the time'),
  unforeseeable,
};

function environments(): KyvernoEnvironments {
  return new KyvernoEnvironments(DEFAULT_VERSION);
}
