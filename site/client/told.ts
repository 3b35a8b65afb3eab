// What the worker tells of a finding, a problem or a document that is not read: with the line of the editor that it stands on.
import type { Finding, Place, ReportedDiagnostic, SkippedEntry } from '../../src/browser.ts';
import type { Told } from './answer.ts';

/** The text of the page and the lines in it; undefined: it stands in none of them. */
export type Whereabouts = (place: Shown & { readonly path: string }) => Pick<Told, 'text' | 'place'>;

type Shown = Pick<Place, 'startLine' | 'startColumn' | 'endLine' | 'endColumn'>;

/** The first are told. */
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
