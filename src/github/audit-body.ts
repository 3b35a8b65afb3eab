// The body of the audit issue: current state, history or trend, and report. A hidden first line holds the data for the next run.
import { escapeMarkdown } from '../diagnostic/markdown.ts';
import { renderMarkdown } from '../report/format/markdown/markdown.ts';
import type { Report } from '../report/report.ts';
import { byteLength, cutToBytes } from '../report/wording/cut-text.ts';
import { reviewHeading } from '../report/wording/review-heading.ts';
import { pointOf, readPoints, type TrendPoint, trendText, withPoint, writePoints } from './audit-trend.ts';
import { MAX_BODY_BYTES, type PageOptions } from './comment-body.ts';
import { MARKER_END, marker } from './marker.ts';

export interface AuditPageOptions extends PageOptions {
  /** E.g. `2026-11-21`. */
  readonly today: string;
  /** Markdown above everything else, with its own line breaks. */
  readonly above?: string;
  /** Address of the published page. */
  readonly siteUrl?: string;
  /** Names of the last audits of the history, newest last. */
  readonly knownAudits?: ReadonlySet<string>;
}

/** What the issue remembers of the audit before. */
export interface AuditMemory {
  readonly points: readonly TrendPoint[];
  /** Name of that audit in the history. */
  readonly audit?: string;
}

const MAX_TITLE_BYTES = 250;

/** At most 255 characters, e.g. `Preadmit: 3 of 40 objects would be denied`. */
export function auditTitle(key: string, report: Report): string {
  return cutToBytes(`${escapeTitle(key)}: ${plain(reviewHeading(report)).replaceAll('`', '')}`, MAX_TITLE_BYTES);
}

/**
 * `report` may be the part of an owner. With a history, the report shows it; otherwise the issue itself remembers the trend of 30 runs.
 */
export function auditBody(report: Report, earlier: AuditMemory, options: AuditPageOptions): string {
  const { key, today, above = '', siteUrl, knownAudits = new Set<string>(), ...page } = options;
  const now = pointOf(report, today);
  const audit = [...knownAudits].at(-1);
  const memory = `${writePoints(withPoint(earlier.points, now))}${audit === undefined ? '' : ` ${memoryOf(audit)}`}`;
  const head = `${marker('audit', key)} ${memory}${MARKER_END}\n`;
  const text = renderMarkdown(withRewriteNote(report, earlier, knownAudits), {
    ...page,
    maxBytes: MAX_BODY_BYTES - byteLength(head),
    belowHeading: above + (report.audit?.history === undefined ? trendText(earlier.points, now) : ''),
    lastWords: [
      ...(siteUrl === undefined ? [] : [`[page with trends](${siteUrl})`]),
      `as of ${escapeMarkdown(today)}`,
      'Preadmit updates this issue, and closes it when no findings are left.',
    ],
  });
  return head + text;
}

/** A forced push may remove the audit that the issue was last updated from. */
function withRewriteNote(report: Report, { audit }: AuditMemory, knownAudits: ReadonlySet<string>): Report {
  const known = report.audit?.history;
  if (audit === undefined || known === undefined || knownAudits.has(audit)) return report;
  const note = `The history no longer contains the audit \`${audit}\` of the last update of this issue: it was rewritten. Ages may have started again.`;
  return {
    ...report,
    audit: { ...report.audit, day: report.audit?.day ?? '', history: { ...known, notes: [...known.notes, note] } },
  };
}

const MEMORY = /^(\[.*\])(?: audit=([\w%.~-]{1,200}))?$/;

/** Encoded, so that it cannot end the comment. */
function memoryOf(audit: string): string {
  return `audit=${encodeURIComponent(audit)
    .replace(/[!'()*]/g, '')
    .slice(0, 200)}`;
}

/** The data in the issue's first line; none if Preadmit did not write the body. */
export function memoryIn(body: string, key: string): AuditMemory {
  const start = `${marker('audit', key)} `;
  const line = body.split(/\r?\n/, 1)[0] ?? '';
  if (!line.startsWith(start) || !line.endsWith(MARKER_END)) return { points: [] };
  const [, points = '', audit] = MEMORY.exec(line.slice(start.length, -MARKER_END.length)) ?? [];
  const name = audit === undefined ? undefined : decoded(audit);
  return { points: readPoints(points), ...(name !== undefined && { audit: name }) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** GitHub shows titles as plain text, so only control characters are removed. */
function escapeTitle(text: string): string {
  return plain(text).slice(0, 100);
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, ' ');
}
