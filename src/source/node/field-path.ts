// The address of a field inside a document: keys and indices, never a dotted string.

export type FieldPath = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Formats for people: `spec.containers[0].image`, `metadata.labels["a.b/c"]`. The empty path gives the empty string. */
export function formatFieldPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (!PLAIN_KEY.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

export function isSamePath(one: FieldPath, other: FieldPath): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index]);
}
