// A schema of structured-merge-diff with every form of type, and values of it.
import type { MergeField, MergeType } from '../../../src/kubernetes/patch/merge-type.ts';
import type { JsonValue } from '../../../src/source/json/json.ts';
import type { Chance } from './chance.ts';

/** A type as structured-merge-diff writes it (`schema.TypeRef` with its `Atom`). */
interface WrittenType {
  readonly namedType?: string;
  readonly scalar?: 'numeric' | 'string' | 'boolean' | 'untyped';
  readonly list?: {
    readonly elementType: WrittenType;
    readonly elementRelationship: 'atomic' | 'associative';
    readonly keys?: readonly string[];
  };
  readonly map?: {
    readonly fields?: readonly { readonly name: string; readonly type: WrittenType; readonly default?: string }[];
    readonly elementType?: WrittenType;
    readonly elementRelationship?: 'atomic' | 'separable';
  };
}

export interface MergeSchema {
  readonly types: readonly (WrittenType & { readonly name: string })[];
}

const STRING: WrittenType = { scalar: 'string' };

export const SCHEMA: MergeSchema = {
  types: [
    {
      name: 'root',
      map: {
        fields: [
          { name: 'name', type: STRING },
          { name: 'number', type: { scalar: 'numeric' } },
          { name: 'flag', type: { scalar: 'boolean' } },
          { name: 'any', type: { scalar: 'untyped' } },
          { name: 'atomicList', type: { list: { elementType: STRING, elementRelationship: 'atomic' } } },
          { name: 'set', type: { list: { elementType: STRING, elementRelationship: 'associative' } } },
          {
            name: 'numbers',
            type: { list: { elementType: { scalar: 'numeric' }, elementRelationship: 'associative' } },
          },
          {
            name: 'items',
            type: { list: { elementType: { namedType: 'item' }, elementRelationship: 'associative', keys: ['name'] } },
          },
          {
            name: 'ports',
            type: {
              list: {
                elementType: { namedType: 'port' },
                elementRelationship: 'associative',
                keys: ['port', 'protocol'],
              },
            },
          },
          { name: 'labels', type: { map: { elementType: STRING } } },
          { name: 'atomicMap', type: { map: { elementType: STRING, elementRelationship: 'atomic' } } },
          { name: 'lists', type: { map: { elementType: { namedType: 'names' } } } },
          { name: 'inner', type: { namedType: 'root' } },
          { name: 'deduced', type: { namedType: 'deduced' } },
        ],
      },
    },
    { name: 'names', list: { elementType: STRING, elementRelationship: 'associative' } },
    {
      name: 'item',
      map: {
        fields: [
          { name: 'name', type: STRING },
          { name: 'value', type: { scalar: 'numeric' } },
          { name: 'set', type: { namedType: 'names' } },
          {
            name: 'items',
            type: { list: { elementType: { namedType: 'item' }, elementRelationship: 'associative', keys: ['name'] } },
          },
        ],
      },
    },
    {
      name: 'port',
      map: {
        fields: [
          { name: 'port', type: { scalar: 'numeric' } },
          { name: 'protocol', type: STRING, default: 'TCP' },
          { name: 'name', type: STRING },
        ],
      },
    },
    {
      name: 'deduced',
      scalar: 'untyped',
      list: { elementType: { namedType: 'atomic' }, elementRelationship: 'atomic' },
      map: { elementType: { namedType: 'deduced' }, elementRelationship: 'separable' },
    },
    {
      name: 'atomic',
      scalar: 'untyped',
      list: { elementType: { namedType: 'atomic' }, elementRelationship: 'atomic' },
      map: { elementType: { namedType: 'atomic' }, elementRelationship: 'atomic' },
    },
  ],
};

/** The type of this project that a named type of the schema stands for. */
export function mergeTypeOf(schema: MergeSchema, name: string): MergeType {
  const named = new Map<string, MergeType>();
  const typeOf = (written: WrittenType): MergeType => {
    if (written.namedType === undefined) return made(written);
    let type = named.get(written.namedType);
    if (type === undefined) {
      type = made(resolved(schema, written));
      named.set(written.namedType, type);
    }
    return type;
  };
  const made = ({ scalar, list, map }: WrittenType): MergeType => ({
    scalar,
    list: list && {
      isAtomic: list.elementRelationship === 'atomic',
      keys: list.keys ?? [],
      get element() {
        return typeOf(list.elementType);
      },
    },
    map: map && {
      isAtomic: map.elementRelationship === 'atomic',
      field(field): MergeField | undefined {
        const declared = map.fields?.find((each) => each.name === field);
        return declared && { type: typeOf(declared.type), default: declared.default as JsonValue | undefined };
      },
      get element() {
        return map.elementType && typeOf(map.elementType);
      },
    },
  });
  return typeOf({ namedType: name });
}

function resolved(schema: MergeSchema, { namedType }: WrittenType): WrittenType {
  const type = schema.types.find(({ name }) => name === namedType);
  if (type === undefined) throw new Error(`no type ${namedType}`);
  return type;
}

const TEXTS = ['a', 'b', 'c', 'd', 'TCP', 'UDP', '', 'é'];
const NUMBERS = [0, 1, 2, 80, -1, 1.5];
const ODD = [null, 'a', 1, 1.5, true, [], {}, ['a'], { a: 1 }, [null], [[]]];

/** A value of a type of the schema; rarely a value of another type, or an undeclared field. */
export function schemaValue(chance: Chance, schema: MergeSchema, written: WrittenType, depth: number): unknown {
  if (chance.in(2)) return chance.pick(ODD);
  const type = written.namedType === undefined ? written : resolved(schema, written);
  const { scalar, list, map } = type;
  const forms = [scalar, list, map].filter((form) => form !== undefined);
  const form = forms.length === 1 ? forms[0] : chance.pick(depth > 0 ? forms : forms.slice(0, 1));
  if (form === scalar) return scalarValue(chance, scalar);
  if (form === list && list !== undefined) {
    const least = depth > 0 ? 4 : 1;
    return chance.several(0, least, () => schemaValue(chance, schema, list.elementType, depth - 1));
  }
  const members: [string, unknown][] = [];
  for (const field of map?.fields ?? []) {
    const share = ['name', 'port', 'protocol'].includes(field.name) ? 90 : depth > 0 ? 35 : 5;
    if (chance.in(share)) members.push([field.name, schemaValue(chance, schema, field.type, depth - 1)]);
  }
  const element = map?.elementType;
  if (element !== undefined)
    members.push(
      ...chance.several(0, 3, (): [string, unknown] => [
        chance.pick(TEXTS),
        schemaValue(chance, schema, element, depth - 1),
      ]),
    );
  if (chance.in(1)) members.push(['undeclared', 1]);
  return Object.fromEntries(members);
}

function scalarValue(chance: Chance, scalar: WrittenType['scalar']): unknown {
  switch (scalar) {
    case 'numeric':
      return chance.pick(NUMBERS);
    case 'boolean':
      return chance.in(50);
    case 'untyped':
      return chance.pick([...TEXTS, ...NUMBERS, true]);
    default:
      return chance.pick(TEXTS);
  }
}
