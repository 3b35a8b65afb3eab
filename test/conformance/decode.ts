// Answers a recorded line about decoding: from a manifest to the object of its built-in kind, errors, and strict errors.
import { type GroupVersionKind, parseApiVersion } from '../../src/kubernetes/api/group-version.ts';
import { decodeTyped, strictDecodingMessage } from '../../src/kubernetes/schema/decode.ts';
import type { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import type { Field, FieldType, Struct } from '../../src/kubernetes/schema/struct.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { readYaml, strictError } from '../../src/source/yaml/yaml-to-json.ts';

/** One recorded manifest; JSON values distinguish integers from doubles. */
export interface DecodeLine {
  readonly id: string;
  readonly source: string;
  readonly manifest: JsonObject;
  /** Input of the strict decoder, if recorded; repeated keys are visible only here. */
  readonly yaml?: string;
  readonly object?: JsonValue;
  readonly error?: string;
  readonly strictError?: string;
}

/** Preadmit's answer in the same format; `error` for kinds that are not built in has Preadmit's own text. */
export function answerDecode(line: DecodeLine, catalog: SchemaCatalog): DecodeLine {
  const { id, source, manifest, yaml } = line;
  const asked = { id, source, manifest, ...(yaml === undefined ? {} : { yaml }) };
  if (!isJsonObject(manifest)) return { ...asked, error: 'not an object' };
  const groupVersion = parseApiVersion(String(manifest.get('apiVersion')));
  const kind = String(manifest.get('kind'));
  const struct = groupVersion && structOf({ ...groupVersion, kind }, catalog);
  if (struct === undefined) return { ...asked, error: `no such kind: ${manifest.get('apiVersion')} ${kind}` };
  const decoded = decodeTyped(manifest, struct);
  if ('error' in decoded) return { ...asked, error: decoded.error.message };
  const repeated = repeatedKeys(yaml);
  const errors = [...(repeated === undefined ? [] : [{ message: repeated }]), ...decoded.strictErrors];
  const strict = errors.length === 0 ? {} : { strictError: strictDecodingMessage(errors) };
  return { ...asked, object: decoded.object, ...strict };
}

/** Preadmit reads lists as their items and has no Status kind; the recording decodes both like other kinds. */
function structOf(gvk: GroupVersionKind, catalog: SchemaCatalog): Struct | undefined {
  const { group, version, kind } = gvk;
  const known = catalog.structForKind(gvk);
  if (known !== undefined) return known;
  const isCore = group === '' && version === 'v1';
  if (!kind.endsWith('List')) return isCore ? catalog.struct(`meta/v1.${kind}`) : undefined;
  if (kind === 'List') return isCore ? listOf(RAW_ITEM, 'List', catalog) : undefined;
  const item = catalog.structForKind({ ...gvk, kind: kind.slice(0, -'List'.length) });
  if (item === undefined) return undefined;
  const goName = item.name.slice(item.name.lastIndexOf('/') + 1);
  return listOf({ form: 'struct', goName, struct: item }, `${item.name}List`, catalog);
}

const RAW_ITEM: FieldType = {
  form: 'custom',
  goName: 'runtime.RawExtension',
  custom: 'runtime.RawExtension',
  content: undefined,
};

function listOf(element: FieldType, name: string, catalog: SchemaCatalog): Struct | undefined {
  const status = catalog.struct('meta/v1.Status');
  const metadata = status?.fields.get('metadata');
  if (status === undefined || metadata === undefined) return undefined;
  const items: Field = {
    name: 'items',
    type: { form: 'list', goName: `[]${element.goName}`, element },
    isPointer: false,
    omit: 'never',
    embedded: [],
    merge: undefined,
    default: undefined,
  };
  const typeFields = [...status.fields.values()].filter(({ name: key }) => key === 'apiVersion' || key === 'kind');
  const all = [...typeFields, metadata, items];
  return {
    name,
    fields: new Map(all.map((field) => [field.name, field])),
    alwaysWritten: [metadata, items],
    isAtomic: false,
  };
}

function repeatedKeys(yaml: string | undefined): string | undefined {
  const read = yaml === undefined ? undefined : readYaml(yaml);
  return read === undefined || 'failure' in read ? undefined : strictError(read.duplicates);
}

/** Reads a recorded line, whose numbers distinguish integers from doubles. */
export function decodeLineOf(fields: JsonValue): DecodeLine {
  if (!isJsonObject(fields)) throw new Error('not an object');
  return Object.fromEntries(fields) as unknown as DecodeLine;
}
