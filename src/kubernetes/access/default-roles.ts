// The roles and bindings that every API server creates at startup (`plugin/pkg/auth/authorizer/rbac/bootstrappolicy`).

import type { KubernetesVersion } from '../api/version.ts';
import { isServed } from '../schema/minor-range.ts';
import type { LabelSelector, Labels } from '../selector/label-selector.ts';
import type { PolicyRule } from './access.ts';
import table from './default-roles.generated.json' with { type: 'json' };

export interface Role {
  readonly kind: string;
  /** Empty for ClusterRoles. */
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly rules: readonly PolicyRule[];
  /** Selects the roles whose rules a controller copies into this one; undefined for roles with their own rules. */
  readonly aggregated: readonly LabelSelector[] | undefined;
}

export interface RoleSubject {
  readonly kind: string;
  readonly name: string;
  /** Empty except for service accounts with a namespace. */
  readonly namespace: string;
}

export interface RoleBinding {
  readonly kind: string;
  /** Empty for ClusterRoleBindings. */
  readonly namespace: string;
  readonly name: string;
  readonly roleKind: string;
  readonly roleName: string;
  readonly subjects: readonly RoleSubject[];
}

export interface DefaultRoles {
  readonly roles: readonly Role[];
  readonly bindings: readonly RoleBinding[];
}

/** Parses some 500 short lines on every call, so keep the result. */
export function defaultRoles({ minor }: KubernetesVersion): DefaultRoles {
  const roles: Role[] = [];
  const bindings: RoleBinding[] = [];
  const rules = new Map<string, PolicyRule[]>();
  for (const line of table.lines) {
    const [minors, what, kind = '', namespace = '', name = '', ...rest] = line.split('|');
    if (!isServed(minors, minor)) continue;
    if (what === 'binding') {
      const [roleKind = '', roleName = '', subjects = ''] = rest;
      bindings.push({ kind, namespace, name, roleKind, roleName, subjects: list(subjects).map(parseSubject) });
      continue;
    }
    const key = `${kind} ${namespace}/${name}`;
    const own = rules.get(key) ?? [];
    rules.set(key, own);
    if (what === 'rule') own.push(parseRule(rest));
    else {
      const [labels = '', aggregated = ''] = rest;
      const selectors = aggregated === '' ? undefined : aggregated.split(' ').map(parseSelector);
      roles.push({ kind, namespace, name, labels: parseLabels(labels), rules: own, aggregated: selectors });
    }
  }
  return { roles, bindings };
}

function parseRule([verbs = '', ...rest]: readonly string[]): PolicyRule {
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  if (rest.length === 1) return { ...none, verbs: list(verbs), nonResourceURLs: list(rest[0]) };
  const [groups = '', resources, names] = rest;
  // The table writes the core group as an empty string.
  return {
    ...none,
    verbs: list(verbs),
    apiGroups: groups.split(','),
    resources: list(resources),
    resourceNames: list(names),
  };
}

function parseSubject(text: string): RoleSubject {
  const value = text.slice(2);
  if (text.startsWith('U=')) return { kind: 'User', name: value, namespace: '' };
  if (text.startsWith('G=')) return { kind: 'Group', name: value, namespace: '' };
  const [namespace = '', name = ''] = value.split('/');
  return { kind: 'ServiceAccount', name, namespace };
}

function parseLabels(text: string): Labels {
  return new Map(list(text).map((label) => label.split('=') as [string, string]));
}

function parseSelector(text: string): LabelSelector {
  const requirements = [...parseLabels(text)].map(([key, value]) => ({
    key,
    operator: 'In' as const,
    values: [value],
  }));
  return { requirements };
}

function list(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(',');
}
