// The text of the pull request's comment: the Markdown report, or one line when there is nothing to do.

import { openFindings } from '../report/baseline/excuse.ts';
import { headingLine, renderMarkdown } from '../report/format/markdown/markdown.ts';
import type { MarkdownOptions } from '../report/format/markdown/options.ts';
import type { Report } from '../report/report.ts';
import { byteLength } from '../report/wording/cut-text.ts';
import { isNews } from '../report/wording/wording.ts';
import { MARKER_END, marker } from './marker.ts';

export interface PageOptions extends Pick<MarkdownOptions, 'lost' | 'baseBlobUrl' | 'baseName'> {
  /** Tells apart the texts of several jobs. */
  readonly key: string;
  readonly runUrl: string;
  readonly blobUrl: string;
}

/** GitHub takes 65,536 characters. */
export const MAX_BODY_BYTES = 60_000;

export function commentBody(report: Report, { key, ...page }: PageOptions): string {
  const head = `${marker('comment', key)}${MARKER_END}\n`;
  const { conclusion, only } = report.verdict;
  const counted = openFindings(report.findings).filter((finding) => only !== 'new' || isNews(finding));
  if (conclusion === 'allowed' && counted.length === 0 && report.blastRadius === undefined) {
    return `${head}${headingLine(report)}. [Workflow run](${page.runUrl})\n`;
  }
  const lastWords = ['This comment is kept up to date.'];
  return head + renderMarkdown(report, { ...page, maxBytes: MAX_BODY_BYTES - byteLength(head), lastWords });
}
