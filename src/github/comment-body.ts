// The text of the pull request's comment: the Markdown report, or one line when there is nothing to do.
import { escapeMarkdown } from '../diagnostic/markdown.ts';
import { byteLength } from '../report/cut-text.ts';
import { openFindings } from '../report/excuse.ts';
import { type MarkdownOptions, renderMarkdown } from '../report/format/markdown.ts';
import type { Report } from '../report/report.ts';
import { isNews, verdictHeadline } from '../report/wording.ts';
import { MARKER_END, marker } from './marker.ts';

export interface PageOptions extends Pick<MarkdownOptions, 'lost'> {
  /** Tells apart the texts of several jobs. */
  readonly key: string;
  readonly runUrl: string;
  readonly blobUrl: string;
}

/** GitHub takes 65,536 characters. */
export const MAX_BODY_BYTES = 60_000;

export function commentBody(report: Report, { key, runUrl, blobUrl, lost }: PageOptions): string {
  const head = `${marker('comment', key)}${MARKER_END}\n`;
  const link = `[Workflow run](${runUrl})`;
  const { conclusion, only } = report.verdict;
  const counted = openFindings(report.findings).filter((finding) => only !== 'new' || isNews(finding));
  if (conclusion === 'allowed' && counted.length === 0 && report.blastRadius === undefined) {
    return `${head}✅ ${escapeMarkdown(verdictHeadline(report))}. ${link}\n`;
  }
  const foot = `\n<sub>${link}. This comment is kept up to date.</sub>\n`;
  const room = MAX_BODY_BYTES - byteLength(head) - byteLength(foot);
  return `${head}${renderMarkdown(report, { maxBytes: room, blobUrl, lost })}${foot}`;
}
