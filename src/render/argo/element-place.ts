// Finds the list generator element that supplied a field of an Application, if the template only passes it on.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { Parameters } from './template-text.ts';

/** A template that consists of one parameter. */
const PLAIN = /^\{\{\s*([^{}\s]+)\s*\}\}$/;
const GO = /^\{\{-?\s*\.([\w.]+)\s*-?\}\}$/;
const MAXIMUM_DEPTH = 8;

const ELEMENTS = new WeakMap<Parameters, readonly JsonObject[]>();

/** Records the list elements or other sets that `set` is made of. */
export function madeOf(set: Parameters, parts: readonly Parameters[]): Parameters {
  ELEMENTS.set(set, parts.flatMap(elementsOf));
  return set;
}

/** With Go templates an element is used unchanged as a set. */
function elementsOf(set: Parameters): readonly JsonObject[] {
  return ELEMENTS.get(set) ?? [set];
}

export class ElementPlaces {
  readonly #isGo: boolean;
  readonly #paths = new Map<JsonObject, FieldPath>();

  constructor(spec: JsonObject, isGo: boolean) {
    this.#isGo = isGo;
    this.#add(objectItems(spec.get('generators')), ['spec', 'generators'], 0);
  }

  /** The path to the value that `text` refers to. Undefined if the text is more than one parameter, or if no list supplies it. */
  find(text: string, set: Parameters): FieldPath | undefined {
    const [, name] = (this.#isGo ? GO : PLAIN).exec(text) ?? [];
    if (name === undefined) return undefined;
    const steps = this.#isGo ? name.split('.') : plainSteps(name);
    const given = leafAt(set, this.#isGo ? steps : [name]);
    for (const element of elementsOf(set)) {
      const path = this.#paths.get(element);
      if (path !== undefined && given !== undefined && leafAt(element, steps) === given) return [...path, ...steps];
    }
    return undefined;
  }

  #add(generators: readonly JsonObject[], at: FieldPath, depth: number): void {
    if (depth > MAXIMUM_DEPTH) return;
    for (const [index, generator] of generators.entries()) {
      const elements = objectItems(objectOrEmpty(generator.get('list')).get('elements'));
      for (const [number, element] of elements.entries())
        this.#paths.set(element, [...at, index, 'list', 'elements', number]);
      for (const kind of ['matrix', 'merge']) {
        const nested = objectItems(objectOrEmpty(generator.get(kind)).get('generators'));
        this.#add(nested, [...at, index, kind, 'generators'], depth + 1);
      }
    }
  }
}

/** `values.size` is a field in the element's `values`; other names with dots are plain keys. */
function plainSteps(name: string): readonly string[] {
  return name.startsWith('values.') ? ['values', name.slice('values.'.length)] : [name];
}

/** Undefined unless the value is a leaf. */
function leafAt(object: JsonObject, steps: readonly string[]): JsonValue | undefined {
  const value = valueAt(object, steps);
  return isJsonObject(value) || isJsonArray(value) ? undefined : value;
}
