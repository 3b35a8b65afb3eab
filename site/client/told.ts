// Converts findings, diagnostics and skipped documents to entries of the page, with their editor and line.
import type { Finding, Place, ReportedDiagnostic, SkippedEntry } from '../../src/browser.ts';
import type { Told } from './answer.ts';

/** The editor and line of a location; undefined if it is in no editor. */
export type Whereabouts = (place: Shown & { readonly path: string }) => Pick<Told, 'text' | 'place'>;

type Shown = Pick<Place, 'startLine' | 'startColumn' | 'endLine' | 'endColumn'>;

/** Maximum number of entries in an answer. */
export const MAX_TOLD = 200;

const NOWHERE = { text: undefined, place: undefined } as const;

const EFFECTS = { error: 'denied', warning: 'warned about', notice: 'audited' } as const;

export function ofFinding({ severity, result, message, policy, rule, primary }: Finding, at: Whereabouts): Told {
  return {
    severity,
    effect: result === 'unknown' ? 'undecided' : EFFECTS[severity],
    message,
    detail: `${policy.name}${rule.expression === undefined ? '' : `: ${rule.expression}`}`,
    ...at(primary),
  };
}

export function ofProblem({ severity, message, help, primary, code }: ReportedDiagnostic, at: Whereabouts): Told {
  return {
    severity,
    effect: severity === 'notice' ? 'note' : severity,
    message,
    detail: help ?? code,
    ...(primary === undefined ? NOWHERE : at(primary)),
  };
}

export function ofSkipped({ path, line = 1, reason, detail }: SkippedEntry, at: Whereabouts): Told {
  return {
    severity: 'error',
    effect: 'not read',
    message: detail ?? reason,
    detail: reason,
    ...at({ path, startLine: line, startColumn: 1, endLine: line, endColumn: 1 }),
  };
}
