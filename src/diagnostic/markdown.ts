// Text of the repository inside GitHub-flavoured Markdown: shown as it is, never as markup, mention or reference.
import { sanitizeLine } from './sanitize.ts';

const ZERO_WIDTH_SPACE = '\u200b';

/**
 * For running text and table cells: one line, no markup, no HTML, no links, no @mentions, no #123 and GH-123 references.
 * GitHub looks for mentions, references and addresses in the finished text, where a backslash is gone: those are broken
 * by a zero-width space.
 */
export function escapeMarkdown(text: string): string {
  return sanitizeLine(text)
    .replace(/[@#](?=[A-Za-z0-9])|\bGH-(?=\d)|\b(?:https?|ftp|mailto|xmpp|www)(?=[:.])/gi, `$&${ZERO_WIDTH_SPACE}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~$-]/g, '\\$&')
    .replace(/^(\s*\d+)\./, '$1\\.');
}

const ADDRESS =
  /\bhttps?:\/\/[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?(?:\/[A-Za-z0-9._~:/?#!$&'*+,;=%-]*)?/g;
const MAX_ADDRESS = 500;
/** GitHub tells the other page of such a link, on behalf of whoever wrote the text. */
const REFERENCE = /\/(?:issues|pulls?|discussions|commits?)\//;

/** Like `escapeMarkdown`, for the words of policies: addresses in them are links that show where they lead. */
export function messageMarkdown(text: string): string {
  const line = sanitizeLine(text);
  let written = '';
  let end = 0;
  for (const found of line.matchAll(ADDRESS)) {
    const address = found[0].replace(/[.,;:!?']+$/, '');
    const after = line[found.index + address.length] ?? '';
    if (address.length > MAX_ADDRESS || REFERENCE.test(`${address}/`) || after === '@') continue;
    written += `${escapeMarkdown(line.slice(end, found.index))}<${address}>`;
    end = found.index + address.length;
  }
  return written + escapeMarkdown(line.slice(end));
}

/** As code, with a fence longer than any run of backquotes inside; `|` is escaped so that it may stand in a table. */
export function codeSpan(text: string): string {
  const line = sanitizeLine(text).replaceAll('|', '\\|');
  if (line.trim() === '') return '` `';
  const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** A block of code with a fence longer than any run of backquotes in it. */
export function fenced(language: string, lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  return [`${fence}${language}`, ...lines, fence].map((line) => `${line}\n`).join('');
}

/** Text in which identifiers stand between backquotes: these become code, and whatever it holds stays text. */
export function proseMarkdown(text: string): string {
  const parts = text.split('`');
  const isCode = (index: number): boolean => index % 2 === 1;
  const arePairs = parts.length % 2 === 1 && parts.every((part, index) => !isCode(index) || part.trim() !== '');
  if (!arePairs) return escapeMarkdown(text);
  return parts.map((part, index) => (isCode(index) ? codeSpan(part) : escapeMarkdown(part))).join('');
}
