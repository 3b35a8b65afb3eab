// `$(./../path)`: references to other locations in the same policy (`pkg/engine/variables/vars.go`).

import { formatDouble } from '../../../go/strconv/float-text.ts';
import { cleanPath } from '../../../go/strings/clean-path.ts';
import { trim } from '../../../go/strings/trim.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { valueText } from '../jmespath/value-text.ts';
import { traverse } from './traverse.ts';
import { VariableError, variableFailure } from './variable-error.ts';

const MAX_REFERENCES = 1000;

export function substituteReferences(document: JsonValue): JsonValue | VariableError {
  if (typeof document === 'string' ? !document.includes('$(') : !isJsonArray(document) && !isJsonObject(document)) {
    return document;
  }
  let count = 0;
  return traverse(document, (leaf, path) => {
    if (typeof leaf !== 'string' || !leaf.includes('$(')) return leaf;
    let value = leaf;
    for (const found of findReferences(leaf)) {
      if (++count > MAX_REFERENCES) return new VariableError('limit', 'a document with too many references');
      const isFirst = found.startsWith('$(');
      const reference = isFirst ? found : dropCharacter(found);
      const resolved = resolve(document, reference, path);
      if (resolved instanceof VariableError) {
        return resolved.within((message) => `failed to resolve ${reference} at path ${path}: ${message}`);
      }
      if (resolved === undefined || resolved === null) {
        return variableFailure(`got nil resolved variable ${reference} at path ${path}: <nil>`);
      }
      if (typeof resolved !== 'string') {
        return variableFailure(`NotResolvedReferenceErr,reference ${reference} not resolved at path ${path}`);
      }
      value = replaceFirst(value, found, `${isFirst ? '' : found.charAt(0)}${resolved}`);
    }
    return withoutEscapes(value);
  });
}

/** The match includes the character before a reference, unless it starts the text. */
const REFERENCE = /^\$\([^\n][^ ]*\)|[^\\]\$\([^\n][^ ]*\)/gu;
const ESCAPED = /\\\$\([^\n][^ )]*\)/gu;

/** A match without blanks extends to the last parenthesis. */
function findReferences(text: string): readonly string[] {
  return text.match(REFERENCE) ?? [];
}

function dropCharacter(text: string): string {
  return text.slice((text.codePointAt(0) as number) > 0xffff ? 2 : 1);
}

function withoutEscapes(text: string): string {
  let value = text;
  for (const escaped of text.match(ESCAPED) ?? []) value = value.replaceAll(escaped, escaped.slice(1));
  return value;
}

function replaceFirst(text: string, searched: string, replacement: string): string {
  const at = text.indexOf(searched);
  return at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + searched.length);
}

const RANGE = /^[-|+]?\d+(?:\.\d+)?[A-Za-z]*(!?-)[-|+]?\d+(?:\.\d+)?[A-Za-z]*$/;

/** The pattern operator before a path. Empty if there is none. */
function operatorOf(text: string): string {
  if (text.length < 2) return '';
  for (const operator of ['>=', '<=', '>', '<', '!']) if (text.startsWith(operator)) return operator;
  return RANGE.exec(text)?.[1] ?? '';
}

function resolve(document: JsonValue, reference: string, path: string): JsonValue | undefined | VariableError {
  const written = trim(reference, '$()');
  const operator = operatorOf(written);
  const target = written.slice(operator.length);
  if (target === '') return variableFailure('expected path, found empty reference');
  const value = findValue(document, target.startsWith('/') ? target : cleanPath(`${path}/${target}`));
  if (operator === '' || value === undefined || value instanceof VariableError) {
    return operator !== '' && value === undefined ? noText(operator, null) : value;
  }
  if (typeof value === 'string') return operator + value;
  if (typeof value === 'bigint') return `${operator}${value}`;
  if (typeof value === 'number') return operator + sixPlaces(value);
  return noText(operator, value);
}

function noText(operator: string, value: JsonValue): VariableError {
  return variableFailure(`incorrect expression: operator ${operator} does not match with value ${valueText(value)}`);
}

/** Go `%f`. */
function sixPlaces(value: number): string {
  return Number.isFinite(value) && Math.abs(value) < 1e21 ? value.toFixed(6) : formatDouble(value);
}

/** The last leaf or object key at a path. Ignores anchors in the document. */
function findValue(document: JsonValue, path: string): JsonValue | undefined | VariableError {
  let found: JsonValue | undefined;
  const walked = traverse(document, (leaf, at) => {
    if (withoutAnchors(at) === path) found = leaf;
    return leaf;
  });
  return walked instanceof VariableError ? walked : found;
}

const ANCHOR = /^[+<=X^]?\(([^\n]+)\)$/;

function withoutAnchors(path: string): string {
  const parts = path.split('/');
  if (parts[0] === '') parts.shift();
  const plain = parts.map((part) => ANCHOR.exec(part.trim())?.[1] ?? part).filter((part) => part !== '');
  const joined = plain.length === 0 ? '' : cleanPath(plain.join('/'));
  return path.startsWith('/') ? `/${joined}` : joined;
}
