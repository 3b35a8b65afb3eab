// Compares the reports of several Kubernetes releases on one repository: differences and common findings.
import { compareText } from '../finding/finding-order.ts';
import type {
  Coverage,
  Finding,
  Place,
  Report,
  ReportedDiagnostic,
  Severity,
  SkippedEntry,
  UnlistedFindings,
  Verdict,
} from '../report.ts';
import { resourceLabel, ruleName } from '../wording/wording.ts';

/** Increases when a field changes meaning or disappears; new fields do not increase it. */
const RELEASES_SCHEMA_VERSION = 1;

export interface ReleaseComparison {
  readonly schemaVersion: typeof RELEASES_SCHEMA_VERSION;
  /** Version of Preadmit that wrote the report. */
  readonly preadmit: string;
  /** In the order of the command line. */
  readonly releases: readonly ReleaseSummary[];
  /** By kind, then by path and line. */
  readonly differences: readonly ReleaseDifference[];
  /** Findings and diagnostics of every release, with the texts of the last. */
  readonly same: {
    readonly findings: readonly Finding[];
    readonly diagnostics: readonly ReportedDiagnostic[];
  };
}

export interface ReleaseSummary {
  /** Format `1.36`. */
  readonly kubernetesVersion: string;
  readonly verdict: Verdict;
  readonly coverage: Omit<Coverage, 'skipped'>;
  /** Number of findings that exceed the report limit and were not compared; absent if there are none. */
  readonly unlisted?: UnlistedFindings;
}

/**
 * `verdict`: findings of policies. `served`: kinds and versions that a release does not serve. `policy`: policies and their expressions.
 * `object`: problems of an object and its fields. `coverage`: skipped documents.
 */
export type DifferenceKind = 'verdict' | 'served' | 'policy' | 'object' | 'coverage';

export interface ReleaseDifference {
  readonly kind: DifferenceKind;
  /** `Deployment shop/web`, or a file; empty for a difference that has only a location. */
  readonly subject: string;
  /** `replica-limit/validations[0]`, or the code of a diagnostic. */
  readonly what: string;
  /** Set if an API server default decided, because defaults differ between releases. */
  readonly defaulted?: true;
  /** Of the finding or diagnostic; absent for skipped documents. */
  readonly severity?: Severity;
  /** Set if the rule is undecided. */
  readonly isUndecided?: true;
  readonly owners?: readonly string[];
  readonly place?: Place;
  /** One answer per release, in their order; without a message the release reports nothing. */
  readonly answers: readonly ReleaseAnswer[];
}

export interface ReleaseAnswer {
  readonly kubernetesVersion: string;
  readonly message?: string;
}

export interface ReleaseReport {
  readonly kubernetesVersion: string;
  readonly report: Report;
}

/** All reports must be on the same files. */
export function compareReleases(reports: readonly ReleaseReport[]): ReleaseComparison {
  const findings = new Sayings<Finding>(reports, ({ findings: all }) => all, findingKey);
  const diagnostics = new Sayings<ReportedDiagnostic>(reports, ({ diagnostics: all }) => all, diagnosticKey);
  const skipped = new Sayings<SkippedEntry>(reports, ({ coverage }) => coverage.skipped, skippedKey);
  const differences: ReleaseDifference[] = [];
  for (const row of findings.differing((finding) => finding.message)) {
    const { first, answers } = row;
    const isDefaulted = row.items.some(({ defaulted }) => defaulted === true);
    differences.push({
      kind: 'verdict',
      subject: resourceLabel(first.resource),
      what: `${first.policy.name}/${ruleName(first)}`,
      ...(isDefaulted && { defaulted: true }),
      severity: first.severity,
      ...(first.result === 'unknown' && { isUndecided: true }),
      ...(first.owners && { owners: first.owners }),
      place: first.primary,
      answers,
    });
  }
  for (const { first, answers } of diagnostics.differing(({ message, help }) =>
    help === undefined ? message : `${message}; ${help}`,
  )) {
    differences.push({
      kind: kindOf(first),
      subject: first.resource === undefined ? (first.subject ?? '') : resourceLabel(first.resource),
      what: first.code,
      severity: first.severity,
      ...(first.owners && { owners: first.owners }),
      ...(first.primary && { place: first.primary }),
      answers,
    });
  }
  for (const { first, items, answers } of skipped.differing(({ reason, detail }) =>
    detail === undefined ? `not evaluated: ${reason}` : `not evaluated: ${reason}: ${detail}`,
  )) {
    const line = first.line ?? 1;
    // A more specific diagnostic reports each rejected object.
    if (items.some(({ reason }) => reason === REFUSED)) continue;
    const place = { path: first.path, startLine: line, startColumn: 1, endLine: line, endColumn: 1 };
    differences.push({ kind: 'coverage', subject: first.path, what: first.reason, place, answers });
  }
  const [{ report: last } = { report: undefined }] = reports.slice(-1);
  return {
    schemaVersion: RELEASES_SCHEMA_VERSION,
    preadmit: last?.preadmit ?? '',
    releases: reports.map(({ kubernetesVersion, report }) => {
      const { skipped: _, ...coverage } = report.coverage;
      const { unlisted } = report;
      return { kubernetesVersion, verdict: report.verdict, coverage, ...(unlisted && { unlisted }) };
    }),
    differences: differences.toSorted(inOrder),
    same: {
      findings: findings.same(({ message }) => message),
      diagnostics: diagnostics.same(({ message, help }) => [message, help].join('\0')),
    },
  };
}

