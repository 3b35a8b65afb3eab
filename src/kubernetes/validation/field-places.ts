// Suggests where a misplaced field belongs: the nearest part of the object that has a field with this name.
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';

/** A field, and the schema of its value or of its list elements. */
export interface PlacedField<Part> {
  readonly name: string;
  readonly isList: boolean;
  readonly part: Part | undefined;
}

/** Maximum depth of the search. */
const MAX_DEPTH = 3;

/** For one kind of schema. Caches the result for each part. */
export class FieldPlaces<Part extends object> {
  readonly #fieldsOf: (part: Part) => Iterable<PlacedField<Part>>;
  /** Per part: the shortest path to a part with a field of each name. */
  readonly #places = new WeakMap<Part, ReadonlyMap<string, string>>();

  constructor(fieldsOf: (part: Part) => Iterable<PlacedField<Part>>) {
    this.#fieldsOf = fieldsOf;
  }

  /**
   * For example `spec.strategy` or `spec.containers[].securityContext`; empty for the top level. `parts`: the path to
   * the misplaced field, outermost first.
   */
  placeFor(name: string, parts: readonly { readonly part: Part; readonly path: FieldPath }[]): string | undefined {
    for (const { part, path } of parts.toReversed()) {
      const inside = this.#placesIn(part).get(name);
      if (inside === undefined) continue;
      const outer = formatFieldPath(path);
      return [outer, inside].filter((each) => each !== '').join('.');
    }
    return undefined;
  }

  #placesIn(part: Part): ReadonlyMap<string, string> {
    let places = this.#places.get(part);
    if (places === undefined) {
      places = this.#search(part);
      this.#places.set(part, places);
    }
    return places;
  }

  #search(part: Part): ReadonlyMap<string, string> {
    const places = new Map<string, string>();
    const seen = new Set<Part>([part]);
    let level: readonly { readonly at: string; readonly part: Part }[] = [{ at: '', part }];
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
      const next: { readonly at: string; readonly part: Part }[] = [];
      for (const outer of level) {
        // Between equally short paths, prefer the shorter name: `containers` before `initContainers`.
        const fields = [...this.#fieldsOf(outer.part)].sort((one, other) => one.name.length - other.name.length);
        for (const { name, isList, part: inner } of fields) {
          if (!places.has(name)) places.set(name, outer.at);
          if (inner === undefined || seen.has(inner)) continue;
          seen.add(inner);
          next.push({ at: `${outer.at === '' ? '' : `${outer.at}.`}${name}${isList ? '[]' : ''}`, part: inner });
        }
      }
      level = next;
    }
    return places;
  }
}
