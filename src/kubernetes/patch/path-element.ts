// One step of a path in structured merge: a field, or an element of a list by its keys (structured-merge-diff `fieldpath/element.go`).
import { goQuote } from '../../go/strconv/quote.ts';
import { compareUtf8 } from '../../source/json/json.ts';
import type { MergeList } from './merge-type.ts';
import { goFloat, isPatchArray, isPatchObject, type PatchValue, UnpatchableValue } from './patch-value.ts';

/** Equal for equal elements; numbers are compared across types. */
export type ElementIdentity = string | number | bigint | boolean | null;

/** Why an element of an associative list cannot be identified by its keys. */
export interface RefusedElement {
  readonly error: string;
}

export function isRefused(element: ElementIdentity | RefusedElement): element is RefusedElement {
  return typeof element === 'object' && element !== null;
}

export function fieldStep(name: string): string {
  return `.${name}`;
}

/** The identity of an element in an associative list. */
export function elementOf(list: MergeList, element: PatchValue): ElementIdentity | RefusedElement {
  const { keys } = list;
  if (keys.length === 0) return setElement(element);
  if (element === null) return { error: 'associative list with keys may not have a null element' };
  if (!isPatchObject(element)) return { error: 'associative list with keys may not have non-map elements' };
  if (list.element.map === undefined) {
    const [key] = keys;
    return { error: `couldn't find default value for ${key}: associative list may not have non-map types` };
  }
  if (keys.length === 1) {
    const value = keyValue(list, element, keys[0] as string);
    return value === undefined ? withoutKeys(keys) : identityOf(value);
  }
  const found = keyValues(list, element);
  if (found.length === 0) return withoutKeys(keys);
  // A string never equals a number, even if it has the same text.
  return JSON.stringify(
    found.map(({ name, value }) => [name, typeof value === 'string' ? 's' : 'n', String(identityOf(value))]),
  );
}

/** An element with an identity, as errors print it: `[name="c"]`, `[="a"]`. */
export function elementText(list: MergeList, element: PatchValue): string {
  if (list.keys.length === 0 || !isPatchObject(element)) return `[=${valueText(element)}]`;
  const keys = keyValues(list, element).map(({ name, value }) => `${name}=${valueText(value)}`);
  return `[${keys.join(',')}]`;
}

/** Undefined if the element lacks the key and the key has no default. */
function keyValue(list: MergeList, element: ReadonlyMap<string, PatchValue>, name: string): PatchValue | undefined {
  const written = element.get(name);
  return written === undefined ? list.element.map?.field(name)?.default : written;
}

function keyValues(
  list: MergeList,
  element: ReadonlyMap<string, PatchValue>,
): readonly { readonly name: string; readonly value: PatchValue }[] {
  return list.keys
    .flatMap((name) => {
      const value = keyValue(list, element, name);
      return value === undefined ? [] : [{ name, value }];
    })
    .sort((a, b) => compareUtf8(a.name, b.name));
}

function withoutKeys(keys: readonly string[]): RefusedElement {
  return {
    error: `associative list with keys has an element that omits all key fields [${keys.map(goQuote).join(' ')}] (and doesn't have default values for any key fields)`,
  };
}

function setElement(element: PatchValue): ElementIdentity | RefusedElement {
  if (element === null) return { error: "associative list without keys has an element that's an explicit null" };
  if (isPatchObject(element)) return { error: "associative list without keys has an element that's a map type" };
  if (isPatchArray(element)) return { error: 'not supported: associative list with lists as elements' };
  return identityOf(element);
}

/** `value.ToString`. */
function valueText(value: PatchValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goFloat(value);
  if (value instanceof UnpatchableValue) return '{{undefined}}';
  if (isPatchArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (isPatchObject(value)) return [...value].map(([key, item]) => `${key}=${valueText(item)}`).join('');
  return String(value);
}

/** Keys other than strings and numbers are invalid in every schema; a string that no key can have represents them. */
function identityOf(value: PatchValue): ElementIdentity {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  return value === null || typeof value !== 'object' ? value : `\u0000${valueText(value)}`;
}
