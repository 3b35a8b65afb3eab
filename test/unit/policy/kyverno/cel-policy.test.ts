import { describe, expect, it } from 'vitest';
import { Timestamp } from '../../../../src/cel/value/scalar.ts';
import { DEFAULT_VERSION } from '../../../../src/kubernetes/api/version.ts';
import type { AdmissionRequest } from '../../../../src/kubernetes/request/admission-request.ts';
import type { CelPolicySubject } from '../../../../src/policy/kyverno/cel-policy/cel-response.ts';
import {
  compileGeneratingPolicy,
  GeneratingPolicy,
} from '../../../../src/policy/kyverno/cel-policy/generating-policy.ts';
import { KyvernoEnvironments } from '../../../../src/policy/kyverno/cel-policy/kyverno-environment.ts';
import {
  compileValidatingPolicy,
  ValidatingPolicy,
} from '../../../../src/policy/kyverno/cel-policy/validating-policy.ts';
import { Undecided } from '../../../../src/policy/kyverno/rule/rule-response.ts';
import { isJsonObject, type JsonObject } from '../../../../src/source/json/json.ts';
import { parseJson } from '../../../../src/source/json/parse-json.ts';

const ENVIRONMENTS = new KyvernoEnvironments(DEFAULT_VERSION);

function json(value: object): JsonObject {
  const parsed = parseJson(JSON.stringify(value));
  if (!('value' in parsed) || !isJsonObject(parsed.value)) throw new Error('no object');
  return parsed.value;
}

const POD = json({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
});

const PODS = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'DELETE'], resources: ['pods'] };

function subject(change: Partial<AdmissionRequest> = {}): CelPolicySubject {
  const undecided = (what: string): never => {
    throw new Undecided(what);
  };
  return {
    request: {
      operation: 'CREATE',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      subResource: '',
      name: 'web',
      namespace: 'shop',
      object: POD,
      oldObject: null,
      options: null,
      dryRun: false,
      userInfo: { username: 'alice', uid: '', groups: [], extra: new Map() },
      ...change,
    },
    namespaceObject: null,
    namespaceLabels: new Map([['kubernetes.io/metadata.name', 'shop']]),
    sources: {
      resource: () => undefined,
      resources: () => [],
      resourceOfKind: () => 'pods',
      imageData: undecided,
      globalReference: () => null,
      http: (_method, url) => undecided(url),
      now: () => new Timestamp(0n, 0),
      unforeseeable: undecided,
    },
  };
}

function policy(spec: object, exceptions: readonly object[] = []): ValidatingPolicy {
  const document = json({
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'ValidatingPolicy',
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules: [PODS] }, ...spec },
  });
  const compiled = compileValidatingPolicy(document, exceptions.map(json), ENVIRONMENTS);
  if (!(compiled instanceof ValidatingPolicy)) throw new Error(JSON.stringify(compiled.errors));
  return compiled;
}

function said(spec: object, change: Partial<AdmissionRequest> = {}, exceptions: readonly object[] = []): string[] {
  return policy(spec, exceptions)
    .evaluate(subject(change))
    .map(({ rule, status, message }) => [rule, status, message].filter((text) => text !== '').join(': '));
}

/** Result of an expression in Kyverno's CEL. */
function text(messageExpression: string): string | undefined {
  return said({ validations: [{ expression: 'false', messageExpression }] })[0]?.replace(/^fail: /, '');
}

