// Writes the table of API structs from the output of fields/main.go and upstream's OpenAPI documents (see README.md).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface GoField {
  /** Empty for an embedded struct. */
  name: string;
  type: string;
  omitempty?: boolean;
  omitzero?: boolean;
}

interface GoTypes {
  kinds: Record<string, string>;
  structs: Record<string, GoField[]>;
  named: Record<string, string>;
  custom: string[];
}

interface OpenApiSchema {
  properties?: Record<string, OpenApiSchema>;
  default?: unknown;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: string;
}

/** A column of a line and its minors. */
interface Row {
  text: string;
  minors: Set<number>;
}

const OUTPUT = new URL('../../src/kubernetes/schema/structs.generated.json', import.meta.url);

/** Package prefixes of OpenAPI names and the prefixes that fields/main.go uses. */
const OPENAPI_PREFIXES = [
  'io.k8s.api.',
  'io.k8s.apimachinery.pkg.apis.',
  'io.k8s.apiextensions-apiserver.pkg.apis.',
  'io.k8s.kube-aggregator.pkg.apis.',
];

/** Excluded kinds: lists, whose items have their own kinds, and kinds internal to the server. */
const UNWRITTEN_KIND = /List$|^v1 (?:SerializedReference|RangeAllocation)$/;

const releases = process.argv.slice(2).map((argument) => {
  const match = /^1\.(\d+)=([^,]+),(.+)$/.exec(argument);
  if (match === null)
    throw new Error(`expected 1.<minor>=<folder of k8s.io/kubernetes>,<fields.json>, got ${argument}`);
  return {
    minor: Number(match[1]),
    types: JSON.parse(readFileSync(match[3] as string, 'utf8')) as GoTypes,
    schemas: readSchemas(join(match[2] as string, 'api', 'openapi-spec', 'v3')),
  };
});
releases.sort((a, b) => b.minor - a.minor);
const minors = releases.map((release) => release.minor).reverse();

const packages = new Map<string, string>();
const structs = new Map<string, { minors: Set<number>; columns: Row[] }>();
const named = new Map<string, string>();
for (const release of releases) recordRelease(release.minor, release.types, release.schemas);

const document = {
  generatedBy: 'npx tsx scripts/schema/structs.ts 1.<minor>=<folder>,<fields.json> …',
  columns: 'package.Struct[@minors] [!atomic] field[?|??]:type[!list or map semantics][=default][@minors] …',
  minors,
  packages: [...packages].sort(byFirst).map(([group, name]) => `${group} ${name}`),
  // Named types that are not in the list are strings.
  named: [...named].sort(byFirst).map(([name, type]) => `${name} ${type}`),
  structs: [...structs].sort(byFirst).map(([name, struct]) => formatStruct(name, struct)),
};
writeFileSync(OUTPUT, `${JSON.stringify(document, undefined, 1)}\n`);

function recordRelease(minor: number, types: GoTypes, schemas: ReadonlyMap<string, OpenApiSchema>): void {
  const reached = new Set<string>();
  for (const [kind, struct] of Object.entries(types.kinds)) {
    if (UNWRITTEN_KIND.test(kind) || struct.startsWith('meta/')) continue;
    recordPackage(kind, struct);
    reach(struct, types, reached);
  }
  const outer = outerStructs(reached, types);
  for (const name of reached) {
    const fields = types.structs[name];
    const schema = schemas.get(name) ?? schemas.get(outer.get(name) ?? '');
    if (fields !== undefined) recordStruct(minor, name, fields, schema);
    const type = types.named[name];
    if (type !== undefined) recordNamed(name, type);
  }
}

/** OpenAPI shows fields of an embedded struct only in structs that embed it. Maps an embedded struct to one of these. */
function outerStructs(reached: ReadonlySet<string>, types: GoTypes): Map<string, string> {
  const outer = new Map<string, string>();
  for (const name of reached) {
    for (const field of types.structs[name] ?? []) if (field.name === '') outer.set(field.type, name);
  }
  return outer;
}

/** A kind's struct is named after the kind and its version, so the table only stores the package of its group. */
function recordPackage(kind: string, struct: string): void {
  const [apiVersion = '', name = ''] = kind.split(' ');
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '';
  const version = apiVersion.split('/').at(-1) as string;
  const goPackage = struct.split('/')[0] as string;
  if (struct !== `${goPackage}/${version}.${name}`) throw new Error(`${kind} is ${struct}`);
  if ((packages.get(group) ?? goPackage) !== goPackage) throw new Error(`${group} has more than one package`);
  packages.set(group, goPackage);
}

