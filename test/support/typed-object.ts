// YAML manifests for tests, and sorted JSON texts of objects for comparison.
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../src/source/json/json.ts';
import { readYaml } from '../../src/source/yaml/yaml-to-json.ts';

export function manifest(yaml: string): JsonObject {
  const read = readYaml(yaml);
  if ('failure' in read || !isJsonObject(read.value)) throw new Error(`not an object: ${yaml}`);
  return read.value;
}

/** Sorts keys, so that only the content matters. */
export function sortedJson(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: true, escapeHtml: false });
}
