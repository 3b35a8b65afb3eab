// Parses a field path in the format of `formatFieldPath`.
import type { FieldPath } from '../../src/source/node/field-path.ts';

const STEP = /\.?([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** Throws for invalid paths, because test data is trusted. */
export function parseFieldPath(text: string): FieldPath {
  const path: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const at = STEP.lastIndex;
    const match = STEP.exec(text);
    if (match === null) throw new Error(`not a field path from character ${at + 1} on: ${text}`);
    const [, name, index, quoted] = match;
    if (name !== undefined) path.push(name);
    else if (index !== undefined) path.push(Number(index));
    else path.push(JSON.parse(quoted as string) as string);
  }
  return path;
}
