// Checks a value against its merge type (structured-merge-diff `typed/validate.go`), and finds the atomic parts of a patch (apiserver `mutating/patch/smd.go`).
import type { FieldPath } from '../../source/node/field-path.ts';
import type { MergeList, MergeMap, MergeScalar, MergeType } from './merge-type.ts';
import {
  goType,
  isPatchArray,
  isPatchObject,
  type PatchValue,
  printSyntax,
  printValue,
  UnpatchableValue,
} from './patch-value.ts';
import { type ElementIdentity, elementOf, elementText, fieldStep, isRefused } from './path-element.ts';

export interface TypeMismatch {
  /** The value, or the key of a repeated element. */
  readonly at: FieldPath;
  /** With the path as the server writes it. */
  readonly message: string;
  /** True for a field that the type lacks. */
  readonly isUndeclared: boolean;
}

/**
 * Undefined if the value matches. The server stops at the first unknown field in random order; here it is the first one
 * in the value. `allowDuplicates`: elements of associative lists may repeat, as in stored objects.
 */
export function typeMismatch(type: MergeType, value: PatchValue, allowDuplicates: boolean): string | undefined {
  return mismatchText(typeMismatches(type, value, { allowDuplicates }));
}

interface MismatchOptions {
  readonly allowDuplicates?: boolean;
  /** Fields that the type lacks are no mismatches. */
  readonly allowUndeclared?: boolean;
}

/** Like `typeMismatch`, one by one. */
export function typeMismatches(
  type: MergeType,
  value: PatchValue,
  options: MismatchOptions = {},
): readonly TypeMismatch[] {
  const walk = new TypedWalk(options);
  walk.check(type, value);
  return walk.errors;
}

/** The server's text for all of them; undefined if there are none. */
export function mismatchText(mismatches: readonly TypeMismatch[]): string | undefined {
  if (mismatches.length <= 1) return mismatches[0]?.message;
  return ['errors:', ...mismatches.map(({ message }) => `  ${message}`)].join('\n');
}

interface Element {
  readonly index: number;
  readonly list: MergeList;
  readonly item: PatchValue;
}

class TypedWalk {
  readonly errors: TypeMismatch[] = [];
  readonly #allowed: MismatchOptions;
  /** Fields, indices, and elements of associative lists; formatted only for errors. */
  readonly #steps: (string | number | Element)[] = [];

  constructor(allowed: MismatchOptions) {
    this.#allowed = allowed;
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
    for (const key of value.keys()) {
      const type = map.field(key)?.type ?? map.element;
      if (type === undefined && this.#allowed.allowUndeclared === true) continue;
      this.#steps.push(key);
      if (type === undefined) this.#report('field not declared in schema', [], true);
      else this.check(type, value.get(key) as PatchValue);
      this.#steps.pop();
      if (type === undefined) return;
    }
  }

  #list(list: MergeList, value: PatchValue): void {
    if (!isPatchArray(value)) {
      this.#report(`expected list, got ${pointerText(value)}`);
      return;
    }
    const seen = new Set<ElementIdentity>();
    for (let index = 0; index < value.length; index++) {
      const item = value[index] as PatchValue;
      if (!list.isAtomic) {
        const element = elementOf(list, item);
        if (isRefused(element)) {
          this.#report(`element ${index}: ${element.error}`, [index]);
          return;
        }
        if (seen.has(element) && this.#allowed.allowDuplicates !== true) {
          const key = list.keys.filter((name) => isPatchObject(item) && item.has(name)).slice(0, 1);
          this.#report(`duplicate entries for key ${elementText(list, item)}`, [index, ...key]);
        }
        seen.add(element);
      }
      this.#steps.push(list.isAtomic ? index : { index, list, item });
      this.check(list.element, item);
      this.#steps.pop();
    }
  }

  #report(message: string | undefined, below: FieldPath = [], isUndeclared = false): void {
    if (message === undefined) return;
    const path = this.#steps.map((step) => {
      if (typeof step === 'object') return elementText(step.list, step.item);
      return typeof step === 'number' ? `[${step}]` : fieldStep(step);
    });
    const at = [...this.#steps.map((step) => (typeof step === 'object' ? step.index : step)), ...below];
    this.errors.push({ at, message: path.length === 0 ? message : `${path.join('')}: ${message}`, isUndeclared });
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

/** The part of a type that applies to a value; the whole type if no part applies (`deduceAtom`). */
export function formOf(type: MergeType, value: PatchValue | undefined): MergeType {
  if (value === undefined || value === null) return type;
  const { scalar, list, map } = type;
  if (isPatchObject(value)) return map === undefined || (scalar ?? list) === undefined ? type : { map };
  if (isPatchArray(value)) return list === undefined || (scalar ?? map) === undefined ? type : { list };
  if (isScalar(value)) return scalar === undefined || (list ?? map) === undefined ? type : { scalar };
  return type;
}

/**
 * Paths of the atomic lists, maps and structs in a patch, including empty ones; the server rejects them. Ignores the
 * contents of maps without declared fields.
 */
export function atomicPaths(type: MergeType, value: PatchValue): readonly string[] {
  const paths: string[] = [];
  collectAtomic(type, value, [], paths);
  return paths;
}

/** Formats a path only for an error, because most patches have none. */
function collectAtomic(type: MergeType, value: PatchValue, steps: (string | number)[], paths: string[]): void {
  const { map, list } = type;
  if (isPatchObject(value) && map !== undefined) {
    if (map.isAtomic) paths.push(atomicPath(steps));
    for (const key of value.keys()) {
      const field = map.field(key);
      if (field === undefined) continue;
      steps.push(key);
      collectAtomic(field.type, value.get(key) as PatchValue, steps, paths);
      steps.pop();
    }
  } else if (isPatchArray(value) && list !== undefined) {
    if (list.isAtomic) paths.push(atomicPath(steps));
    for (let index = 0; index < value.length; index++) {
      steps.push(index);
      collectAtomic(list.element, value[index] as PatchValue, steps, paths);
      steps.pop();
    }
  }
}

function atomicPath(steps: readonly (string | number)[]): string {
  return steps.map((step) => (typeof step === 'number' ? `[${step}]` : fieldStep(step))).join('');
}
