// Answers from RBAC objects, row by row (plugin/pkg/auth/authorizer/rbac, pkg/registry/rbac/validation/rule.go).
import { describe, expect, it } from 'vitest';
import type { AccessQuestion, AccessRule } from '../../../../src/kubernetes/access/access.ts';
import { defaultRoles } from '../../../../src/kubernetes/access/default-roles.ts';
import { RbacAuthorizer } from '../../../../src/kubernetes/access/rbac.ts';
import { resourcesOf } from '../../../../src/kubernetes/api/resource.ts';
import { RepositoryCluster } from '../../../../src/kubernetes/cluster/repository-cluster.ts';
import type { UserInfo } from '../../../../src/kubernetes/request/admission-request.ts';
import { BuiltinResources } from '../../../../src/kubernetes/schema/resources.ts';
import { readManifests } from '../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

interface ClusterOptions {
  readonly isComplete?: boolean;
  readonly accessRules?: readonly AccessRule[];
  readonly minor?: number;
}

function authorizer(
  yaml: string,
  { isComplete = true, accessRules = [], minor = 36 }: ClusterOptions = {},
): RbacAuthorizer {
  const { manifests } = readManifests(new SourceFile('rbac.yaml', yaml));
  const resources = manifests.flatMap(resourcesOf).flatMap((result) => ('resource' in result ? [result.resource] : []));
  return new RbacAuthorizer(
    new RepositoryCluster({
      version: { major: 1, minor },
      builtin: new BuiltinResources(minor),
      resources,
      stored: ({ value }) => value,
      defaultNamespace: 'default',
      isComplete,
      accessRules,
    }),
  );
}

const user = (username: string, ...groups: readonly string[]): UserInfo => ({
  username,
  uid: '',
  groups,
  extra: new Map(),
});
const alice = user('alice', 'developers');
const bot = user('system:serviceaccount:shop:bot', 'system:serviceaccounts', 'system:serviceaccounts:shop');

/** `get pods`, `get apps/deployments/scale web in shop`, `get /healthz`. */
function question(text: string, who = alice): AccessQuestion {
  const [verb = '', what = '', ...rest] = text.split(' ');
  if (what.startsWith('/')) return { user: who, verb, resource: undefined, path: what };
  const parts = what.split('/');
  const [group = '', resource = '', subResource = ''] = parts.length === 1 ? ['', ...parts] : parts;
  const inIndex = rest.indexOf('in');
  const [name, namespace] = inIndex < 0 ? [rest[0], ''] : [inIndex === 0 ? '' : rest[0], rest[inIndex + 1]];
  return {
    user: who,
    verb,
    resource: { group, resource, subResource, name: name ?? '', namespace: namespace ?? '' },
    path: '',
  };
}

const role = (name: string, rules: string, kind = 'ClusterRole', metadata = '') =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: {name: ${name}${metadata}}\nrules: [${rules}]\n---\n`;
const bindingTo = (roleRef: string, subject: string, namespace = '') =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding'}\nmetadata: {name: b${namespace === '' ? '' : `, namespace: ${namespace}`}}\nroleRef: {kind: ${roleRef.split('/')[0]}, name: ${roleRef.split('/')[1]}}\nsubjects: [${subject}]\n---\n`;
const ALICE = '{kind: User, name: alice}';

