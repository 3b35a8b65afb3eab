// Reads the generated table of structs for one release. Expands a struct on first use.
import { trimRight } from '../../go/strings/trim.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import { isServed } from './minor-range.ts';
import type { CustomType, Field, FieldType, MergeSemantics, Struct } from './struct.ts';
import table from './structs.generated.json' with { type: 'json' };

const CUSTOM_TYPE =
  /^(?:resource\.Quantity|intstr\.IntOrString|meta\/v1\.(?:Time|MicroTime|FieldsV1)|runtime\.RawExtension)$/;
const CUSTOM_SCHEMA_TYPE = /^apiextensions\/v1(?:beta1)?\.(JSON|JSONSchemaPropsOr(?:Array|Bool|StringArray))$/;
/** Since this release, errors name embedded structs (sigs.k8s.io/json follows Go 1.24). */
const FIRST_MINOR_NAMING_EMBEDDED = 35;
const TYPE_META = '...meta/v1.TypeMeta ';

interface CatalogTable {
  /** By package and name. */
  readonly lines: ReadonlyMap<string, string>;
  readonly packages: ReadonlyMap<string, string>;
  readonly named: ReadonlyMap<string, string>;
}

const TABLES = new Map<number, CatalogTable>();

/** Caches the table of each release, because objects and expressions have separate catalogs. */
function tableOf(minor: number): CatalogTable {
  let known = TABLES.get(minor);
  if (known === undefined) {
    known = readTable(minor);
    TABLES.set(minor, known);
  }
  return known;
}

/** The structs of one Kubernetes release, for one run. */
export class SchemaCatalog {
  readonly minor: number;
  #table: CatalogTable | undefined;
  readonly #structs = new Map<string, Struct>();
  /** Structs that are kinds; filled on demand. */
  readonly #kinds = new Map<string, Struct>();

  constructor(minor: number) {
    this.minor = minor;
  }

  /** Parsed on demand, because many catalogs are never used. */
  get #rows(): CatalogTable {
    this.#table ??= tableOf(this.minor);
    return this.#table;
  }

  /** Undefined for kinds that are not built in. Includes kinds that no server of the release serves any more. */
  structForKind({ group, version, kind }: GroupVersionKind): Struct | undefined {
    const name = `${this.#rows.packages.get(group)}/${version}.${kind}`;
    let struct = this.#kinds.get(name);
    if (struct === undefined && this.#rows.lines.get(name)?.includes(TYPE_META)) {
      struct = this.struct(name);
      if (struct !== undefined) this.#kinds.set(name, struct);
    }
    return struct;
  }

  /** By package and name, `core/v1.PodSpec`. */
  struct(name: string): Struct | undefined {
    const known = this.#structs.get(name);
    if (known !== undefined) return known;
    const line = this.#rows.lines.get(name);
    if (line === undefined) return undefined;
    const struct = this.#parseStruct(name, line.split(' ').slice(1));
    this.#structs.set(name, struct);
    return struct;
  }

  /** The minor releases in which a struct has a field. The struct must exist in this release; the field may be absent from it. */
  minorsWithField(structName: string, field: string): readonly number[] {
    const columns = this.#rows.lines.get(structName)?.split(' ').slice(1) ?? [];
    const goPackage = packageOf(structName);
    return table.minors.filter((minor) =>
      columns.some((column) => {
        const [text = '', minors] = column.split('@');
        if (!isServed(minors, minor)) return false;
        if (text.startsWith('...'))
          return this.minorsWithField(qualify(text.slice(3), goPackage), field).includes(minor);
        return trimRight(text.slice(0, text.indexOf(':')), '?') === field;
      }),
    );
  }

  /** True if a struct of this release has a field of this name, in this or another release. */
  isFieldName(name: string): boolean {
    for (const line of this.#rows.lines.values()) {
      if (line.includes(` ${name}:`) || line.includes(` ${name}?`)) return true;
    }
    return false;
  }

  #parseStruct(name: string, columns: readonly string[]): Struct {
    const fields = new Map<string, Field>();
    const goPackage = name.slice(0, name.lastIndexOf('.'));
    let isAtomic = false;
    for (const column of columns) {
      const at = column.lastIndexOf('@');
      if (!isServed(at < 0 ? undefined : column.slice(at + 1), this.minor)) continue;
      const text = at < 0 ? column : column.slice(0, at);
      if (text === '!atomic') isAtomic = true;
      else if (text.startsWith('...')) this.#embed(qualify(text.slice(3), goPackage), fields);
      else {
        const field = this.#parseField(text, goPackage);
        fields.set(field.name, field);
      }
    }
    return { name, fields, alwaysWritten: [...fields.values()].filter(isAlwaysWritten), isAtomic };
  }

  #embed(name: string, fields: Map<string, Field>): void {
    const goName = name.slice(name.lastIndexOf('.') + 1);
    for (const field of this.struct(name)?.fields.values() ?? []) {
      const embedded = this.minor < FIRST_MINOR_NAMING_EMBEDDED ? [] : [goName, ...field.embedded];
      const { type, isPointer, omit, merge, default: defaultValue } = field;
      fields.set(field.name, { name: field.name, type, isPointer, omit, embedded, merge, default: defaultValue });
    }
  }

  /** `name[?|??]:[*]type[!merge][=default]`. */
  #parseField(text: string, goPackage: string): Field {
    const colon = text.indexOf(':');
    const name = trimRight(text.slice(0, colon), '?');
    const marks = colon - name.length;
    const [rest = '', defaultValue] = text.slice(colon + 1).split('=');
    const [type = '', merge] = rest.split('!');
    const isPointer = type.startsWith('*');
    return {
      name,
      type: this.#parseType(isPointer ? type.slice(1) : type, goPackage),
      isPointer,
      omit: marks === 0 ? 'never' : marks === 1 ? 'empty' : 'zero',
      embedded: [],
      merge: merge === undefined ? undefined : parseMerge(merge),
      default: defaultValue,
    };
  }

  #parseType(text: string, goPackage: string): FieldType {
    if (text === '[]uint8') return typeOf({ form: 'bytes', goName: text });
    if (text.startsWith('[]')) return this.#listType(text, goPackage, undefined);
    if (text.startsWith('map[')) return this.#mapType(text, goPackage, undefined);
    const scalar = scalarType(text);
    if (scalar !== undefined) return scalar;
    const name = qualify(text, goPackage);
    const goName = goNameOf(name);
    const custom = CUSTOM_TYPE.test(name) ? name : CUSTOM_SCHEMA_TYPE.exec(name)?.[1];
    if (custom !== undefined) return this.#customType(custom as CustomType, goName, goPackage);
    const named = this.#rows.named.get(name);
    if (named?.startsWith('[]')) return this.#listType(named, packageOf(name), goName);
    if (named?.startsWith('map[')) return this.#mapType(named, packageOf(name), goName);
    return this.#rows.lines.has(name) ? this.#structType(name, goName) : typeOf({ form: 'string', goName });
  }

  #listType(text: string, goPackage: string, goName: string | undefined): FieldType {
    const element = this.#parseType(text.slice(2), goPackage);
    return typeOf({ form: 'list', goName: goName ?? `[]${element.goName}`, element });
  }

  #mapType(text: string, goPackage: string, goName: string | undefined): FieldType {
    const end = text.indexOf(']');
    const key = text.slice('map['.length, end);
    const value = this.#parseType(text.slice(end + 1), goPackage);
    const keyName = key === 'string' ? key : goNameOf(qualify(key, goPackage));
    return typeOf({ form: 'map', goName: goName ?? `map[${keyName}]${value.goName}`, value });
  }

  /** Looks up the struct on demand, because structs may be recursive. */
  #structType(name: string, goName: string): FieldType {
    return typeOf({ form: 'struct', goName, find: () => this.struct(name) });
  }

  #customType(custom: CustomType, goName: string, goPackage: string): FieldType {
    const hasContent = custom.startsWith('JSONSchemaProps');
    const find = () => (hasContent ? this.struct(`${goPackage}.JSONSchemaProps`) : undefined);
    return typeOf({ form: 'custom', goName, custom, find });
  }
}

