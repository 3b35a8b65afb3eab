// Drops fields whose feature is off by default.
import { isServed } from '../minor-range.ts';
import type { Struct } from '../struct.ts';
import { StructWalk, type Visit } from '../struct-walk.ts';
import { childObject, childObjects, childText, type MutableObject } from '../typed-field.ts';
import { zeroField } from '../zero-value.ts';
import { DROPPED_FIELDS } from './dropped-fields-table.ts';

/** Default feature gates of one release, for one run. */
export class FieldDropper {
  readonly #minor: number;
  readonly #paths: ReadonlyMap<string, readonly string[]>;
  readonly #walk: StructWalk;

  constructor(minor: number) {
    this.#minor = minor;
    this.#paths = new Map(
      DROPPED_FIELDS.map((line) => line.split(' ')).map(([struct = '', ...columns]) => [
        struct,
        columns
          .map((column) => column.split('@'))
          .flatMap(([field = '', minors]) => (isServed(minors, minor) ? [field] : [])),
      ]),
    );
    this.#walk = new StructWalk({ visitStruct: (struct) => this.#dropIn(struct), visitMap: () => undefined });
  }

  /** Nested paths apply to top-level objects only, not to templates inside other objects. */
  drop(object: MutableObject, struct: Struct): void {
    for (const path of this.#pathsIn(struct)) if (path.length > 1) dropAt(object, struct, path);
    this.#walk.walk(object, struct);
  }

  #pathsIn(struct: Struct): readonly (readonly string[])[] {
    return (this.#paths.get(struct.name) ?? []).map((path) => path.split('.'));
  }

  #dropIn(struct: Struct): Visit | undefined {
    const paths = this.#pathsIn(struct).filter((path) => path.length === 1);
    const special = specialDrops(struct.name, this.#minor);
    if (paths.length === 0 && special.length === 0) return undefined;
    return (object) => {
      for (const path of paths) dropAt(object, struct, path);
      for (const drop of special) drop(object);
    };
  }
}

/** A field that is always written becomes its zero value. */
function dropAt(object: MutableObject, struct: Struct, [name = '', ...rest]: readonly string[]): void {
  const field = struct.fields.get(name);
  if (field === undefined) return;
  const child = childObject(object, name);
  if (rest.length > 0) {
    if (child !== undefined && field.type.form === 'struct') dropAt(child, field.type.struct, rest);
  } else if (field.omit === 'never') object.set(name, zeroField(field));
  else object.delete(name);
}

/** Rules beyond dropping a field, for the releases that have them. */
function specialDrops(struct: string, minor: number): readonly Visit[] {
  const isContainer = struct === 'core/v1.Container' || struct === 'core/v1.EphemeralContainer';
  if (isContainer) return [dropStopSignal];
  if (struct === 'core/v1.SecurityContext' && minor <= 32) return [resetProcMount];
  if (struct !== 'core/v1.PodSpec') return [];
  if (minor === 28) return [dropInitRestartPolicies];
  if (minor === 34) return [dropImageVolumes, dropRestartRules];
  return minor < 34 ? [dropImageVolumes] : [];
}

/** Drops image volumes and all mounts of them. */
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

/** Drops a lifecycle that contains only a stop signal. */
function dropStopSignal(container: MutableObject): void {
  const lifecycle = childObject(container, 'lifecycle');
  if (lifecycle?.delete('stopSignal') && lifecycle.size === 0) container.delete('lifecycle');
}

/** The server resets this field to its default instead of dropping it. */
function resetProcMount(context: MutableObject): void {
  if (context.has('procMount')) context.set('procMount', 'Default');
}

/** Sidecars exist since 1.29. */
function dropInitRestartPolicies(spec: MutableObject): void {
  for (const container of childObjects(spec, 'initContainers')) container.delete('restartPolicy');
}

/** In 1.34, the only container restart policy is that of sidecars. */
function dropRestartRules(spec: MutableObject): void {
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of childObjects(spec, list)) {
      const isSidecar = list === 'initContainers' && childText(container, 'restartPolicy') === 'Always';
      if (!isSidecar) container.delete('restartPolicy');
    }
  }
}
