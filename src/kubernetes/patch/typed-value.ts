// Whether a value has the type that it is merged as (structured-merge-diff `typed/validate.go`), and what of a patch is atomic (apiserver `mutating/patch/smd.go`).

import type { MergeList, MergeMap, MergeScalar, MergeType } from './merge-type.ts';
import {
  goType,
  isPatchArray,
  isPatchObject,
  type PatchObject,
  type PatchValue,
  printSyntax,
  printValue,
  UnpatchableValue,
} from './patch-value.ts';
import { elementOf, fieldStep } from './path-element.ts';

interface Mismatch {
  readonly path: string;
  readonly message: string;
}

/**
 * Undefined if the value fits. Of an unknown field the server stops at the first it meets, in no certain order: here in the order
 * of the value. `allowDuplicates`: elements of associative lists may repeat, as in objects that are stored already.
 */
export function typeMismatch(type: MergeType, value: PatchValue, allowDuplicates: boolean): string | undefined {
  const walk = new TypedWalk(allowDuplicates);
  walk.check(type, value);
  const texts = walk.errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  if (texts.length <= 1) return texts[0];
  return ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

class TypedWalk {
  readonly errors: Mismatch[] = [];
  readonly #allowDuplicates: boolean;
  /** Printed only where something is wrong. */
  readonly #steps: (() => string)[] = [];

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  check(type: MergeType, value: PatchValue): void {
    if (value === null) return;
    const { map, scalar, list } = formOf(type, value);
    if (map !== undefined) this.#map(map, value);
    else if (scalar !== undefined) this.#report(scalarError(scalar, value));
    else if (list !== undefined) this.#list(list, value);
  }

  #map(map: MergeMap, value: PatchValue): void {
    if (!isPatchObject(value)) {
      this.#report(`expected map, got ${pointerText(value)}`);
      return;
    }
    for (const [key, item] of value) {
      const type = map.field(key)?.type ?? map.element;
      this.#steps.push(() => fieldStep(key));
      if (type === undefined) this.#report('field not declared in schema');
      else this.check(type, item);
      this.#steps.pop();
      if (type === undefined) return;
    }
  }

  #list(list: MergeList, value: PatchValue): void {
    if (!isPatchArray(value)) {
      this.#report(`expected list, got ${pointerText(value)}`);
      return;
    }
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      let step = (): string => `[${index}]`;
      if (!list.isAtomic) {
        const element = elementOf(list, item);
        if ('error' in element) {
          this.#report(`element ${index}: ${element.error}`);
          return;
        }
        if (seen.has(element.identity) && !this.#allowDuplicates) {
          this.#report(`duplicate entries for key ${element.text()}`);
        }
        seen.add(element.identity);
        step = element.text;
      }
      this.#steps.push(step);
      this.check(list.element, item);
      this.#steps.pop();
    }
  }

  #report(message: string | undefined): void {
    if (message === undefined) return;
    this.errors.push({ path: this.#steps.map((step) => step()).join(''), message });
  }
}

function scalarError(scalar: MergeScalar, value: PatchValue): string | undefined {
  switch (scalar) {
    case 'numeric':
      if (typeof value === 'bigint' || typeof value === 'number') return undefined;
      return `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${printSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${pointerText(value)}`;
    case 'untyped':
      return isScalar(value) ? undefined : `expected any scalar, got ${pointerText(value)}`;
  }
}

/** Go's `%v` of a pointer to the struct that holds the value. */
function pointerText(value: PatchValue): string {
  return `&{${printValue(value)}}`;
}

function isScalar(value: PatchValue): boolean {
  return value !== null && !(value instanceof UnpatchableValue) && !isPatchArray(value) && !isPatchObject(value);
}

/** The form of a type that a value has; the whole type where it has none (`deduceAtom`). */
export function formOf(type: MergeType, value: PatchValue | undefined): MergeType {
  if (value === undefined || value === null) return type;
  if (isScalar(value)) return type.scalar === undefined ? type : { scalar: type.scalar };
  if (isPatchArray(value)) return type.list === undefined ? type : { list: type.list };
  if (isPatchObject(value)) return type.map === undefined ? type : { map: type.map };
  return type;
}

/**
 * Paths of the atomic lists, maps and structs that a patch has, even empty ones: it may not have any. What is inside a map of
 * which the schema names no fields is not looked at.
 */
export function atomicPaths(type: MergeType, value: PatchValue, path = ''): readonly string[] {
  if (isPatchObject(value) && type.map !== undefined) {
    return [...(type.map.isAtomic ? [path] : []), ...atomicFields(type.map, value, path)];
  }
  if (isPatchArray(value) && type.list !== undefined) {
    const { isAtomic, element } = type.list;
    const inside = value.flatMap((item, index) => atomicPaths(element, item, `${path}[${index}]`));
    return [...(isAtomic ? [path] : []), ...inside];
  }
  return [];
}

function atomicFields(map: MergeMap, value: PatchObject, path: string): readonly string[] {
  return [...value].flatMap(([key, item]) => {
    const field = map.field(key);
    return field === undefined ? [] : atomicPaths(field.type, item, path + fieldStep(key));
  });
}
