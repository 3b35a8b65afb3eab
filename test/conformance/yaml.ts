// Answers a line of the recorded YAML truth: text to JSON, errors, and the stream of documents kubectl would read.
import { splitDocuments } from '../../src/source/manifest/document-stream.ts';
import { DocumentText } from '../../src/source/text/document-text.ts';
import { decodeBase64 } from '../../src/source/yaml/base64.ts';
import { readYaml, strictError, yamlToJson } from '../../src/source/yaml/yaml-to-json.ts';
import { decodeText } from '../../src/workspace/files/decode-text.ts';

/** One recorded snippet and what Kubernetes' packages make of it. */
export interface YamlLine {
  readonly id: string;
  readonly yaml?: string;
  readonly yamlBase64?: string;
  readonly json?: unknown;
  /** `sigs.k8s.io/yaml.YAMLToJSON`, byte for byte. */
  readonly jsonText?: string;
  /** Where two keys become one and chance decides. */
  readonly jsonAnyOf?: readonly unknown[];
  readonly error?: string;
  /** `YAMLToJSONStrict`, where it differs. */
  readonly strictError?: string;
  /** Raw documents of apimachinery's `NewYAMLOrJSONDecoder`, and where it stops. */
  readonly stream?: readonly string[];
  readonly streamError?: string;
}

/** Our own line for the same snippet, in the same shape. */
export function answerYaml(line: YamlLine): YamlLine {
  const { id, yaml, yamlBase64 } = line;
  const text = yaml ?? textOf(yamlBase64 ?? '');
  const asked = { id, ...(yaml === undefined ? { yamlBase64: yamlBase64 ?? '' } : { yaml }) };
  const stream = line.stream === undefined ? {} : answerStream(text);
  const written = yamlToJson(text);
  const read = readYaml(text);
  const complaint = strictError('failure' in read ? read.failure.duplicates : read.duplicates);
  const strict = complaint === undefined ? {} : { strictError: complaint };
  if ('failure' in written) return { ...asked, error: written.failure.message, ...strict, ...stream };
  return { ...asked, json: JSON.parse(written.json) as unknown, jsonText: written.json, ...strict, ...stream };
}

/** Octets that are no text stay what they are, as everywhere in the reader; UTF-16 is told by its mark. */
function textOf(base64: string): string {
  return decodeText(Buffer.from(base64, 'base64')) ?? decodeBase64(base64) ?? '';
}

/** What decoding the whole stream into raw messages gives. */
export function answerStream(text: string): { stream: string[]; streamError?: string } {
  const stream: string[] = [];
  for (const part of splitDocuments(text, 0)) {
    if (part.kind === 'separator' || part.kind === 'syntax') return { stream, streamError: part.message };
    if (part.kind === 'json') stream.push(withoutNull(text.slice(part.start, part.end)));
    if (part.kind !== 'yaml' || part.isLost) continue;
    const written = yamlToJson(new DocumentText(text, part.start, part.end).text);
    if ('failure' in written) {
      return {
        stream,
        streamError: part.jsonError?.message ?? `error converting YAML to JSON: ${written.failure.message}`,
      };
    }
    stream.push(withoutNull(written.json));
  }
  return { stream };
}

/** A null document leaves the raw message it is decoded into empty. */
function withoutNull(json: string): string {
  return json === 'null' ? '' : json;
}
