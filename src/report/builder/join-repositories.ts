// Joins the reports of several repositories into one, with the repository before every path and cluster. Its lists are bounded.
import { append } from '../../go/slices/append.ts';
import { placePath } from '../../source/manifest/relocated-manifest.ts';
import { addUnlisted, limitRanked, NOTHING_UNLISTED, rankOf } from '../finding/finding-limits.ts';
import { sortedFindings } from '../finding/finding-order.ts';
import { fingerprint } from '../finding/fingerprint.ts';
import type {
  Excuse,
  FailOn,
  FetchedHost,
  Finding,
  Place,
  RelatedPlace,
  Report,
  ReportedDiagnostic,
  RepositorySummary,
  SkippedEntry,
  TargetSummary,
  Verdict,
} from '../report.ts';
import { REPORT_SCHEMA_VERSION } from '../report.ts';
import { bySeverity } from '../wording/wording.ts';

/** Most findings, and most diagnostics, that a joined report lists; the numbers are complete. */
const MAX_LISTED = 10_000;
const MAX_SKIPPED = 2_000;
/** Cutting a list reads every entry, so a list is cut only when it exceeds its limit by this factor. */
const SLACK = 1.25;
const STRICTEST: readonly FailOn[] = ['audit', 'warn', 'deny', 'error', 'never'];

const NO_NUMBERS = {
  denied: 0,
  warned: 0,
  audited: 0,
  errors: 0,
  undecided: 0,
  open: 0,
  notRendered: 0,
  incomplete: 0,
  unread: 0,
};

export class JoinedRepositories {
  readonly #preadmit: string;
  readonly #summaries: RepositorySummary[] = [];
  readonly #reasons = new Map<string, { readonly meaning: string; count: number }>();
  readonly #targets: TargetSummary[] = [];
  readonly #sources: { readonly name: string; readonly version: string }[] = [];
  readonly #fetched = new Map<string, FetchedHost>();
  #findings: Finding[] = [];
  #diagnostics: ReportedDiagnostic[] = [];
  #unlisted = NOTHING_UNLISTED;
  #skipped: SkippedEntry[] = [];
  #numbers = NO_NUMBERS;
  #coverage = { files: 0, found: 0, evaluated: 0 };
  #failOn: FailOn = 'never';
  #fails = false;
  #hasOwners = false;

  /** `preadmit`: version that joins. */
  constructor(preadmit: string) {
    this.#preadmit = preadmit;
  }

  /** `report`: of a whole run. Keeps nothing of it but bounded lists and numbers. */
  add(name: string, report: Report): void {
    const { verdict, coverage, findings, diagnostics } = report;
    const at = new Renamed(name);
    this.#summaries.push({
      name,
      preadmit: report.preadmit,
      conclusion: verdict.conclusion,
      evaluated: coverage.evaluated,
      denied: verdict.denied,
      warned: verdict.warned,
      audited: verdict.audited,
      errors: verdict.errors,
      unjudged: unjudged(verdict),
      ...(report.unusable !== undefined && { unusable: report.unusable }),
    });
    this.#numbers = Object.fromEntries(
      Object.entries(this.#numbers).map(([key, sum]) => [key, sum + verdict[key as keyof typeof NO_NUMBERS]]),
    ) as typeof NO_NUMBERS;
    const isOpen = verdict.conclusion === 'undecided' && verdict.onUndecided === 'fail';
    this.#fails ||= isOpen || (verdict.conclusion === 'nothing-checked' && verdict.failOn !== 'never');
    if (STRICTEST.indexOf(verdict.failOn) < STRICTEST.indexOf(this.#failOn)) this.#failOn = verdict.failOn;
    this.#coverage = {
      files: this.#coverage.files + coverage.files,
      found: this.#coverage.found + coverage.found,
      evaluated: this.#coverage.evaluated + coverage.evaluated,
    };
    for (const { reason, meaning, count } of coverage.notEvaluated) {
      const known = this.#reasons.get(reason);
      if (known === undefined) this.#reasons.set(reason, { meaning, count });
      else known.count += count;
    }
    for (const entry of coverage.skipped) {
      if (this.#skipped.length < MAX_SKIPPED) this.#skipped.push({ ...entry, path: at.path(entry.path) });
    }
    for (const target of report.targets) this.#targets.push(at.target(target));
    for (const { name: source, version } of report.policySources ?? []) {
      this.#sources.push({ name: at.path(source), version });
    }
    for (const host of report.fetched ?? []) this.#addHost(host);
    this.#hasOwners ||= report.ownership !== undefined;
    this.#addFindings(findings.map((finding) => at.finding(finding)));
    if (report.unlisted !== undefined) this.#unlisted = addUnlisted(this.#unlisted, report.unlisted);
    append(
      this.#diagnostics,
      diagnostics.map((each) => at.diagnostic(each)),
    );
    if (this.#diagnostics.length > MAX_LISTED * SLACK) this.#limit();
  }

  /** An expected repository without a report: nothing is known about it. */
  addMissing(name: string): void {
    this.#summaries.push({
      name,
      conclusion: 'missing',
      evaluated: 0,
      denied: 0,
      warned: 0,
      audited: 0,
      errors: 0,
      unjudged: 0,
    });
    this.#fails = true;
  }

  build(): Report {
    this.#limit();
    const repositories = this.#summaries.sort((one, other) => (one.name < other.name ? -1 : 1));
    const unlisted = this.#unlisted;
    return {
      schemaVersion: REPORT_SCHEMA_VERSION,
      preadmit: this.#preadmit,
      verdict: {
        conclusion: conclusionOf(repositories),
        failOn: this.#failOn,
        onUndecided: this.#fails ? 'fail' : 'warn',
        ...this.#numbers,
      },
      repositories,
      coverage: {
        ...this.#coverage,
        notEvaluated: Array.from(this.#reasons, ([reason, { meaning, count }]) => ({ reason, meaning, count })).sort(
          (one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1),
        ),
        skipped: this.#skipped.sort((one, other) => (one.path < other.path ? -1 : 1)),
      },
      targets: this.#targets.sort((one, other) => (one.name < other.name ? -1 : 1)),
      findings: sortedFindings(this.#findings),
      diagnostics: this.#diagnostics.sort((one, other) =>
        (one.primary?.path ?? '') < (other.primary?.path ?? '') ? -1 : 1,
      ),
      ...(unlisted.error + unlisted.warning + unlisted.notice > 0 && { unlisted }),
      ...(this.#sources.length > 0 && { policySources: this.#sources }),
      ...(this.#fetched.size > 0 && { fetched: [...this.#fetched.values()] }),
      ...(this.#hasOwners && { ownership: {} }),
    };
  }

  #addFindings(findings: readonly Finding[]): void {
    append(this.#findings, findings);
    if (this.#findings.length > MAX_LISTED * SLACK) this.#limit();
  }

  #limit(): void {
    const { kept, unlisted } = limitRanked(this.#findings, rankOf, MAX_LISTED);
    this.#findings = [...kept];
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    this.#diagnostics = [...bySeverity(this.#diagnostics).slice(0, MAX_LISTED)];
  }

  #addHost({ host, charts, bases, git, failed }: FetchedHost): void {
    const known = this.#fetched.get(host) ?? { host, charts: 0, bases: 0, git: 0, failed: 0 };
    this.#fetched.set(host, {
      host,
      charts: known.charts + charts,
      bases: known.bases + bases,
      git: known.git + git,
      failed: known.failed + failed,
    });
  }
}

