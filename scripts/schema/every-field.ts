// Generates manifests that set each field of every kind alone, with several values of its type.
import { formatApiVersion } from '../../src/kubernetes/api/group-version.ts';
import type { BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import type { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import type { FieldType, Struct } from '../../src/kubernetes/schema/struct.ts';
import { type JsonValue, stringifyJson } from '../../src/source/json/json.ts';

/** JSON lines with `id` and `manifest`. */
export function* everyField(catalog: SchemaCatalog, resources: BuiltinResources): Iterable<string> {
  let count = 0;
  for (const resource of resources.all()) {
    const struct = catalog.structForKind(resource);
    if (struct === undefined) throw new Error(`no struct for ${resource.kind}`);
    const typeMeta: [string, JsonValue][] = [
      ['apiVersion', formatApiVersion(resource.group, resource.version)],
      ['kind', resource.kind],
    ];
    for (const fields of structValues(struct, [])) {
      const line = new Map<string, JsonValue>([
        ['id', `${resource.kind}-${count++}`],
        ['manifest', new Map([...fields, ...typeMeta])],
      ]);
      yield stringifyJson(line, { sortKeys: true, escapeHtml: false });
    }
  }
}

/** A recursive struct is left empty. */
function* structValues(struct: Struct, outer: readonly string[]): Iterable<Map<string, JsonValue>> {
  yield new Map();
  if (outer.includes(struct.name)) return;
  for (const field of struct.fields.values()) {
    for (const value of values(field.type, [...outer, struct.name])) yield new Map([[field.name, value]]);
  }
}

function* values(type: FieldType, outer: readonly string[]): Iterable<JsonValue> {
  switch (type.form) {
    case 'list':
      yield [];
      for (const value of values(type.element, outer)) yield [value];
      return;
    case 'map':
      yield new Map();
      for (const value of values(type.value, outer)) yield new Map([['cpu', value]]);
      return;
    case 'struct':
      yield* structValues(type.struct, outer);
      return;
    case 'custom':
      yield* CUSTOM_VALUES.get(type.custom) ?? [new Map([['a', 1n]])];
      return;
    default:
      yield* SCALAR_VALUES.get(type.form) ?? [];
  }
}

const SCALAR_VALUES: ReadonlyMap<string, readonly JsonValue[]> = new Map<string, readonly JsonValue[]>([
  ['string', ['x', '']],
  ['bool', [true, false]],
  ['integer', [7n, 0n]],
  ['float', [1.5, 0n]],
  ['bytes', ['YWI=', '']],
]);

const CUSTOM_VALUES: ReadonlyMap<string, readonly JsonValue[]> = new Map<string, readonly JsonValue[]>([
  ['resource.Quantity', ['1500m', '1n', '0']],
  ['intstr.IntOrString', [5n, 'x', 0n]],
  ['meta/v1.Time', ['2024-01-02T03:04:05Z', '0001-01-01T00:00:00Z']],
  ['meta/v1.MicroTime', ['2024-01-02T03:04:05.123456Z']],
  ['JSONSchemaPropsOrBool', [true, false]],
]);
