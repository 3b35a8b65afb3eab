// The context entry `images`: the parsed image of every container (`pkg/utils/api/image.go`).
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldOrigin, Origin } from '../jmespath/origin.ts';
import { parseImageReference, type RegistrySettings } from '../value/image-reference.ts';
import type { ContextLoader } from '../variables/deferred-loaders.ts';
import type { EvaluationContext } from '../variables/evaluation-context.ts';
import { VariableError, variableFailure } from '../variables/variable-error.ts';

const POD_SPECS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', ['spec']],
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template', 'spec']],
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet', 'Job'].map(
    (kind): [string, readonly string[]] => [kind, ['spec', 'template', 'spec']],
  ),
]);

const CONTAINER_LISTS: readonly string[] = ['initContainers', 'containers', 'ephemeralContainers'];

/** Objects without images have no `images` entry. */
export function imagesLoader(
  context: EvaluationContext,
  object: JsonObject,
  settings: RegistrySettings,
): ContextLoader {
  let images: JsonObject | undefined;
  return {
    name: 'images',
    hasLoaded: false,
    load: () => {
      if (images === undefined) {
        const extracted = extractImages(object, settings);
        if (extracted instanceof VariableError) return extracted;
        images = extracted;
      }
      if (images.size > 0) {
        context.addFields(new Map([['images', images]]));
        context.tellOrigin('images', () => imagesOrigin(images ?? new Map()));
      }
      return undefined;
    },
  };
}

/** Every part of an image originates from the field that contains the image. */
function imagesOrigin(images: JsonObject): Origin {
  return originTree(images, (list) =>
    originTree(list, (image) => {
      const origin = pointerOrigin(textField(image, 'jsonPointer'));
      return new Map([...image.keys()].map((field): [string, Origin] => [field, origin]));
    }),
  );
}

function originTree(object: JsonObject, originOf: (value: JsonObject) => Origin): Origin {
  return new Map([...object].map(([key, value]): [string, Origin] => [key, originOf(objectOrEmpty(value))]));
}

function pointerOrigin(pointer: string): Origin {
  const steps = pointer.split('/').slice(1);
  const path = ['request', 'object', ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))];
  return path.reduce<FieldOrigin | undefined>((parent, key) => ({ parent, key }), undefined);
}

/** By container list, then by container name. */
function extractImages(object: JsonObject, settings: RegistrySettings): JsonObject | VariableError {
  const images = new Map<string, JsonValue>();
  const steps = POD_SPECS.get(textField(object, 'kind'));
  if (steps === undefined) return images;
  for (const list of CONTAINER_LISTS) {
    const found = imagesOf(object, [...steps, list], settings);
    if (found instanceof VariableError) return found;
    if (found.size > 0) images.set(list, found);
  }
  return images;
}

function imagesOf(object: JsonObject, path: readonly string[], settings: RegistrySettings): JsonObject | VariableError {
  const images = new Map<string, JsonValue>();
  let value: JsonValue = object;
  for (const step of path) {
    if (!isJsonObject(value)) return variableFailure('invalid image config');
    value = value.get(step) ?? null;
    if (value === null) return images;
  }
  const entries: readonly (readonly [string | number, JsonValue])[] | undefined = isJsonArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? [...value]
      : undefined;
  if (entries === undefined) return variableFailure('invalid type');
  for (const [key, container] of entries) {
    if (container === null) continue;
    if (!isJsonObject(container)) return variableFailure('invalid image config');
    const name = container.get('name');
    if (typeof name !== 'string') return variableFailure('invalid key');
    const image = container.get('image');
    if (typeof image !== 'string' || image.trim() === '') continue;
    const parsed = parseImageReference(image, settings);
    if ('error' in parsed) return variableFailure(`invalid image '${image}' (${parsed.error})`);
    images.set(name, imageFields(parsed, `/${[...path, key, 'image'].join('/')}`));
  }
  return images;
}

function imageFields(
  parsed: Exclude<ReturnType<typeof parseImageReference>, { error: string }>,
  pointer: string,
): JsonObject {
  const fields = new Map<string, JsonValue>();
  const { registry, name, path, tag, digest, reference, referenceWithTag } = parsed;
  const optional = { registry, tag, digest, reference, referenceWithTag };
  for (const [key, text] of Object.entries(optional)) if (text !== '') fields.set(key, text);
  return fields.set('name', name).set('path', path).set('jsonPointer', pointer);
}
