// Compares the object that policies see with the one that the registry of the API server stores: defaults and prepared fields.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseApiVersion, recurringKind } from '../../src/kubernetes/api/group-version.ts';
import { resourcesOf } from '../../src/kubernetes/api/resource.ts';
import { AdmissionObjects } from '../../src/kubernetes/schema/admission-object.ts';
import { type GoProgram, startProgram } from '../../src/sandbox/go-program.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../src/source/json/json.ts';
import { jsonDifferences } from '../../src/source/json/json-differences.ts';
import { objectOrEmpty, textField, valueAt } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { type FieldPath, formatFieldPath, isSamePath } from '../../src/source/node/field-path.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { VALIDATION_LIMITS } from '../../src/validation/engine/validation-engine.ts';
import { compileProgram } from '../../src/workspace/programs/read-program.ts';

const ENGINE = {
  file: 'validation.wasm.br',
  folder: 'validation',
  name: 'validation engine',
  script: 'validation-engine',
};

/** Fields that admission and the storage fill, not the registry's strategy. */
const NOT_OF_REGISTRY: readonly FieldPath[] = [
  ['metadata', 'managedFields'],
  ['metadata', 'uid'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'resourceVersion'],
];

/** Kinds that admission plugins change. Of others the registry gets the manifest, because defaults share maps with it. */
const ADMITTED = new Set(['Pod', 'PersistentVolume', 'PersistentVolumeClaim', 'VolumeAttributesClass']);

export class StoredObjects {
  readonly #objects = new AdmissionObjects({ major: 1, minor: 36 });
  #program: GoProgram | undefined;

  /** Fields that differ, with both values. Undefined if the server refuses the object or does not know its kind. */
  differences(object: JsonObject, namespace: string): readonly string[] | undefined {
    const named = parseApiVersion(textField(object, 'apiVersion'));
    const gvk = named && recurringKind(named.group, named.version, textField(object, 'kind'));
    if (gvk === undefined) return undefined;
    const result = this.#objects.convert(object, gvk, namespace);
    if (result === undefined || 'error' in result) return undefined;
    const stored = this.#stored(ADMITTED.has(gvk.kind) ? result.requested : object);
    if (stored === undefined) return undefined;
    const { object: ours, invented } = result.validating;
    const ignored = [...NOT_OF_REGISTRY, ...invented];
    return jsonDifferences(ours, stored, () => true)
      .filter((path) => !ignored.some((each) => isSamePath(each, path.slice(0, each.length))))
      .map((path) => `${formatFieldPath(path)}: ${shown(valueAt(ours, path))} ≠ ${shown(valueAt(stored, path))}`);
  }

  #stored(object: JsonObject): JsonObject | undefined {
    this.#program ??= startProgram({
      module: compileProgram(ENGINE, VALIDATION_LIMITS),
      clocks: { elapsed: () => performance.now(), spent: () => performance.now() },
      outputBytes: VALIDATION_LIMITS.outputBytes,
      environment: [],
      print: () => {},
    });
    const request = `{"object":${stringifyJson(object, { sortKeys: false, escapeHtml: false })},"echo":true}`;
    const [text = new Uint8Array()] = this.#program.call('validate', new TextEncoder().encode(request));
    const parsed = parseJson(new TextDecoder().decode(text));
    const answer = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : new Map<string, JsonValue>();
    const stored = answer.get('object');
    return isJsonObject(stored) ? objectOrEmpty(stored) : undefined;
  }
}

/** Compares the built-in objects in the YAML files below the folders. The exit status. */
export function compareStoredObjects(folders: readonly string[]): number {
  const objects = new StoredObjects();
  const differences = new Map<string, number>();
  let compared = 0;
  for (const path of folders.flatMap(yamlFiles)) {
    const { manifests } = readManifests(new SourceFile(path, readFileSync(path, 'utf8')));
    for (const resource of manifests
      .flatMap(resourcesOf)
      .flatMap((each) => ('resource' in each ? [each.resource] : []))) {
      const found = objects.differences(resource.value, resource.namespace || 'default');
      if (found === undefined) continue;
      compared += 1;
      for (const difference of found) {
        const key = `${resource.gvk.kind} ${difference}`;
        differences.set(key, (differences.get(key) ?? 0) + 1);
      }
    }
  }
  for (const [difference, count] of differences) console.log(`${count} ${difference}`);
  console.log(`${compared} objects compared, ${differences.size} differences`);
  return Number(differences.size > 0);
}

function yamlFiles(folder: string): readonly string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
  return all.flatMap((entry) =>
    entry.isFile() && /\.ya?ml$/.test(entry.name) ? [join(entry.parentPath, entry.name)] : [],
  );
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : stringifyJson(value, { sortKeys: true, escapeHtml: false });
}
