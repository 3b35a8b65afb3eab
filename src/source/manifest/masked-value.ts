// Removes generated values from a document, so that comparisons see only written values.

import type { JsonValue } from '../json/json.ts';
import { withValue } from '../json/with-value.ts';
import type { Manifest } from './manifest.ts';

/** The document's value with null for each field in `madeUpFields`. */
export function maskedValue({ value, madeUpFields }: Pick<Manifest, 'value' | 'madeUpFields'>): JsonValue {
  return (madeUpFields ?? []).reduce((masked: JsonValue, path) => withValue(masked, path, null), value);
}
