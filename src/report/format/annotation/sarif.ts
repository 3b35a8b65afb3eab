// SARIF 2.1.0, within the limits of GitHub code scanning.
import { openDiagnostics, openFindings } from '../../baseline/excuse.ts';
import { textDigest } from '../../finding/text-digest.ts';
import { failsUndecided, isUndecided } from '../../gate/undecided.ts';
import { jsonPieces } from '../../json/json-text.ts';
import { isElsewhere } from '../../location/place.ts';
import type { Finding, LineFix, Place, RelatedPlace, Report, ReportedDiagnostic, Severity } from '../../report.ts';
import { type Reporter, reporterOf } from '../../reporter.ts';
import { codePage, PROJECT_NAME, PROJECT_URL } from '../../wording/project.ts';
import { adviceOf, bySeverity, count, resourceLabel, ruleId, ruleName } from '../../wording/wording.ts';

/** GitHub rejects a file with more results per run. */
const MAX_RESULTS = 25_000;
/** Size of the cache of related locations. */
const MAX_RELATED = 1_000;
/** Longer rule descriptions are truncated. */
const MAX_DESCRIPTION = 1_024;

const LEVELS: Record<Severity, string> = { error: 'error', warning: 'warning', notice: 'note' };
const PROBLEM_SEVERITIES: Record<Severity, string> = { error: 'error', warning: 'warning', notice: 'recommendation' };

/** A reportingDescriptor; only its id is read back. */
interface Rule {
  readonly id: string;
  readonly [property: string]: unknown;
}

type PlacedDiagnostic = ReportedDiagnostic & { readonly primary: Place };

/** A finding or diagnostic that becomes a result. */
type Subject = Finding | PlacedDiagnostic;

/** A result with the index of its rule. */
interface Ruled {
  readonly subject: Subject;
  readonly ruleId: string;
  readonly ruleIndex: number;
}

