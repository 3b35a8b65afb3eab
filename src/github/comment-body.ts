// The body of the pull request comment: the Markdown report, or one line if there are no findings.

import { openFindings } from '../report/baseline/excuse.ts';
import { headingLine, renderMarkdown } from '../report/format/markdown/markdown.ts';
import type { MarkdownOptions } from '../report/format/markdown/options.ts';
import { isShown } from '../report/gate/repeated.ts';
import type { Report } from '../report/report.ts';
import { byteLength } from '../report/wording/cut-text.ts';
import { MARKER_END, marker } from './marker.ts';

export interface PageOptions extends Pick<MarkdownOptions, 'lost' | 'baseBlobUrl' | 'baseName'> {
  /** Distinguishes the comments of several jobs. */
  readonly key: string;
  readonly runUrl: string;
  readonly blobUrl: string;
}

/** Below GitHub's limit of 65,536 characters. */
export const MAX_BODY_BYTES = 60_000;

export function commentBody(report: Report, { key, ...page }: PageOptions): string {
  const head = `${marker('comment', key)}${MARKER_END}\n`;
  const { conclusion } = report.verdict;
  const counted = openFindings(report.findings).filter((finding) => isShown(finding, report.verdict));
  if (conclusion === 'allowed' && counted.length === 0 && report.blastRadius === undefined) {
    return `${head}${headingLine(report)}. [Workflow run](${page.runUrl})\n`;
  }
  const lastWords = ['Preadmit updates this comment.'];
  return head + renderMarkdown(report, { ...page, maxBytes: MAX_BODY_BYTES - byteLength(head), lastWords });
}
