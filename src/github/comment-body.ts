// The text of the pull request's comment: the Markdown report, or one line when there is nothing to do.
import { escapeMarkdown } from '../diagnostic/markdown.ts';
import { byteLength } from '../report/cut-text.ts';
import { openFindings } from '../report/excuse.ts';
import { renderMarkdown } from '../report/format/markdown.ts';
import type { Report } from '../report/report.ts';
import { verdictHeadline } from '../report/wording.ts';
import { MARKER_END, marker } from './marker.ts';

export interface PageOptions {
  /** Tells apart the texts of several jobs. */
  readonly key: string;
  readonly runUrl: string;
  readonly blobUrl: string;
}

/** GitHub takes 65,536 characters. */
export const MAX_BODY_BYTES = 60_000;

export function commentBody(report: Report, { key, runUrl, blobUrl }: PageOptions): string {
  const head = `${marker('comment', key)}${MARKER_END}\n`;
  const link = `[Workflow run](${runUrl})`;
  if (report.verdict.conclusion === 'allowed' && openFindings(report.findings).length === 0) {
    return `${head}✅ ${escapeMarkdown(verdictHeadline(report))}. ${link}\n`;
  }
  const foot = `\n<sub>${link}. This comment is kept up to date.</sub>\n`;
  const room = MAX_BODY_BYTES - byteLength(head) - byteLength(foot);
  return `${head}${renderMarkdown(report, { maxBytes: room, blobUrl })}${foot}`;
}
