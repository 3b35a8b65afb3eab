// The field of a cause, as apimachinery's `field.Path` prints it, as a path in the object.
import { isJsonArray, isJsonObject, type JsonValue } from '../source/json/json.ts';
import { valueUnder } from '../source/json/json-field.ts';
import type { FieldPath } from '../source/node/field-path.ts';

/** A name with its dot, or an index or key in brackets. A key may contain brackets that are closed again. */
const STEP = /\.?([^.[\]]+)|\[((?:[^[\]]|\[[^\]]*\])*)\]/gy;

/**
 * The path of `spec.containers[0].image` or `metadata.labels[app.kubernetes.io/name]`. A number in brackets is an index where the
 * object has a list, else a key. Ends where the text is no path; empty for no field.
 */
export function causePath(field: string, object: JsonValue): FieldPath {
  const path: (string | number)[] = [];
  let value: JsonValue | undefined = object;
  for (const [, name, bracketed] of field.matchAll(STEP)) {
    const step = bracketed === undefined ? (name as string) : stepInBrackets(bracketed, value);
    if (step === undefined) break;
    path.push(step);
    value = valueUnder(value, step);
  }
  return path;
}

/** The path at the start of a warning such as `spec.ports[0].name: …`; empty if it names none. */
export function warningPath(warning: string, object: JsonValue): FieldPath {
  return causePath(/^[\w.[\]/-]+(?=: )/.exec(warning)?.[0] ?? '', object);
}

/** Undefined for an unnamed element, which the server prints as `[]`. */
function stepInBrackets(text: string, value: JsonValue | undefined): string | number | undefined {
  if (text === '') return undefined;
  const isIndex = /^\d+$/.test(text) && (isJsonArray(value) || !isJsonObject(value));
  return isIndex ? Number(text) : text;
}