/** Result fields that depend on the kind of subject. */
interface Telling {
  readonly message: string;
  readonly fingerprint: string | undefined;
  readonly logicalName: string | undefined;
  readonly fix?: LineFix | undefined;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export const sarif: Reporter = reporterOf({
  name: 'sarif',
  extension: 'sarif',
  pieces: (report) =>
    jsonPieces(
      {
        $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
        version: '2.1.0',
        runs: [run(report)],
      },
      { recurring: new Set(['actions', 'relatedLocations']) },
    ),
});

// No automationDetails: its id would override the `category` a workflow gives to codeql-action/upload-sarif.
function run(report: Report): unknown {
  const subjects = bySeverity<Subject>([
    ...openFindings(report.findings),
    ...openDiagnostics(report.diagnostics).filter(isPlaced),
  ]);
  const shown = subjects.slice(0, MAX_RESULTS);
  const rules = new Rules();
  const results = shown.map((subject): Ruled => ({ subject, ...rules.ruleOf(subject) }));
  return {
    tool: {
      driver: {
        name: PROJECT_NAME,
        informationUri: PROJECT_URL,
        semanticVersion: report.preadmit,
        rules: rules.list,
      },
    },
    invocations: [
      {
        executionSuccessful: !isIncomplete(report),
        toolExecutionNotifications: notifications(report, subjects.length - shown.length),
      },
    ],
    columnKind: 'unicodeCodePoints',
    results: written(results),
  };
}

/** Creates results on demand. */
function* written(results: readonly Ruled[]): Generator<unknown> {
  const hashes = lineHashes(results);
  const places = new RelatedParts();
  for (const [index, each] of results.entries()) yield result(each, hashes[index], places);
}

/**
 * Code scanning merges results with the same rule and hash into one alert. Of several on a line (two bindings, params or targets of one
 * policy), only the first by fingerprint keeps the line hash.
 */
function lineHashes(results: readonly Ruled[]): readonly (string | undefined)[] {
  const keyOf = ({ ruleIndex, subject: { primary } }: Ruled): string =>
    `${ruleIndex} ${primary.lineHash} ${primary.path}`;
  const first = new Map<string, string>();
  for (const each of results) {
    const fingerprint = fingerprintOf(each.subject);
    const key = keyOf(each);
    const known = first.get(key);
    if (fingerprint !== undefined && (known === undefined || fingerprint < known)) first.set(key, fingerprint);
  }
  return results.map((each) => {
    const { lineHash } = each.subject.primary;
    const fingerprint = fingerprintOf(each.subject);
    const isFirst = fingerprint === undefined || first.get(keyOf(each)) === fingerprint;
    if (isFirst || lineHash === undefined) return lineHash;
    const [hash = ''] = lineHash.split(':');
    const own = textDigest(`${hash}\0${fingerprint}`, hash.length);
    return `${own}:1`;
  });
}

function isFinding(subject: Subject): subject is Finding {
  return 'fingerprint' in subject;
}

function fingerprintOf(subject: Subject): string | undefined {
  return isFinding(subject) ? subject.fingerprint : undefined;
}

function tellingOf(subject: Subject): Telling {
  return isFinding(subject) ? tellingOfFinding(subject) : tellingOfDiagnostic(subject);
}

function tellingOfFinding(finding: Finding): Telling {
  return {
    message: `${resourceLabel(finding.resource)}: ${finding.message}`,
    fingerprint: finding.fingerprint,
    logicalName: finding.fieldPath === '' ? undefined : finding.fieldPath,
    properties: {
      target: finding.target,
      targets: finding.targets,
      operation: finding.operation,
      actions: finding.actions,
      binding: finding.binding,
      rule: ruleId(finding),
      serverMessage: finding.serverMessage,
    },
  };
}

function tellingOfDiagnostic(diagnostic: ReportedDiagnostic): Telling {
  const advice = adviceOf(diagnostic);
  return {
    message: advice === undefined ? diagnostic.message : `${diagnostic.message}\n${advice}`,
    fingerprint: undefined,
    logicalName: undefined,
    fix: diagnostic.fix,
  };
}

/** Rules of the results; the first result of a rule provides its description. */
class Rules {
  readonly list: Rule[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #digests = new Map<string, string>();

  ruleOf(subject: Subject): Pick<Ruled, 'ruleId' | 'ruleIndex'> {
    const id = isFinding(subject) ? this.#idOf(subject) : subject.code;
    let index = this.#numbers.get(id);
    if (index === undefined) {
      index = this.list.length;
      this.#numbers.set(id, index);
      this.list.push(isFinding(subject) ? policyRule(id, subject) : diagnosticRule(subject));
    }
    return { ruleId: (this.list[index] as Rule).id, ruleIndex: index };
  }

  /** Based on the expression's text, not its position, so that inserting a validation does not change existing alerts. */
  #idOf(finding: Finding): string {
    const { expression } = finding.rule;
    if (expression === undefined) return ruleId(finding);
    let digest = this.#digests.get(expression);
    if (digest === undefined) {
      digest = textDigest(expression.trim(), 8);
      this.#digests.set(expression, digest);
    }
    return `${finding.policy.name}/${ruleName(finding).replace(/\[\d+\]/g, '')}-${digest}`;
  }
}

function policyRule(id: string, finding: Finding): Rule {
  const description = `${finding.policy.kind} ${finding.policy.name}, ${finding.rule.field}`;
  const expression = finding.rule.expression ?? '';
  return {
    id,
    ...described(description, finding.severity),
    help: {
      text: [description, expression, `What ${finding.code} means: ${codePage(finding.code)}`]
        .filter(Boolean)
        .join('\n\n'),
    },
  };
}

function diagnosticRule(diagnostic: ReportedDiagnostic): Rule {
  return {
    id: diagnostic.code,
    ...described(`Preadmit diagnostic ${diagnostic.code}`, diagnostic.severity),
    help: { text: `What ${diagnostic.code} means: ${codePage(diagnostic.code)}` },
  };
}

function described(description: string, severity: Severity): Record<string, unknown> {
  const text = description.slice(0, MAX_DESCRIPTION);
  return {
    shortDescription: { text },
    fullDescription: { text },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: {
      tags: ['kubernetes', 'admission-policy'],
      precision: 'very-high',
      'problem.severity': PROBLEM_SEVERITIES[severity],
    },
  };
}

function result(
  { subject, ruleId: id, ruleIndex }: Ruled,
  lineHash: string | undefined,
  places: RelatedParts,
): unknown {
  const { message, fingerprint, logicalName, fix, properties } = tellingOf(subject);
  const { elsewhere, relatedLocations } = places.of(subject.related);
  return {
    ruleId: id,
    ruleIndex,
    ...(isUndecided(subject) ? { kind: 'open', level: 'warning' } : { level: LEVELS[subject.severity] }),
    message: { text: plain([message, ...elsewhere].join('\n')) },
    locations: [
      {
        physicalLocation: physicalLocation(subject.primary),
        ...(logicalName === undefined
          ? {}
          : { logicalLocations: [{ fullyQualifiedName: logicalName, kind: 'member' }] }),
      },
    ],
    ...(relatedLocations.length === 0 ? {} : { relatedLocations }),
    partialFingerprints: {
      ...(lineHash === undefined ? {} : { primaryLocationLineHash: lineHash }),
      ...(fingerprint === undefined ? {} : { 'preadmit/v1': fingerprint }),
    },
    ...(fix === undefined ? {} : { fixes: [fixOf(fix)] }),
    properties,
  };
}

/** Columns in code points; a region that ends in column 1 ends with the previous line. */
function fixOf({ path, line, before, after }: LineFix): unknown {
  const last = before.at(-1);
  const isWhole = after.length === 0 || last === undefined;
  const end = isWhole
    ? { endLine: line + before.length, endColumn: 1 }
    : { endLine: line + before.length - 1, endColumn: Array.from(last).length + 1 };
  const text = after.join('\n') + (isWhole && after.length > 0 ? '\n' : '');
  return {
    description: { text: 'Write it as mutating policies make it.' },
    artifactChanges: [
      {
        artifactLocation: { uri: uri(path), uriBaseId: '%SRCROOT%' },
        replacements: [{ deletedRegion: { startLine: line, startColumn: 1, ...end }, insertedContent: { text } }],
      },
    ],
  };
}

interface RelatedPart {
  /** Code scanning supports only repository files, so messages contain locations in policy sources as text. */
  readonly elsewhere: readonly string[];
  readonly relatedLocations: readonly unknown[];
}

/** Caches related locations that findings share. */
class RelatedParts {
  readonly #known = new Map<readonly RelatedPlace[], RelatedPart>();

