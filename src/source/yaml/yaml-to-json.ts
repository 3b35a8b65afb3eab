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
  /** Range of the root; undefined for a text without a document: only comments and white space. */
  readonly range: { readonly start: number; readonly end: number } | undefined;
  /** Always present if there are duplicates. */
  readonly root: Node | undefined;
  readonly duplicates: readonly DuplicateKey[];
  /** Nesting depth of collections; slightly too high if a merge key is the deepest. */
  readonly depth: number;
  /** Offset of text that Kubernetes does not read: after `...`, or a second document. */
  readonly rest: number | undefined;
}

export interface YamlFailure {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** The construct being read and its start, if that helps. */
  readonly context: { readonly message: string; readonly start: number } | undefined;
  /** Duplicates found before the failure. Strict reading reports them instead if the failure is that JSON cannot hold a value. */
  readonly duplicates: readonly DuplicateKey[];
}

export type YamlResult = YamlDocument | { readonly failure: YamlFailure };

/** Reads the first document of a text; offsets are relative to the text. */
export function readYaml(text: string): YamlResult {
  return readAs(text, false);
}

/** The JSON text that `YAMLToJSON` returns. */
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

/** Bytes that are not UTF-8 become U+FFFD when written as JSON text. */
function withoutBadBytes(value: JsonValue): JsonValue {
  const reread = parseJson(stringifyJson(value, GO_MARSHAL));
  return 'value' in reread ? reread.value : value;
}

/** The error of strict decoding; undefined if there is none. */
export function strictError(duplicates: readonly DuplicateKey[]): string | undefined {
  const messages = duplicates.filter(({ kind }) => kind === 'repeated').map(({ message }) => message);
  return messages.length === 0 ? undefined : `yaml: unmarshal errors:\n  ${messages.join('\n  ')}`;
}

function failureAt(message: string, node: Node, duplicates: readonly DuplicateKey[]): YamlResult {
  return { failure: { message, start: node.start, end: node.end, context: undefined, duplicates } };
}
