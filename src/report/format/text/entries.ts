// Findings and diagnostics in a common form for the text report.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { openDiagnostics, openFindings } from '../../baseline/excuse.ts';
import { adviceOnce } from '../../folded/advice.ts';
import { alikeWords, ownPlaces } from '../../folded/alike.ts';
import { isShown } from '../../gate/repeated.ts';
import { ownersLabel } from '../../owner/owner-part.ts';
import type { Finding, LineFix, Place, RelatedPlace, Report, ReportedDiagnostic, Severity } from '../../report.ts';
import {
  actionsLabel,
  adviceOf,
  firstLines,
  operationPrefix,
  otherMessages,
  REPEATED_DENIAL,
  resourceLabel,
  rootsNote,
  ruleName,
  targetNote,
} from '../../wording/wording.ts';
import { type Listing, listingOf } from './listing.ts';

export interface ListedEntry {
  readonly severity: Severity;
  /** The object, or the code. */
  readonly subject: string;
  readonly headline: string;
  readonly place: Place | undefined;
  /** Empty: no owner. */
  readonly owner: string;
  /** Suggested replacement lines. */
  readonly fix?: LineFix | undefined;
  readonly notes: readonly Note[];
}

export interface Note {
  readonly words: string;
  /** Notes with this key say the same: the first one is printed, and `again` instead of each later one. */
  readonly once?: string;
  readonly again?: string;
}

const MAX_PLACES = 20;

/** `isGrouped`: by owner, then by file. */
export function listedEntries(report: Report, isGrouped = false): Listing<ListedEntry> {
  const isListed = (item: Finding | ReportedDiagnostic): boolean => isShown(item, report.verdict);
  const diagnostics = openDiagnostics(report.diagnostics).filter(isListed).map(ofDiagnostic);
  const findings = openFindings(report.findings)
    .filter(isListed)
    .map((finding) => ofFinding(finding, targetNote(finding, report)));
  return listingOf(
    [...diagnostics, ...findings],
    ({ place }) => place?.path ?? '',
    ({ subject }) => subject,
    isGrouped ? ({ owner }) => owner : undefined,
  );
}

function ofFinding(finding: Finding, target: string): ListedEntry {
  const { policy, binding, param, rule } = finding;
  const by = `${actionsLabel(finding)} by ${policy.name} ${ruleName(finding)}`;
  const given = [
    ...(binding === undefined ? [] : [`binding ${binding}`]),
    ...(param === undefined ? [] : [`param ${resourceLabel(param)}`]),
  ];
  const key = JSON.stringify([policy.kind, policy.name, binding, param, rule]);
  const isOfRule = ({ role }: RelatedPlace): boolean => role !== undefined;
  return {
    severity: finding.severity,
    subject: resourceLabel(finding.resource),
    headline: `${operationPrefix(finding)}${sanitizeLine(resourceLabel(finding.resource))}: ${finding.message}`,
    place: finding.primary,
    owner: ownersLabel(finding),
    notes: [
      ...(finding.changedBy === undefined ? [] : [`${finding.changedBy} changes this manifest before it is applied`]),
      ...(finding.mayBeChangedBy === undefined
        ? []
        : [`${finding.mayBeChangedBy.join(' and ')} may change this object before policies see it`]),
      ...(rootsNote(finding) === '' ? [] : [rootsNote(finding)]),
      ...otherMessages(finding),
      ...(target === '' ? [] : [target]),
      ...(finding.defaulted === true ? [`${finding.fieldPath} is not set: the API server's default decides`] : []),
    ]
      .map((words): Note => (words === REPEATED_DENIAL ? { words, once: words } : { words }))
      .concat(
        (rule.expression === undefined ? [] : firstLines(rule.expression)).map((words, index) => ({
          words,
          once: `${key}${index}`,
        })),
        { words: [by, ...given].join(', '), once: key, again: by },
        finding.serverTells === undefined ? [] : { words: SERVER_TELLS[finding.serverTells] },
        places(finding.related).map((words) => ({
          words,
          once: `${key}see`,
          again: places(finding.related.filter((each) => !isOfRule(each)))[0] ?? '',
        })),
      ),
  };
}

const SERVER_TELLS: Record<NonNullable<Finding['serverTells']>, string> = {
  yes: 'the server answers with this failure',
  perhaps: 'the server may answer with this failure',
  no: 'the server answers with an earlier failure',
};

function ofDiagnostic(diagnostic: ReportedDiagnostic): ListedEntry {
  const advice = adviceOf(diagnostic);
  const { code } = diagnostic;
  const own = ownPlaces(diagnostic).map(({ message, place }) => `${message}: ${placeLabel(place)}`);
  const rest = own.length - MAX_PLACES;
  const alike = alikeWords(diagnostic);
  return {
    severity: diagnostic.severity,
    subject: code,
    headline: `${diagnostic.message} (${code})`,
    place: diagnostic.primary,
    owner: ownersLabel(diagnostic),
    fix: diagnostic.fix,
    notes: [
      ...(advice === undefined ? [] : [adviceNote(code, advice)]),
      ...[...own.slice(0, MAX_PLACES), ...(rest > 0 ? [`${rest} more`] : [])].map((words) => ({ words })),
      ...(alike === '' ? [] : [{ words: alike, once: alike }]),
    ],
  };
}

function adviceNote(code: string, advice: string): Note {
  const { key, again } = adviceOnce(code, advice);
  return { words: `help: ${advice}`, once: key, ...(again !== undefined && { again: `help: ${again}` }) };
}

/** The line above already describes each location. */
function places(related: readonly RelatedPlace[]): string[] {
  if (related.length === 0) return [];
  return [`see ${related.map(({ place }) => placeLabel(place)).join(' ')}`];
}

function placeLabel({ path, startLine, startColumn }: Place): string {
  return `${path}:${startLine}:${startColumn}`;
}
