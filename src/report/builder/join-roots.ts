// Joins findings at the same location that several roots render: a base used by ten clusters gives one finding.

import { compareText } from '../finding/finding-order.ts';
import type { Finding, JudgedObject, RelatedPlace } from '../report.ts';
import { targetsOf } from '../wording/wording.ts';

/** Message prefix of the related location where a root is declared. */
const DECLARED = 'rendered by';
/** Maximum number of root declarations per finding. */
const MAXIMUM_DECLARATIONS = 3;

/**
 * Joins findings with equal location and rule into the first of them, with all roots and targets; independent of the input order. Rendered
 * objects may have different names in each root. Findings of plain manifests are joined only across targets; duplicates within a target
 * stay separate.
 */
export function joinRoots(findings: readonly Finding[]): readonly Finding[] {
  const [first] = findings;
  if (findings.every(({ roots, target }) => roots === undefined && target === first?.target)) return findings;
  const groups = new Map<string, Finding[]>();
  const times = new Map<string, number>();
  for (const finding of findings) {
    let key = keyOf(finding);
    if (finding.roots === undefined) {
      const said = `${key} ${finding.target}`;
      const before = times.get(said) ?? 0;
      times.set(said, before + 1);
      key = `${key} ${before}`;
    }
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].map(joined);
}

function keyOf(finding: Finding): string {
  const { policy, rule, primary, excuse } = finding;
  return JSON.stringify([
    finding.code,
    finding.severity,
    finding.result,
    finding.status,
    finding.actions,
    policy.kind,
    policy.name,
    finding.binding,
    finding.param,
    rule.field,
    finding.operation,
    finding.fieldPath,
    finding.resource.kind,
    [primary.path, primary.startLine, primary.startColumn, primary.endLine, primary.endColumn],
    excuse && [excuse.by, excuse.reason, excuse.expires],
    finding.roots === undefined && [finding.message, finding.resource.namespace, finding.resource.name],
  ]);
}

/** The group is not empty. */
function joined(group: readonly Finding[]): Finding {
  const first = [...group].sort(compareFindings)[0] as Finding;
  if (group.length === 1) return first;
  const roots = sortedSet(group.flatMap((finding) => finding.roots ?? []));
  const targets = sortedSet(group.flatMap(targetsOf));
  const owners = sortedSet(group.flatMap((finding) => finding.owners ?? []));
  const related = withDeclarations(first.related, group);
  const each = new Map(group.flatMap(judgedObjects).map((object) => [JSON.stringify(object), object]));
  const objects = [...each.values()].sort(compareObjects).map((object) => withoutWordsOf(first, object));
  return {
    ...first,
    ...(targets.length > 1 && { targets }),
    ...(roots.length > 0 && { roots }),
    ...(owners.length > 0 && { owners }),
    objects,
    related,
  };
}

/** Splits a joined finding into one finding per object, each with its own message. */
export function separated(finding: Finding): readonly Finding[] {
  const { objects: _objects, targets: _targets, ...own } = finding;
  return judgedObjects(finding).map((object) => ({ ...own, ...object }));
}

/** Objects of the finding, each with all of its messages. */
function judgedObjects({
  objects,
  target,
  resource,
  message,
  serverMessage,
}: Finding): readonly Required<JudgedObject>[] {
  return (objects ?? [{ target, resource }]).map((object) => ({ message, serverMessage, ...object }));
}

function withoutWordsOf(finding: Finding, { target, resource, ...words }: Required<JudgedObject>): JudgedObject {
  return {
    target,
    resource,
    ...(words.message !== finding.message && { message: words.message }),
    ...(words.serverMessage !== finding.serverMessage && { serverMessage: words.serverMessage }),
  };
}

function compareObjects(one: Required<JudgedObject>, other: Required<JudgedObject>): number {
  return (
    compareText(one.target, other.target) ||
    compareText(one.resource.namespace ?? '', other.resource.namespace ?? '') ||
    compareText(one.resource.name, other.resource.name) ||
    compareText(one.message, other.message)
  );
}

function sortedSet(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort(compareText);
}

/**
 * Related locations of the first finding plus the root declarations of all, sorted by file so that merging shards gives the same result.
 */
function withDeclarations(own: readonly RelatedPlace[], group: readonly Finding[]): readonly RelatedPlace[] {
  const at = own.findIndex(({ message }) => message === DECLARED);
  if (at < 0) return own;
  const byPlace = new Map<string, RelatedPlace>();
  for (const { related } of group) {
    for (const each of related) if (each.message === DECLARED) byPlace.set(placeKey(each), each);
  }
  const declarations = [...byPlace.values()].sort(comparePlaces).slice(0, MAXIMUM_DECLARATIONS);
  const others = own.filter(({ message }) => message !== DECLARED);
  return [...others.slice(0, at), ...declarations, ...others.slice(at)];
}

function placeKey({ place }: RelatedPlace): string {
  return [place.path, place.startLine, place.startColumn].join('\0');
}

function comparePlaces({ place: one }: RelatedPlace, { place: other }: RelatedPlace): number {
  return compareText(one.path, other.path) || one.startLine - other.startLine || one.startColumn - other.startColumn;
}

function compareFindings(one: Finding, other: Finding): number {
  return (
    compareText(one.target, other.target) ||
    compareText(one.roots?.[0] ?? '', other.roots?.[0] ?? '') ||
    compareText(one.resource.namespace ?? '', other.resource.namespace ?? '') ||
    compareText(one.resource.name, other.resource.name) ||
    compareText(one.fingerprint, other.fingerprint)
  );
}
