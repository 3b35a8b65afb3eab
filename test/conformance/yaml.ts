// Answers a recorded line about YAML: from text to JSON, errors, and the stream of documents as kubectl reads it.
import { splitDocuments } from '../../src/source/manifest/document-stream.ts';
import { DocumentText } from '../../src/source/text/document-text.ts';
import { decodeBase64 } from '../../src/source/yaml/base64.ts';
import { readYaml, strictError, yamlToJson } from '../../src/source/yaml/yaml-to-json.ts';
import { decodeText } from '../../src/workspace/files/decode-text.ts';

/** One recorded snippet with the results of Kubernetes' packages. */
export interface YamlLine {
  readonly id: string;
  readonly yaml?: string;
  readonly yamlBase64?: string;
  readonly json?: unknown;
  /** `sigs.k8s.io/yaml.YAMLToJSON`, byte for byte. */
  readonly jsonText?: string;
  /** For two keys that become one in random order. */
  readonly jsonAnyOf?: readonly unknown[];
  readonly error?: string;
  /** `YAMLToJSONStrict`, if it differs. */
  readonly strictError?: string;
  /** Raw documents of apimachinery's `NewYAMLOrJSONDecoder`, and its final error. */
  readonly stream?: readonly string[];
  readonly streamError?: string;
}

/** Preadmit's answer for the same snippet, in the same format. */
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

/** Bytes that are not valid UTF-8 are kept, as everywhere in the reader; UTF-16 needs a byte order mark. */
function textOf(base64: string): string {
  return decodeText(Buffer.from(base64, 'base64')) ?? decodeBase64(base64) ?? '';
}

/** The result of decoding the whole stream into raw messages. */
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

/** A null document leaves its raw message empty. */
function withoutNull(json: string): string {
  return json === 'null' ? '' : json;
}
