// Random objects of built-in kinds: existing fields, with values that mostly have the correct type.
import fc from 'fast-check';
import { BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import type { FieldType, Struct } from '../../src/kubernetes/schema/struct.ts';
import type { JsonObject, JsonValue } from '../../src/source/json/json.ts';

const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom(null, true, false, 0n, 1n, -1n, 1.5, '', '1Gi', '25%', 'a', 'latest', '2024-01-02T03:04:05Z', 'YQ=='),
  fc.string({ maxLength: 6 }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }),
);

const anything: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .dictionary(fc.string({ maxLength: 4 }), tie('value'), { maxKeys: 3 })
      .map((fields) => new Map(Object.entries(fields))),
  ),
})).value;

function typedValue(type: FieldType, depth: number): fc.Arbitrary<JsonValue> {
  if (depth === 0) return scalar;
  switch (type.form) {
    case 'list':
      return fc.oneof(
        { arbitrary: fc.array(typedValue(type.element, depth - 1), { maxLength: 2 }), weight: 9 },
        anything,
      );
    case 'map':
      return fc
        .dictionary(fc.constantFrom('cpu', 'memory', 'a'), typedValue(type.value, depth - 1), { maxKeys: 2 })
        .map((fields) => new Map(Object.entries(fields)));
    case 'struct':
      return fc.oneof({ arbitrary: typedObject(type.struct, depth - 1), weight: 9 }, anything);
    case 'string':
      return fc.constantFrom<JsonValue>('', 'a', 'Always', 'RollingUpdate', 'Container', 'nginx');
    case 'bool':
      return fc.boolean();
    case 'integer':
      return fc.constantFrom(0n, 1n, 7n);
    default:
      return scalar;
  }
}

function typedObject(struct: Struct, depth: number): fc.Arbitrary<JsonValue> {
  const fields = [...struct.fields.values()];
  if (fields.length === 0) return fc.constant(new Map());
  return fc
    .uniqueArray(fc.constantFrom(...fields), { maxLength: 4, selector: (field) => field.name })
    .chain((chosen) =>
      fc.tuple(...chosen.map((field) => typedValue(field.type, depth).map((value) => [field.name, value] as const))),
    )
    .map((entries) => new Map(entries));
}

export interface TypedManifest {
  readonly kind: ReturnType<BuiltinResources['all']> extends Iterable<infer Kind> ? Kind : never;
  readonly manifest: JsonObject;
}

/** Manifests of every kind that the release serves. */
export function typedManifests(minor: number): fc.Arbitrary<TypedManifest> {
  const catalog = new SchemaCatalog(minor);
  return fc.constantFrom(...new BuiltinResources(minor).all()).chain((kind) => {
    const struct = catalog.structForKind(kind);
    if (struct === undefined) throw new Error(`no struct for ${kind.kind}`);
    return typedObject(struct, 6).map((value) => ({ kind, manifest: value as JsonObject }));
  });
}
