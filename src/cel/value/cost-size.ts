// Sizes of values, for `size()` and for cost counting (cel-go `traits.Sizer`, `interpreter.actualSize`).
import { codePointLength } from '../../go/strings/string-order.ts';
import { isMap } from './equality.ts';
import { Bytes } from './scalar.ts';
import { OpaqueValue, Optional, type Value } from './value.ts';

/** Undefined for values without a size. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return codePointLength(value);
  if (Array.isArray(value)) return value.length;
  if (isMap(value)) return value.size;
  return value instanceof Bytes ? value.data.length : undefined;
}

/** 1 for scalars, errors and other values without a size. */
export function costSizeOf(value: Value): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Optional && value.value !== undefined) return costSizeOf(value.value);
  if (value instanceof OpaqueValue) return value.costSize;
  return sizeOf(value) ?? 1;
}
