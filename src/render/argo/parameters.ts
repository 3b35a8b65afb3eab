// Parameters of generators: flat ones for plain templates, nested ones for Go templates, and their merging.
import { formatDouble } from '../../go/strconv/float-text.ts';
import { trim } from '../../go/strings/trim.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { baseName } from '../../source/text/repository-path.ts';
import type { Parameters } from './template-text.ts';

/** Lower case, with `-` for characters that names cannot contain, cut to 253, without leading and trailing `-` and `.`. */
export function normalizedName(name: string): string {
  const allowed = name.toLowerCase().replace(/[^-a-z0-9.]/gu, '-');
  return trim(allowed.slice(0, 253), '-.');
}

/** Formats a decoded JSON value like Go's `%v`; numbers are doubles. */
export function printed(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '<nil>';
  if (typeof value === 'bigint' || typeof value === 'number') return formatDouble(Number(value));
  if (isJsonArray(value)) return `[${value.map(printed).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const entries = [...value].sort(([one], [other]) => (one < other ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${printed(item)}`).join(' ')}]`;
}

/** Leaves by dotted path, with indices as names. Empty objects and arrays are leaves. */
export function flattened(value: JsonObject): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  const add = (name: string, item: JsonValue): void => {
    const entries = isJsonArray(item) ? [...item.entries()] : isJsonObject(item) ? [...item] : [];
    if (entries.length === 0) flat.set(name, printed(item));
    for (const [key, below] of entries) add(`${name}.${key}`, below);
  };
  for (const [key, item] of value) add(key, item);
  return flat;
}

/** `path` and its derived parameters. `file`: name of the file of a git generator; `path` is then its folder. */
export function pathParameters(path: string, prefix: string, isGo: boolean, file?: string): Parameters {
  const basename = path === '.' ? '.' : baseName(path);
  const about = new Map<string, JsonValue>([
    ['path', path],
    ['basename', basename],
    ['basenameNormalized', normalizedName(basename)],
  ]);
  if (file !== undefined) about.set('filename', file).set('filenameNormalized', normalizedName(file));
  const segments = path.split('/');
  if (isGo) {
    const own = about.set('segments', segments);
    return prefix === '' ? new Map([['path', own]]) : new Map([[prefix, new Map([['path', own]])]]);
  }
  const name = prefix === '' ? 'path' : `${prefix}.path`;
  const flat = new Map<string, JsonValue>([[name, path]]);
  for (const [key, value] of about) if (key !== 'path') flat.set(`${name}.${key}`, value);
  for (const [index, segment] of segments.entries()) if (segment !== '') flat.set(`${name}[${index}]`, segment);
  return flat;
}
