// Admission does not depend on order, and accepts any request and any policy.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkState } from '../../src/pipeline/check-state.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { stringifyJson } from '../../src/source/json/json.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { cluster, everything, admissionObjects as objects } from '../support/admission-objects.ts';
import { binding, type Json, policy, review, reviewerOf } from '../support/review.ts';
import { tries } from '../support/tries.ts';

const request = fc.constantFrom(
  review(),
  review({ namespace: 'other', userInfo: { username: 'mallory' } }),
  review({ operation: 'DELETE', object: null, oldObject: { metadata: { labels: { env: 'prod' } } } }),
  review({ object: { metadata: {}, spec: { replicas: 5 } } }),
);

function answer(given: readonly Json[], asked: Json) {
  const parsed = parseJson(JSON.stringify(asked));
  const found = reviewerOf(given).answer('value' in parsed ? parsed.value : null, true);
  if ('error' in found) return found;
  return JSON.parse(stringifyJson(found.review, { sortKeys: true, escapeHtml: false }));
}

describe('order', () => {
  it('of policies, bindings and params does not change decisions', () => {
    const shuffled = objects.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray([...given], { minLength: given.length })),
    );
    fc.assert(
      fc.property(shuffled, request, ([given, other], asked) => {
        const [one, two] = [answer(given, asked), answer(other, asked)];
        const sorted = (items: readonly Json[] = []) => items.map((item) => JSON.stringify(item)).sort();
        expect(two.response.allowed).toBe(one.response.allowed);
        expect(sorted(two.decisions)).toEqual(sorted(one.decisions));
        expect(sorted(two.response.warnings)).toEqual(sorted(one.response.warnings));
        expect(Object.keys(two.response.auditAnnotations ?? {})).toEqual(
          Object.keys(one.response.auditAnnotations ?? {}),
        );
      }),
      tries(150, 4),
    );
  });

  it('of files does not change the report, and order of documents does not change the verdict', () => {
    const deployment = {
      apiVersion: 'example.com/v1beta1',
      kind: 'Gadget',
      metadata: { name: 'web', namespace: 'shop', labels: { env: 'prod' } },
      spec: { replicas: 5 },
    };
    const report = (files: readonly SourceFile[]) =>
      checkState({
        files: files.map((file) => ({ file, selected: true })),
        paths: new Set(files.map(({ path }) => path)),
        notRead: [],
        configuration: defaultConfiguration(),
      });
    const shuffled = objects.chain((given) => {
      const all = [...given, deployment];
      return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
    });
    fc.assert(
      fc.property(shuffled, ([given, other]) => {
        const fileOf = (object: Json) => new SourceFile(`${given.indexOf(object)}.json`, JSON.stringify(object));
        const inOrder = [...given].sort((a, b) => (fileOf(a).path < fileOf(b).path ? -1 : 1));
        const expected = report(inOrder.map(fileOf));
        const { targets, ...rest } = report(other.map(fileOf));
        const byPath = targets.map((target) => ({
          ...target,
          policies: [...target.policies].sort((a, b) => (a.path < b.path ? -1 : 1)),
        }));
        expect({ targets: byPath, ...rest }).toEqual(expected);
        const { verdict } = report([
          new SourceFile('all.yaml', other.map((object) => JSON.stringify(object)).join('\n---\n')),
        ]);
        expect({ ...verdict, errors: 0 }).toEqual({ ...expected.verdict, errors: 0 });
      }),
      tries(80, 5),
    );
  });
});

const key = fc.constantFrom(
  'metadata',
  'labels',
  'spec',
  'name',
  'kind',
  'apiVersion',
  '__proto__',
  'constructor',
  'replicas',
  '',
  'ü',
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, 1.5, -0, 1e300, 2 ** 60, '', 'x', '\ud800', 'CREATE', 'v1'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}));

type Path = readonly (string | number)[];

/** One to three fields at any depth get an arbitrary value. */
const broken = (object: Json) =>
  fc
    .array(fc.tuple(fc.constantFrom(...pathsIn(object)), json), { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((value, [path, other]) => withValue(value, path, other), object));

function pathsIn(value: Json, path: Path = []): readonly Path[] {
  if (value === null || typeof value !== 'object') return [path];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...(path.length === 0 ? [] : [path]), ...[...keys].flatMap((each) => pathsIn(value[each], [...path, each]))];
}

/** Skips fields that an earlier change removed. */
function withValue(value: Json, [step, ...rest]: Path, other: Json): Json {
  if (step === undefined) return other;
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[step] = withValue(value[step], rest, other);
  return copy;
}

