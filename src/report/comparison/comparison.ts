// Compares findings and diagnostics of two states: new, existing and fixed.
import { mayFail } from '../gate/may-fail.ts';
import type { FailOn, Finding, ReportedDiagnostic, ResourceName } from '../report.ts';
import { resourceLabel } from '../wording/wording.ts';

export interface ComparedFindings {
  /** Findings of head with their status. */
  readonly findings: readonly Finding[];
  readonly fixed: readonly Finding[];
}

/** Matches fingerprints one to one: of two equal findings with one match in base, the second is new. */
export function compareFindings(head: readonly Finding[], base: readonly Finding[]): ComparedFindings {
  const before = new Tally(base, ({ fingerprint }) => fingerprint);
  const findings = head.map((finding): Finding => {
    return { ...finding, status: before.take(finding.fingerprint) === undefined ? 'new' : 'existing' };
  });
  return { findings, fixed: before.rest().map((finding): Finding => ({ ...finding, status: 'fixed' })) };
}

/**
 * Marks the new findings that the change does not cause: policies often judge an update only if it changes what they check, so base's object
 * gets their findings only as a new object. Only for findings that cannot fail the run. `recreated`: findings of base's object as a new one;
 * called only if some finding may be among them.
 */
export function markRepeated(
  findings: readonly Finding[],
  failOn: FailOn,
  recreated: () => readonly Finding[],
): readonly Finding[] {
  const mayRepeat = ({ status, operation, result, actions }: Finding): boolean =>
    status === 'new' && operation === 'UPDATE' && result === 'fail' && !mayFail(actions, failOn);
  if (!findings.some(mayRepeat)) return findings;
  const keyOf = ({ fingerprint, message }: Finding): string => `${fingerprint}\0${message}`;
  const old = new Tally(
    recreated().filter(({ result }) => result === 'fail'),
    keyOf,
  );
  return findings.map((finding): Finding => {
    const isRepeated = mayRepeat(finding) && old.take(keyOf(finding)) !== undefined;
    return isRepeated ? { ...finding, status: 'existing' } : finding;
  });
}

/** All findings of the first list, plus those of the second that the first does not contain. */
export function uniteFindings(one: readonly Finding[], other: readonly Finding[]): readonly Finding[] {
  const known = new Tally(one, ({ fingerprint }) => fingerprint);
  return [...one, ...other.filter(({ fingerprint }) => known.take(fingerprint) === undefined)];
}

/** Matches code, message and file one to one. A diagnostic in a new file matches one in a deleted file. */
export function compareDiagnostics(
  head: readonly ReportedDiagnostic[],
  base: readonly ReportedDiagnostic[],
  touched: ReadonlySet<string> = new Set(),
): readonly ReportedDiagnostic[] {
  const keyOf = (diagnostic: ReportedDiagnostic): string => {
    const { code, message, part = '', resource, primary } = diagnostic;
    const subject = unjudged(diagnostic);
    return (subject === undefined ? [code, message, nameOf(resource), primary?.path] : [code, subject, part]).join(
      '\0',
    );
  };
  const moveKeyOf = ({ code, message, resource }: ReportedDiagnostic): string =>
    [code, message, nameOf(resource)].join('\0');
  const pathsIn = (diagnostics: readonly ReportedDiagnostic[]): ReadonlySet<string | undefined> =>
    new Set(diagnostics.map(({ primary }) => primary?.path));
  const [inBase, inHead] = [pathsIn(base), pathsIn(head)];
  const same = new Tally(base, keyOf);
  const moved = new Tally(
    base.filter(({ primary }) => !inHead.has(primary?.path)),
    moveKeyOf,
  );
  return head.map((diagnostic) => {
    const subject = unjudged(diagnostic);
    if (subject !== undefined && touched.has(subject)) return { ...diagnostic, status: 'new' };
    const before =
      subject !== undefined || inBase.has(diagnostic.primary?.path)
        ? same.take(keyOf(diagnostic))
        : moved.take(moveKeyOf(diagnostic));
    return { ...diagnostic, status: before === undefined ? 'new' : 'existing' };
  });
}

/** What could not be judged. It identifies the diagnostic, because the message changes with a version. Of `defined-twice` both versions are judged. */
function unjudged({ code, subject }: ReportedDiagnostic): string | undefined {
  return code === 'defined-twice' ? undefined : subject;
}

/** Another object with the same mistake is another request, which the API server rejects too. */
function nameOf(resource: ResourceName | undefined): string {
  return resource === undefined ? '' : resourceLabel(resource);
}

class Tally<Item> {
  readonly #items = new Map<string, Item[]>();

  constructor(items: readonly Item[], keyOf: (item: Item) => string) {
    for (const item of items) {
      const key = keyOf(item);
      const same = this.#items.get(key);
      if (same === undefined) this.#items.set(key, [item]);
      else same.push(item);
    }
  }

  take(key: string): Item | undefined {
    return this.#items.get(key)?.pop();
  }

  rest(): readonly Item[] {
    return [...this.#items.values()].flat();
  }
}
