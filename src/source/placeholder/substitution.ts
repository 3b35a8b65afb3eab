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

/** True for an object that Flux is configured to leave unchanged. */
export function isSubstitutionDisabled(metadata: JsonObject): boolean {
  return ['labels', 'annotations'].some((field) => {
    const map = metadata.get(field);
    return isJsonObject(map) && map.get(SUBSTITUTE_SWITCH) === 'disabled';
  });
}