function reach(type: string, types: GoTypes, reached: Set<string>): void {
  for (const [name] of type.matchAll(/[\w/]+\.\w+/g)) {
    if (reached.has(name)) continue;
    reached.add(name);
    if (types.custom.includes(name)) reach(customContent(name), types, reached);
    for (const field of types.structs[name] ?? []) reach(field.type, types, reached);
    reach(types.named[name] ?? '', types, reached);
  }
}

/** The content struct of a type with custom decoding. */
function customContent(name: string): string {
  const [goPackage, type = ''] = name.split('.');
  return type.startsWith('JSONSchemaPropsOr') ? `${goPackage}.JSONSchemaProps` : '';
}

function recordNamed(name: string, type: string): void {
  if (type === 'string') return;
  const local = localType(type, packageOf(name));
  const known = named.get(name) ?? local;
  if (known !== local) throw new Error(`${name} changed from ${known} to ${local}`);
  named.set(name, local);
}

/** Releases come newest first. Known fields keep their order; older fields keep their predecessor. */
function recordStruct(minor: number, name: string, fields: GoField[], schema: OpenApiSchema | undefined): void {
  const struct = structs.get(name) ?? { minors: new Set(), columns: [] };
  structs.set(name, struct);
  struct.minors.add(minor);
  const texts = fields.map((field) => formatField(field, packageOf(name), schema?.properties?.[field.name]));
  if (schema?.['x-kubernetes-map-type'] === 'atomic') texts.unshift('!atomic');
  let position = 0;
  for (const text of texts) {
    const known = struct.columns.findIndex((row) => row.text === text);
    if (known >= 0) position = known;
    else struct.columns.splice(position, 0, { text, minors: new Set() });
    (struct.columns[position] as Row).minors.add(minor);
    position++;
  }
}

function formatField(field: GoField, goPackage: string, schema: OpenApiSchema | undefined): string {
  const type = localType(field.type, goPackage);
  if (field.name === '') return `...${type}`;
  const omit = field.omitzero ? '??' : field.omitempty ? '?' : '';
  return `${field.name}${omit}:${type}${formatSemantics(schema)}${formatDefault(schema?.default, type)}`;
}

/** By default, lists are atomic and maps granular. */
function formatSemantics(schema: OpenApiSchema | undefined): string {
  const listType = schema?.['x-kubernetes-list-type'];
  if (listType === 'set') return '!set';
  if (listType === 'map') return `!${(schema?.['x-kubernetes-list-map-keys'] ?? []).join(',')}`;
  return schema?.['x-kubernetes-map-type'] === 'atomic' ? '!atomic' : '';
}

/** Omits zero values except for pointers: elsewhere they only mean that the field is always written. */
function formatDefault(value: unknown, type: string): string {
  if (value === undefined || typeof value === 'object') return '';
  const text = String(value);
  if (!type.startsWith('*') && (text === '' || text === '0' || text === 'false')) return '';
  if (/[\s@]/.test(text)) throw new Error(`default with a separator: ${text}`);
  return `=${text}`;
}

/** Omits the package in names of the struct's own package. */
function localType(type: string, goPackage: string): string {
  return type.replaceAll(`${goPackage}.`, '');
}

function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

function formatStruct(name: string, struct: { minors: Set<number>; columns: Row[] }): string {
  const head = name + formatMinors(struct.minors, new Set(minors));
  return [head, ...struct.columns.map((row) => row.text + formatMinors(row.minors, struct.minors))].join(' ');
}

/** `@30-33,36-`: runs of releases, open to the newest. Empty if it equals the lifetime of its parent. */
function formatMinors(served: ReadonlySet<number>, whole: ReadonlySet<number>): string {
  if (served.size === whole.size) return '';
  const runs: string[] = [];
  let start: number | undefined;
  for (const [index, minor] of minors.entries()) {
    if (!served.has(minor)) continue;
    start ??= minor;
    const next = minors[index + 1];
    if (next !== undefined && served.has(next)) continue;
    runs.push(`${start}-${next === undefined ? '' : minor}`);
    start = undefined;
  }
  return `@${runs.join(',')}`;
}

function readSchemas(folder: string): Map<string, OpenApiSchema> {
  const schemas = new Map<string, OpenApiSchema>();
  for (const file of readdirSync(folder)) {
    const found = JSON.parse(readFileSync(join(folder, file), 'utf8')).components?.schemas ?? {};
    for (const [name, schema] of Object.entries(found)) {
      const prefix = OPENAPI_PREFIXES.find((candidate) => name.startsWith(candidate));
      const parts = name.slice(prefix?.length).split('.');
      if (prefix !== undefined) schemas.set(`${parts.slice(0, -1).join('/')}.${parts.at(-1)}`, schema as OpenApiSchema);
    }
  }
  return schemas;
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
