// Effect of changed rules on the objects of the repository: the verdict of each before and after.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import { findingsOf, resourceName } from '../finding/finding.ts';
import { FindingParts } from '../finding/finding-parts.ts';
import { placeOf } from '../location/place.ts';
import { Owners } from '../owner/owners.ts';
import type { BlastRadius, BlastRadiusEntry, Finding, Outcome, RelatedPlace, ResourceName } from '../report.ts';
import { blastRadiusHeadline, bySeverity, resourceLabel, stricterLead, verdictChange } from '../wording/wording.ts';
import { compareFindings } from './comparison.ts';
import { firstDifference } from './first-difference.ts';
import { storedFields } from './stored-fields.ts';

export type RuleChange = BlastRadius['causes'][number]['change'];

const RANK: Readonly<Record<Outcome, number>> = { denied: 0, undecided: 1, warned: 2, audited: 3, allowed: 4 };
/** Maximum number of objects named in the warning about a changed rule. */
const MAX_NAMED = 5;

interface Cause {
  readonly cause: BlastRadius['causes'][number];
  /** Location of the change in head; undefined for a removed resource. */
  readonly location: SourceLocation | undefined;
}

/** A rule that became stricter. */
export interface StricterRule {
  readonly diagnostic: Diagnostic;
  /** The first affected objects. */
  readonly objects: readonly RelatedPlace[];
}

export class BlastRadiusBuilder {
  readonly #owners: Owners;
  readonly #parts = new FindingParts();
  readonly #causes = new Map<string, Cause>();
  readonly #entries: BlastRadiusEntry[] = [];
  /** Findings that make an entry worse than before. */
  readonly #reasons = new Map<BlastRadiusEntry, readonly Finding[]>();
  /** Names of the policies that change the stored fields of an entry. */
  readonly #changers = new Map<BlastRadiusEntry, readonly string[]>();

  constructor(owners: Owners = new Owners({})) {
    this.#owners = owners;
  }

  /** `old`: the resource in base. `at`: the location to report, if the resource is not written in the repository. */
  addCause(resource: Resource, change: RuleChange, old?: Resource, at?: SourceLocation): void {
    const cause = { resource: resourceName(resource, resource.namespace), change, path: resource.manifest.file.path };
    const { path, part } =
      old === undefined
        ? ({ path: ['metadata', 'name'], part: 'value' } as const)
        : firstDifference(old.value, resource.value);
    const location = change === 'deleted' ? undefined : (at ?? resource.locate(path, part));
    this.#causes.set(JSON.stringify(cause), { cause, location });
  }

