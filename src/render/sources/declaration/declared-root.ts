// Roots with objects that a controller creates directly: Applications of an ApplicationSet, Namespaces.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { PlaceFinder } from '../../places/place-finder.ts';
import type { DeclaredObject } from '../controller.ts';
import { type parseRendered, RenderedManifest } from '../root/rendered-manifest.ts';
import { destinationIn, type RenderedRoot } from '../root/rendered-root.ts';

type RootFacts = Pick<RenderedRoot, 'name' | 'location' | 'declaredBy' | 'reach' | 'entry' | 'destination'>;

/** One root per target cluster, in the order of the objects. Adds objects with `onlyIfAbsent` to `optional`. */
export function declaredRoots(
  objects: readonly DeclaredObject[],
  declaration: Resource,
  facts: RootFacts,
  optional: Set<RenderedManifest>,
  parse: typeof parseRendered,
): readonly RenderedRoot[] {
  const byDestination = new Map<string | undefined, DeclaredObject[]>();
  for (const object of objects) {
    const destination = destinationIn(object.destination, facts.destination);
    const same = byDestination.get(destination);
    if (same === undefined) byDestination.set(destination, [object]);
    else same.push(object);
  }
  return [...byDestination].map(([destination, declared]) => {
    const assumes = [...new Set(declared.flatMap((object) => object.assumes ?? []))];
    return {
      ...facts,
      inputs: new Set<string>(),
      manifests: declared.flatMap((object) => {
        const made = manifestsOf(object, declaration, facts, parse);
        if (object.onlyIfAbsent === true) for (const manifest of made) optional.add(manifest);
        return made;
      }),
      ...(destination !== undefined && { destination }),
      ...(assumes.length > 0 && { assumes }),
    };
  });
}

function manifestsOf(
  object: DeclaredObject,
  declaration: Resource,
  { name: root, location }: Pick<RootFacts, 'name' | 'location'>,
  parse: typeof parseRendered,
): readonly RenderedManifest[] {
  const text = stringifyJson(object.value, { sortKeys: false, escapeHtml: false });
  const name = {
    location,
    root,
    ...(object.namespace !== undefined && { namespace: object.namespace }),
  };
  return parse(text).manifests.map(
    (document) => new RenderedManifest(document, { text }, name, declaredPlaces(object, declaration)),
  );
}

function declaredPlaces(object: DeclaredObject, declaration: Resource): PlaceFinder {
  return {
    place: (path, part) => declaration.locate(object.written(path), part),
    alsoFrom: (path) => {
      const passed = object.passedThrough?.(path);
      return passed === undefined ? [] : [{ message: 'passed on by', location: declaration.locate(passed, 'value') }];
    },
  };
}

/** Drops optional objects that another root applies to the same cluster, and their duplicates. `applied`: objects in files. */
export function withoutPresent(
  roots: readonly RenderedRoot[],
  optional: ReadonlySet<RenderedManifest>,
  applied: readonly Resource[],
): readonly RenderedRoot[] {
  if (optional.size === 0) return roots;
  const present = new Set(applied.map(({ value }) => identityOf(value, undefined)));
  for (const { manifests, destination } of roots) {
    for (const manifest of manifests) {
      if (!optional.has(manifest)) present.add(identityOf(manifest.value, destination));
    }
  }
  return roots.map((root) => {
    const kept = root.manifests.filter((manifest) => {
      if (!optional.has(manifest)) return true;
      const identity = identityOf(manifest.value, root.destination);
      if (present.has(identity) || present.has(identityOf(manifest.value, undefined))) return false;
      present.add(identity);
      return true;
    });
    return kept.length === root.manifests.length ? root : { ...root, manifests: kept };
  });
}

/** For objects without namespace, within a cluster. An object without cluster may be in any cluster. */
function identityOf(value: JsonValue, destination: string | undefined): string {
  const object = objectOrEmpty(value);
  const name = textField(objectOrEmpty(object.get('metadata')), 'name');
  return [destination ?? '', textField(object, 'apiVersion'), textField(object, 'kind'), name].join('\0');
}
