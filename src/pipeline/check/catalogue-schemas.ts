// Definitions for custom kinds that the repository uses but does not define: from bundles of definitions and catalogues of schemas.
import { UNOBSERVED } from '../../engine/stages.ts';
import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import { type GroupVersionKind, kindKey } from '../../kubernetes/api/group-version.ts';
import { type Resource, resourcesOf } from '../../kubernetes/api/resource.ts';
import { formatVersion } from '../../kubernetes/api/version.ts';
import { readCustomResources } from '../../kubernetes/cluster/custom-resources.ts';
import { conventionalPlural } from '../../kubernetes/cluster/repository-cluster.ts';
import { builtinResources } from '../../kubernetes/schema/resources.ts';
import { SCHEMA_SOURCE } from '../../settings/policy-source.ts';
import { expandLocation, isTemplate } from '../../settings/schema-location.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { PolicySourceState } from '../state/policy-sources.ts';
import { type StateOptions, stateContent } from '../state/state-content.ts';
import { targetVersion } from '../state/target-version.ts';

/** A custom kind without a definition. `hasNamespace`: whether one of its objects sets a namespace. */
export interface MissingKind extends GroupVersionKind {
  readonly hasNamespace: boolean;
  readonly kubernetesVersion: string;
}

/** A file or address to read for one of `schemas`. */
export interface SchemaPlace {
  readonly path: string;
  /** Undefined for a bundle: the file says which kinds it defines. */
  readonly kind: MissingKind | undefined;
}

/** Further kinds are not looked up. */
const MAX_KINDS = 500;

/** Sorted by name. */
export function kindsWithoutSchema(input: StateOptions): readonly MissingKind[] {
  const { resources } = stateContent(input, UNOBSERVED);
  const [target] = input.configuration.targets;
  if (target === undefined) return [];
  const version = targetVersion(target);
  const builtin = builtinResources(version.minor);
  const defined = new Set(resources.flatMap(({ resource }) => readCustomResources(resource).map(kindKey)));
  const missing = new Map<string, MissingKind>();
  for (const { resource, selected } of resources) {
    const { gvk } = resource;
    const key = kindKey(gvk);
    if (!selected || builtin.isBuiltinGroup(gvk.group) || !gvk.group.includes('.') || defined.has(key)) continue;
    const hasNamespace = resource.namespace !== '' || missing.get(key)?.hasNamespace === true;
    missing.set(key, { ...gvk, hasNamespace, kubernetesVersion: formatVersion(version) });
  }
  return [...missing]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, MAX_KINDS)
    .map(([, kind]) => kind);
}

/** The files and addresses to read, in order of preference. */
export function schemaPlaces(locations: readonly string[], kinds: readonly MissingKind[]): readonly SchemaPlace[] {
  return locations.flatMap((location): readonly SchemaPlace[] => {
    if (!isTemplate(location)) return kinds.length === 0 ? [] : [{ path: location, kind: undefined }];
    return kinds.flatMap((kind) => {
      const path = expandLocation(location, kind);
      return path === undefined ? [] : [{ path, kind }];
    });
  });
}

/** The first definition of each kind that lacks one. Undefined if nothing was found. */
export function schemaSource(
  found: readonly { readonly place: SchemaPlace; readonly text: string }[],
  kinds: readonly MissingKind[],
): PolicySourceState | undefined {
  const wanted = new Map(kinds.map((kind) => [kindKey(kind), kind]));
  const files = new Map<string, SourceFile>();
  for (const { place, text } of found) {
    const definitions = definitionsIn(place.path, text);
    if (place.kind !== undefined && definitions.length === 0) {
      const schema = readManifests(new SourceFile(place.path, text)).manifests[0]?.value;
      if (!isJsonObject(schema) || !wanted.delete(kindKey(place.kind))) continue;
      add(files, madeUpDefinition(place.kind, schema), `${place.kind.kind}.${place.kind.version}.${place.kind.group}`);
    }
    for (const definition of definitions) {
      const keys = readCustomResources(definition).map(kindKey);
      if (!keys.some((key) => wanted.has(key))) continue;
      for (const key of keys) wanted.delete(key);
      add(files, definition.value, definition.name);
    }
  }
  if (files.size === 0) return undefined;
  const count = kinds.length - wanted.size;
  const version = `${count} ${count === 1 ? 'kind' : 'kinds'}; for kinds from catalogues, the scope follows the convention`;
  const read = [...files.values()].map((file) => ({ file, selected: true }));
  return { name: SCHEMA_SOURCE, version, files: read, paths: new Set(files.keys()) };
}

