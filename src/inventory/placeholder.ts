// Finds placeholders for other programs: `${VAR}`, `{{ … }}`, `$(VAR)`, `<WORDS>` and Chainsaw's `($var)`.
import { isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import { placeholderIn, templateIn } from '../source/placeholder/placeholder-text.ts';
import { isSubstitutionDisabled, variableIn } from '../source/placeholder/substitution.ts';

const STRUCTURAL_METADATA = ['name', 'generateName', 'namespace'] as const;
/** Lines around the reported error in which template syntax is searched. */
const LINES_BEFORE = 3;
const LINES_AFTER = 1;
/** A text in capitals, which is never an object's name. */
const NO_NAME = /^[A-Z][A-Z0-9_]*(?: [A-Z0-9_]+)+$/;

/**
 * The first placeholder in apiVersion, kind, name, namespace, or a key near the root. Undefined if there is none, or if
 * Flux is configured to leave the document unchanged.
 */
export function structuralPlaceholder(document: JsonObject): string | undefined {
  const metadata = document.get('metadata');
  const identity = [document.get('apiVersion'), document.get('kind')];
  if (isJsonObject(metadata)) {
    if (isSubstitutionDisabled(metadata)) return undefined;
    for (const name of STRUCTURAL_METADATA) identity.push(metadata.get(name));
  }
  const note = identity.find((value) => typeof value === 'string' && NO_NAME.test(value));
  if (note !== undefined) return String(note);
  for (const value of identity) {
    const found = typeof value === 'string' ? placeholderIn(value) : undefined;
    if (found !== undefined) return found;
  }
  const inBody = inKeys(document) ?? inKeys(document.get('spec'));
  if (inBody !== undefined || !isJsonObject(metadata)) return inBody;
  return inKeys(metadata) ?? templateInKeys(metadata.get('labels')) ?? templateInKeys(metadata.get('annotations'));
}

/** E.g. `<ISSUER_ANNOTATIONS>`, which a generator replaces by fields. */
const WORDS_LINE = /^[ \t]*(?:- )?<[A-Z][A-Z0-9_ -]{0,99}>[ \t\r]*$/;

/**
 * True if `{{` or `{%` starts a line or a value near the offset of the syntax error, or if `<WORDS>` is a whole line there. Farther away, or
 * inside a longer text, braces are ordinary text: alert rules contain many.
 */
export function isTemplateAt(text: string, offset: number): boolean {
  let start = offset;
  for (let lines = 0; lines <= LINES_BEFORE && start >= 0; lines++) start = text.lastIndexOf('\n', start - 1);
  let end = offset;
  for (let lines = 0; lines <= LINES_AFTER && end >= 0; lines++) end = text.indexOf('\n', end + 1);
  const around = text.slice(Math.max(0, start), end < 0 ? text.length : end);
  if (around.includes('<') && around.split('\n').some((line) => WORDS_LINE.test(line))) return true;
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

/** Not `${VAR}`, which makes labels and annotations open fields of a known object. */
function templateInKeys(value: JsonValue | undefined): string | undefined {
  const found = inKeys(value);
  return found?.startsWith('{{') === true ? found : undefined;
}

/** A Chainsaw expression in place of the name or namespace. Only Chainsaw, on its test cluster, applies the object. */
export function chainsawExpression(document: JsonObject): string | undefined {
  const metadata = document.get('metadata');
  if (!isJsonObject(metadata)) return undefined;
  const found = STRUCTURAL_METADATA.map((name) => metadata.get(name)).find(
    (value) => typeof value === 'string' && /^\(.*\)$/.test(value),
  );
  return found === undefined ? undefined : String(found);
}
