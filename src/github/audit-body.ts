// The text of the audit's issue: where it stands, how it went, the report; and in its hidden first line what the next run needs.
import { escapeMarkdown } from '../diagnostic/markdown.ts';
import { byteLength } from '../report/cut-text.ts';
import { renderMarkdown } from '../report/format/markdown.ts';
import type { Report } from '../report/report.ts';
import { pointOf, readPoints, type TrendPoint, trendText, withPoint, writePoints } from './audit-trend.ts';
import { MAX_BODY_BYTES, type PageOptions } from './comment-body.ts';
import { MARKER_END, marker } from './marker.ts';

export interface AuditPageOptions extends PageOptions {
  /** As `2026-11-21`. */
  readonly today: string;
}

/** At most 255 characters. */
export function auditTitle(key: string): string {
  return `${escapeTitle(key)}: audit of the default branch`;
}

export function auditBody(report: Report, earlier: readonly TrendPoint[], options: AuditPageOptions): string {
  const { key, runUrl, blobUrl, today } = options;
  const now = pointOf(report, today);
  const head = `${marker('audit', key)} ${writePoints(withPoint(earlier, now))}${MARKER_END}\n`;
  const trend = trendText(earlier, now);
  const foot = `\n<sub>As of ${escapeMarkdown(today)}, [workflow run](${runUrl}). This issue is kept up to date, and closed when nothing is left.</sub>\n`;
  const room = MAX_BODY_BYTES - byteLength(head) - byteLength(trend) - byteLength(foot);
  const text = renderMarkdown(report, { maxBytes: room, blobUrl });
  const [title = '', numbers = '', ...rest] = text.split('\n\n');
  return `${head}${title}\n\n${numbers}\n\n${trend}${rest.join('\n\n')}${foot}`;
}

/** The points in the first line; none if the body is not ours. */
export function pointsIn(body: string, key: string): readonly TrendPoint[] {
  const start = `${marker('audit', key)} `;
  const line = body.split(/\r?\n/, 1)[0] ?? '';
  return line.startsWith(start) && line.endsWith(MARKER_END)
    ? readPoints(line.slice(start.length, -MARKER_END.length))
    : [];
}

/** Titles are plain text to GitHub, but for mentions nobody wants. */
function escapeTitle(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, ' ').slice(0, 100);
}
