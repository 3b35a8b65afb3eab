// Whether a policy may be about objects of some kinds, told from what it says that it matches: never no where it is yes.
import type { GroupVersionKind } from '../../kubernetes/group-version.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json.ts';
import { textField, textItems } from '../../source/json-field.ts';

export interface PolicySubject extends GroupVersionKind {
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
export function policiesAbout(policies: readonly Resource[], subjects: readonly PolicySubject[]): readonly Resource[] {
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

function mayMatch(policy: JsonObject, subject: PolicySubject): boolean {
  const answers = rulesIn(policy, subject);
  return answers.length === 0 || answers.includes(true);
}

/** For every list of kinds or resources in it whether the subject may be among them. */
function rulesIn(value: JsonValue, subject: PolicySubject): readonly boolean[] {
  if (isJsonArray(value)) return value.flatMap((item) => rulesIn(item, subject));
  if (!isJsonObject(value)) return [];
  const answers: boolean[] = [];
  for (const [key, field] of value) {
    if (key === 'kinds' && isJsonArray(field)) answers.push(textItems(field).some((kind) => isKind(kind, subject)));
    else if (key === 'resources' && isJsonArray(field)) {
      const groups = value.has('apiGroups') ? textItems(value.get('apiGroups')) : ['*'];
      answers.push(textItems(field).some((resource) => isResource(resource, groups, subject)));
    } else for (const answer of rulesIn(field, subject)) answers.push(answer);
  }
  return answers;
}

/** `Kind`, `version/Kind`, `group/version/Kind`, each with a subresource or without, and with patterns. */
function isKind(written: string, { kind }: PolicySubject): boolean {
  if (/[*?{$]/.test(written.replace(/^(?:\*\/)+/, ''))) return true;
  return written
    .toLowerCase()
    .split(/[/.]/)
    .some((part) => isName(part, kind.toLowerCase()));
}

function isResource(written: string, groups: readonly string[], { group, kind, isBuiltin }: PolicySubject): boolean {
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
