// Which warnings of a request reach the client (apiserver `endpoints/filters/warning.go`).

const TOTAL_RUNES = 4 * 1024;
const ITEM_RUNES = 256;

/**
 * Warnings are sent once per text. While all together stay within 4096 runes they go out whole; the first one past
 * that has all of them sent again cut to 256 runes, and later ones are added until 4096 is reached again.
 */
export function sentWarnings(texts: readonly string[]): readonly string[] {
  const ordered: string[] = [];
  const seen = new Set<string>();
  let sent: string[] = [];
  let written = 0;
  let truncating = false;
  const send = (text: string): void => {
    const runes = [...text];
    const cut = truncating ? runes.slice(0, ITEM_RUNES) : runes;
    written += cut.length;
    sent.push(cut.join(''));
  };
  for (const text of texts) {
    if (text === '' || seen.has(text) || (truncating && written >= TOTAL_RUNES)) continue;
    seen.add(text);
    ordered.push(text);
    if (!truncating && written + [...text].length > TOTAL_RUNES) {
      truncating = true;
      written = 0;
      sent = [];
      for (const earlier of ordered) send(earlier);
      continue;
    }
    send(text);
  }
  return sent;
}