  /** The same request under the rules of base and of head. `isKept`: selects findings of base that remain. */
  add(
    before: EvaluatedResource,
    after: EvaluatedResource,
    target: string,
    isKept: (finding: Finding) => boolean = () => false,
  ): void {
    const old = findingsOf(before, target, this.#parts).findings;
    const now = [...findingsOf(after, target, this.#parts).findings, ...old.filter(isKept)];
    const [outcomeBefore, outcomeAfter] = [outcomeOf(before, old), outcomeOf(after, now)];
    const compared = compareFindings(now, old);
    const { added, fixed } = withoutRenamed(
      compared.findings.filter(({ status }) => status === 'new'),
      compared.fixed,
    );
    const stored = storedFields(before, after);
    const isSameAnswer = outcomeBefore === outcomeAfter && added.length + fixed.length === 0;
    if (isSameAnswer && stored.fields.length === 0) return;
    const { resource, request } = after;
    // The most severe finding explains the new verdict.
    const [reason] = bySeverity(added);
    const primary = reason?.primary ?? placeOf(resource.locate(['kind'], 'value'));
    const owners = this.#owners.of(primary.path, resource);
    const entry: BlastRadiusEntry = {
      target,
      resource: resourceName(resource, request.namespace),
      before: outcomeBefore,
      after: outcomeAfter,
      added: added.length,
      removed: fixed.length,
      policies: isSameAnswer
        ? stored.policies
        : policyNames(added.length + fixed.length > 0 ? [...added, ...fixed] : now),
      ...(reason && { message: reason.message }),
      ...(stored.fields.length > 0 && { fields: stored.fields }),
      ...(owners && { owners }),
      primary,
    };
    this.#entries.push(entry);
    if (stored.fields.length > 0) this.#changers.set(entry, stored.policies);
    if (isWorse(entry)) this.#reasons.set(entry, added.length > 0 ? added : now);
  }

  /** Undefined if no rule changed. */
  build(): BlastRadius | undefined {
    if (this.#causes.size === 0) return undefined;
    const open = this.#entries.filter(isOpened).length;
    const stored = this.#entries.filter(({ fields }) => fields !== undefined).length;
    const isOther = ({ before, after }: BlastRadiusEntry): boolean => before !== after;
    const count = (matches: (entry: BlastRadiusEntry) => boolean): number => this.#entries.filter(matches).length;
    return {
      causes: [...this.#causes.values()].map(({ cause }) => cause).sort((a, b) => compareText(a.path, b.path)),
      denied: count((entry) => isOther(entry) && entry.after === 'denied'),
      allowed: count((entry) => isOther(entry) && entry.before === 'denied' && RANK[entry.after] > RANK.warned),
      warned: count((entry) => isOther(entry) && entry.after === 'warned'),
      stricter: count((entry) => !isOther(entry) && entry.added > 0),
      worse: this.#reasons.size,
      ...(stored > 0 && { stored }),
      ...(open > 0 && { open }),
      entries: this.#entries.sort(compareEntries),
    };
  }

  /** Call after `build`. Returns one warning per changed rule that is worse for some objects. */
  stricterRules(): readonly StricterRule[] {
    const causes = [...this.#causes.values()];
    const entriesOf = new Map<Cause, BlastRadiusEntry[]>(causes.map((cause) => [cause, []]));
    for (const entry of this.#entries) {
      const reasons = this.#reasons.get(entry);
      if (reasons === undefined) continue;
      const changers = this.#changers.get(entry) ?? [];
      const named = causes.filter(
        ({ cause: { resource } }) =>
          changers.includes(resource.name) || reasons.some((finding) => isNamedBy(resource, finding)),
      );
      for (const cause of named.length > 0 ? named : causes) entriesOf.get(cause)?.push(entry);
    }
    return [...entriesOf].flatMap(([{ cause, location }, entries]) => {
      if (entries.length === 0) return [];
      const words = blastRadiusHeadline({
        denied: entries.filter(({ before, after }) => before !== after && after === 'denied').length,
        warned: entries.filter(({ before, after }) => before !== after && after === 'warned').length,
        allowed: 0,
        stricter: entries.filter(({ before, after }) => before === after).length,
        open: entries.filter(isOpened).length,
      });
      const diagnostic: Diagnostic = {
        code: 'stricter-rule',
        severity: 'warning',
        message: `${stricterLead(cause)}${words}`,
        ...(location && { primary: location }),
        related: [],
        help: entries.every(isOpened)
          ? 'add the data that the rule needs to the repository or to `clusterFacts`'
          : 'fix these objects first, or set the binding to Warn until they are fixed',
      };
      return [{ diagnostic, objects: entries.slice(0, MAX_NAMED).map(asRelated) }];
    });
  }
}

/** A renamed policy or binding repeats a finding of the one it replaces. */
function withoutRenamed(
  added: readonly Finding[],
  fixed: readonly Finding[],
): { readonly added: readonly Finding[]; readonly fixed: readonly Finding[] } {
  if (added.length === 0 || fixed.length === 0) return { added, fixed };
  const left = new Map<string, Finding[]>();
  for (const finding of fixed) left.set(answerKey(finding), [...(left.get(answerKey(finding)) ?? []), finding]);
  const paired = new Set<Finding>();
  const others = added.filter((finding) => {
    const same = left.get(answerKey(finding))?.pop();
    if (same !== undefined) paired.add(same);
    return same === undefined;
  });
  return { added: others, fixed: fixed.filter((finding) => !paired.has(finding)) };
}

function answerKey({ result, message, actions, primary, policy }: Finding): string {
  const place = [primary.path, primary.startLine, primary.startColumn];
  return JSON.stringify([policy.kind, result, message, [...actions].sort(), ...place]);
}

function asRelated(entry: BlastRadiusEntry): RelatedPlace {
  return { message: `${resourceLabel(entry.resource)}: ${verdictChange(entry)}`, place: entry.primary };
}

/** Worse means a more severe outcome, or the same outcome with new findings. */
function isWorse({ before, after, added }: BlastRadiusEntry): boolean {
  return RANK[after] < RANK[before] || (before === after && added > 0);
}

/** True if the changed resource is the policy, binding, param or Namespace of the finding. */
function isNamedBy({ kind, namespace, name }: ResourceName, { policy, binding, param, resource }: Finding): boolean {
  if (kind === policy.kind) return name === policy.name;
  if (kind === 'Namespace') return name === resource.namespace;
  if (param !== undefined && kind === param.kind && name === param.name && namespace === param.namespace) return true;
  return kind.endsWith('Binding') && name === binding;
}

/** Policies of the differing findings; if only actions differ, policies of all findings. */
function policyNames(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ policy }) => policy.name))].sort();
}

function outcomeOf({ outcomes }: EvaluatedResource, findings: readonly Finding[]): Outcome {
  const decided = findings.filter(({ result }) => result !== 'unknown');
  const has = (action: Finding['actions'][number]): boolean => decided.some(({ actions }) => actions.includes(action));
  if (has('Deny')) return 'denied';
  // A policy or rule that could not be evaluated.
  const isOpen =
    outcomes.some(({ open }) => open?.some(({ actions }) => actions.includes('Deny')) === true) ||
    findings.some(({ result, actions }) => result === 'unknown' && actions.includes('Deny'));
  if (isOpen) return 'undecided';
  if (has('Warn')) return 'warned';
  return has('Audit') ? 'audited' : 'allowed';
}

function isOpened({ before, after }: BlastRadiusEntry): boolean {
  return before !== after && after === 'undecided';
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