describe('rules', () => {
  it.each<[string, string, string, boolean]>([
    ['verb, group and resource', '{verbs: [get], apiGroups: [""], resources: [pods]}', 'get pods', true],
    ['another verb', '{verbs: [get], apiGroups: [""], resources: [pods]}', 'list pods', false],
    ['every verb', '{verbs: ["*"], apiGroups: [""], resources: [pods]}', 'use pods', true],
    ['another group', '{verbs: [get], apiGroups: [apps], resources: [pods]}', 'get pods', false],
    ['every group', '{verbs: [get], apiGroups: ["*"], resources: [pods]}', 'get pods', true],
    ['every resource', '{verbs: [get], apiGroups: [""], resources: ["*"]}', 'get pods', true],
    [
      'every resource includes subresources',
      '{verbs: [get], apiGroups: [apps], resources: ["*"]}',
      'get apps/deployments/scale',
      true,
    ],
    [
      'a resource without its subresource',
      '{verbs: [get], apiGroups: [apps], resources: [deployments]}',
      'get apps/deployments/scale',
      false,
    ],
    [
      'a subresource',
      '{verbs: [get], apiGroups: [apps], resources: [deployments/scale]}',
      'get apps/deployments/scale',
      true,
    ],
    [
      'a subresource of every resource',
      '{verbs: [get], apiGroups: [apps], resources: ["*/scale"]}',
      'get apps/deployments/scale',
      true,
    ],
    [
      'which excludes the resource itself',
      '{verbs: [get], apiGroups: [apps], resources: ["*/scale"]}',
      'get apps/deployments',
      false,
    ],
    [
      'resourceNames',
      '{verbs: [get], apiGroups: [""], resources: [pods], resourceNames: [a, web]}',
      'get pods web',
      true,
    ],
    ['another name', '{verbs: [get], apiGroups: [""], resources: [pods], resourceNames: [a]}', 'get pods web', false],
    [
      'resourceNames without a name in the request',
      '{verbs: [list], apiGroups: [""], resources: [pods], resourceNames: [a]}',
      'list pods',
      false,
    ],
    ['a path', '{verbs: [get], nonResourceURLs: [/healthz]}', 'get /healthz', true],
    ['another path', '{verbs: [get], nonResourceURLs: [/healthz]}', 'get /healthz/etcd', false],
    ['a prefix', '{verbs: [get], nonResourceURLs: ["/healthz/*"]}', 'get /healthz/etcd', true],
    ['every path', '{verbs: [get], nonResourceURLs: ["*"]}', 'get /metrics', true],
    ['resource rules do not cover paths', '{verbs: [get], apiGroups: ["*"], resources: ["*"]}', 'get /metrics', false],
  ])('%s', (_, rule, asked, allowed) => {
    const { allowed: answer } = authorizer(role('r', rule) + bindingTo('ClusterRole/r', ALICE)).answer(question(asked));
    expect(answer).toBe(allowed);
  });
});

