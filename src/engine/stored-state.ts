// What an object has that is not new: fields that count its changes.
import { POSSIBLE_FACTS } from '../kubernetes/schema/creation/server-facts.ts';
import type { JsonObject, JsonValue } from '../source/json/json.ts';
import { objectOrEmpty } from '../source/json/json-field.ts';
import type { FieldPath } from '../source/node/field-path.ts';

export const COUNTERS: readonly FieldPath[] = ['resourceVersion', 'generation'].map((field) => ['metadata', field]);

export const STATUS: FieldPath = ['status'];

/** Whether an update is about to be made, or was. */
export type Age = 'before' | 'after';

/** `objects`: as they are created, one for each of the possible facts, or the first alone. */
export function asStored(objects: readonly JsonObject[], age: Age): readonly JsonObject[] {
  return objects.map((object, index) => {
    const { resourceVersion, generation, nextGeneration } = POSSIBLE_FACTS[index] ?? POSSIBLE_FACTS[0];
    const metadata = new Map<string, JsonValue>(objectOrEmpty(object.get('metadata')));
    metadata.set('resourceVersion', resourceVersion);
    if (metadata.has('generation')) metadata.set('generation', age === 'before' ? generation : nextGeneration);
    return new Map<string, JsonValue>(object).set('metadata', metadata);
  });
}
