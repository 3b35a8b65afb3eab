// Selects the warnings of a request that reach the client (apiserver `endpoints/filters/warning.go`, apimachinery `util/net: NewWarningHeader`).

const TOTAL_RUNES = 4 * 1024;
const ITEM_RUNES = 256;

/**
 * Each text is sent once. Up to a total of 4096 runes, texts are sent whole. The first text past that limit causes all
 * texts to be sent again, cut to 256 runes; later texts follow until 4096 is reached again. A text with control
 * characters fits no header and is lost. That includes line breaks, and so every compilation error.
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

/** True for valid UTF-8 without control characters. */
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
