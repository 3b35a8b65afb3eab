// Adds the metadata of stored objects: resourceVersion and generation.
import { POSSIBLE_FACTS } from '../../kubernetes/schema/creation/server-facts.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

export const COUNTERS: readonly FieldPath[] = ['resourceVersion', 'generation'].map((field) => ['metadata', field]);

export const STATUS: FieldPath = ['status'];

/** Before or after an update. */
export type Age = 'before' | 'after';

/** `objects`: as created, one for each of the `POSSIBLE_FACTS`, or only the first. */
export function asStored(objects: readonly JsonObject[], age: Age): readonly JsonObject[] {
  return objects.map((object, index) => {
    const { resourceVersion, generation, nextGeneration } = POSSIBLE_FACTS[index] ?? POSSIBLE_FACTS[0];
    const metadata = new Map<string, JsonValue>(objectOrEmpty(object.get('metadata')));
    metadata.set('resourceVersion', resourceVersion);
    if (metadata.has('generation')) metadata.set('generation', age === 'before' ? generation : nextGeneration);
    return new Map<string, JsonValue>(object).set('metadata', metadata);
  });
}