function unjudged({ undecided, open, notRendered, incomplete, unread }: Verdict): number {
  return undecided + open + notRendered + incomplete + unread;
}

/** The worst one. A repository without a verdict leaves the whole undecided, unless no repository has one. */
function conclusionOf(repositories: readonly RepositorySummary[]): Verdict['conclusion'] {
  const has = (conclusion: RepositorySummary['conclusion']): boolean =>
    repositories.some((each) => each.conclusion === conclusion);
  if (has('denied')) return 'denied';
  const isWithout = has('nothing-checked') || has('missing');
  if (isWithout && !has('allowed') && !has('undecided')) return 'nothing-checked';
  return isWithout || has('undecided') ? 'undecided' : 'allowed';
}

/** Puts the name of a repository before paths and clusters, as names of policy sources are. */
class Renamed {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  path(path: string): string {
    return placePath(this.#name, path);
  }

  target(target: TargetSummary): TargetSummary {
    return {
      ...target,
      name: this.path(target.name),
      policies: target.policies.map((policy) => ({ ...policy, path: this.path(policy.path) })),
    };
  }

  finding(finding: Finding): Finding {
    const { target, targets, objects, primary, related, excuse } = finding;
    return {
      ...finding,
      fingerprint: fingerprint([this.#name, finding.fingerprint]),
      target: this.path(target),
      ...(targets && { targets: targets.map((each) => this.path(each)) }),
      ...(objects && { objects: objects.map((object) => ({ ...object, target: this.path(object.target) })) }),
      primary: this.#place(primary),
      related: this.#related(related),
      ...(excuse && { excuse: this.#excuse(excuse) }),
    };
  }

  diagnostic({ fix: _, ...diagnostic }: ReportedDiagnostic): ReportedDiagnostic {
    const { primary, related, excuse, subject } = diagnostic;
    return {
      ...diagnostic,
      ...(subject !== undefined && { subject: this.path(subject) }),
      ...(primary && { primary: this.#place(primary) }),
      related: this.#related(related),
      ...(excuse && { excuse: this.#excuse(excuse) }),
    };
  }

  #place(place: Place): Place {
    return { ...place, path: this.path(place.path) };
  }

  #related(related: readonly RelatedPlace[]): readonly RelatedPlace[] {
    return related.map((each) => ({ ...each, place: this.#place(each.place) }));
  }

  #excuse(excuse: Excuse): Excuse {
    return { ...excuse, place: this.#place(excuse.place) };
  }
}
