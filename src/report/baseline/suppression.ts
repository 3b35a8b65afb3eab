// Suppression annotations of objects: parses them, applies them to findings, and requires a reason.
import type { Code } from '../../diagnostic/code-table.ts';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import { placeOf } from '../location/place.ts';
import type { Excuse, Finding, ReportedDiagnostic, ResourceName } from '../report.ts';
import { resourceLabel, ruleId } from '../wording/wording.ts';
import { isExpired } from './excuse.ts';

/** Effect of suppressions, from the configuration. `report`: they apply, and each use is a warning. `deny`: none applies. */
export type SuppressionMode = 'allow' | 'report' | 'deny';

/** One rule per line: `replica-limit: reason (until 2026-12-31)`, or `replica-limit/validations[0]: reason`. */
export const SUPPRESSION_ANNOTATION = 'preadmit.dev/ignore';

const MAX_LINES = 100;
const PATH = ['metadata', 'annotations', SUPPRESSION_ANNOTATION];

interface Suppression {
  /** A policy, a rule as named in reports, or the diagnostic code of the object's own problem. */
  readonly rule: string;
  readonly reason: string;
  readonly until: string | undefined;
  readonly location: SourceLocation;
  /** False for a line that the change adds. */
  readonly holds: boolean;
}

/** Lines that existed before the change; undefined without a comparison, or if a change may suppress its own findings. */
export type KnownLines = ReadonlySet<string> | undefined;

/** Suppression lines of an object before the change; empty if it did not exist. */
export function suppressionLines(resource: Resource | undefined): ReadonlySet<string> {
  const text = resource === undefined ? undefined : annotationOf(resource);
  return new Set(text?.split('\n').map((line) => line.trim()));
}

function annotationOf({ value }: Resource): string | undefined {
  const annotations = objectOrEmpty(objectOrEmpty(value.get('metadata')).get('annotations'));
  const text = annotations.get(SUPPRESSION_ANNOTATION);
  return typeof text === 'string' ? text : undefined;
}

/** Suppressions of one resource, shared by all targets. */
export class Suppressions {
  readonly #mode: SuppressionMode;
  readonly #today: string;
  readonly #suppressions: readonly Suppression[];
  readonly #used = new Map<Suppression, string>();
  readonly #problems: Diagnostic[] = [];

  /** Undefined if the resource has no suppressions. `today` has the format `2026-11-21`. */
  static of(resource: Resource, mode: SuppressionMode, today: string, known: KnownLines): Suppressions | undefined {
    const text = annotationOf(resource);
    return text === undefined ? undefined : new Suppressions(resource, text, mode, today, known);
  }

  private constructor(resource: Resource, text: string, mode: SuppressionMode, today: string, known: KnownLines) {
    this.#mode = mode;
    this.#today = today;
    this.#suppressions = this.#read(resource, text, known);
  }

  /** Marks the suppression as used, even if the finding is not listed. */
  excuseOf(names: Pick<Finding, 'policy' | 'rule' | 'resource'>): Excuse | undefined {
    return this.#excuseFor([names.policy.name, ruleId(names)], names.resource);
  }

  /** Matches the object's own problems by diagnostic code. */
  applyTo(diagnostic: ReportedDiagnostic): ReportedDiagnostic {
    const { code, resource } = diagnostic;
    const excuse = resource && this.#excuseFor([code], resource);
    return excuse === undefined ? diagnostic : { ...diagnostic, excuse };
  }

