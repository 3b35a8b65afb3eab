// Records which writer set each field of a value while successive edits move fields around.
import type { JsonEdit } from '../../source/edit/json-edit.ts';
import { isJsonArray, type JsonValue } from '../../source/json/json.ts';
import { valueUnder } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

/** A value inside another value, set by a different writer. */
export interface InnerCredit {
  readonly path: FieldPath;
  readonly writer: number;
}

const NOTHING: readonly InnerCredit[] = [];

/** Writers are numbered. Each writer makes all its edits before the next writer starts. */
export class FieldCredits {
  readonly #root = new Credit();

  /** `before`: the value that the edits apply to. Edits to paths that do not exist in it are ignored. */
  write(writer: number, edits: readonly JsonEdit[], before: JsonValue): void {
    const moves: Move[] = [];
    for (const edit of edits) this.#write(writer, edit, before, moves);
    // Apply moves in reverse so that earlier indices stay valid. At one index, remove first, then insert.
    if (moves.length > 1) moves.reverse().sort((a, b) => b.at - a.at || Number(b.isRemoval) - Number(a.isRemoval));
    for (const { credits, at, isRemoval } of moves) {
      if (isRemoval) credits.remove(at, writer);
      else credits.insert(at, writer);
    }
  }

  #write(writer: number, edit: JsonEdit, before: JsonValue, moves: Move[]): void {
    const { kind, path } = edit;
    let credit = this.#root;
    let value: JsonValue | undefined = before;
    for (let depth = 0; depth < path.length; depth++) {
      const step = path[depth] as string | number;
      if (typeof step === 'number') {
        if (!isJsonArray(value) || step >= value.length) return;
        if (kind === 'remove' && depth === path.length - 1) {
          moves.push({ credits: credit.listed(), at: step, isRemoval: true });
          return;
        }
      }
      value = valueUnder(value, step);
      credit = credit.at(step);
    }
    if (edit.kind !== 'insert') {
      credit.take(writer, kind !== 'remove');
      return;
    }
    if (value !== undefined && value !== null && !isJsonArray(value)) return;
    // Inserting the first item creates the list.
    if (!isJsonArray(value) && credit.giver !== writer) credit.take(writer, true);
    const length = isJsonArray(value) ? value.length : 0;
    moves.push({
      credits: credit.listed(),
      at: Math.min(edit.at, length),
      isRemoval: false,
    });
  }

  /** Writers, in order, of the value at a location, of a whole value around it, or of anything in it. `origin`: its original location. */
  concerned(origin: FieldPath | undefined, place: FieldPath | undefined): readonly number[] {
    const writers = new Set<number>();
    const ends = [origin && this.#along(origin, true, writers), place && this.#along(place, false, writers)];
    for (const end of new Set(ends)) end?.collect(writers);
    return [...writers].sort((a, b) => a - b);
  }

  /** For an inserted item: its inserter and everyone who wrote in it. Empty when it was inserted with its parent. */
  concernedWithItem(place: FieldPath): readonly number[] {
    const writers = new Set<number>();
    this.#credit(place)?.collect(writers);
    return [...writers].sort((a, b) => a - b);
  }

  /** The last writer that set the value, directly or by setting a value around it. */
  giver(place: FieldPath): number | undefined {
    let credit: Credit | undefined = this.#root;
    let giver = credit.giver;
    for (const step of place) {
      credit = credit.known(step, false);
      if (credit === undefined) break;
      giver = credit.giver ?? giver;
    }
    return giver;
  }

  /** Values inside that have a different giver than the value around them. */
  inner(place: FieldPath, giver: number | undefined): readonly InnerCredit[] {
    const credit = this.#credit(place);
    if (credit === undefined || credit.isEmpty) return NOTHING;
    const found: InnerCredit[] = [];
    credit.collectInner([], giver, found);
    return found;
  }

  #credit(place: FieldPath): Credit | undefined {
    let credit: Credit | undefined = this.#root;
    for (const step of place) credit = credit?.known(step, false);
    return credit;
  }

  /** Collects the writers that set a whole value around the location. */
  #along(path: FieldPath, isOrigin: boolean, writers: Set<number>): Credit | undefined {
    let credit: Credit | undefined = this.#root;
    for (const step of path) {
      for (const writer of credit.writers) writers.add(writer);
      credit = credit.known(step, isOrigin);
      if (credit === undefined) return undefined;
    }
    return credit;
  }
}

