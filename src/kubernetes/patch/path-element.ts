// One step into a value as structured merge names it: a field, or an element of a list by its keys (structured-merge-diff `fieldpath/element.go`).
import { goQuote } from '../../go/quote.ts';
import { compareUtf8 } from '../../source/json.ts';
import type { MergeList } from './merge-type.ts';
import { goFloat, isPatchArray, isPatchObject, type PatchValue, UnpatchableValue } from './patch-value.ts';

export interface ListElement {
  /** As errors print it: `[name="c"]`, `[="a"]`. Made when asked for. */
  readonly text: () => string;
  /** Equal for elements that are the same; numbers are compared across types. */
  readonly identity: string;
}

export function fieldStep(name: string): string {
  return `.${name}`;
}

/** What tells an element of an associative list from the others, or why it cannot be told. */
export function elementOf(list: MergeList, element: PatchValue): ListElement | { readonly error: string } {
  if (list.keys.length === 0) return setElement(element);
  if (element === null) return { error: 'associative list with keys may not have a null element' };
  if (!isPatchObject(element)) return { error: 'associative list with keys may not have non-map elements' };
  if (list.element.map === undefined) {
    const [key] = list.keys;
    return { error: `couldn't find default value for ${key}: associative list may not have non-map types` };
  }
  const found: { readonly name: string; readonly value: PatchValue }[] = [];
  for (const name of list.keys) {
    const value = element.get(name) ?? list.element.map.field(name)?.default;
    if (element.has(name)) found.push({ name, value: element.get(name) ?? null });
    else if (value !== undefined) found.push({ name, value });
  }
  if (found.length === 0) {
    const keys = list.keys.map(goQuote).join(' ');
    return {
      error: `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
    };
  }
  found.sort((a, b) => compareUtf8(a.name, b.name));
  const [only] = found;
  return {
    text: () => `[${found.map(({ name, value }) => `${name}=${valueText(value)}`).join(',')}]`,
    identity:
      list.keys.length === 1 && only !== undefined
        ? identityOf(only.value)
        : JSON.stringify(found.map(({ name, value }) => [name, identityOf(value)])),
  };
}

function setElement(element: PatchValue): ListElement | { readonly error: string } {
  if (element === null) return { error: "associative list without keys has an element that's an explicit null" };
  if (isPatchObject(element)) return { error: "associative list without keys has an element that's a map type" };
  if (isPatchArray(element)) return { error: 'not supported: associative list with lists as elements' };
  return { text: () => `[=${valueText(element)}]`, identity: identityOf(element) };
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

function identityOf(value: PatchValue): string {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'number') return `n${Number.isInteger(value) ? BigInt(value) : value}`;
  if (typeof value === 'bigint') return `n${value}`;
  return `v${valueText(value)}`;
}
