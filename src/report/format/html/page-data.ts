// Data of the HTML page: the displayed parts of a report as JSON that is safe inside a script element.
import { acceptance } from '../../baseline/excuse.ts';
import { isUndecided } from '../../gate/undecided.ts';
import { problemIdentities } from '../../history/reported-findings.ts';
import type {
  BlastRadiusEntry,
  Excerpt,
  Finding,
  Place,
  RelatedPlace,
  Report,
  ReportedDiagnostic,
} from '../../report.ts';
import { reviewHeading } from '../../wording/review-heading.ts';
import { unknownSentences } from '../../wording/unknown-wording.ts';
import {
  actionsLabel,
  additionWords,
  adviceOf,
  auditAnnotationWords,
  blastRadiusHeadline,
  changeHeadline,
  derivedTargets,
  fetchedExtent,
  mutatedAwayWords,
  operationPrefix,
  otherMessages,
  resourceLabel,
  rootsNote,
  ruleName,
  settingsExtent,
  shortId,
  sourcesExtent,
  storedWords,
  targetsOf,
  validationExtent,
  verdictBy,
} from '../../wording/wording.ts';
import { releaseLines, subjectWords, UPGRADE_WORDS } from '../text/upgrade-lines.ts';
import { whatIfLines } from '../text/what-if-lines.ts';
import { KnownParts, mapped, NumberedTexts } from './numbered-texts.ts';

/**
 * For `<script type="application/json">`: no text can be markup, end the element or open a comment. Each text is stored once in a leading
 * list, and its index replaces it elsewhere, because findings of one rule share most texts. The list comes first, so the report is
 * traversed twice. `more`: further data of the page.
 */
export function* pageJson(report: Report, more: object = {}): Generator<string> {
  const texts = new NumberedTexts();
  const known = new KnownParts();
  const data = { ...shown(report, known), ...more };
  yield '{"texts":[';
  yield* texts.told(data);
  yield '],"root":';
  yield* texts.parts(data);
  yield '}';
}

/** Entries of potentially long lists are created on demand. */
function shown(report: Report, known: KnownParts) {
  const { coverage, comparison, notCompared, blastRadius, verdict } = report;
  return {
    heading: reviewHeading(report).replaceAll('`', ''),
    conclusion: verdict.conclusion,
    version: report.preadmit,
    only: verdict.only,
    findings: mapped(report.findings, (finding) => findingEntry(finding, known)),
    problems: mapped(report.diagnostics, (diagnostic) => problemEntry(diagnostic, known)),
    fixed: mapped(comparison?.fixed ?? [], (finding) => findingEntry(finding, known)),
    comparison: comparison && [
      `${shortId(comparison.base)} with ${shortId(comparison.head)}: ${changeHeadline(comparison)}`,
      verdictBy(comparison),
      ...comparison.notices,
    ],
    notCompared,
    blast: blastRadius && {
      heading: blastRadiusHeadline(blastRadius),
      causes: blastRadius.causes.map(({ resource, change, path }) => `${resourceLabel(resource)} ${change} (${path})`),
      entries: blastRadius.entries.map(radiusEntry),
    },
    ...auditParts(report),
    coverage: {
      files: coverage.files,
      found: coverage.found,
      evaluated: coverage.evaluated,
      extents: [sourcesExtent, fetchedExtent, validationExtent, settingsExtent]
        .map((extent) => extent(report))
        .filter((words) => words !== ''),
      reasons: coverage.notEvaluated.map(({ reason, meaning, count }) => ({ reason, meaning, count })),
      skipped: mapped(coverage.skipped, ({ path, line, reason, detail }) => ({
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
      policies.map(({ kind, name, path, matched, denied, warned, audited, undecided = 0 }) => ({
        cluster,
        kind,
        name,
        path,
        matched,
        denied,
        warned,
        audited,
        undecided,
      })),
    ),
    unknowns: unknownSentences(report),
    additions: report.targets.flatMap(({ additions = [] }) => additions.map(additionWords)),
    auditAnnotations: report.targets.flatMap((target) => (target.auditAnnotations ?? []).map(auditAnnotationWords)),
    mutatedAway: report.targets.flatMap(({ mutatedAway = [] }) => mutatedAway.map(mutatedAwayWords)),
  };
}

/** What candidate policies would change, and what to do before an upgrade; only in the report of an audit. */
function auditParts({ audit }: Report) {
  const { whatIf, upgrades } = audit ?? {};
  return {
    candidates: whatIf && {
      heading: whatIf.blastRadius === undefined ? 'no difference' : blastRadiusHeadline(whatIf.blastRadius),
      lines: whatIfLines(whatIf),
      entries: mapped(whatIf.blastRadius?.entries ?? [], radiusEntry),
    },
    upgrades: upgrades && {
      lines: releaseLines(upgrades),
      actions: mapped(upgrades.actions, (action) => ({
        before: action.before,
        kind: UPGRADE_WORDS[action.kind],
        message: action.message,
        what: action.what,
        where: subjectWords(action),
        owners: (action.owners ?? []).join(', '),
      })),
    },
  };
}

function radiusEntry(entry: BlastRadiusEntry) {
  return {
    object: resourceLabel(entry.resource),
    cluster: entry.target,
    before: entry.before,
    after: entry.after,
    by: entry.policies.join(', '),
    message: entry.message ?? '',
    stored: entry.fields === undefined ? '' : storedWords(entry.fields),
    at: placeLabel(entry.primary),
  };
}

function findingEntry(finding: Finding, known: KnownParts) {
  const { policy, primary, mayBeChangedBy = [], excuse } = finding;
  const field =
    finding.fieldPath === '' ? undefined : `${finding.fieldPath}${finding.defaulted === true ? ' (by default)' : ''}`;
  return {
    ...entryPlace(primary, known),
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
    related: known.of(finding.related, (related) => related.map(relatedEntry)),
    accepted: excuse && `${acceptance(excuse)} (${placeLabel(excuse.place)})`,
    since: finding.since,
    owners: finding.owners,
    resource: resourceLabel(finding.resource),
    objects: finding.objects?.map(({ target, resource }) => ({ cluster: target, resource: resourceLabel(resource) })),
  };
}

function problemEntry(diagnostic: ReportedDiagnostic, known: KnownParts) {
  const { primary, excuse } = diagnostic;
  return {
    ...(primary === undefined ? {} : entryPlace(primary, known)),
    severity: diagnostic.severity,
    status: diagnostic.status,
    message: diagnostic.message,
    code: diagnostic.code,
    object: diagnostic.resource && resourceLabel(diagnostic.resource),
    help: adviceOf(diagnostic),
    related: known.of(diagnostic.related, (related) => related.map(relatedEntry)),
    accepted: excuse && `${acceptance(excuse)} (${placeLabel(excuse.place)})`,
    since: diagnostic.since,
    owners: diagnostic.owners,
    undecided: isUndecided(diagnostic) ? 'yes' : undefined,
    number: problemIdentities(diagnostic).length,
  };
}

function entryPlace({ path, startLine, endLine, excerpt }: Place, known: KnownParts) {
  return { path, line: startLine, last: endLine, frame: excerpt && known.of(excerpt, frame) };
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