/** One of `SKIP_REASONS`. */
const REFUSED = 'refused-object';

const KINDS: readonly DifferenceKind[] = ['verdict', 'served', 'policy', 'object', 'coverage'];

function inOrder(one: ReleaseDifference, other: ReleaseDifference): number {
  return (
    KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
    compareText(one.place?.path ?? '', other.place?.path ?? '') ||
    (one.place?.startLine ?? 0) - (other.place?.startLine ?? 0) ||
    compareText(one.subject, other.subject)
  );
}

function kindOf({ code, resource }: ReportedDiagnostic): DifferenceKind {
  if (code === 'unserved-kind' || code === 'unserved-version') return 'served';
  return resource === undefined ? 'policy' : 'object';
}

function findingKey({ fingerprint, actions, result }: Finding): string {
  return [fingerprint, result, ...actions].join('\0');
}

function diagnosticKey({ code, severity, primary, fieldPath, resource }: ReportedDiagnostic): string {
  // Its line depends on the versions that the release has, and its namespace on whether the release has the kind.
  if (code === 'unserved-kind') return [code, primary?.path, resource?.kind, resource?.name].join('\0');
  const of = resource === undefined ? '' : resourceLabel(resource);
  return [code, severity, primary?.path, primary?.startLine, fieldPath, of].join('\0');
}

function skippedKey({ path, line }: SkippedEntry): string {
  return `${path}\0${line ?? 0}`;
}

interface Row<Item> {
  /** The item of the first release that has one. */
  readonly first: Item;
  readonly items: readonly Item[];
  readonly answers: readonly ReleaseAnswer[];
}

/** Aligns equal items of several releases by key; the n-th duplicate matches the n-th. */
class Sayings<Item> {
  readonly #reports: readonly ReleaseReport[];
  readonly #rows = new Map<string, (Item | undefined)[]>();

  constructor(
    reports: readonly ReleaseReport[],
    listOf: (report: Report) => readonly Item[],
    keyOf: (item: Item) => string,
  ) {
    this.#reports = reports;
    for (const [index, { report }] of reports.entries()) {
      const counts = new Map<string, number>();
      for (const item of listOf(report)) {
        const key = keyOf(item);
        const number = counts.get(key) ?? 0;
        counts.set(key, number + 1);
        const row = this.#rows.get(`${key}\0${number}`) ?? reports.map(() => undefined);
        row[index] = item;
        this.#rows.set(`${key}\0${number}`, row);
      }
    }
  }

  /** Items that differ between releases or are missing in some. */
  differing(messageOf: (item: Item) => string): readonly Row<Item>[] {
    return [...this.#rows.values()].flatMap((row) => {
      const items = row.filter((item) => item !== undefined);
      const [first] = items;
      if (first === undefined || this.#isSame(row, messageOf)) return [];
      const answers = row.map((item, index): ReleaseAnswer => {
        const { kubernetesVersion } = this.#reports[index] as ReleaseReport;
        return { kubernetesVersion, ...(item !== undefined && { message: messageOf(item) }) };
      });
      return [{ first, items, answers }];
    });
  }

  same(messageOf: (item: Item) => string): readonly Item[] {
    return [...this.#rows.values()].flatMap((row) => {
      const last = row.at(-1);
      return last !== undefined && this.#isSame(row, messageOf) ? [last] : [];
    });
  }

  #isSame(row: readonly (Item | undefined)[], messageOf: (item: Item) => string): boolean {
    const words = row.map((item, index) => {
      const { kubernetesVersion } = this.#reports[index] as ReleaseReport;
      return item && withoutRelease(messageOf(item), kubernetesVersion);
    });
    return new Set(words).size === 1;
  }
}

/** The text for comparisons: many messages name the release that was asked. */
export function withoutRelease(message: string, kubernetesVersion: string): string {
  return message
    .replaceAll(`Kubernetes ${kubernetesVersion} `, 'Kubernetes ')
    .replace(`the target is ${kubernetesVersion}`, 'the target');
}
