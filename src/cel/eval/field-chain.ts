// Fast path for the most common attribute, `a.b.c` on maps.
import { ErrorValue, OpaqueValue, type Value } from '../value/value.ts';
import type { Attribute } from './attribute.ts';
import type { Frame, Run } from './frame.ts';

/**
 * Undefined if the attribute has another form. Handles only success: for a missing field, or a value that is not a map
 * or not JSON, `general` starts over.
 */
export function planFieldChain({ root, qualifiers }: Attribute, general: Run): Run | undefined {
  if (root.kind !== 'variable' && (root.kind !== 'slot' || root.init !== undefined)) return undefined;
  const fields: string[] = [];
  for (const { key, optional } of qualifiers) {
    if (optional || !('constant' in key) || typeof key.constant !== 'string') return undefined;
    fields.push(key.constant);
  }
  const last = qualifiers[qualifiers.length - 1];
  if (last === undefined) return undefined;
  if (last.presenceTest) {
    return root.kind === 'slot'
      ? testSlotField(root.slot, fields, general)
      : testVariableField(root.name, fields, general);
  }
  return root.kind === 'slot'
    ? readSlotField(root.slot, fields, general)
    : readVariableField(root.name, fields, general);
}

function readVariableField(name: string, fields: readonly string[], general: Run): Run {
  const cost = fields.length + 1;
  return (frame) => {
    let value: unknown = frame.activation.resolve(name);
    for (let index = 0; index < fields.length; index++) {
      if (value instanceof Map) value = value.get(fields[index]);
      else if (index === 0 && value instanceof OpaqueValue) value = readOpaque(frame, value, fields[0] as string);
      else return general(frame);
    }
    if (value === undefined || value instanceof ErrorValue) return general(frame);
    frame.cost += cost;
    return value as Value;
  };
}

/** The field may be an expression that is evaluated on access. */
function readOpaque(frame: Frame, value: OpaqueValue, field: string): Value | undefined {
  frame.checkLimit();
  return value.get(field);
}

function readSlotField(slot: number, fields: readonly string[], general: Run): Run {
  const cost = fields.length + 1;
  return (frame) => {
    let value: unknown = frame.slots[slot];
    for (let index = 0; index < fields.length; index++) {
      if (!(value instanceof Map)) return general(frame);
      value = value.get(fields[index]);
    }
    if (value === undefined) return general(frame);
    frame.cost += cost;
    return value as Value;
  };
}

function testVariableField(name: string, fields: readonly string[], general: Run): Run {
  const cost = fields.length;
  const last = cost - 1;
  return (frame) => {
    let value: unknown = frame.activation.resolve(name);
    for (let index = 0; index < last; index++) {
      if (!(value instanceof Map)) return general(frame);
      value = value.get(fields[index]);
    }
    if (!(value instanceof Map)) return general(frame);
    frame.cost += cost;
    return value.has(fields[last]);
  };
}

function testSlotField(slot: number, fields: readonly string[], general: Run): Run {
  const cost = fields.length;
  const last = cost - 1;
  return (frame) => {
    let value: unknown = frame.slots[slot];
    for (let index = 0; index < last; index++) {
      if (!(value instanceof Map)) return general(frame);
      value = value.get(fields[index]);
    }
    if (!(value instanceof Map)) return general(frame);
    frame.cost += cost;
    return value.has(fields[last]);
  };
}
