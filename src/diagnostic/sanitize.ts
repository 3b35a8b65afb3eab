// Makes repository text safe for terminals and logs. All such text must pass through these functions.

/** Maximum length that a runner shows of one line; longer text is cut with a note. */
const MAX_LENGTH = 4000;
const ZERO_WIDTH_SPACE = '\u200b';

/** For text that must stay on one line: line and paragraph separators become the two characters `\n`. */
export function sanitizeLine(text: string): string {
  return defuse(cut(text).replace(/\r\n|[\r\n\u0085\u2028\u2029]/g, '\\n'));
}

/** Keeps line feeds, for output whose transport escapes lines (workflow commands, API requests). */
export function sanitizeText(text: string): string {
  return cut(text)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .split('\n')
    .map(defuse)
    .join('\n');
}

/**
 * C0 and C1 controls (including terminal escapes), bidirectional controls, byte-order marks and lone surrogates become
 * a visible `\uXXXX`. The Actions runner executes `##[command]` anywhere in a line, and `::command` after leading white
 * space (ActionCommand.cs). A zero-width space breaks both.
 */
function defuse(line: string): string {
  return line
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replaceAll('##[', `#${ZERO_WIDTH_SPACE}#[`)
    .replace(/^(\s*):(?=:)/u, `$1:${ZERO_WIDTH_SPACE}`);
}

function cut(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const end = /[\ud800-\udbff]/.test(text[MAX_LENGTH - 1] as string) ? MAX_LENGTH - 1 : MAX_LENGTH;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