function add(files: Map<string, SourceFile>, definition: JsonObject, name: string): void {
  const path = `${name.toLowerCase().replace(/[^a-z0-9.-]/g, '')}.json`;
  if (!files.has(path))
    files.set(path, new SourceFile(path, stringifyJson(definition, { sortKeys: false, escapeHtml: false })));
}

function definitionsIn(path: string, text: string): readonly Resource[] {
  const results = readManifests(new SourceFile(path, text)).manifests.flatMap(resourcesOf);
  return results.flatMap((result) =>
    'resource' in result && isCustomResourceDefinition(result.resource) ? [result.resource] : [],
  );
}

/** A definition with the catalogue's schema. Plural and scope follow the convention, because a catalogue does not contain them. */
function madeUpDefinition(kind: MissingKind, schema: JsonObject): JsonObject {
  const plural = conventionalPlural(kind.kind);
  const root = new Map(structural(schema));
  const properties = new Map(objectOrEmpty(root.get('properties')));
  // The server has its own schema for these.
  for (const name of ['apiVersion', 'kind', 'metadata']) properties.delete(name);
  root.set('properties', properties).set('type', 'object');
  const isNamespaced = kind.hasNamespace || !kind.kind.startsWith('Cluster');
  return object({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: object({ name: `${plural}.${kind.group}` }),
    spec: object({
      group: kind.group,
      scope: isNamespaced ? 'Namespaced' : 'Cluster',
      names: object({
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular: kind.kind.toLowerCase(),
      }),
      versions: [
        object({ name: kind.version, served: true, storage: true, schema: object({ openAPIV3Schema: root }) }),
      ],
    }),
  });
}

function object(fields: Readonly<Record<string, JsonValue>>): JsonObject {
  return new Map(Object.entries(fields));
}

/** Keywords that have the same meaning in a catalogue and in a definition. */
const KEPT: ReadonlySet<string> = new Set([
  'description',
  'title',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'enum',
  'default',
  'nullable',
]);

/** Catalogues convert definitions to JSON Schema. Drops keywords that no definition can contain, so that no valid object is rejected. */
function structural(schema: JsonValue | undefined): JsonObject {
  const written = objectOrEmpty(schema);
  const made = new Map<string, JsonValue>();
  for (const [name, value] of written) {
    if (KEPT.has(name) || name.startsWith('x-kubernetes-')) made.set(name, value);
  }
  if (made.get('format') === 'int-or-string' || isIntOrString(written)) {
    made.delete('format');
    return made.set('x-kubernetes-int-or-string', true);
  }
  const type = written.get('type');
  const types = isJsonArray(type) ? type.filter((each) => each !== 'null') : [type];
  const [only] = types;
  if (isJsonArray(type) && types.length < type.length) made.set('nullable', true);
  if (types.length !== 1 || typeof only !== 'string') {
    return isJsonObject(written.get('properties')) ? asObject(written, made) : preserving(new Map());
  }
  if (only === 'object') return asObject(written, made);
  made.set('type', only);
  if (only === 'array') made.set('items', structural(written.get('items')));
  return made;
}

function asObject(written: JsonObject, made: Map<string, JsonValue>): JsonObject {
  made.set('type', 'object');
  const properties = written.get('properties');
  const additional = written.get('additionalProperties');
  if (isJsonObject(properties)) {
    made.set('properties', new Map([...properties].map(([name, value]) => [name, structural(value)])));
  } else if (isJsonObject(additional)) made.set('additionalProperties', structural(additional));
  else return preserving(made);
  return made;
}

function preserving(made: Map<string, JsonValue>): JsonObject {
  return made.set('x-kubernetes-preserve-unknown-fields', true);
}

function isIntOrString(schema: JsonObject): boolean {
  return ['oneOf', 'anyOf'].some((name) => {
    const branches = schema.get(name);
    if (!isJsonArray(branches) || branches.length !== 2) return false;
    const types = new Set(branches.map((branch) => objectOrEmpty(branch).get('type')));
    return types.has('string') && types.has('integer');
  });
}
