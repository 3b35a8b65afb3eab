// The values of a YAML text in the plainest of styles, one entry a line, told without a parser; most kustomizations are written so.

/** Without the characters that YAML takes for breaks or passes over. */
const PLAIN_TEXT = /^[\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff]*$/;
/** Indentation, dashes, key, value; any of them may be missing. */
const ENTRY = /^( *)((?:- +)*)(?:("?)([\w./-]+)\3:(?: +|$))?(.*)$/;
const QUOTED = /^(?:"([^"\\]*)"|'([^']*)')$/;
const UNQUOTED = /^(?:[\w./~+(]|-(?! |$))(?:[^:]|:(?! |$))*$/;
/** In these the text ends in a line break, whatever it is … */
const BLOCK_HEADERS: readonly string[] = ['|', '>', '|+', '>+'];
/** … and in these it may be of one line. */
const STRIPPED_BLOCK_HEADERS: readonly string[] = ['|-', '>-'];
const EMPTY_COLLECTIONS: readonly string[] = ['[]', '{}'];

/**
 * Every value as the parser would give it, but for those that end in a line break and block scalars under `ignoredKey`. Undefined
 * for any other style: flow collections, anchors, tags, other values of several lines …
 */
export function plainValues(text: string, ignoredKey: string): readonly string[] | undefined {
  if (!PLAIN_TEXT.test(text)) return undefined;
  const values: string[] = [];
  /** Lines that are indented more belong to the value before. */
  let valueIndent = Number.POSITIVE_INFINITY;
  let isInBlock = false;
  for (const line of text.split('\n')) {
    if (line === '---') {
      valueIndent = Number.POSITIVE_INFINITY;
      isInBlock = false;
      continue;
    }
    const [, spaces = '', dashes = '', , key, rest = ''] = ENTRY.exec(line) ?? [];
    const isEntry = dashes !== '' || key !== undefined;
    if (!isEntry && (rest === '' || rest.startsWith('#'))) continue;
    if (spaces.length > valueIndent) {
      if (isInBlock) continue;
      return undefined;
    }
    if (!isEntry) return undefined;
    const written = withoutComment(rest);
    isInBlock = BLOCK_HEADERS.includes(written) || (key === ignoredKey && STRIPPED_BLOCK_HEADERS.includes(written));
    const indent = spaces.length + (key === undefined ? dashes.trimEnd().length - 1 : dashes.length);
    valueIndent = written === '' ? Number.POSITIVE_INFINITY : indent;
    if (isInBlock || written === '' || EMPTY_COLLECTIONS.includes(written)) continue;
    const value = UNQUOTED.test(written) ? written : unquoted(written);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function withoutComment(rest: string): string {
  const comment = rest.startsWith('#') ? 0 : rest.indexOf(' #');
  return (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
}

function unquoted(written: string): string | undefined {
  const [, double, single] = QUOTED.exec(written) ?? [];
  return double ?? single;
}
