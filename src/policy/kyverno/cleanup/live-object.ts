// An object as a controller sees it in the cluster. Fields that the server or other writers set are unknown.

import { HiddenFields } from '../../../source/json/hidden-fields.ts';
import { isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import type { SearchError } from '../jmespath/search-error.ts';
import type { Undecided } from '../rule/rule-response.ts';

/** Thrown instead of returning a value. */
type Unanswerable = Undecided | SearchError;

/** Fields of `metadata` that only the server sets. */
const SERVER_METADATA: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);
const STATUS: ReadonlySet<string> = new Set(['status']);

/** The object with unknown fields. Reading one throws the result of `unknown` for the field's name. */
export function liveObject(object: JsonObject, unknown: (what: string) => Unanswerable): JsonObject {
  const missing = (prefix: string) => (key: string | undefined) =>
    unknown(
      key === undefined ? 'all fields of the object at that time' : `the object's \`${prefix}${key}\` at that time`,
    );
  const metadata = object.get('metadata');
  const fields = new Map(object);
  if (isJsonObject(metadata)) fields.set('metadata', new HiddenFields(metadata, SERVER_METADATA, missing('metadata.')));
  return new HiddenFields(fields, STATUS, missing(''));
}
