// One repository judged by the API servers of several releases: what they say differently, and what all of them say.
import { compareText } from '../finding/finding-order.ts';
import type {
  Coverage,
  Finding,
  Place,
  Report,
  ReportedDiagnostic,
  SkippedEntry,
  UnlistedFindings,
  Verdict,
} from '../report.ts';
import { resourceLabel, ruleName } from '../wording/wording.ts';

/** Raised when a field changes meaning or disappears; adding fields does not raise it. */
const RELEASES_SCHEMA_VERSION = 1;

export interface ReleaseComparison {
  readonly schemaVersion: typeof RELEASES_SCHEMA_VERSION;
  /** Version of Preadmit that wrote it. */
  readonly preadmit: string;
  /** In the order in which they were asked for. */
  readonly releases: readonly ReleaseSummary[];
  /** By kind, then by path and line. */
  readonly differences: readonly ReleaseDifference[];
  /** What every release says, in the words of the last. */
  readonly same: {
    readonly findings: readonly Finding[];
    readonly diagnostics: readonly ReportedDiagnostic[];
  };
}

export interface ReleaseSummary {
  /** `1.36`. */
  readonly kubernetesVersion: string;
  readonly verdict: Verdict;
  readonly coverage: Omit<Coverage, 'skipped'>;
  /** Only where there are more findings than a report holds: those that were not compared. */
  readonly unlisted?: UnlistedFindings;
}

/**
 * `verdict`: what a policy says of an object. `served`: kinds and versions that a release does not serve. `policy`: policies and their
 * expressions. `object`: what the server says of an object and its fields. `coverage`: what is not evaluated.
 */
export type DifferenceKind = 'verdict' | 'served' | 'policy' | 'object' | 'coverage';

export interface ReleaseDifference {
  readonly kind: DifferenceKind;
  /** `Deployment shop/web`, a file; empty for what is about a place alone. */
  readonly subject: string;
  /** `replica-limit/validations[0]`, or the code of a problem. */
  readonly what: string;
  /** A default of the server decided, which not every release has. */
  readonly defaulted?: true;
  readonly place?: Place;
  /** One for each release, in their order; without a message there is nothing to say with that release. */
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

/** Reports on the same texts, one for each release. */
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
      place: first.primary,
      answers,
    });
  }
  for (const { first, answers } of diagnostics.differing(({ message, help }) =>
    help === undefined ? message : `${message}; ${help}`,
  )) {
    differences.push({
      kind: kindOf(first),
      subject: first.resource === undefined ? '' : resourceLabel(first.resource),
      what: first.code,
      ...(first.primary && { place: first.primary }),
      answers,
    });
  }
  for (const { first, answers } of skipped.differing(({ reason, detail }) =>
    detail === undefined ? `not evaluated: ${reason}` : `not evaluated: ${reason}: ${detail}`,
  )) {
    const line = first.line ?? 1;
    // What the server refuses has a diagnostic that says more.
    if (first.reason === REFUSED) continue;
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

/** Of `SKIP_REASONS`. */
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
  const of = resource === undefined ? '' : resourceLabel(resource);
  return [code, severity, primary?.path, primary?.startLine, fieldPath, of].join('\0');
}

function skippedKey({ path, line }: SkippedEntry): string {
  return `${path}\0${line ?? 0}`;
}

interface Row<Item> {
  /** What the first release says that says anything. */
  readonly first: Item;
  readonly items: readonly Item[];
  readonly answers: readonly ReleaseAnswer[];
}

/** The same thing said by several releases, by key; of several alike the first goes with the first. */
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

  /** What not all releases say, or not in the same words. */
  differing(messageOf: (item: Item) => string): readonly Row<Item>[] {
    return [...this.#rows.values()].flatMap((row) => {
      const items = row.filter((item) => item !== undefined);
      const [first] = items;
      if (first === undefined || isSame(row, messageOf)) return [];
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
      return last !== undefined && isSame(row, messageOf) ? [last] : [];
    });
  }
}

function isSame<Item>(row: readonly (Item | undefined)[], messageOf: (item: Item) => string): boolean {
  const words = new Set(row.map((item) => item && messageOf(item)));
  return words.size === 1;
}
