// Finds pod templates in objects of any kind and turns each into a Pod (Kyverno `pkg/cel/autogen/extract`).
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

export interface ExtractedTemplate {
  /** In Kyverno's format: `spec.jobs[0].template`. */
  readonly path: string;
  readonly steps: FieldPath;
  readonly template: JsonObject;
}

/** Searches only `spec`, and not inside templates. Kyverno uses Go's random map order; this uses the object's order. */
export function podTemplates(object: JsonObject): readonly ExtractedTemplate[] {
  const found: ExtractedTemplate[] = [];
  const spec = object.get('spec');
  if (isJsonObject(spec)) collect(spec, 'spec', ['spec'], found);
  return found;
}

function collect(value: JsonValue, path: string, steps: FieldPath, found: ExtractedTemplate[]): void {
  if (isJsonArray(value)) {
    value.forEach((item, index) => {
      collect(item, `${path}[${index}]`, [...steps, index], found);
    });
  } else if (isJsonObject(value)) {
    if (isTemplate(value)) found.push({ path, steps, template: value });
    else for (const [key, item] of value) collect(item, `${path}.${key}`, [...steps, key], found);
  }
}

/** True if it has containers, each with a name and an image. */
function isTemplate(value: JsonObject): boolean {
  const metadata = value.get('metadata');
  if (metadata !== undefined && !isJsonObject(metadata)) return false;
  const containers = objectOrEmpty(value.get('spec')).get('containers');
  if (!isJsonArray(containers) || containers.length === 0) return false;
  return containers.every(
    (container) =>
      isJsonObject(container) && textField(container, 'name') !== '' && typeof container.get('image') === 'string',
  );
}

/** The request for the Pods of the templates at one path. Pods without a name get their owner's name. */
export function podRequest(
  request: AdmissionRequest,
  template: JsonObject | undefined,
  oldTemplate: JsonObject | undefined,
): AdmissionRequest {
  const object = template === undefined ? null : podOf(template, request);
  const oldObject = oldTemplate === undefined ? null : podOf(oldTemplate, request);
  const metadata = objectOrEmpty((object ?? oldObject ?? new Map()).get('metadata'));
  return {
    ...request,
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    name: textField(metadata, 'name'),
    namespace: textField(metadata, 'namespace'),
    object,
    oldObject,
  };
}

function podOf(template: JsonObject, owner: AdmissionRequest): JsonObject {
  const metadata = new Map<string, JsonValue>(objectOrEmpty(template.get('metadata')));
  if (textField(metadata, 'name') === '') metadata.set('name', owner.name);
  if (textField(metadata, 'namespace') === '') metadata.set('namespace', owner.namespace);
  return new Map<string, JsonValue>([
    ['apiVersion', 'v1'],
    ['kind', 'Pod'],
    ['metadata', metadata],
    ['spec', template.get('spec') ?? null],
  ]);
}
