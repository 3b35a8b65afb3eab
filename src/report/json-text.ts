// JSON as the JSON formats write it: indented, and harmless where it is printed.

// Inside JSON these stand only in strings, where an escape means the same character: the start of a workflow command,
// C1 and bidirectional controls, line separators, invisible joiners, the byte-order mark and non-characters.
const UNSAFE = /##\[|[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;

/** Of a pair, too: without the flag it is looked for much faster. */
const SURROGATE = /[\ud800-\udfff]/;

/** Keys keep the order they were set in, except as `order` says. Lone surrogates become U+FFFD. */
export function jsonText(value: unknown, order?: (keys: readonly string[]) => readonly string[]): string {
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => {
      if (typeof item === 'string') return wellFormed(item);
      if (order === undefined || typeof item !== 'object' || item === null || Array.isArray(item)) return item;
      const entries = item as Record<string, unknown>;
      return Object.fromEntries(order(Object.keys(entries)).map((key) => [key, entries[key]]));
    },
    2,
  );
  return `${text.replace(UNSAFE, escaped)}\n`;
}

/** One string in double quotes; what it escapes and how is read alike by JSON and YAML. */
export function jsonString(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(UNSAFE, escaped);
}

function wellFormed(text: string): string {
  return SURROGATE.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}

function escaped(match: string): string {
  if (match === '##[') return '#\\u0023[';
  return `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