describe('a ValidatingPolicy', () => {
  it('passes without validations', () => {
    expect(said({})).toEqual(['pass: success']);
  });

  it('has no response for objects that it does not match', () => {
    expect(said({}, { operation: 'UPDATE' })).toEqual([]);
  });

  it('stops at the first validation that fails', () => {
    const validations = [{ expression: 'true' }, { expression: 'false', message: 'no' }, { expression: '1 / 0 == 1' }];
    expect(said({ validations })).toEqual(['fail: no']);
  });

  it('has a default message', () => {
    expect(said({ validations: [{ expression: 'false' }] })).toEqual([
      'fail: CEL expression validation failed at index 0',
    ]);
    const empty = { expression: 'false', message: 'no', messageExpression: "''" };
    expect(said({ validations: [empty] })).toEqual(['fail: CEL expression validation failed at index 0']);
  });

  it('uses the error of a messageExpression as the message, and that of a validation as the result', () => {
    expect(text('object.metadata.name + string(1 / 0)')).toBe(
      'failed to evaluate message expression: division by zero',
    );
    expect(said({ failurePolicy: 'Ignore', validations: [{ expression: 'object.spec.nope == 1' }] })).toEqual([
      'error: error: no such key: nope',
    ]);
  });

  it.each([
    ['Fail', ['object.spec.nope == 1'], ['evaluation: error: failed to load context: no such key: nope']],
    ['Ignore', ['object.spec.nope == 1'], ['skip: skip']],
    ['Fail', ['object.spec.nope == 1', 'false'], ['skip: skip']],
  ])('with failurePolicy %s and conditions %j returns %j', (failurePolicy, conditions, expected) => {
    const matchConditions = conditions.map((expression, index) => ({ name: `c${index}`, expression }));
    expect(said({ failurePolicy, matchConditions })).toEqual(expected);
  });

  it('sees an empty object if there is none', () => {
    const validations = [{ expression: 'oldObject != null && !has(oldObject.spec)' }];
    expect(said({ validations })).toEqual(['pass: success']);
    const deleted = { operation: 'DELETE', object: null, oldObject: POD } as const;
    expect(said({ validations: [{ expression: 'has(object.spec)', message: 'gone' }] }, deleted)).toEqual([
      'fail: gone',
    ]);
  });

  it('evaluates a variable on first use, with its own error', () => {
    const variables = [{ name: 'bad', expression: '1 / 0' }];
    expect(said({ variables, validations: [{ expression: 'true' }] })).toEqual(['pass: success']);
    expect(said({ variables, validations: [{ expression: 'variables.bad == 1' }] })).toEqual([
      'error: error: division by zero',
    ]);
  });

  it('is evaluated for each pod template of the kinds that it names', () => {
    const controllers = ['jobsets.v1alpha2.jobset.x-k8s.io'];
    const template = { spec: { containers: [{ name: 'a', image: 'a' }] } };
    const object = json({
      apiVersion: 'jobset.x-k8s.io/v1alpha2',
      kind: 'JobSet',
      metadata: { name: 's', namespace: 'shop' },
      spec: { jobs: [{ template: { spec: { template } } }] },
    });
    const change = {
      object,
      kind: { group: 'jobset.x-k8s.io', version: 'v1alpha2', kind: 'JobSet' },
      resource: { group: 'jobset.x-k8s.io', version: 'v1alpha2', resource: 'jobsets' },
    };
    const spec = {
      autogen: { podControllers: { controllers } },
      validations: [{ expression: 'object.spec.containers.all(c, c.image != "a")', message: 'no a' }],
    };
    expect(said(spec, change)).toEqual(['fail: no a (pod template at spec.jobs[0].template.spec.template)']);
    const [response] = policy(spec).evaluate(subject(change));
    expect(response?.explain?.()[0]?.path.slice(0, 6)).toEqual(['spec', 'jobs', 0, 'template', 'spec', 'template']);
  });
});

describe('exceptions', () => {
  const exception = (name: string, spec: object = {}, labels: object = {}): object => ({
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'PolicyException',
    metadata: { name, namespace: 'ns', labels },
    spec: { policyRefs: [{ name: 'p', kind: 'ValidatingPolicy' }], ...spec },
  });
  const denying = { validations: [{ expression: 'size(exceptions.allowedImages) > 0', message: 'no' }] };

  it('skip the policy; the one with the highest priority decides the result', () => {
    const high = exception('b', { reportResult: 'pass' }, { 'polex.kyverno.io/priority': '5' });
    expect(said(denying, {}, [exception('a')])).toEqual([
      'exception: skip: rule is skipped due to policy exception: ns/a',
    ]);
    expect(said(denying, {}, [exception('a'), high])).toEqual([
      'exception: pass: rule is passed due to policy exception: ns/a, ns/b',
    ]);
  });

  it('with images only pass them to the policy', () => {
    expect(said(denying, {}, [exception('a', { images: ['x'] })])).toEqual(['pass: success']);
  });

  it('do not apply to other kinds of policies', () => {
    const other = exception('a', { policyRefs: [{ name: 'p', kind: 'MutatingPolicy' }] });
    expect(said(denying, {}, [other])).toEqual(['fail: no']);
  });
});

