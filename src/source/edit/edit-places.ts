// Computes the paths of edits in the edited value.
import type { FieldPath } from '../node/field-path.ts';
import type { JsonEdit } from './json-edit.ts';

/** For each edit of `editsBetween`, all in order: its path in the edited value. A removed value gets the path that it would have. */
export function placesAfter(edits: readonly JsonEdit[]): readonly FieldPath[] {
  const moved = new Moved();
  return edits.map((edit) => moved.follow(edit));
}

/** Index shifts in one list caused by the edits processed so far, and the nested lists. */
class Moved {
  #shift = 0;
  readonly #inside = new Map<string | number, Moved>();

  follow(edit: JsonEdit): FieldPath {
    const { path } = edit;
    if (edit.kind !== 'insert' && !path.some((step) => typeof step === 'number')) return path;
    const place: (string | number)[] = [];
    let moved: Moved = this;
    for (let depth = 0; depth < path.length; depth++) {
      const step = path[depth] as string | number;
      place.push(typeof step === 'number' ? step + moved.#shift : step);
      if (edit.kind === 'remove' && depth === path.length - 1 && typeof step === 'number') moved.#shift -= 1;
      moved = moved.#at(step);
    }
    if (edit.kind === 'insert') {
      place.push(edit.at + moved.#shift);
      moved.#shift += 1;
    }
    return place;
  }

  #at(step: string | number): Moved {
    let inner = this.#inside.get(step);
    if (inner === undefined) {
      inner = new Moved();
      this.#inside.set(step, inner);
    }
    return inner;
  }
}