const fullRule = { ...everything, resourceNames: ['settings'], scope: '*' };
const fullMatch = {
  matchPolicy: 'Equivalent',
  namespaceSelector: { matchLabels: { env: 'prod' }, matchExpressions: [{ key: 'env', operator: 'Exists' }] },
  objectSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a', 'b'] }] },
  resourceRules: [fullRule],
  excludeResourceRules: [{ ...fullRule, resourceNames: ['other'] }],
};
const fullPolicy = policy({
  failurePolicy: 'Fail',
  paramKind: { apiVersion: 'example.com/v1', kind: 'Gadget' },
  matchConstraints: fullMatch,
  matchConditions: [{ name: 'c', expression: 'params != null' }],
  variables: [{ name: 'v', expression: 'object.metadata.labels' }],
  validations: [{ expression: 'variables.v == null', message: 'm', messageExpression: "'m'", reason: 'Forbidden' }],
  auditAnnotations: [{ key: 'k', valueExpression: "'v'" }],
});
const fullBinding = binding({
  validationActions: ['Deny', 'Audit'],
  paramRef: { selector: { matchLabels: { env: 'prod' } }, namespace: 'shop', parameterNotFoundAction: 'Deny' },
  matchResources: fullMatch,
});
const fullRequest = review({
  subResource: '',
  requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
  requestResource: { group: '', version: 'v1', resource: 'configmaps' },
  requestSubResource: '',
  userInfo: { username: 'alice', uid: '1', groups: ['admins'], extra: { scopes: ['a'] } },
  oldObject: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', labels: { a: 'b' } } },
  dryRun: false,
});

describe('nothing throws', () => {
  const asks = [
    ...cluster,
    policy(
      {
        paramKind: { apiVersion: 'example.com/v1', kind: 'Gadget' },
        matchConditions: [{ name: 'c', expression: "request.kind.kind != 'x' || object.spec.replicas > 1" }],
        variables: [{ name: 'v', expression: 'object.metadata.labels' }],
        validations: [
          { expression: "variables.v.exists(l, l == 'x')", messageExpression: "'no ' + string(object.metadata.name)" },
          { expression: 'oldObject.spec == object.spec' },
          { expression: 'request.options.kind == request.userInfo.username' },
          { expression: "authorizer.requestResource.check('update').allowed()" },
        ],
        auditAnnotations: [{ key: 'k', valueExpression: 'string(object)' }],
      },
      'p',
    ),
    binding(
      {
        paramRef: { selector: {}, parameterNotFoundAction: 'Deny' },
        matchResources: { objectSelector: { matchLabels: { a: 'b' } } },
      },
      'selective',
    ),
    binding({ validationActions: ['Warn', 'Audit'] }),
  ];
  const reviewer = reviewerOf(asks);
  const ask = (value: unknown) => {
    const parsed = parseJson(JSON.stringify(value));
    return reviewer.answer('value' in parsed ? parsed.value : null, true);
  };

  it('for any request', () => {
    fc.assert(
      fc.property(json, (value) => void ask(value)),
      tries(150, 1),
    );
  });

  it('for any object in a request', () => {
    fc.assert(
      fc.property(broken(fullRequest), (asked) => {
        const found = ask(asked);
        if ('review' in found) expect(found.review.has('response')).toBe(true);
        else expect(found.error).not.toBe('');
      }),
      tries(600, 2, 600),
    );
  });

  it('for any content of a policy or binding', () => {
    fc.assert(
      fc.property(broken(fullPolicy), broken(fullBinding), (definition, bound) => {
        const given = [...cluster, definition, bound, binding({}, 'sound')];
        expect(answer(given, review())).toHaveProperty('response');
        expect(answer([...cluster, definition, fullBinding], review())).toHaveProperty('response');
      }),
      tries(300, 3),
    );
  });

  it('for any RBAC object', () => {
    const rbac = (kind: string, fields: Json) =>
      broken({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind,
        metadata: { name: 'r', namespace: 'shop' },
        ...fields,
      });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
    const subjects = [
      { kind: 'User', name: 'alice' },
      { kind: 'ServiceAccount', name: 'a', namespace: 'shop' },
    ];
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['settings'] }];
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const many = fc.tuple(
      rbac('ClusterRole', { rules: [...rules, { nonResourceURLs: ['/x'], verbs: ['*'] }] }),
      rbac('ClusterRole', { aggregationRule }),
      rbac('ClusterRoleBinding', { roleRef, subjects }),
      rbac('RoleBinding', { roleRef, subjects }),
    );
    const asking = [
      policy({ validations: [{ expression: "authorizer.requestResource.check('get').allowed()" }] }),
      binding(),
    ];
    fc.assert(
      fc.property(many, (given) => void answer([...given, ...asking], review())),
      tries(200, 6),
    );
  });
});
