// What the HTML page is told: the parts of a Report that it shows, as JSON that cannot end the element it stands in.
import { sanitizeText } from '../../../diagnostic/sanitize.ts';
import { acceptance } from '../../excuse.ts';
import type { Excerpt, Finding, Place, RelatedPlace, Report, ReportedDiagnostic } from '../../report.ts';
import { reviewHeading } from '../../review-heading.ts';
import { unknownSentences } from '../../unknown-wording.ts';
import {
  actionsLabel,
  additionWords,
  adviceOf,
  blastRadiusHeadline,
  changeHeadline,
  derivedTargets,
  mutatedAwayWords,
  operationPrefix,
  otherMessages,
  resourceLabel,
  rootsNote,
  ruleName,
  shortId,
  sourcesExtent,
  storedWords,
  targetsOf,
  validationExtent,
  verdictBy,
} from '../../wording.ts';

/** Texts are told once, in a list; elsewhere their places in it stand for them, numbers too: findings of one rule have most of theirs in common. */
interface PageData {
  readonly texts: readonly string[];
  readonly root: unknown;
}

/** For a `<script type="application/json">`: no text in it can be markup, end the element or open a comment. */
export function pageJson(report: Report): string {
  return JSON.stringify(pageData(report)).replace(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function pageData(report: Report): PageData {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const numbered = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const known = numbers.get(value);
      if (known !== undefined) return known;
      numbers.set(value, texts.length);
      return texts.push(sanitizeText(value)) - 1;
    }
    if (Array.isArray(value)) return value.map(numbered);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, numbered(item)]])),
      );
    }
    return typeof value === 'number' ? numbered(String(value)) : value;
  };
  const root = numbered(shown(report));
  return { texts, root };
}

function shown(report: Report) {
  const { coverage, comparison, notCompared, blastRadius, verdict } = report;
  return {
    heading: reviewHeading(report).replaceAll('`', ''),
    conclusion: verdict.conclusion,
    version: report.preadmit,
    only: verdict.only,
    findings: report.findings.map((finding) => findingEntry(finding)),
    problems: report.diagnostics.map(problemEntry),
    fixed: (comparison?.fixed ?? []).map((finding) => findingEntry(finding)),
    comparison: comparison && [
      `${shortId(comparison.base)} with ${shortId(comparison.head)}: ${changeHeadline(comparison)}`,
      verdictBy(comparison),
      ...comparison.notices,
    ],
    notCompared,
    blast: blastRadius && {
      heading: blastRadiusHeadline(blastRadius),
      causes: blastRadius.causes.map(({ resource, change, path }) => `${resourceLabel(resource)} ${change} (${path})`),
      entries: blastRadius.entries.map((entry) => ({
        object: resourceLabel(entry.resource),
        cluster: entry.target,
        before: entry.before,
        after: entry.after,
        by: entry.policies.join(', '),
        message: entry.message ?? '',
        stored: entry.fields === undefined ? '' : storedWords(entry.fields),
        at: placeLabel(entry.primary),
      })),
    },
    coverage: {
      files: coverage.files,
      found: coverage.found,
      evaluated: coverage.evaluated,
      extents: [sourcesExtent(report), validationExtent(report)].filter((words) => words !== ''),
      reasons: coverage.notEvaluated.map(({ reason, meaning, count }) => ({ reason, meaning, count })),
      skipped: coverage.skipped.map(({ path, line, reason, detail }) => ({
        at: line === undefined ? path : `${path}:${line}`,
        reason,
        detail: detail ?? '',
      })),
    },
    clusters: report.targets.map(({ name, kubernetesVersion, user, evaluated, policies }) => ({
      name,
      kubernetesVersion,
      user,
      evaluated,
      policies: policies.length,
    })),
    derived: derivedTargets(report.targets),
    policies: report.targets.flatMap(({ name: cluster, policies }) =>
      policies.map(({ kind, name, path, matched, denied, warned, audited }) => ({
        cluster,
        kind,
        name,
        path,
        matched,
        denied,
        warned,
        audited,
      })),
    ),
    unknowns: unknownSentences(report),
    additions: report.targets.flatMap(({ additions = [] }) => additions.map(additionWords)),
    mutatedAway: report.targets.flatMap(({ mutatedAway = [] }) => mutatedAway.map(mutatedAwayWords)),
  };
}

function findingEntry(finding: Finding) {
  const { policy, primary, mayBeChangedBy = [], excuse } = finding;
  const field =
    finding.fieldPath === '' ? undefined : `${finding.fieldPath}${finding.defaulted === true ? ' (by default)' : ''}`;
  return {
    ...entryPlace(primary),
    severity: finding.severity,
    result: finding.result,
    status: finding.status,
    message: finding.message,
    object: `${operationPrefix(finding)}${resourceLabel(finding.resource)}`,
    clusters: targetsOf(finding),
    policy: policy.name,
    rule: `${policy.kind} ${policy.name}, ${ruleName(finding)}`,
    expression: finding.rule.expression,
    field,
    binding: finding.binding,
    param: finding.param && resourceLabel(finding.param),
    server: finding.serverMessage === '' ? undefined : finding.serverMessage,
    actions: actionsLabel(finding),
    notes: [
      ...(finding.changedBy === undefined ? [] : [`${finding.changedBy} changes this manifest before it is applied`]),
      ...(mayBeChangedBy.length === 0
        ? []
        : [`${mayBeChangedBy.join(' and ')} may change this object before policies see it`]),
      ...(rootsNote(finding) === '' ? [] : [rootsNote(finding)]),
      ...otherMessages(finding),
    ],
    related: finding.related.map(relatedEntry),
    accepted: excuse && `${acceptance(excuse)} (${placeLabel(excuse.place)})`,
  };
}

function problemEntry(diagnostic: ReportedDiagnostic) {
  const { primary, excuse } = diagnostic;
  return {
    ...(primary === undefined ? {} : entryPlace(primary)),
    severity: diagnostic.severity,
    status: diagnostic.status,
    message: diagnostic.message,
    code: diagnostic.code,
    object: diagnostic.resource && resourceLabel(diagnostic.resource),
    help: adviceOf(diagnostic),
    related: diagnostic.related.map(relatedEntry),
    accepted: excuse && `${acceptance(excuse)} (${placeLabel(excuse.place)})`,
  };
}

function entryPlace(place: Place) {
  return { path: place.path, line: place.startLine, last: place.endLine, frame: place.excerpt && frame(place.excerpt) };
}

function frame({ firstLine, lines }: Excerpt) {
  return { first: firstLine, lines };
}

function relatedEntry({ message, place }: RelatedPlace) {
  return { message, at: placeLabel(place), line: place.startLine, frame: place.excerpt && frame(place.excerpt) };
}

function placeLabel({ path, startLine }: Place): string {
  return `${path}:${startLine}`;
}
