// Detects placeholders that a program or a person replaces before the API server sees the text.
import { append } from '../../go/slices/append.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json.ts';
import { isCiphertext } from './sops.ts';
import { variableIn } from './substitution.ts';

/** A variable of kustomize or of a Makefile. */
const PARENTHESES = /\$\([A-Za-z_][\w.-]*\)/;
/** E.g. `<YOUR DOMAIN>`. No name, label or number contains angle brackets. */
const BRACKETS = /<[A-Za-z][^<>\n]*>/;

/**
 * The first of `{{ … }}`, `${VAR}`, `$(VAR)` and `<WORDS>`, or `ENC[…]` for a value that SOPS encrypted. `$(VAR)` and
 * `<WORDS>` also occur in valid field values, with another meaning.
 */
export function placeholderIn(text: string): string | undefined {
  if (isCiphertext(text)) return 'ENC[…]';
  return templateIn(text) ?? variableIn(text) ?? PARENTHESES.exec(text)?.[0] ?? BRACKETS.exec(text)?.[0];
}

export function templateIn(text: string): string | undefined {
  const opening = text.indexOf('{{');
  const closing = opening < 0 ? -1 : text.indexOf('}}', opening);
  return closing < 0 ? undefined : text.slice(opening, closing + 2);
}

/** The first placeholder in a value or in a nested value. */
export function placeholderWithin(root: JsonValue): string | undefined {
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const found = typeof value === 'string' ? placeholderIn(value) : undefined;
    if (found !== undefined) return found;
    if (isJsonObject(value)) append(pending, [...value.keys(), ...value.values()]);
    else if (isJsonArray(value)) append(pending, value);
  }
  return undefined;
}
