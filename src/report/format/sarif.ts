// SARIF 2.1.0 with the additional rules of GitHub code scanning.
import { openDiagnostics, openFindings } from '../excuse.ts';
import { jsonText } from '../json-text.ts';
import { isElsewhere } from '../place.ts';
import { codePage, PROJECT_NAME, PROJECT_URL } from '../project.ts';
import type { Finding, LineFix, Place, RelatedPlace, Report, ReportedDiagnostic, Severity } from '../report.ts';
import type { Reporter } from '../reporter.ts';
import { textDigest } from '../text-digest.ts';
import { adviceOf, bySeverity, count, resourceLabel, ruleId, ruleName } from '../wording.ts';

/** A file with more results in a run is rejected whole. */
const MAX_RESULTS = 25_000;
/** Longest description of a rule that is taken. */
const MAX_DESCRIPTION = 1_024;

const LEVELS: Record<Severity, string> = { error: 'error', warning: 'warning', notice: 'note' };
const PROBLEM_SEVERITIES: Record<Severity, string> = { error: 'error', warning: 'warning', notice: 'recommendation' };

/** A reportingDescriptor; only its id is read again. */
interface Rule {
  readonly id: string;
  readonly [property: string]: unknown;
}

/** What a result needs, whether it came from a finding or a diagnostic. */
interface Subject {
  readonly severity: Severity;
  readonly rule: Rule;
  readonly message: string;
  readonly primary: Place;
  readonly related: readonly RelatedPlace[];
  readonly fingerprint: string | undefined;
  readonly logicalName: string | undefined;
  readonly fix?: LineFix | undefined;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export const sarif: Reporter = {
  name: 'sarif',
  extension: 'sarif',
  render: (report) =>
    jsonText({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [run(report)],
    }),
};

// No automationDetails: its id would override the `category` a workflow gives to codeql-action/upload-sarif.
function run(report: Report): unknown {
  const subjects = bySeverity([
    ...openFindings(report.findings).map(ofFinding),
    ...openDiagnostics(report.diagnostics).flatMap((diagnostic) =>
      isInRepository(diagnostic.primary) ? [ofDiagnostic(diagnostic, diagnostic.primary)] : [],
    ),
  ]);
  const shown = subjects.slice(0, MAX_RESULTS);
  const rules = new Map<string, { readonly rule: Rule; readonly index: number }>();
  for (const { rule } of shown) {
    if (!rules.has(rule.id)) rules.set(rule.id, { rule, index: rules.size });
  }
  return {
    tool: {
      driver: {
        name: PROJECT_NAME,
        informationUri: PROJECT_URL,
        semanticVersion: report.preadmit,
        rules: Array.from(rules.values(), ({ rule }) => rule),
      },
    },
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: notifications(report, subjects.length - shown.length),
      },
    ],
    columnKind: 'unicodeCodePoints',
    results: withOwnHashes(shown).map((subject) => result(subject, rules.get(subject.rule.id)?.index ?? 0)),
  };
}

/**
 * Code scanning takes results of one rule and one hash for one alert. Of several on a line (two bindings, params or targets of one
 * policy) the first by fingerprint keeps the hash of the line.
 */
function withOwnHashes(subjects: readonly Subject[]): readonly Subject[] {
  const keyOf = ({ rule, primary }: Subject): string => JSON.stringify([rule.id, primary.path, primary.lineHash]);
  const first = new Map<string, string>();
  for (const subject of subjects) {
    const { fingerprint } = subject;
    const known = first.get(keyOf(subject));
    if (fingerprint !== undefined && (known === undefined || fingerprint < known))
      first.set(keyOf(subject), fingerprint);
  }
  return subjects.map((subject) => {
    const { primary, fingerprint } = subject;
    const isFirst = fingerprint === undefined || first.get(keyOf(subject)) === fingerprint;
    if (isFirst || primary.lineHash === undefined) return subject;
    const [hash = ''] = primary.lineHash.split(':');
    const own = textDigest(`${hash}\0${fingerprint}`, hash.length);
    return { ...subject, primary: { ...primary, lineHash: `${own}:1` } };
  });
}

function ofFinding(finding: Finding): Subject {
  return {
    severity: finding.severity,
    rule: policyRule(finding),
    message: `${resourceLabel(finding.resource)}: ${finding.message}`,
    primary: finding.primary,
    related: finding.related,
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

function ofDiagnostic(diagnostic: ReportedDiagnostic, primary: Place): Subject {
  const advice = adviceOf(diagnostic);
  return {
    severity: diagnostic.severity,
    rule: diagnosticRule(diagnostic),
    message: advice === undefined ? diagnostic.message : `${diagnostic.message}\n${advice}`,
    primary,
    related: diagnostic.related,
    fingerprint: undefined,
    logicalName: undefined,
    fix: diagnostic.fix,
  };
}

function policyRule(finding: Finding): Rule {
  const id = sarifRuleId(finding);
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

/** By the text of the expression and not by its place, so that a validation that is inserted before it leaves its alerts alone. */
function sarifRuleId(finding: Finding): string {
  const { expression } = finding.rule;
  if (expression === undefined) return ruleId(finding);
  const digest = textDigest(expression.trim(), 8);
  return `${finding.policy.name}/${ruleName(finding).replace(/\[\d+\]/g, '')}-${digest}`;
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

function result(subject: Subject, ruleIndex: number): unknown {
  const { primary, fingerprint } = subject;
  const related = subject.related.filter(({ place }) => isInRepository(place));
  return {
    ruleId: subject.rule.id,
    ruleIndex,
    level: LEVELS[subject.severity],
    message: { text: plain([subject.message, ...elsewhere(subject.related)].join('\n')) },
    locations: [
      {
        physicalLocation: physicalLocation(primary),
        ...(subject.logicalName === undefined
          ? {}
          : { logicalLocations: [{ fullyQualifiedName: subject.logicalName, kind: 'member' }] }),
      },
    ],
    ...(related.length === 0 ? {} : { relatedLocations: relatedLocations(related) }),
    partialFingerprints: {
      ...(primary.lineHash === undefined ? {} : { primaryLocationLineHash: primary.lineHash }),
      ...(fingerprint === undefined ? {} : { 'preadmit/v1': fingerprint }),
    },
    ...(subject.fix === undefined ? {} : { fixes: [fixOf(subject.fix)] }),
    properties: subject.properties,
  };
}

/** Columns in code points; a region that ends in column 1 ends with the line before. */
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

/** Code scanning knows the files of the repository alone, so places in policy sources are told in words. */
function elsewhere(related: readonly RelatedPlace[]): readonly string[] {
  return related
    .filter(({ place }) => !isInRepository(place))
    .map(({ message, place }) => `${message}: ${place.path}:${place.startLine}`);
}

function isInRepository(place: Place | undefined): place is Place {
  return place !== undefined && !isElsewhere(place);
}

function relatedLocations(related: readonly RelatedPlace[]): unknown[] {
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

/** `[words](target)` is a link in SARIF's plain text too; a zero-width space leaves the words only. Never empty. */
function plain(text: string): string {
  return text === '' ? '(no message)' : text.replaceAll('](', ']\u200b(');
}

/** What belongs to no file of the repository, and what did not fit. */
function notifications(report: Report, cut: number): unknown[] {
  return [
    ...report.diagnostics
      .filter(({ primary }) => !isInRepository(primary))
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
