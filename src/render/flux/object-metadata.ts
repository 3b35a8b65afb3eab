// Labels and annotations that Flux' controllers add to applied objects.
import { type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectField, objectOrEmpty } from '../../source/json/json-field.ts';

export interface AddedMetadata {
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
}

/** Adds metadata to the object; existing keys are replaced. */
export function withMetadata(object: JsonObject, { labels, annotations }: AddedMetadata): JsonObject {
  const metadata = new Map(objectOrEmpty(object.get('metadata')));
  const add = (field: string, entries: ReadonlyMap<string, string>): void => {
    if (entries.size > 0)
      metadata.set(field, new Map<string, JsonValue>([...(objectField(metadata, field) ?? []), ...entries]));
  };
  add('labels', labels);
  add('annotations', annotations);
  return new Map([...object, ['metadata', metadata]]);
}

/** Owner labels, overridden by `spec.commonMetadata`. */
export function ownerMetadata(group: string, name: string, namespace: string, spec: JsonObject): AddedMetadata {
  const common = objectOrEmpty(spec.get('commonMetadata'));
  const owner = [
    [`${group}/name`, name],
    [`${group}/namespace`, namespace],
  ] as const;
  return {
    labels: new Map([...owner, ...textsOf(common.get('labels'))]),
    annotations: new Map(textsOf(common.get('annotations'))),
  };
}

function textsOf(value: JsonValue | undefined): readonly (readonly [string, string])[] {
  return [...objectOrEmpty(value)].flatMap(([key, text]) => (typeof text === 'string' ? [[key, text] as const] : []));
}

/** JSON is also valid YAML, and reads back as the same object. */
export function textOf(object: JsonObject): string {
  return `${stringifyJson(object, { sortKeys: false, escapeHtml: false })}\n`;
}
