// Which warnings of a request reach the client (apiserver `endpoints/filters/warning.go`, apimachinery `util/net: NewWarningHeader`).

const TOTAL_RUNES = 4 * 1024;
const ITEM_RUNES = 256;

/**
 * Warnings are sent once per text. While all together stay within 4096 runes they go out whole; the first one past
 * that has all of them sent again cut to 256 runes, and later ones are added until 4096 is reached again. A text with control
 * characters makes no header and is lost without a word: line breaks, so every compilation error.
 */
export function sentWarnings(texts: readonly string[]): readonly string[] {
  const ordered: string[] = [];
  const seen = new Set<string>();
  let sent: string[] = [];
  let written = 0;
  let truncating = false;
  const send = (text: string): void => {
    written += runeCount(text);
    sent.push(text);
  };
  for (const text of texts) {
    if (text === '' || seen.has(text) || (truncating && written >= TOTAL_RUNES)) continue;
    seen.add(text);
    ordered.push(text);
    const shown = truncating ? cut(text) : text;
    if (!fitsHeader(shown)) continue;
    if (truncating || written + runeCount(text) <= TOTAL_RUNES) {
      send(shown);
      continue;
    }
    truncating = true;
    written = 0;
    sent = [];
    for (const item of ordered.map(cut)) if (fitsHeader(item)) send(item);
  }
  return sent;
}

/** Valid UTF-8 without control characters. */
function fitsHeader(text: string): boolean {
  return !/[\p{Cc}\p{Surrogate}]/u.test(text);
}

function cut(text: string): string {
  return text.length <= ITEM_RUNES ? text : [...text].slice(0, ITEM_RUNES).join('');
}

function runeCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
