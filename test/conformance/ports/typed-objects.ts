// Random values of API types, from the declared fields of their structs.
import type { Field, FieldType, Struct } from '../../../src/kubernetes/schema/struct.ts';
import type { Chance } from './chance.ts';

const TEXTS = ['a', 'b', 'web', 'TCP', 'UDP', '', 'tcp', 'ClusterFirst'];
const NUMBERS = [0, 1, 2, 80, 443, -1];
const QUANTITIES = ['1', '100m', '1Gi', 0, 1];

/** Deep structs have few fields, so that objects stay small. */
export function structValue(chance: Chance, struct: Struct, depth: number): Readonly<Record<string, unknown>> {
  const fields = [...struct.fields.values()];
  const wanted = depth > 0 ? 1 + chance.below(4) : chance.below(2);
  const chosen = new Set(chance.several(0, wanted, () => chance.pick(fields)));
  // The way to the interesting parts, and what identifies elements of lists.
  for (const field of fields) {
    if (IDENTIFYING.has(field.name) && chance.in(80)) chosen.add(field);
    if (LEADING.has(field.name) && depth > 0 && chance.in(80)) chosen.add(field);
  }
  return Object.fromEntries(
    [...chosen].filter(Boolean).map((field) => [field.name, fieldValue(chance, field, depth - 1)]),
  );
}

const IDENTIFYING = new Set(['name', 'key', 'mountPath', 'containerPort', 'port', 'ip', 'uid', 'type', 'topologyKey']);
const LEADING = new Set(['metadata', 'spec', 'template', 'containers', 'jobTemplate', 'rules', 'ports', 'env']);

function fieldValue(chance: Chance, { type }: Field, depth: number): unknown {
  if (chance.in(1)) return chance.pick([null, 'a', 1, true, [], {}, 1.5]);
  return typedValue(chance, type, depth);
}

function typedValue(chance: Chance, type: FieldType, depth: number): unknown {
  switch (type.form) {
    case 'string':
    case 'bytes':
      return chance.pick(TEXTS);
    case 'bool':
      return chance.in(50);
    case 'integer':
    case 'float':
      return chance.pick(NUMBERS);
    case 'list':
      return chance.several(0, depth > 0 ? 3 : 0, () => typedValue(chance, type.element, depth - 1));
    case 'map':
      return Object.fromEntries(
        chance.several(0, 2, () => [chance.pick(TEXTS), typedValue(chance, type.value, depth - 1)]),
      );
    case 'struct':
      return structValue(chance, type.struct, depth - 1);
    case 'custom':
      return customValue(chance, type.custom);
  }
}

function customValue(chance: Chance, custom: string): unknown {
  if (custom === 'resource.Quantity') return chance.pick(QUANTITIES);
  if (custom === 'intstr.IntOrString') return chance.pick([80, 'http', '50%']);
  if (custom === 'meta/v1.FieldsV1') return chance.pick([{}, { 'f:a': {} }]);
  return custom.startsWith('JSON') ? chance.pick([{ type: 'string' }, true, ['a']]) : '2026-01-01T00:00:00Z';
}
