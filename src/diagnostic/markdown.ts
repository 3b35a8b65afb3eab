// Text of the repository inside GitHub-flavoured Markdown: shown as it is, never as markup, mention or reference.
import { trimRight } from '../go/strings/trim.ts';
import { sanitizeLine } from './sanitize.ts';

const ZERO_WIDTH_SPACE = '\u200b';

/**
 * For running text and table cells: one line, no markup, no HTML, no links, no @mentions, no #123 and GH-123 references.
 * GitHub looks for mentions, references and addresses in the finished text, where a backslash is gone: those are broken
 * by a zero-width space.
 */
export function escapeMarkdown(text: string): string {
  return withoutReferences(sanitizeLine(text))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~$-]/g, '\\$&')
    .replace(/^(\s*\d+)\./, '$1\\.');
}

/** For text inside an HTML element, where Markdown is not read: one line, with as little in it that GitHub would make a link of. */
export function escapeHtmlText(text: string): string {
  return withoutReferences(sanitizeLine(text)).replace(/[&<>"'`*_[\]\\|~$]/g, (found) => `&#${found.charCodeAt(0)};`);
}

function withoutReferences(line: string): string {
  return line.replace(
    /[@#](?=[A-Za-z0-9])|\bGH-(?=\d)|\b(?:https?|ftp|mailto|xmpp|www)(?=[:.])/gi,
    `$&${ZERO_WIDTH_SPACE}`,
  );
}

const MAX_CODE_LINE = 200;

/** Lines as a block of code, behind a fence longer than any run of backquotes in them; no text ends it. */
export function codeBlock(lines: readonly string[], language: '' | 'yaml' | 'cel'): string {
  const shown = lines.map((line) =>
    sanitizeLine(line.length > MAX_CODE_LINE ? `${line.slice(0, MAX_CODE_LINE)}…` : line),
  );
  const longest =
    shown
      .join('\n')
      .match(/`+/g)
      ?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${shown.join('\n')}\n${fence}\n`;
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
    const address = trimRight(found[0], ".,;:!?'");
    const after = line[found.index + address.length] ?? '';
    if (address.length > MAX_ADDRESS || REFERENCE.test(`${address}/`) || after === '@') continue;
    written += `${escapeMarkdown(line.slice(end, found.index))}<${address}>`;
    end = found.index + address.length;
  }
  return written + escapeMarkdown(line.slice(end));
}

/** As code, with a fence longer than any run of backquotes inside; `|` is escaped so that it may stand in a table. */
export function codeSpan(text: string): string {
  return span(sanitizeLine(text).replaceAll('|', '\\|'));
}

/** The same outside of tables, where the backslash before `|` would be shown. */
export function untabledCodeSpan(text: string): string {
  return span(sanitizeLine(text));
}

function span(line: string): string {
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
