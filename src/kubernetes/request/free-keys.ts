// Maps whose keys the author of an object chooses.
import type { FieldPath } from '../../source/node/field-path.ts';

const FREE_KEYS: ReadonlySet<string> = new Set(
  'annotations binaryData data labels limits matchLabels nodeSelector requests stringData'.split(' '),
);

/** Members of these maps exist regardless of their values. The server drops empty members of others. */
export function hasFreeKeys(path: FieldPath): boolean {
  return FREE_KEYS.has(String(path.at(-1)));
}
