// The commonest attribute, `a.b.c` on maps, without the general machinery.
import type { Attribute } from './attribute.ts';
import type { Run } from './frame.ts';

/**
 * Undefined if the attribute is of another kind. Only success is dealt with here: whatever is missing, no map or no JSON is left to
 * `general`, which starts over.
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
      if (!(value instanceof Map)) return general(frame);
      value = value.get(fields[index]);
    }
    if (value === undefined) return general(frame);
    frame.cost += cost;
    return value as ReturnType<Run>;
  };
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
    return value as ReturnType<Run>;
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
