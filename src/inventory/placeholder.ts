// Finds what another program will replace before the text reaches the API server: `${VAR}`, `{{ … }}`, `$(VAR)`, `<WORDS>` and Chainsaw's `($var)`.
import { isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import { placeholderIn, templateIn } from '../source/placeholder/placeholder-text.ts';
import { isSubstitutionDisabled, variableIn } from '../source/placeholder/substitution.ts';

const STRUCTURAL_METADATA = ['name', 'generateName', 'namespace'] as const;
/** How far a template's syntax may lie from the place where the reader noticed. */
const LINES_BEFORE = 3;
const LINES_AFTER = 1;
/** A value that Chainsaw evaluates is one expression in parentheses, and a note to the reader is in capitals: no name of an object is. */
const NO_NAME = /^\(.*\)$|^[A-Z][A-Z0-9_]*(?: [A-Z0-9_]+)+$/;

/**
 * The first placeholder where the document's identity or shape is: apiVersion, kind, name, namespace, or a key near the
 * root. Undefined if there is none, or Flux is told to leave the document alone.
 */
export function structuralPlaceholder(document: JsonObject): string | undefined {
  const metadata = document.get('metadata');
  const identity = [document.get('apiVersion'), document.get('kind')];
  if (isJsonObject(metadata)) {
    if (isSubstitutionDisabled(metadata)) return undefined;
    for (const name of STRUCTURAL_METADATA) identity.push(metadata.get(name));
  }
  const evaluated = identity.find((value) => typeof value === 'string' && NO_NAME.test(value));
  if (evaluated !== undefined) return String(evaluated);
  for (const value of identity) {
    const found = typeof value === 'string' ? placeholderIn(value) : undefined;
    if (found !== undefined) return found;
  }
  const inBody = inKeys(document) ?? inKeys(document.get('spec'));
  if (inBody !== undefined || !isJsonObject(metadata)) return inBody;
  return inKeys(metadata) ?? inKeys(metadata.get('labels')) ?? inKeys(metadata.get('annotations'));
}

/**
 * True if `{{` or `{%` begins a line or a value around the place where the document stopped making sense. Further away, or
 * inside a longer text, braces are only text: alerts are full of them.
 */
export function isTemplateAt(text: string, offset: number): boolean {
  let start = offset;
  for (let lines = 0; lines <= LINES_BEFORE && start >= 0; lines++) start = text.lastIndexOf('\n', start - 1);
  let end = offset;
  for (let lines = 0; lines <= LINES_AFTER && end >= 0; lines++) end = text.indexOf('\n', end + 1);
  const around = text.slice(Math.max(0, start), end < 0 ? text.length : end);
  for (let index = around.indexOf('{'); index >= 0; index = around.indexOf('{', index + 1)) {
    if (around[index + 1] !== '{' && around[index + 1] !== '%') continue;
    let before = index - 1;
    while (around[before] === ' ' || around[before] === '\t') before--;
    if (before < 0 || around[before] === '\n') return true;
    if (before < index - 1 && (around[before] === ':' || around[before] === '-')) return true;
  }
  return false;
}

function inKeys(value: JsonValue | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const key of value.keys()) {
    const found = key.includes('{') ? (templateIn(key) ?? variableIn(key)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
