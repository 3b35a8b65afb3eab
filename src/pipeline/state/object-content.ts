// The content of an object that distinguishes its versions.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';

/** The object without its status. Also without metadata that only identifies the controller which applied it, unless `keepsOwners`. */
export function contentOf({ value }: Resource, keepsOwners = false): string {
  const metadata = objectOrEmpty(value.get('metadata'));
  const owned = ['labels', 'annotations'].map((field): [string, JsonValue] => [
    field,
    keepsOwners ? objectOrEmpty(metadata.get(field)) : withoutOwners(metadata.get(field)),
  ]);
  const content = [...value].filter(([key]) => key !== 'metadata' && key !== 'status');
  return sortedText(new Map<string, JsonValue>([...content, ['metadata', new Map(owned)]]));
}

const OWNERS =
  /^(?:(?:kustomize|helm)\.toolkit\.fluxcd\.io\/(?:name|namespace)|argocd\.argoproj\.io\/.*|kubectl\.kubernetes\.io\/last-applied-configuration|config\.kubernetes\.io\/.*)$/;

function withoutOwners(fields: JsonValue | undefined): JsonObject {
  return new Map(isJsonObject(fields) ? [...fields].filter(([key]) => !OWNERS.test(key)) : []);
}

/** JSON with sorted keys. */
export function sortedText(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: true, escapeHtml: false });
}
