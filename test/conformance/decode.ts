// Answers a line of the recorded decoding truth: a manifest to the object of its built-in kind, errors, strict errors.
import { parseApiVersion } from '../../src/kubernetes/group-version.ts';
import { decodeTyped, strictDecodingMessage } from '../../src/kubernetes/schema/decode.ts';
import type { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json.ts';
import { readYaml, strictError } from '../../src/source/yaml/yaml-to-json.ts';

/** One recorded manifest; JSON values are as the project holds them, integers apart from doubles. */
export interface DecodeLine {
  readonly id: string;
  readonly source: string;
  readonly manifest: JsonObject;
  /** What the strict decoder read, where it was kept: only there do repeated keys show. */
  readonly yaml?: string;
  readonly object?: JsonValue;
  readonly error?: string;
  readonly strictError?: string;
}

/** Our own line for the same manifest, in the same shape; `error` for a kind that is not built in is our own. */
export function answerDecode(line: DecodeLine, catalog: SchemaCatalog): DecodeLine {
  const { id, source, manifest, yaml } = line;
  const asked = { id, source, manifest, ...(yaml === undefined ? {} : { yaml }) };
  const groupVersion = parseApiVersion(String(manifest.get('apiVersion')));
  const kind = String(manifest.get('kind'));
  const struct = groupVersion && catalog.structForKind({ ...groupVersion, kind });
  if (struct === undefined) return { ...asked, error: `no such kind: ${manifest.get('apiVersion')} ${kind}` };
  const decoded = decodeTyped(manifest, struct);
  if ('error' in decoded) return { ...asked, error: decoded.error.message };
  const repeated = repeatedKeys(yaml);
  const errors = [...(repeated === undefined ? [] : [{ message: repeated }]), ...decoded.strictErrors];
  const strict = errors.length === 0 ? {} : { strictError: strictDecodingMessage(errors) };
  return { ...asked, object: decoded.object, ...strict };
}

function repeatedKeys(yaml: string | undefined): string | undefined {
  const read = yaml === undefined ? undefined : readYaml(yaml);
  return read === undefined || 'failure' in read ? undefined : strictError(read.duplicates);
}

/** Reads a recorded line, whose numbers tell integers from doubles. */
export function decodeLineOf(fields: JsonValue): DecodeLine {
  if (!isJsonObject(fields)) throw new Error('not an object');
  return Object.fromEntries(fields) as unknown as DecodeLine;
}
