// Finds `${VAR}` in manifests, which Flux replaces before the API server sees them.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import type { FieldPath } from '../node/field-path.ts';

const SUBSTITUTE_SWITCH = 'kustomize.toolkit.fluxcd.io/substitute';
/** A name, then `}` or an operator of drone/envsubst (`:-`, `:=`, `^`, `#`, `/` …). */
const VARIABLE = /\$\{[A-Za-z_][A-Za-z0-9_]*(?:\}|[-:=+?^,#%/])/g;

/** The first variable in a text. `$${VAR}` is Flux' escape for a literal `${VAR}`. */
export function variableIn(text: string): string | undefined {
  if (!text.includes('${')) return undefined;
  const lastEnd = text.lastIndexOf('}');
  for (const { index } of text.matchAll(VARIABLE)) {
    if (index < lastEnd && text[index - 1] !== '$') return text.slice(index, text.indexOf('}', index) + 1);
  }
  return undefined;
}

/** The name in the first variable of a text. */
export function variableName(text: string): string | undefined {
  return variableIn(text)?.match(/\w+/)?.[0];
}

/** Paths of the strings that contain a variable, in order. Recurses, so the value must be within the reader's depth limit. */
export function variablePaths(root: JsonValue): readonly FieldPath[] {
  const found: FieldPath[] = [];
  const visit = (value: JsonValue, path: FieldPath): void => {
    if (typeof value === 'string') {
      if (variableIn(value) !== undefined) found.push(path);
    } else if (isJsonArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index]);
    } else if (isJsonObject(value)) {
      for (const [key, item] of value) visit(item, [...path, key]);
    }
  };
  visit(root, []);
  return found;
}

/** Paths of the mappings with a variable in a key, so that they may have any key. Recurses like `variablePaths`. */
export function openMappings(root: JsonValue): readonly FieldPath[] {
  const found: FieldPath[] = [];
  const path: (string | number)[] = [];
  const visit = (step: string | number, value: JsonValue): void => {
    path.push(step);
    enter(value);
    path.pop();
  };
  const enter = (value: JsonValue): void => {
    if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(index, item);
    if (!isJsonObject(value)) return;
    let isOpen = false;
    for (const [key, item] of value) {
      isOpen ||= variableIn(key) !== undefined;
      if (typeof item === 'object' && item !== null) visit(key, item);
    }
    if (isOpen) found.push([...path]);
  };
  enter(root);
  return found;
}

/** The path of the first variable in a value, with the part that contains it. */
export function firstVariable(
  root: JsonValue,
): { readonly path: FieldPath; readonly part: 'key' | 'value'; readonly text: string } | undefined {
  if (typeof root === 'string')
    return variableIn(root) === undefined ? undefined : { path: [], part: 'value', text: root };
  const items = isJsonArray(root) ? [...root.entries()] : isJsonObject(root) ? [...root] : [];
  for (const [step, item] of items) {
    if (typeof step === 'string' && variableIn(step) !== undefined) return { path: [step], part: 'key', text: step };
    const inside = firstVariable(item);
    if (inside !== undefined) return { ...inside, path: [step, ...inside.path] };
  }
  return undefined;
}

/** True for an object that Flux is configured to leave unchanged. */
export function isSubstitutionDisabled(metadata: JsonObject): boolean {
  return ['labels', 'annotations'].some((field) => {
    const map = metadata.get(field);
    return isJsonObject(map) && map.get(SUBSTITUTE_SWITCH) === 'disabled';
  });
}