  #excuseFor(names: readonly string[], resource: ResourceName): Excuse | undefined {
    const matching = this.#suppressions.filter(({ rule }) => names.includes(rule));
    for (const suppression of matching) this.#used.set(suppression, resourceLabel(resource));
    const valid = matching.find(({ until, holds }) => holds && (until === undefined || !isExpired(until, this.#today)));
    if (valid === undefined || this.#mode === 'deny') return undefined;
    const { reason, until, location } = valid;
    return { by: 'annotation', reason, ...(until !== undefined && { expires: until }), place: placeOf(location) };
  }

  /** Call after all findings were checked: reports unused lines. */
  diagnostics(): readonly Diagnostic[] {
    return [...this.#problems, ...this.#suppressions.flatMap((suppression) => this.#judge(suppression))];
  }

  #judge(suppression: Suppression): Diagnostic[] {
    const { rule, until, location } = suppression;
    const resource = this.#used.get(suppression);
    if (resource === undefined) {
      const message = `\`${rule}\` has no finding for this object to suppress`;
      return [diagnostic('unused-suppression', 'warning', message, location, 'remove the line')];
    }
    if (this.#mode === 'deny') {
      const message = `\`${resource}\` suppresses \`${rule}\`, and the configuration allows no suppressions`;
      return [diagnostic('suppression-not-allowed', 'error', message, location)];
    }
    if (until !== undefined && isExpired(until, this.#today)) {
      const message = `\`${resource}\` suppressed \`${rule}\` until ${until}`;
      return [diagnostic('expired-suppression', 'error', message, location, 'fix it, or set a later date')];
    }
    if (!suppression.holds) {
      const message = `the suppression of \`${rule}\` is new: it does not apply to the change that adds it`;
      return [diagnostic('suppression-of-the-change', 'warning', message, location, HOW_TO_ALLOW)];
    }
    if (this.#mode === 'allow') return [];
    const message = `\`${resource}\` suppresses \`${rule}\`: ${suppression.reason}`;
    return [diagnostic('suppression', 'warning', message, location)];
  }

  #read(resource: Resource, text: string, known: KnownLines): readonly Suppression[] {
    const found: Suppression[] = [];
    let offset = 0;
    for (const line of text.split('\n')) {
      const length = [...line].length;
      const start = offset;
      offset += length + 1;
      if (line.trim() === '') continue;
      const location = resource.locateText(PATH, start, start + length);
      if (found.length + this.#problems.length === MAX_LINES) {
        this.#wrong(`more than ${MAX_LINES} lines of suppressions`, location);
        break;
      }
      const suppression = this.#parse(line.trim(), location);
      const holds = known === undefined || known.has(line.trim());
      if (suppression !== undefined) found.push({ ...suppression, holds });
    }
    return found;
  }

  #parse(line: string, location: SourceLocation): Omit<Suppression, 'holds'> | undefined {
    const colon = line.indexOf(':');
    const rule = line.slice(0, Math.max(colon, 0)).trim();
    if (rule === '') return this.#wrong('no policy before a `:`', location);
    const { reason, until } = splitDay(line.slice(colon + 1).trim());
    if (until !== undefined && !isDay(until))
      return this.#wrong(`\`${until}\` is not a date such as \`2027-03-31\``, location);
    if (reason === '') return this.#wrong(`no reason for suppressing \`${rule}\``, location);
    return { rule, reason, until, location };
  }

  #wrong(what: string, location: SourceLocation): undefined {
    const help = 'write `<policy>: <reason>` or `<policy>: <reason> (until <date>)`';
    const message = `the annotation \`${SUPPRESSION_ANNOTATION}\` suppresses nothing: ${what}`;
    this.#problems.push(diagnostic('invalid-suppression', 'error', message, location, help));
    return undefined;
  }
}

const HOW_TO_ALLOW =
  'add it in a separate change, or set `exceptionsFrom: head` in the configuration of the base branch';

const UNTIL = '(until ';

function splitDay(text: string): { readonly reason: string; readonly until: string | undefined } {
  const start = text.lastIndexOf(UNTIL);
  if (start < 0 || !text.endsWith(')')) return { reason: text, until: undefined };
  return { reason: text.slice(0, start).trim(), until: text.slice(start + UNTIL.length, -1).trim() };
}

function isDay(text: string): boolean {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function diagnostic(
  code: Code,
  severity: Diagnostic['severity'],
  message: string,
  primary: SourceLocation,
  help?: string,
): Diagnostic {
  return { code, severity, message, primary, related: [], ...(help !== undefined && { help }) };
}
