// JSON format: the report itself, as described by docs/schema/report.schema.json.
import { jsonPieces } from '../../json/json-text.ts';
import type { Report } from '../../report.ts';
import { type Reporter, reporterOf } from '../../reporter.ts';

/** Every key of type T at any depth. */
type KeyWithin<T> = T extends readonly (infer Item)[]
  ? KeyWithin<Item>
  : T extends object
    ? { [K in keyof T & string]-?: K | KeyWithin<Required<T>[K]> }[keyof T & string]
    : never;
type ReportKey = KeyWithin<Report>;

/** Words of a line, separated by spaces. */
type Word<Line extends string, Before = never> = Line extends `${infer First} ${infer Rest}`
  ? Word<Rest, Before | First>
  : Before | Line;

/** Rank of each word in the lines. A word that is not a report key does not compile. */
function ranked<const Line extends string>(
  ...lines: Word<Line> extends ReportKey ? readonly Line[] : never
): Readonly<Record<Word<Line>, number>> {
  const words = lines.flatMap((line) => line.split(' '));
  return Object.fromEntries(words.map((word, index) => [word, index])) as Record<Word<Line>, number>;
}

/** Output order of the report's keys. A report key that is missing here does not compile. */
const ORDER: Readonly<Record<ReportKey, number>> = ranked(
  'schemaVersion preadmit repository repositories unusable verdict coverage targets policySources fetched findings unlisted diagnostics comparison',
  'notCompared blastRadius ownership listed leftOut audit day upgrades releases unknown isIncomplete actions whatIf sources replaces problems shard conclusion failOn onUndecided touched code fingerprint status target derivedFrom severity result',
  'actions policy binding param rule field expression message serverMessage reason meaning count httpStatus',
  'serverTells operation resource subject part subjects fieldPath changedBy mayBeChangedBy defaulted roots primary role place related',
  'help owners excuse history from audits comparedWith sameDay at trend unjudged fixedFindings unjudgedFindings byPolicy byOwner cleanPolicies notes days isComplete canBeEnforced by owner expires label annotation syntax problem ignored ignoredLines apiVersion kind namespace name kubernetesVersion validatedAs serverSettings user path line detail startLine',
  'startColumn endLine endColumn excerpt firstLine lines lineHash files found evaluated notEvaluated skipped',
  'policies neverDenies unknowns unknownKinds earlierUnknowns earlierKinds bindings matched denied warned additions mutatedAway objects examples stricter',
  'worse stored before after added removed audited errors above allowed base below budgetShare cause causes change removedIn what',
  'changedFiles concerns contents created deleted entries error facts fields fix fixed head index matches',
  'notRendered incomplete notice notices only open paramKind policiesFrom scope since suggestions typeWarnings unchanged',
  'undecided unread updated version warning isRefused readAccess fieldRef auditAnnotations key value values example others host charts bases git failed accepted new setting',
);
const RANKS: ReadonlyMap<string, number> = new Map(Object.entries(ORDER));

/** Keys whose values many findings share: rules, related locations, locations. */
const RECURRING: ReadonlySet<string> = new Set<ReportKey>([
  'policy',
  'rule',
  'resource',
  'actions',
  'primary',
  'related',
  'place',
]);

export const json: Reporter = reporterOf({
  name: 'json',
  extension: 'json',
  pieces: (report) => jsonPieces(report, { order: inReadingOrder, recurring: RECURRING }),
});

function inReadingOrder(keys: readonly string[]): readonly string[] {
  const rank = (key: string): number => RANKS.get(key) ?? RANKS.size;
  return [...keys].sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
}