describe('the libraries', () => {
  it.each([
    ["image('nginx').registry()", 'index.docker.io'],
    ["image('nginx').repository()", 'library/nginx'],
    ["image('localhost:5000/a/b:v1').registry()", 'localhost:5000'],
    ["image('ghcr.io/a/b').identifier()", 'latest'],
    [`string(image('a/b:v2@sha256:${'0'.repeat(64)}').tag() == '')`, 'true'],
    [`image('a/b:v2@sha256:${'0'.repeat(64)}').identifier()`, `sha256:${'0'.repeat(64)}`],
    ["string(isImage('Upper/Case'))", 'false'],
    ["parseServiceAccount('system:serviceaccount:ns:sa').Name", 'sa'],
    ["md5('a')", '0cc175b9c0f1b6a831c399e269772661'],
    ["json.marshal({'b': [1, 2]})", '{"b":[1,2]}'],
    ['string(json.unmarshal(\'{"a": 1.5}\').a)', '1.5'],
    ["string(yaml.parse('a: yes').a)", 'true'],
    ["listObjToMap([{'n': 'a'}], [{'v': 'x'}], 'n', 'v')['a'] == 'x' ? 'x' : ''", 'x'],
    ['string(math.round(1.256, 2))', '1.26'],
    ['string(math.greatest([1, 7, 3]))', '7'],
    ["cel.bind(x, 'ab', x + x)", 'abab'],
    ["regex.replace('a-b-c', '-(.)', '.\\\\1')", 'a.b.c'],
    ["regex.extractAll('a1b22', '[0-9]+').join(',')", '1,22'],
    ["base64.encode(b'hi')", 'aGk='],
    ["time.toCron(timestamp('2024-01-02T03:04:05Z'))", '4 3 2 1 2'],
    ["string(time.truncate(timestamp('2024-01-02T03:04:05Z'), duration('1h')))", '2024-01-02T03:00:00Z'],
    ["string(dyn(resource.Get('v1', 'configmaps', 'a', 'b')) == null)", 'true'],
    ["string(globalContext.Get('x') == null)", 'true'],
    ["object.metadata.name.orValue('y') == 'web' ? 'kept' : ''", 'kept'],
  ])('%s is %s', (expression, expected) => {
    expect(text(expression)).toBe(expected);
  });

  it('report external data as unknown', () => {
    const asking = policy({ validations: [{ expression: "http.Get('https://a.example').ok == true" }] });
    expect(() => asking.evaluate(subject())).toThrow(Undecided);
  });
});

describe('a GeneratingPolicy', () => {
  it('renders its template', () => {
    const value =
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: (( object.metadata.name ))-config\ndata: (( variables.data ))\n';
    const document = json({
      apiVersion: 'policies.kyverno.io/v1',
      kind: 'GeneratingPolicy',
      metadata: { name: 'g' },
      spec: {
        matchConstraints: { resourceRules: [PODS] },
        variables: [{ name: 'data', expression: "{'a': object.kind}" }],
        generate: [{ template: { value, interpolate: 'CEL' } }],
      },
    });
    const compiled = compileGeneratingPolicy(document, [], ENVIRONMENTS);
    if (!(compiled instanceof GeneratingPolicy)) throw new Error('refused');
    const { generated, responses } = compiled.generate(subject());
    expect(responses.map(({ status }) => status)).toEqual(['pass']);
    const expected = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web-config' }, data: { a: 'Pod' } };
    expect(generated.map(({ object }) => object)).toEqual([json(expected)]);
  });
});
