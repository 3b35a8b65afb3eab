// Removes generated values from a document, so that comparisons see only written values.

import type { JsonValue } from '../json/json.ts';
import { withValues } from '../json/with-values.ts';
import type { Manifest } from './manifest.ts';

/** The document's value with null for each field in `madeUpFields`. */
export function maskedValue({ value, madeUpFields }: Pick<Manifest, 'value' | 'madeUpFields'>): JsonValue {
  return withValues(
    value,
    (madeUpFields ?? []).map((path) => ({ path, leaf: null })),
  );
}
