// Combines similar diagnostics into one, with their number and the first locations.
import { diagnosticSubject } from '../baseline/baseline.ts';
import { isUndecided } from '../gate/undecided.ts';
import { ownersLabel } from '../owner/owner-part.ts';
import { MAX_COMBINED, type ReportedDiagnostic } from '../report.ts';

/** Keeps the given order: the first diagnostic of a kind gets the others as related locations. */
export function foldAlike(diagnostics: readonly ReportedDiagnostic[]): readonly ReportedDiagnostic[] {
  const groups = new Map<string, ReportedDiagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = keyOf(diagnostic);
    const group = key === undefined ? undefined : groups.get(key);
    if (key !== undefined && group === undefined) groups.set(key, [diagnostic]);
    else group?.push(diagnostic);
  }
  const folded = new Set([...groups.values()].flatMap(([, ...others]) => others));
  const leading = new Map([...groups.values()].map((group) => [group[0] as ReportedDiagnostic, group]));
  return diagnostics.flatMap((diagnostic) => {
    if (folded.has(diagnostic)) return [];
    const group = leading.get(diagnostic);
    return group === undefined || group.length === 1 ? [diagnostic] : [joined(diagnostic, group.slice(1))];
  });
}

/**
 * The API server reports all errors of a custom resource in one message. This combines them at the first location. It runs late, because a
 * single error may exist in base or be accepted.
 */
export function foldAnswers(diagnostics: readonly ReportedDiagnostic[]): readonly ReportedDiagnostic[] {
  const groups = new Map<string, ReportedDiagnostic[]>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.serverMessage === undefined) continue;
    const { code, severity, status, excuse, resource, primary, serverMessage, help } = diagnostic;
    const key = JSON.stringify([code, severity, status, excuse, resource, primary?.path, serverMessage, help]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  const leading = new Map([...groups.values()].map((group) => [group[0] as ReportedDiagnostic, group]));
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.serverMessage === undefined) return [diagnostic];
    const group = leading.get(diagnostic);
    return group === undefined ? [] : [answered(diagnostic, diagnostic.serverMessage, group.slice(1))];
  });
}

function answered(
  { serverMessage: _, ...first }: ReportedDiagnostic,
  message: string,
  others: readonly ReportedDiagnostic[],
): ReportedDiagnostic {
  const prefix = commonPrefix(first.message, message);
  const places = others
    .slice(0, MAX_COMBINED)
    .flatMap(({ message: own, primary, related }) => [
      ...(primary === undefined ? [] : [{ message: own.slice(prefix), place: primary }]),
      ...related,
    ]);
  return { ...first, message, related: [...first.related, ...places] };
}

/** Length of the shared subject, for example `Database.shop.example "orders" is invalid: `. */
function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Undefined for diagnostics that are never combined, or already are. Combined ones have the same owners, so none gets another owner's. */
function keyOf(diagnostic: ReportedDiagnostic): string | undefined {
  const { code, severity, status, cause, part, help, excuse, count } = diagnostic;
  return cause === undefined || count !== undefined
    ? undefined
    : JSON.stringify([code, severity, status, cause, part, help, excuse, ownersLabel(diagnostic)]);
}

function joined(first: ReportedDiagnostic, others: readonly ReportedDiagnostic[]): ReportedDiagnostic {
  const places = others.flatMap(({ message, primary }) => (primary === undefined ? [] : [{ message, place: primary }]));
  return {
    ...first,
    message: `${first.message} (and ${others.length} more like it)`,
    related: [...first.related, ...places.slice(0, MAX_COMBINED)],
    count: others.length + 1,
    ...(isUndecided(first) && { subjects: [first, ...others].flatMap((each) => diagnosticSubject(each) ?? []) }),
  };
}