  of(related: readonly RelatedPlace[]): RelatedPart {
    const known = this.#known.get(related);
    if (known !== undefined) return known;
    const part = {
      elsewhere: related
        .filter(({ place }) => !isInRepository(place))
        .map(({ message, place }) => `${message}: ${place.path}:${place.startLine}`),
      relatedLocations: relatedLocations(related.filter(({ place }) => isInRepository(place))),
    };
    if (this.#known.size === MAX_RELATED) this.#known.clear();
    this.#known.set(related, part);
    return part;
  }
}

function isInRepository(place: Place | undefined): place is Place {
  return place !== undefined && !isElsewhere(place);
}

function isPlaced(diagnostic: ReportedDiagnostic): diagnostic is PlacedDiagnostic {
  return isInRepository(diagnostic.primary);
}

function relatedLocations(related: readonly RelatedPlace[]): readonly unknown[] {
  return related.map(({ message, place }, index) => ({
    id: index + 1,
    message: { text: plain(message) },
    physicalLocation: physicalLocation(place),
  }));
}

function physicalLocation(place: Place): unknown {
  return { artifactLocation: { uri: uri(place.path), uriBaseId: '%SRCROOT%' }, region: region(place) };
}

/** Always one line: an alert shows on a pull request only if every line of its region was changed there. */
function region(place: Place): unknown {
  const { startLine, startColumn } = place;
  const endColumn = place.endLine === startLine ? place.endColumn : endOfLine(place);
  return { startLine, startColumn, endLine: startLine, endColumn: Math.max(endColumn, startColumn) };
}

function endOfLine(place: Place): number {
  const text = place.excerpt?.lines[place.startLine - place.excerpt.firstLine];
  return text === undefined ? place.startColumn + 1 : Array.from(text).length + 1;
}

function uri(path: string): string {
  return path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}

/** `[text](target)` is a link even in SARIF's plain text; a zero-width space prevents it. Never empty. */
function plain(text: string): string {
  return text === '' ? '(no message)' : text.replaceAll('](', ']\u200b(');
}

/** Diagnostics without a file in the repository, and the number of omitted results. */
function isIncomplete({ verdict, findings, diagnostics }: Report): boolean {
  return [...findings, ...diagnostics].some((entry) => failsUndecided(entry, verdict));
}

/** What belongs to no file of the repository, what was not judged, and what did not fit. */
function notifications(report: Report, cut: number): unknown[] {
  return [
    ...report.diagnostics
      .filter((each) => !isInRepository(each.primary) || (isUndecided(each) && each.excuse === undefined))
      .map(({ code, severity, message, primary }) => ({
        descriptor: { id: code },
        level: LEVELS[severity],
        message: {
          text: plain(primary === undefined ? message : `${message}\nat ${primary.path}:${primary.startLine}`),
        },
      })),
    ...(cut > 0
      ? [{ level: 'warning', message: { text: `${count(cut, 'result')} more did not fit; the json format has all` } }]
      : []),
  ];
}
