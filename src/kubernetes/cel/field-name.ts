// Escapes schema property names as CEL field names (apiserver `pkg/cel/escaping.go`).
import { RESERVED_WORDS } from '../../cel/syntax/token.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);

/** Undefined for names that no expression can spell. Admission objects are dynamic at run time, so their names are not escaped. */
export function escapeFieldName(name: string): string | undefined {
  if (!/^[a-zA-Z_.\-/][\w.\-/]*$/.test(name)) return undefined;
  if (RESERVED_WORDS.has(name)) return `__${name}__`;
  return name.replace(/__|[.\-/]/g, (special) => ESCAPES.get(special) as string);
}

const UNESCAPED: ReadonlyMap<string, string> = new Map([...ESCAPES].map(([special, escaped]) => [escaped, special]));

/** The property of an escaped name; undefined if no property escapes to it. */
export function unescapeFieldName(name: string): string | undefined {
  if (!name.includes('__')) return name;
  let isValid = true;
  const property = name.replace(/__[^_]+__/g, (escaped) => {
    const word = escaped.slice(2, -2);
    const special = UNESCAPED.get(escaped);
    isValid &&= special !== undefined || (RESERVED_WORDS.has(word) && escaped.length === name.length);
    return special ?? word;
  });
  return isValid ? property : undefined;
}