describe('bindings', () => {
  const reader = role('reader', '{verbs: [get], apiGroups: [""], resources: [pods]}');
  const local = role('reader', '{verbs: [get], apiGroups: [""], resources: [pods]}', 'Role', ', namespace: shop');
  const group = '{kind: Group, name: developers}';
  it.each<[string, string, AccessQuestion, string | boolean]>([
    [
      'cluster-wide',
      reader + bindingTo('ClusterRole/reader', ALICE),
      question('get pods'),
      'ClusterRoleBinding "b" of ClusterRole "reader" to User "alice"',
    ],
    [
      'in every namespace',
      reader + bindingTo('ClusterRole/reader', group),
      question('get pods in shop'),
      'ClusterRoleBinding "b" of ClusterRole "reader" to Group "developers"',
    ],
    [
      'in one namespace',
      reader + bindingTo('ClusterRole/reader', ALICE, 'shop'),
      question('get pods in shop'),
      'RoleBinding "b/shop" of ClusterRole "reader" to User "alice"',
    ],
    [
      'not in another namespace',
      reader + bindingTo('ClusterRole/reader', ALICE, 'shop'),
      question('get pods in other'),
      false,
    ],
    ['not cluster-wide', reader + bindingTo('ClusterRole/reader', ALICE, 'shop'), question('get pods'), false],
    [
      'a Role',
      local + bindingTo('Role/reader', ALICE, 'shop'),
      question('get pods in shop'),
      'RoleBinding "b/shop" of Role "reader" to User "alice"',
    ],
    [
      'a Role in another namespace',
      local + bindingTo('Role/reader', ALICE, 'other'),
      question('get pods in other'),
      false,
    ],
    ['another user', reader + bindingTo('ClusterRole/reader', ALICE), question('get pods', user('bob')), false],
    [
      'a service account',
      reader + bindingTo('ClusterRole/reader', '{kind: ServiceAccount, name: bot, namespace: shop}'),
      question('get pods', bot),
      'ClusterRoleBinding "b" of ClusterRole "reader" to ServiceAccount "bot/shop"',
    ],
    [
      "a service account without a namespace, in the binding's namespace",
      reader + bindingTo('ClusterRole/reader', '{kind: ServiceAccount, name: bot}', 'shop'),
      question('get pods in shop', bot),
      'RoleBinding "b/shop" of ClusterRole "reader" to ServiceAccount "bot/shop"',
    ],
    [
      'but not in a ClusterRoleBinding',
      reader + bindingTo('ClusterRole/reader', '{kind: ServiceAccount, name: bot}'),
      question('get pods', bot),
      false,
    ],
    [
      'a service account as a user',
      reader + bindingTo('ClusterRole/reader', '{kind: User, name: "system:serviceaccount:shop:bot"}'),
      question('get pods', bot),
      'ClusterRoleBinding "b" of ClusterRole "reader" to User "system:serviceaccount:shop:bot"',
    ],
    ['system:masters may do everything', '', question('delete nodes', user('root', 'system:masters')), true],
  ])('%s', (_, yaml, asked, expected) => {
    const answer = authorizer(yaml).answer(asked);
    if (typeof expected === 'boolean') expect(answer.allowed).toBe(expected);
    else expect(answer).toEqual({ allowed: true, reason: `RBAC: allowed by ${expected}` });
  });

  it('reports a missing role, which grants nothing', () => {
    const yaml = bindingTo('ClusterRole/nothing', ALICE) + bindingTo('Role/nothing', ALICE, 'shop');
    expect(authorizer(yaml).answer(question('get pods in shop'))).toEqual({
      allowed: false,
      reason:
        'RBAC: [clusterrole.rbac.authorization.k8s.io "nothing" not found, role.rbac.authorization.k8s.io "nothing" not found]',
    });
  });
});

