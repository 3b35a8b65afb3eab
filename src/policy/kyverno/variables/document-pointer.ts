// Turns the location of `{{@}}` in a policy into a JMESPath query (`pkg/utils/jsonpointer`).

/** Splits a path at slashes. A backslash escapes the next character; quotes protect slashes and are removed. */
function splitDocumentPath(path: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  const flush = (): void => {
    if (part !== '') parts.push(part);
    part = '';
  };
  for (let at = 0; at < path.length; at++) {
    const character = path.charAt(at);
    if (character === '\\') part += path.charAt(++at);
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === '/' && !isQuoted) flush();
    else part += character;
  }
  flush();
  return parts;
}

/** Drops everything up to `foreach` and the next two keys (`validate/pattern`). */
export function positionInResource(path: string): readonly string[] {
  const parts = splitDocumentPath(path);
  const behind = parts.slice(parts.indexOf('foreach') + 1);
  return behind.length < 3 ? [] : behind.slice(2);
}

const PLAIN = /^[A-Z_a-z][0-9A-Z_a-z)]*$/;
const INDEX = /^[0-9]+$/;
const MAX_UINT64 = 2n ** 64n - 1n;

export function toQuery(parts: readonly string[]): string {
  let query = '';
  for (const part of parts) {
    if (INDEX.test(part) && part.length <= 20 && BigInt(part) <= MAX_UINT64) query += `[${part}]`;
    else query += `${query === '' ? '' : '.'}${PLAIN.test(part) ? part : quoted(part)}`;
  }
  return query;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function quoted(part: string): string {
  let text = '"';
  for (const character of part) {
    const code = character.codePointAt(0) as number;
    const escaped = ESCAPES.get(character);
    text += escaped ?? (code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : character);
  }
  return `${text}"`;
}
