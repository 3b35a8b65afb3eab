// Combines diagnostics of one object or render target that differ only in a part or policy: one entry with the names of the others.
import type { ReportedDiagnostic } from '../report.ts';

export interface SameMessage {
  readonly diagnostic: ReportedDiagnostic;
  /** The same diagnostic for further parts or policies. */
  readonly others: readonly ReportedDiagnostic[];
}

/** In the given order. */
export function withSameMessage(diagnostics: readonly ReportedDiagnostic[]): readonly SameMessage[] {
  const groups = new Map<string | ReportedDiagnostic, ReportedDiagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = keyOf(diagnostic) ?? diagnostic;
    const same = groups.get(key);
    if (same === undefined) groups.set(key, [diagnostic]);
    else same.push(diagnostic);
  }
  return [...groups.values()].map(([diagnostic, ...others]) => ({
    diagnostic: diagnostic as ReportedDiagnostic,
    others,
  }));
}

/** Undefined if the message names no part or policy. A message about a part names the first of its render targets and their number. */
function keyOf(diagnostic: ReportedDiagnostic): string | undefined {
  const { code, severity, status, message, primary, help, excuse, fix } = diagnostic;
  const name = nameIn(diagnostic);
  if (name === undefined || primary === undefined || fix !== undefined) return undefined;
  const place = diagnostic.part === undefined ? primary : primary.path;
  return JSON.stringify([
    code,
    severity,
    status,
    message.split(' ').filter((word) => word !== name),
    place,
    help,
    excuse,
  ]);
}

/** The part or policy that the message names. */
function nameIn({ part, policy, message }: ReportedDiagnostic): string | undefined {
  return [part, policy].find((name) => name !== undefined && message.split(' ').includes(name));
}

const MAX_NAMED = 3;

/** `the same for https://… (line 10)`; empty if there are no others. */
export function sameWords({ diagnostic, others }: SameMessage): string {
  if (others.length === 0) return '';
  const line = diagnostic.primary?.startLine;
  const named = others.slice(0, MAX_NAMED).map((other) => {
    const own = other.primary?.startLine;
    const what = other.part === undefined ? 'policy ' : '';
    return `${what}${nameIn(other) ?? ''}${own === undefined || own === line ? '' : ` (line ${own})`}`;
  });
  const rest = others.length - named.length;
  return `the same for ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