interface Move {
  readonly credits: ListCredits;
  readonly at: number;
  readonly isRemoval: boolean;
}

class Credit {
  /** Writers of the whole value and, before that, of values in it. */
  readonly writers: number[] = [];
  /** The last of them. Undefined when the value was set with its parent, or was removed. */
  giver: number | undefined;
  #fields: Map<string, Credit> | undefined;
  #items: ListCredits | undefined;

  take(writer: number, gives: boolean): void {
    if (this.#fields !== undefined || this.#items !== undefined) {
      const known = new Set<number>();
      this.collect(known);
      this.writers.length = 0;
      for (const one of [...known].sort((a, b) => a - b)) this.writers.push(one);
      this.#fields = undefined;
      this.#items = undefined;
    }
    if (this.writers.at(-1) !== writer) this.writers.push(writer);
    this.giver = gives ? writer : undefined;
  }

  /** True if nothing inside was written since the value was set. */
  get isEmpty(): boolean {
    return this.#fields === undefined && this.#items === undefined;
  }

  at(step: string | number): Credit {
    if (typeof step === 'number') return this.listed().item(step);
    this.#fields ??= new Map();
    let field = this.#fields.get(step);
    if (field === undefined) {
      field = new Credit();
      this.#fields.set(step, field);
    }
    return field;
  }

  listed(): ListCredits {
    this.#items ??= new ListCredits();
    return this.#items;
  }

  known(step: string | number, isOrigin: boolean): Credit | undefined {
    if (typeof step === 'string') return this.#fields?.get(step);
    return isOrigin ? this.#items?.original(step) : this.#items?.known(step);
  }

  collect(writers: Set<number>): void {
    for (const writer of this.writers) writers.add(writer);
    for (const field of this.#fields?.values() ?? []) field.collect(writers);
    this.#items?.collect(writers);
  }

  collectInner(path: FieldPath, giver: number | undefined, found: InnerCredit[]): void {
    const inside = (step: string | number, credit: Credit): void => {
      const place = [...path, step];
      if (credit.giver !== undefined && credit.giver !== giver) found.push({ path: place, writer: credit.giver });
      credit.collectInner(place, credit.giver ?? giver, found);
    };
    for (const [name, field] of this.#fields ?? []) inside(name, field);
    this.#items?.forEach(inside);
  }
}

/** Credits for a list's items, with each item's original index. */
class ListCredits {
  /** By current index, up to the highest index accessed. */
  readonly #credits: (Credit | undefined)[] = [];
  /** Original index. -1 for inserted items. */
  readonly #origins: number[] = [];
  readonly #removed = new Map<number, Credit>();
  /** Offset between current and original index of the items beyond #origins. */
  #shift = 0;
  #byOrigin: Map<number, number> | undefined;

  item(at: number): Credit {
    this.#reach(at + 1);
    let credit = this.#credits[at];
    if (credit === undefined) {
      credit = new Credit();
      this.#credits[at] = credit;
    }
    return credit;
  }

  insert(at: number, writer: number): void {
    this.#reach(at);
    const credit = new Credit();
    credit.take(writer, true);
    this.#credits.splice(at, 0, credit);
    this.#origins.splice(at, 0, -1);
    this.#shift += 1;
    this.#byOrigin = undefined;
  }

  remove(at: number, writer: number): void {
    const credit = this.item(at);
    credit.take(writer, false);
    const [origin = -1] = this.#origins.splice(at, 1);
    this.#credits.splice(at, 1);
    if (origin >= 0) this.#removed.set(origin, credit);
    this.#shift -= 1;
    this.#byOrigin = undefined;
  }

  known(at: number): Credit | undefined {
    return this.#credits[at];
  }

  /** By original index. Includes removed items. */
  original(index: number): Credit | undefined {
    this.#byOrigin ??= new Map(this.#origins.map((origin, at) => [origin, at]));
    const at = this.#byOrigin.get(index);
    return at === undefined ? this.#removed.get(index) : this.#credits[at];
  }

  collect(writers: Set<number>): void {
    this.forEach((_, credit) => {
      credit.collect(writers);
    });
    for (const credit of this.#removed.values()) credit.collect(writers);
  }

  forEach(visit: (at: number, credit: Credit) => void): void {
    for (const [at, credit] of this.#credits.entries()) if (credit !== undefined) visit(at, credit);
  }

  #reach(length: number): void {
    while (this.#origins.length < length) {
      this.#origins.push(this.#origins.length - this.#shift);
      this.#credits.push(undefined);
    }
  }
}
