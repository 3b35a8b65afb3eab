// Substitutes `{{ … }}` in documents (`pkg/engine/variables/vars.go`).
import { type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { searchedGoType } from '../jmespath/search-value.ts';
import { positionInResource, toQuery } from './document-pointer.ts';
import { substituteReferences } from './references.ts';
import { type LeafAction, traverse } from './traverse.ts';
import { VariableError, variableFailure } from './variable-error.ts';
import type { VariableSource } from './variable-source.ts';
import { writtenVariables } from './written-variables.ts';

/** Substituted text is scanned again, so values of objects may contain variables. Kyverno has no limit, even if they contain themselves. */
const MAX_SUBSTITUTIONS = 1000;
const MAX_TEXT = 4 * 1024 * 1024;

/**
 * Resolves references, then variables, in strings and keys. A string that is a single variable is replaced by its
 * value, which keeps its type.
 */
export function substituteAll(source: VariableSource, document: JsonValue): JsonValue | VariableError {
  const referenced = substituteReferences(document);
  return referenced instanceof VariableError ? referenced : substituteVariables(source, referenced);
}

function substituteVariables(source: VariableSource, document: JsonValue): JsonValue | VariableError {
  if (typeof document === 'string' && !document.includes('{{')) return document;
  let action: LeafAction | undefined;
  return traverse(document, (leaf, path) => {
    if (typeof leaf !== 'string' || !leaf.includes('{{')) return leaf;
    action ??= substituteIn(source);
    return action(leaf, path);
  });
}

/** For one traversal of a document. */
function substituteIn(source: VariableSource): LeafAction {
  const isDelete = source.operation === 'DELETE';
  let count = 0;
  return (leaf, path) => {
    let value = leaf as string;
    let found = source.variablesIn?.(value) ?? writtenVariables(value);
    while (found.length > 0) {
      const whole = value;
      let isShallow = false;
      for (const variable of found) {
        if (++count > MAX_SUBSTITUTIONS || value.length > MAX_TEXT) {
          return new VariableError('limit', 'a document that exceeds the limit of variable substitutions');
        }
        const { written, prefix } = variable;
        isShallow = variable.isShallow;
        const query = resolvePlace(source, variable.query, path, isDelete);
        const resolved = source.query(query);
        if (resolved instanceof VariableError) return unresolved(resolved, query, path);
        if (whole === written) return resolved;
        const text = textOfValue(resolved, isShallow);
        if (text instanceof VariableError) return text.kind === 'panic' ? text : unresolved(text, query, path);
        value = replaceFirst(value, prefix + written, prefix + text);
      }
      found = isShallow ? [] : writtenVariables(value);
    }
    return value.replaceAll('\\{{', '{{');
  };
}

function unresolved(error: VariableError, query: string, path: string): VariableError {
  if (error.isInvalidVariable) return error;
  return error.within((message) =>
    `failed to resolve ${query} at path ${path}: ${message}`.replace(/\p{Surrogate}/gu, '\ufffd'),
  );
}

/** `@` is the same location in the object; on DELETE, in the old object. */
function resolvePlace(source: VariableSource, query: string, path: string, isDelete: boolean): string {
  let resolved = query;
  if (query === '@') {
    const root = source.query('target') instanceof VariableError ? ['request', 'object'] : ['target'];
    resolved = toQuery([...root, ...positionInResource(path)]);
  }
  return isDelete ? resolved.replaceAll('request.object', 'request.oldObject') : resolved;
}

const GO_MARSHAL = { sortKeys: true, escapeHtml: true };

function textOfValue(value: JsonValue, isShallow: boolean): string | VariableError {
  if (isShallow && value !== null) {
    if (typeof value === 'string') return value.replaceAll('{{', '\\{{');
    return new VariableError('panic', `interface conversion: interface {} is ${searchedGoType(value)}, not string`);
  }
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const shown = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    return variableFailure(`failed to marshal float64: unsupported value: ${shown}`);
  }
  return stringifyJson(value, GO_MARSHAL);
}

function replaceFirst(text: string, searched: string, replacement: string): string {
  const at = text.indexOf(searched);
  return at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + searched.length);
}
