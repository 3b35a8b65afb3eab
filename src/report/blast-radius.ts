// What changed rules mean for the objects of the repository: which answer each got before, and which it gets now.
import type { Resource } from '../kubernetes/resource.ts';
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import { compareFindings } from './comparison.ts';
import { findingsOf, resourceName } from './finding.ts';
import { placeOf } from './place.ts';
import type { BlastRadius, BlastRadiusEntry, Finding, Outcome } from './report.ts';

export type RuleChange = BlastRadius['causes'][number]['change'];

const RANK: Readonly<Record<Outcome, number>> = { denied: 0, warned: 1, audited: 2, allowed: 3 };

export class BlastRadiusBuilder {
  readonly #causes = new Map<string, BlastRadius['causes'][number]>();
  readonly #entries: BlastRadiusEntry[] = [];

  addCause(resource: Resource, change: RuleChange): void {
    const cause = { resource: resourceName(resource, resource.namespace), change, path: resource.manifest.file.path };
    this.#causes.set(JSON.stringify(cause), cause);
  }

  /** The same request under base's rules and under head's. */
  add(before: EvaluatedResource, after: EvaluatedResource, target: string): void {
    const [old, now] = [findingsOf(before, target).findings, findingsOf(after, target).findings];
    const [outcomeBefore, outcomeAfter] = [outcomeOf(old), outcomeOf(now)];
    if (outcomeBefore === outcomeAfter) return;
    const { findings, fixed } = compareFindings(now, old);
    const added = findings.filter(({ status }) => status === 'new');
    const { resource, request } = after;
    this.#entries.push({
      target,
      resource: resourceName(resource, request.namespace),
      before: outcomeBefore,
      after: outcomeAfter,
      policies: policyNames(added.length + fixed.length > 0 ? [...added, ...fixed] : now),
      ...(added[0] && { message: added[0].message }),
      primary: added[0]?.primary ?? placeOf(resource.locate(['kind'], 'value')),
    });
  }

  /** Undefined if no rule changed. */
  build(): BlastRadius | undefined {
    if (this.#causes.size === 0) return undefined;
    const count = (matches: (entry: BlastRadiusEntry) => boolean): number => this.#entries.filter(matches).length;
    return {
      causes: [...this.#causes.values()].sort((a, b) => compareText(a.path, b.path)),
      denied: count(({ after }) => after === 'denied'),
      allowed: count(({ before, after }) => before === 'denied' && after !== 'warned'),
      warned: count(({ after }) => after === 'warned'),
      entries: this.#entries.sort(compareEntries),
    };
  }
}

/** Of the findings that make the difference; where only their actions do, of all. */
function policyNames(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ policy }) => policy.name))].sort();
}

function outcomeOf(findings: readonly Finding[]): Outcome {
  const has = (action: Finding['actions'][number]): boolean => findings.some(({ actions }) => actions.includes(action));
  if (has('Deny')) return 'denied';
  if (has('Warn')) return 'warned';
  return has('Audit') ? 'audited' : 'allowed';
}

function compareEntries(a: BlastRadiusEntry, b: BlastRadiusEntry): number {
  return (
    RANK[a.after] - RANK[b.after] ||
    compareText(a.primary.path, b.primary.path) ||
    a.primary.startLine - b.primary.startLine ||
    compareText(a.resource.name, b.resource.name) ||
    compareText(a.target, b.target)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
