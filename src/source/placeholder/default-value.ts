// The default that a variable names: `9` of `${R:=9}`.
import type { JsonValue } from '../json/json.ts';

const WITH_DEFAULT = /\$\{[A-Za-z_][A-Za-z0-9_]*:?[-=]([^{}]*)\}/g;

/** The text with the default of each variable; undefined if a variable has none. */
export function defaultText(text: string): string | undefined {
  const filled = text.replaceAll(WITH_DEFAULT, '$1');
  return filled === text || filled.includes('${') ? undefined : filled;
}

/** The scalar that YAML reads from the text. */
export function plainScalar(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^[-+]?\d{1,18}$/.test(text) ? BigInt(text) : text;
}