interface TypeFacts {
  readonly form: FieldType['form'];
  readonly goName: string;
  readonly bits?: 8 | 32 | 64;
  readonly element?: FieldType;
  readonly value?: FieldType;
  readonly custom?: CustomType;
  readonly find?: () => Struct | undefined;
}

/** One class for all forms keeps property access fast: the form is read for every value of every object. */
class CatalogType {
  readonly form: FieldType['form'];
  readonly goName: string;
  readonly bits: 8 | 32 | 64 | undefined;
  readonly element: FieldType | undefined;
  readonly value: FieldType | undefined;
  readonly custom: CustomType | undefined;
  readonly #find: (() => Struct | undefined) | undefined;
  #found: Struct | undefined;

  constructor({ form, goName, bits, element, value, custom, find }: TypeFacts) {
    this.form = form;
    this.goName = goName;
    this.bits = bits;
    this.element = element;
    this.value = value;
    this.custom = custom;
    this.#find = find;
  }

  get struct(): Struct | undefined {
    this.#found ??= this.#find?.();
    return this.#found;
  }

  get content(): Struct | undefined {
    return this.struct;
  }
}

function typeOf(facts: TypeFacts): FieldType {
  return new CatalogType(facts) as FieldType;
}

function readTable(minor: number): CatalogTable {
  const lines = new Map<string, string>();
  for (const line of table.structs) {
    const space = line.indexOf(' ');
    const end = space < 0 ? line.length : space;
    const at = line.indexOf('@');
    const isRestricted = at >= 0 && at < end;
    if (!isRestricted || isServed(line.slice(at + 1, end), minor))
      lines.set(line.slice(0, isRestricted ? at : end), line);
  }
  return { lines, packages: pairs(table.packages), named: pairs(table.named) };
}

function isAlwaysWritten(field: Field): boolean {
  if (field.omit === 'never') return true;
  const { form } = field.type;
  return field.omit === 'empty' && !field.isPointer && (form === 'struct' || form === 'custom');
}

function scalarType(text: string): FieldType | undefined {
  if (text === 'string' || text === 'bool') return typeOf({ form: text, goName: text });
  if (text === 'float64') return typeOf({ form: 'float', goName: text });
  if (text === 'uint8') return typeOf({ form: 'integer', goName: text, bits: 8 });
  if (text === 'int32') return typeOf({ form: 'integer', goName: text, bits: 32 });
  if (text === 'int64') return typeOf({ form: 'integer', goName: text, bits: 64 });
  return undefined;
}

function parseMerge(text: string): MergeSemantics {
  return text === 'set' || text === 'atomic' ? { kind: text } : { kind: 'map', keys: text.split(',') };
}

function pairs(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
}

function qualify(name: string, goPackage: string): string {
  return name.includes('.') ? name : `${goPackage}.${name}`;
}

function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

/** The type name in Go's notation, with only the last element of its package. */
function goNameOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
