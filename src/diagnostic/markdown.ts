// Escapes repository text for GitHub-flavoured Markdown, so that it never becomes markup, a mention or a reference.
import { trimRight } from '../go/strings/trim.ts';
import { sanitizeLine } from './sanitize.ts';

const ZERO_WIDTH_SPACE = '\u200b';

/**
 * For running text and table cells: one line without markup, HTML, links, @mentions, or #123 and GH-123 references. GitHub searches the
 * rendered text for mentions, references and addresses, where backslashes are gone. A zero-width space breaks them.
 */
export function escapeMarkdown(text: string): string {
  return withoutReferences(sanitizeLine(text))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~$-]/g, '\\$&')
    .replace(/^(\s*\d+)\./, '$1\\.');
}

/** For text inside an HTML element, where Markdown does not apply: one line, without the text that GitHub would turn into a link. */
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

/** Formats lines as a code block. The fence is longer than any run of backquotes in them, so no text can end it. */
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
/** GitHub adds a back-reference to the page behind such a link, in the name of the text's author. */
const REFERENCE = /\/(?:issues|pulls?|discussions|commits?)\//;

/** Like `escapeMarkdown`, for messages of policies: keeps addresses as links that show their target. */
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

/** Formats as inline code. The fence is longer than any run of backquotes in the text; `|` is escaped for use in tables. */
export function codeSpan(text: string): string {
  return span(sanitizeLine(text).replaceAll('|', '\\|'));
}

/** Like `codeSpan`, for use outside tables, where the backslash before `|` would be visible. */
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

export function fenced(language: string, lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  return [`${fence}${language}`, ...lines, fence].map((line) => `${line}\n`).join('');
}

/** Formats a text with identifiers in backquotes: these become code, and the rest is escaped. */
export function proseMarkdown(text: string): string {
  const parts = text.split('`');
  const isCode = (index: number): boolean => index % 2 === 1;
  const arePairs = parts.length % 2 === 1 && parts.every((part, index) => !isCode(index) || part.trim() !== '');
  if (!arePairs) return escapeMarkdown(text);
  return parts.map((part, index) => (isCode(index) ? codeSpan(part) : escapeMarkdown(part))).join('');
}
