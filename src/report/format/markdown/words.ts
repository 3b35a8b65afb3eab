// Converts report texts to Markdown: shortened and escaped.
import {
  codeSpan,
  escapeHtmlText,
  escapeMarkdown,
  messageMarkdown,
  proseMarkdown,
  untabledCodeSpan,
} from '../../../diagnostic/markdown.ts';
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { cutToBytes } from '../../wording/cut-text.ts';
import { firstLines } from '../../wording/wording.ts';

const MAX_MESSAGE_BYTES = 1_000;
const MAX_NAME_BYTES = 300;
const MAX_TITLE_BYTES = 200;

/** Message of a policy. */
export function message(text: string): string {
  return messageMarkdown(cutToBytes(text, MAX_MESSAGE_BYTES));
}

/** Preadmit's own text. */
export function prose(text: string): string {
  return proseMarkdown(cutToBytes(text, MAX_MESSAGE_BYTES));
}

/** A text of several lines. */
export function paragraph(text: string, write = messageMarkdown): string {
  return firstLines(cutToBytes(text, MAX_MESSAGE_BYTES)).map(write).join('<br>');
}

/** The same in bold; asterisks next to white space would be printed literally. */
export function boldParagraph(text: string): string {
  const lines = firstLines(cutToBytes(text, MAX_MESSAGE_BYTES))
    .map((line) => messageMarkdown(line).trim())
    .filter((line) => line !== '');
  return lines.length === 0 ? '**(no message)**' : lines.map((line) => `**${line}**`).join('<br>');
}

export function name(text: string): string {
  return codeSpan(cutToBytes(text, MAX_NAME_BYTES));
}

/** An expression, which may contain `|`; not for tables. */
export function expressionCode(text: string): string {
  return untabledCodeSpan(cutToBytes(text, MAX_NAME_BYTES));
}

/** Link text. */
export function linkText(text: string): string {
  return escapeMarkdown(cutToBytes(text, MAX_NAME_BYTES));
}

export function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** One line inside an HTML element, where Markdown is not parsed. */
export function htmlText(text: string): string {
  return escapeHtmlText(cutToBytes(firstLines(text)[0] ?? '', MAX_TITLE_BYTES));
}

/** A code span inside an HTML element; prevents mentions and links. */
export function htmlCode(text: string): string {
  const escaped = sanitizeLine(cutToBytes(text, MAX_NAME_BYTES)).replace(
    /[&<>"]/g,
    (found) => `&#${found.charCodeAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}
