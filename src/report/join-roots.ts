// Joins what is one mistake in one place, though several roots render it: ten clusters that include a base give one finding.
import { compareText } from './finding-order.ts';
import type { Finding, RelatedPlace } from './report.ts';

/** What a rendered object says of the place that its root is declared at. */
const DECLARED = 'rendered by';
/** Declarations that one finding points at. */
const MAXIMUM_DECLARATIONS = 3;

/**
 * Findings of rendered objects on one place and by one rule become the first of them, with the roots of all; whatever order they come in.
 * Two targets that judge the same root keep a finding each, as they do for written objects.
 */
export function joinRoots(findings: readonly Finding[]): readonly Finding[] {
  const groups = new Map<string, Finding[]>();
  const alone: Finding[] = [];
  for (const finding of findings) {
    if (finding.roots === undefined) {
      alone.push(finding);
      continue;
    }
    const key = keyOf(finding);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  if (groups.size === 0) return findings;
  return [...alone, ...[...groups.values()].flatMap(joined)];
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
  ]);
}

function joined(group: readonly Finding[]): readonly Finding[] {
  const [only] = group;
  if (only === undefined || group.length === 1) return group;
  const sorted = [...group].sort(compareFindings);
  const first = sorted[0] as Finding;
  const roots = new Map<string, string>();
  const repeated: Finding[] = [];
  for (const finding of sorted) {
    const isElsewhere = finding.roots?.some((root) => (roots.get(root) ?? finding.target) !== finding.target);
    if (isElsewhere === true) repeated.push(finding);
    else for (const root of finding.roots ?? []) roots.set(root, finding.target);
  }
  const names = [...roots.keys()].sort(compareText);
  const targets = [...new Set(roots.values())].sort(compareText);
  const together = sorted.filter((finding) => !repeated.includes(finding));
  const related = withDeclarations(first.related, together);
  return [{ ...first, ...(targets.length > 1 && { targets }), roots: names, related }, ...joined(repeated)];
}

/** The places of the first finding, with those of the declarations of all roots: in the order of their files, as joining goes on with shards. */
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
