// Random changes of an object: fields and values of other objects, missing fields, repeated list items, odd texts, boundary numbers, other types.
import { copyJson } from '../../src/source/json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { KEYS, NUMBERS, ODD_TEXTS } from './odd-values.ts';

export type Random = () => number;

type Field = readonly [name: string, value: JsonValue];

/** Values that may replace others. */
export interface Donors {
  readonly all: readonly JsonValue[];
  /** Fields by the kind of struct that has them, and the items of its lists with an empty name. */
  readonly fields: ReadonlyMap<string, readonly Field[]>;
}

export function donorsOf(objects: readonly JsonObject[]): Donors {
  const fields = new Map<string, Field[]>();
  const all: JsonValue[] = [];
  for (const { parent, struct } of objects.flatMap((object) => containersOf(object as Parent))) {
    const known = fields.get(struct) ?? [];
    fields.set(struct, known);
    for (const [name, value] of parent.entries()) {
      known.push([typeof name === 'string' ? name : '', value as JsonValue]);
      all.push(value as JsonValue);
    }
  }
  return { all, fields };
}

export function changedObject(object: JsonObject, random: Random, donors: Donors): JsonObject {
  const changed = copyJson(object);
  const changes = 1 + Math.floor(random() * random() * 4);
  for (let index = 0; index < changes; index++) change(changed, random, donors);
  return changed;
}

type Parent = Map<string, JsonValue> | JsonValue[];

interface Container {
  readonly parent: Parent;
  /** The names of the fields that lead to it, as far as they tell which fields it has. */
  readonly struct: string;
}

/** Every container of the object, the object included; deeper ones as likely as outer ones. */
function containersOf(root: Parent): readonly Container[] {
  const kind = root instanceof Map ? root.get('kind') : undefined;
  // A Pod has the fields of a template.
  const found: Container[] = [{ parent: root, struct: kind === 'Pod' ? 'template' : String(kind) }];
  for (const { parent, struct } of found) {
    for (const [name, value] of parent.entries()) {
      if (!isJsonObject(value) && !isJsonArray(value)) continue;
      const below = typeof name === 'string' ? `${struct.split('.').at(-1)}.${structName(name)}` : `${struct}[]`;
      found.push({ parent: value as Parent, struct: below });
    }
  }
  return found;
}

/** Fields of one Go type have one name. */
function structName(name: string): string {
  if (name.endsWith('Probe') || name === 'postStart' || name === 'preStop') return 'handler';
  return name === 'initContainers' ? 'containers' : name;
}

function change(root: Map<string, JsonValue>, random: Random, donors: Donors): void {
  const { parent, struct } = pick(containersOf(root), random);
  const known = donors.fields.get(struct) ?? [];
  const draw = random();
  if (Array.isArray(parent)) changeList(parent, known, draw, random, donors);
  else changeFields(parent, known, draw, random, donors);
}

function changeList(list: JsonValue[], known: readonly Field[], draw: number, random: Random, donors: Donors): void {
  const index = Math.floor(random() * list.length);
  const item = list[index];
  if (item === undefined || draw < 0.05) list.push(leaf(random));
  else if (draw < 0.25) list.splice(index, 1);
  else if (draw < 0.4) list.push(copyJson(item));
  else if (draw < 0.55) list.push(copyJson(pick(known, random)?.[1] ?? item));
  else if (draw < 0.65) list.push(near(copyJson(item), [], random, donors));
  else list[index] = near(item, [], random, donors);
}

function changeFields(
  fields: Map<string, JsonValue>,
  known: readonly Field[],
  draw: number,
  random: Random,
  donors: Donors,
): void {
  const name = pick([...fields.keys()], random);
  if (draw < 0.3 && known.length > 0) {
    const [added, value] = pick(known, random);
    fields.set(added, random() < 0.7 ? copyJson(value) : near(copyJson(value), [], random, donors));
  } else if (name === undefined || draw < 0.4) {
    fields.set(pick(KEYS, random), random() < 0.5 ? leaf(random) : copyJson(pick(donors.all, random)));
  } else if (draw < 0.55) fields.delete(name);
  else {
    const same = known.flatMap(([of, value]) => (of === name ? [value] : []));
    fields.set(name, near(fields.get(name) as JsonValue, same, random, donors));
  }
}

/** `same`: values of the same field in other objects. */
function near(value: JsonValue, same: readonly JsonValue[], random: Random, donors: Donors): JsonValue {
  const draw = random();
  if (draw < 0.08) return leaf(random);
  if (draw < 0.12) return copyJson(pick(donors.all, random));
  if (draw < 0.3 && same.length > 0) return copyJson(pick(same, random));
  const again = random();
  if (typeof value === 'string') {
    if (again < 0.2 && value !== '') return value.slice(1);
    return again < 0.3 ? `${value}${pick(ODD_TEXTS, random)}` : pick(ODD_TEXTS, random);
  }
  if (typeof value === 'bigint') return again < 0.4 ? value + (again < 0.2 ? 1n : -1n) : pick(NUMBERS, random);
  if (typeof value === 'boolean') return !value;
  const copy = copyJson(value);
  const parents = isJsonObject(copy) || isJsonArray(copy) ? containersOf(copy as Parent) : [];
  const parent = pick(parents, random)?.parent;
  if (Array.isArray(parent)) parent.push(leaf(random));
  else if (parent !== undefined) parent.set(pick(KEYS, random), leaf(random));
  return copy;
}

function leaf(random: Random): JsonValue {
  const draw = random();
  if (draw < 0.6) return pick(ODD_TEXTS, random);
  if (draw < 0.85) return pick(NUMBERS, random);
  return copyJson(pick<JsonValue>([null, true, false, 1.5, [], new Map(), [''], ['a', 'a']], random));
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}
