// The body of the audit issue: current state, trend and report. A hidden first line holds the data for the next run.
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
}

const MAX_TITLE_BYTES = 250;

/** At most 255 characters, e.g. `Preadmit: 3 of 40 objects would be denied`. */
export function auditTitle(key: string, report: Report): string {
  return cutToBytes(`${escapeTitle(key)}: ${plain(reviewHeading(report)).replaceAll('`', '')}`, MAX_TITLE_BYTES);
}

export function auditBody(report: Report, earlier: readonly TrendPoint[], options: AuditPageOptions): string {
  const { key, today, ...page } = options;
  const now = pointOf(report, today);
  const head = `${marker('audit', key)} ${writePoints(withPoint(earlier, now))}${MARKER_END}\n`;
  const text = renderMarkdown(report, {
    ...page,
    maxBytes: MAX_BODY_BYTES - byteLength(head),
    belowHeading: trendText(earlier, now),
    lastWords: [
      `as of ${escapeMarkdown(today)}`,
      'Preadmit updates this issue, and closes it when no findings are left.',
    ],
  });
  return head + text;
}

/** The trend data in the issue's first line; empty if Preadmit did not write the body. */
export function pointsIn(body: string, key: string): readonly TrendPoint[] {
  const start = `${marker('audit', key)} `;
  const line = body.split(/\r?\n/, 1)[0] ?? '';
  return line.startsWith(start) && line.endsWith(MARKER_END)
    ? readPoints(line.slice(start.length, -MARKER_END.length))
    : [];
}

/** GitHub shows titles as plain text, so only control characters are removed. */
function escapeTitle(text: string): string {
  return plain(text).slice(0, 100);
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, ' ');
}
