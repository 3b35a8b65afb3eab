// Reads one YAML document as Kubernetes does (`sigs.k8s.io/yaml`: `YAMLToJSON` and `YAMLToJSONStrict`).
import { type JsonValue, stringifyJson } from '../json/json.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Node } from '../node/node.ts';
import { composeAnyYaml } from './compose.ts';
import { type DuplicateKey, decodeYaml } from './decode.ts';
import { readPlainBlocks } from './plain-blocks.ts';
import { PLAIN_VALUES } from './plain-product.ts';
import { findUnsupported } from './unsupported.ts';

const GO_MARSHAL = { sortKeys: true, escapeHtml: true };

export interface YamlDocument {
  readonly value: JsonValue;
  /** Where the root stands; undefined for a text without any document: comments and white space. */
  readonly range: { readonly start: number; readonly end: number } | undefined;
  /** The root, made wherever there are duplicates. */
  readonly root: Node | undefined;
  readonly duplicates: readonly DuplicateKey[];
  /** How many collections are nested, at most a little more when merge keys are. */
  readonly depth: number;
  /** Where text begins that Kubernetes does not read: after `...`, or a second document. */
  readonly rest: number | undefined;
}

export interface YamlFailure {
  /** The error as the Go packages give it. */
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** What was being read and where that began, if it helps. */
  readonly context: { readonly message: string; readonly start: number } | undefined;
  /** Met before the failure, which strict reading then names in its place: JSON cannot hold what else was read. */
  readonly duplicates: readonly DuplicateKey[];
}

export type YamlResult = YamlDocument | { readonly failure: YamlFailure };

/** Reads the first document of a text; offsets are relative to it. */
export function readYaml(text: string): YamlResult {
  return readAs(text, false);
}

/** The JSON text `YAMLToJSON` gives. */
export function yamlToJson(text: string): { readonly json: string } | { readonly failure: YamlFailure } {
  const read = readAs(text, true);
  return 'failure' in read ? read : { json: stringifyJson(read.value, GO_MARSHAL) };
}

function readAs(text: string, asWritten: boolean): YamlResult {
  const plain = asWritten ? undefined : readPlainBlocks(text, `${text}\0`, false, PLAIN_VALUES);
  if (plain !== undefined) {
    const { root: value, start, end, depth } = plain;
    return { value, range: { start, end }, root: undefined, duplicates: [], depth, rest: undefined };
  }
  const composed = composeAnyYaml(text, false);
  if ('problem' in composed) {
    const { message, line, start, end, context } = composed.problem;
    const where = line === 0 ? '' : `line ${line}: `;
    return { failure: { message: `yaml: ${where}${message}`, start, end, context, duplicates: [] } };
  }
  const { root, rest } = composed;
  const decoded = decodeYaml(root, asWritten);
  if ('problem' in decoded) return failureAt(`yaml: ${decoded.problem}`, decoded.node, []);
  const { duplicates, depth } = decoded;
  const unsupported = decoded.isSuspicious && root !== undefined ? findUnsupported(root) : undefined;
  if (unsupported !== undefined) return failureAt(unsupported.problem, unsupported.node, duplicates);
  const value = decoded.hasBadBytes && !asWritten ? withoutBadBytes(decoded.value) : decoded.value;
  return { value, range: root && { start: root.start, end: root.end }, root, duplicates, depth, rest };
}

/** Bytes that are no UTF-8 become U+FFFD on their way through JSON text. */
function withoutBadBytes(value: JsonValue): JsonValue {
  const reread = parseJson(stringifyJson(value, GO_MARSHAL));
  return 'value' in reread ? reread.value : value;
}

/** What strict decoding objects to; undefined if it does not. */
export function strictError(duplicates: readonly DuplicateKey[]): string | undefined {
  const messages = duplicates.filter(({ kind }) => kind === 'repeated').map(({ message }) => message);
  return messages.length === 0 ? undefined : `yaml: unmarshal errors:\n  ${messages.join('\n  ')}`;
}

function failureAt(message: string, node: Node, duplicates: readonly DuplicateKey[]): YamlResult {
  return { failure: { message, start: node.start, end: node.end, context: undefined, duplicates } };
}
