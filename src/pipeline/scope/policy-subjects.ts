// Decides whether a policy may match objects of some kinds. The answer is never a wrong no.
import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { textField, textItems } from '../../source/json/json-field.ts';

export interface JudgedKind extends GroupVersionKind {
  /** True for kinds without a CustomResourceDefinition: the resource name follows from the kind. */
  readonly isBuiltin: boolean;
}

/** Kinds that create Pods. A policy about Pods may also match their templates. */
const POD_MAKERS: ReadonlySet<string> = new Set([
  'deployment',
  'replicaset',
  'statefulset',
  'daemonset',
  'job',
  'cronjob',
  'replicationcontroller',
]);

/** The policies and bindings that may match one of the subjects. */
export function policiesAbout(policies: readonly Resource[], subjects: readonly JudgedKind[]): readonly Resource[] {
  const byName = new Map<string, Resource[]>();
  for (const policy of policies) {
    const same = byName.get(policy.name);
    if (same === undefined) byName.set(policy.name, [policy]);
    else same.push(policy);
  }
  const known = new Map<Resource, boolean>();
  const isAbout = (policy: Resource): boolean => {
    const found = known.get(policy) ?? subjects.some((subject) => mayMatch(policy.value, subject));
    known.set(policy, found);
    return found;
  };
  return policies.filter((policy) => {
    const spec = policy.value.get('spec');
    const bound = isJsonObject(spec) ? textField(spec, 'policyName') : '';
    const named = bound === '' ? [] : (byName.get(bound) ?? []).filter((other) => other !== policy);
    return named.length === 0 ? isAbout(policy) : named.some(isAbout);
  });
}

function mayMatch(policy: JsonObject, subject: JudgedKind): boolean {
  const lists = LISTS.get(policy) ?? listsIn(policy);
  LISTS.set(policy, lists);
  return lists.length === 0 || lists.some((list) => holds(list, subject));
}

/** `kinds` of a Kyverno policy, or `resources` of an admission policy with their groups. */
type SubjectList =
  | { readonly kinds: readonly string[] }
  | { readonly resources: readonly string[]; readonly groups: readonly string[] };

/** Cached per policy, independent of the number of kinds. */
const LISTS = new WeakMap<JsonObject, readonly SubjectList[]>();

function listsIn(policy: JsonObject): readonly SubjectList[] {
  const lists: SubjectList[] = [];
  const add = (value: JsonValue): void => {
    if (isJsonArray(value)) for (const item of value) add(item);
    if (!isJsonObject(value)) return;
    for (const [key, field] of value) {
      if (key === 'kinds' && isJsonArray(field)) lists.push({ kinds: textItems(field) });
      else if (key === 'resources' && isJsonArray(field)) {
        const groups = value.has('apiGroups') ? textItems(value.get('apiGroups')) : ['*'];
        lists.push({ resources: textItems(field), groups });
      } else add(field);
    }
  };
  add(policy);
  return lists;
}

function holds(list: SubjectList, subject: JudgedKind): boolean {
  if ('kinds' in list) return list.kinds.some((kind) => isKind(kind, subject));
  return list.resources.some((resource) => isResource(resource, list.groups, subject));
}

/** `Kind`, `version/Kind` or `group/version/Kind`, with or without a subresource, also with patterns. */
function isKind(written: string, { kind }: JudgedKind): boolean {
  if (/[*?{$]/.test(written.replace(/^(?:\*\/)+/, ''))) return true;
  return written
    .toLowerCase()
    .split(/[/.]/)
    .some((part) => isName(part, kind.toLowerCase()));
}

function isResource(written: string, groups: readonly string[], { group, kind, isBuiltin }: JudgedKind): boolean {
  if (/[*?{$]/.test(written.split('/')[0] ?? '')) return isBuiltin || groups.includes('*') || groups.includes(group);
  if (!isBuiltin) return groups.includes('*') || groups.includes(group);
  // Ignores the group, because another group may serve the same objects.
  return isName((written.split('/')[0] ?? '').toLowerCase(), kind.toLowerCase());
}

/** True for the kind or its plural. A policy about Pods also matches kinds that create Pods. */
function isName(name: string, kind: string): boolean {
  if (name.startsWith(kind.replace(/y$/, ''))) return true;
  return /^pods?$|^podcontrollers?$/.test(name) && POD_MAKERS.has(kind);
}
