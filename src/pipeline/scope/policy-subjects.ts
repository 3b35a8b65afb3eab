// Whether a policy may be about objects of some kinds, told from what it says that it matches: never no where it is yes.
import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { textField, textItems } from '../../source/json/json-field.ts';

export interface JudgedKind extends GroupVersionKind {
  /** True for kinds that need no definition: the name of the resource follows from the kind. */
  readonly isBuiltin: boolean;
}

/** What makes Pods: a policy about Pods may be asked about their templates. */
const POD_MAKERS: ReadonlySet<string> = new Set([
  'deployment',
  'replicaset',
  'statefulset',
  'daemonset',
  'job',
  'cronjob',
  'replicationcontroller',
]);

/** Those of the policies and bindings that may be asked about one of the subjects. */
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

/** Of a policy: `kinds` of Kyverno, or `resources` with their groups. */
type SubjectList =
  | { readonly kinds: readonly string[] }
  | { readonly resources: readonly string[]; readonly groups: readonly string[] };

/** Looked for once in each policy, however many kinds are asked about. */
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

/** `Kind`, `version/Kind`, `group/version/Kind`, each with a subresource or without, and with patterns. */
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
  // Whatever the group: another one may serve the same objects.
  return isName((written.split('/')[0] ?? '').toLowerCase(), kind.toLowerCase());
}

/** A kind, or the plural that follows from it; what is about Pods is about their makers. */
function isName(name: string, kind: string): boolean {
  if (name.startsWith(kind.replace(/y$/, ''))) return true;
  return /^pods?$|^podcontrollers?$/.test(name) && POD_MAKERS.has(kind);
}
