// Text of the repository inside GitHub-flavoured Markdown: shown as it is, never as markup, mention or reference.
import { sanitizeLine } from './sanitize.ts';

const ZERO_WIDTH_SPACE = '\u200b';

/** For running text and table cells: one line, no markup, no HTML, no links, no @mentions, no #123 references. */
export function escapeMarkdown(text: string): string {
  return sanitizeLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~$-]/g, '\\$&')
    .replace(/^(\s*\d+)\./, '$1\\.')
    .replace(/@(?=[A-Za-z0-9])/g, `@${ZERO_WIDTH_SPACE}`)
    .replace(/\b(GH-)(?=\d)/gi, `$1${ZERO_WIDTH_SPACE}`)
    .replace(/\b(https?|ftp|mailto|www)(?=[:.])/gi, `$1${ZERO_WIDTH_SPACE}`);
}

/** As code, with a fence longer than any run of backquotes inside; `|` is escaped so that it may stand in a table. */
export function codeSpan(text: string): string {
  const line = sanitizeLine(text).replaceAll('|', '\\|');
  if (line.trim() === '') return '` `';
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}
