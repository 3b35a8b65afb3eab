// Fields the server takes in and drops on creation, because the feature they belong to is off by default.

import { isServed } from '../minor-range.ts';
import type { Struct } from '../struct.ts';
import { StructWalk, type Visit } from '../struct-walk.ts';
import { childObject, childObjects, childText, type MutableObject } from '../typed-field.ts';
import { zeroField } from '../zero-value.ts';
import { DROPPED_FIELDS } from './dropped-fields-table.ts';

/** Feature gates by their defaults in one release, for one run. */
export class FieldDropper {
  readonly #minor: number;
  readonly #fields: ReadonlyMap<string, readonly string[]>;
  readonly #walk: StructWalk;

  constructor(minor: number) {
    this.#minor = minor;
    this.#fields = new Map(
      DROPPED_FIELDS.map((line) => line.split(' ')).map(([struct = '', ...columns]) => [
        struct,
        columns
          .map((column) => column.split('@'))
          .flatMap(([field = '', minors]) => (isServed(minors, minor) ? [field] : [])),
      ]),
    );
    this.#walk = new StructWalk({ visitStruct: (struct) => this.#dropIn(struct), visitMap: () => undefined });
  }

  drop(object: MutableObject, struct: Struct): void {
    this.#walk.walk(object, struct);
  }

  #dropIn({ name, fields: known }: Struct): Visit | undefined {
    const fields = (this.#fields.get(name) ?? []).flatMap((field) => known.get(field) ?? []);
    const special = this.#specialDrop(name);
    if (fields.length === 0 && special === undefined) return undefined;
    return (object) => {
      for (const field of fields) {
        if (field.omit === 'never') object.set(field.name, zeroField(field));
        else object.delete(field.name);
      }
      special?.(object);
    };
  }

  #specialDrop(struct: string): Visit | undefined {
    if (struct === 'core/v1.PodSpec' && this.#minor < FIRST_MINOR_WITH_IMAGE_VOLUMES) return dropImageVolumes;
    if (struct === 'core/v1.Container' || struct === 'core/v1.EphemeralContainer') return dropStopSignal;
    return undefined;
  }
}

const FIRST_MINOR_WITH_IMAGE_VOLUMES = 35;

/** Volumes made of images go with everything that mounts them. */
function dropImageVolumes(spec: MutableObject): void {
  const volumes = childObjects(spec, 'volumes');
  const kept = volumes.filter((volume) => childObject(volume, 'image') === undefined);
  if (kept.length === volumes.length) return;
  const dropped = new Set(
    volumes.filter((volume) => !kept.includes(volume)).map((volume) => childText(volume, 'name')),
  );
  setOrDelete(spec, 'volumes', kept);
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of childObjects(spec, list)) {
      const mounts = childObjects(container, 'volumeMounts').filter((mount) => !dropped.has(childText(mount, 'name')));
      setOrDelete(container, 'volumeMounts', mounts);
    }
  }
}

function setOrDelete(object: MutableObject, key: string, list: readonly MutableObject[]): void {
  if (list.length > 0) object.set(key, list);
  else object.delete(key);
}

/** A lifecycle of nothing but a stop signal goes with it. */
function dropStopSignal(container: MutableObject): void {
  const lifecycle = childObject(container, 'lifecycle');
  if (lifecycle?.delete('stopSignal') && lifecycle.size === 0) container.delete('lifecycle');
}