describe('aggregated ClusterRoles', () => {
  const aggregate = (name: string, label: string, labels = '') =>
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: ${name}${labels}}\naggregationRule: {clusterRoleSelectors: [{matchLabels: {${label}: "yes"}}]}\nrules: [{verbs: [own], apiGroups: [""], resources: [pods]}]\n---\n`;
  const part = role(
    'part',
    '{verbs: [get], apiGroups: [""], resources: [pods]}',
    'ClusterRole',
    ', labels: {part: "yes"}',
  );
  const bound = (name: string) => bindingTo(`ClusterRole/${name}`, ALICE);
  it.each<[string, string, string, boolean]>([
    ['have the rules of the selected roles', part + aggregate('whole', 'part') + bound('whole'), 'get pods', true],
    [
      'through several levels',
      part + aggregate('middle', 'part', ', labels: {middle: "yes"}') + aggregate('whole', 'middle') + bound('whole'),
      'get pods',
      true,
    ],
    [
      'and in cycles',
      aggregate('a', 'b', ', labels: {a: "yes"}') + aggregate('b', 'a', ', labels: {b: "yes"}') + bound('a'),
      'get pods',
      false,
    ],
    ['without their own rules', part + aggregate('whole', 'part') + bound('whole'), 'own pods', false],
    [
      'default roles select roles by label',
      role(
        'mine',
        '{verbs: [get], apiGroups: [example.com], resources: [gadgets]}',
        'ClusterRole',
        ', labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}',
      ) + bound('admin'),
      'get example.com/gadgets',
      true,
    ],
  ])('%s', (_, yaml, asked, allowed) => {
    expect(authorizer(yaml).answer(question(asked)).allowed).toBe(allowed);
  });
});

describe('default roles and bindings', () => {
  const bound = (name: string) => bindingTo(`ClusterRole/${name}`, ALICE, 'shop');
  it.each<[string, string, string, boolean]>([
    ['view reads', bound('view'), 'get apps/deployments in shop', true],
    ['but no secrets', bound('view'), 'get secrets in shop', false],
    ['edit writes', bound('edit'), 'update apps/deployments in shop', true],
    ['but grants no permissions', bound('edit'), 'create rbac.authorization.k8s.io/roles in shop', false],
    ['admin grants permissions', bound('admin'), 'create rbac.authorization.k8s.io/roles in shop', true],
    ['cluster-admin may do everything', bound('cluster-admin'), 'use anything/at/all in shop', true],
  ])('%s', (_, yaml, asked, allowed) => {
    expect(authorizer(yaml).answer(question(asked)).allowed).toBe(allowed);
  });
  it('include bindings', () => {
    const asked = question(
      'create authorization.k8s.io/selfsubjectaccessreviews',
      user('alice', 'system:authenticated'),
    );
    expect(authorizer('').answer(asked)).toEqual({
      allowed: true,
      reason:
        'RBAC: allowed by ClusterRoleBinding "system:basic-user" of ClusterRole "system:basic-user" to Group "system:authenticated"',
    });
  });
  it('depend on the release', () => {
    const names = (minor: number) => defaultRoles({ major: 1, minor }).roles.map(({ name }) => name);
    expect(names(36)).not.toContain('system:controller:storage-version-migrator-controller');
    expect(names(37)).toContain('system:controller:storage-version-migrator-controller');
  });
});

describe('incomplete facts', () => {
  const isComplete = false;
  it('the answer for a user without a binding is unknown', () => {
    expect(authorizer('', { isComplete }).answer(question('get pods'))).toEqual({
      allowed: 'unknown',
      missing: 'the files have no binding for alice or its groups',
    });
  });
  it('default permissions are known', () => {
    const asked = question('get /healthz', user('alice', 'system:authenticated'));
    expect(authorizer('', { isComplete }).answer(asked).allowed).toBe(true);
  });
  it('permissions of a binding are known', () => {
    expect(authorizer(bindingTo('ClusterRole/view', ALICE), { isComplete }).answer(question('get pods')).allowed).toBe(
      true,
    );
  });
  it('denials for a bound user are known', () => {
    expect(
      authorizer(bindingTo('ClusterRole/view', ALICE), { isComplete }).answer(question('delete pods')).allowed,
    ).toBe(false);
  });
  it('unless the role is missing', () => {
    expect(authorizer(bindingTo('ClusterRole/mine', ALICE), { isComplete }).answer(question('delete pods'))).toEqual({
      allowed: 'unknown',
      missing: 'ClusterRole mine, which ClusterRoleBinding b refers to, is not in the files',
    });
  });
});

describe('configured answers', () => {
  const none = {
    users: [],
    groups: [],
    namespaces: [],
    resourceNames: [],
    nonResourceURLs: [],
    apiGroups: [],
    resources: [],
  };
  const accessRules: readonly AccessRule[] = [
    { ...none, allowed: false, users: ['alice'], verbs: ['delete'], apiGroups: ['*'], resources: ['*'] },
    {
      ...none,
      allowed: true,
      groups: ['developers'],
      namespaces: ['shop'],
      verbs: ['*'],
      apiGroups: [''],
      resources: ['pods'],
    },
    { ...none, allowed: true, verbs: ['get'], nonResourceURLs: ['/metrics'] },
  ];
  it.each<[string, boolean | 'unknown']>([
    ['delete pods in shop', false],
    ['get pods in shop', true],
    ['get pods in other', 'unknown'],
    ['get pods', 'unknown'],
    ['get /metrics', true],
    ['get /healthz', 'unknown'],
  ])('%s', (asked, allowed) => {
    expect(authorizer('', { isComplete: false, accessRules }).answer(question(asked)).allowed).toBe(allowed);
  });
});
