// Which element of a list generator gave a field of an Application: the line that a person edits, where the template only passes it on.
import type { FieldPath } from '../../source/field-path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json.ts';
import { objectItems, objectOrEmpty } from '../../source/json-field.ts';
import type { Parameters } from './template-text.ts';

/** A template that is one parameter and nothing else; of a Go template one that it takes as it is. */
const PLAIN = /^\{\{\s*([^{}\s]+)\s*\}\}$/;
const GO = /^\{\{-?\s*\.([\w.]+)\s*-?\}\}$/;
const MAXIMUM_DEPTH = 8;

/**
 * The path in `spec` of the ApplicationSet to the value that `text` is, in the element that `set` was made of; undefined where the text
 * is more than one parameter, and for what no list says. Of elements that are alike the first.
 */
export function elementPlace(spec: JsonObject, text: string, set: Parameters, isGo: boolean): FieldPath | undefined {
  const [, name] = (isGo ? GO : PLAIN).exec(text) ?? [];
  if (name === undefined) return undefined;
  const steps = isGo ? name.split('.') : stepsOf(name);
  for (const { element, path } of listElements(objectItems(spec.get('generators')), ['generators'], 0)) {
    const value = valueAt(element, steps);
    if (value !== undefined && isMadeOf(set, element, isGo)) return [...path, ...steps];
  }
  return undefined;
}

/** `values.size` is what an element says in `values`; other names with dots are keys. */
function stepsOf(name: string): readonly string[] {
  return name.startsWith('values.') ? ['values', name.slice('values.'.length)] : [name];
}

function valueAt(element: JsonObject, steps: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = element;
  for (const step of steps) value = value !== undefined && isJsonObject(value) ? value.get(step) : undefined;
  return value !== undefined && !isJsonObject(value) && !isJsonArray(value) ? value : undefined;
}

/** Elements of lists, of those in matrices and merges too, with the way to each. */
function* listElements(
  generators: readonly JsonObject[],
  at: FieldPath,
  depth: number,
): Generator<{ readonly element: JsonObject; readonly path: FieldPath }> {
  if (depth > MAXIMUM_DEPTH) return;
  for (const [index, generator] of generators.entries()) {
    const elements = objectItems(objectOrEmpty(generator.get('list')).get('elements'));
    for (const [number, element] of elements.entries())
      yield { element, path: [...at, index, 'list', 'elements', number] };
    for (const kind of ['matrix', 'merge']) {
      const nested = objectItems(objectOrEmpty(generator.get(kind)).get('generators'));
      yield* listElements(nested, [...at, index, kind, 'generators'], depth + 1);
    }
  }
}

/** Every value of the element is one of the set: what came from elsewhere has other values, or other names. */
function isMadeOf(set: Parameters, element: JsonObject, isGo: boolean): boolean {
  return [...element].every(([key, value]) => {
    if (isGo || key !== 'values' || !isJsonObject(value)) return isSame(set.get(key), value);
    return [...value].every(([name, item]) => isSame(set.get(`values.${name}`), item));
  });
}

function isSame(one: JsonValue | undefined, other: JsonValue): boolean {
  const text = (value: JsonValue): string => stringifyJson(value, { sortKeys: true, escapeHtml: false });
  return one !== undefined && text(one) === text(other);
}
