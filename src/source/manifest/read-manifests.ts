// Reads all documents of a file.

import type { JsonProblem } from '../json/json-reader.ts';
import { decodeJson } from '../json/parse-json.ts';
import { DocumentText } from '../text/document-text.ts';
import { Derivation, type SourceFile, type SourceRange } from '../text/source-file.ts';
import { readYaml, type YamlFailure } from '../yaml/yaml-to-json.ts';
import { type DocumentPart, splitDocuments } from './document-stream.ts';
import { findDuplicates } from './duplicate-fields.ts';
import { HeldValues } from './held-values.ts';
import { type KnownReadings, manifestsOf, readingOf } from './known-readings.ts';
import { WrittenFile, WrittenManifest } from './written-manifest.ts';

/** Protects memory: no real file has this many documents. */
const MAX_DOCUMENTS = 10000;

/** Kubernetes accepts deeper values, but recursion over them could overflow the stack. */
const MAX_DEPTH = 1000;

export interface SourceProblem {
  /**
   * `syntax`: the document cannot be read. `separator`: a line begins with `---` but is not a separator. `unread`:
   * Kubernetes ignores this text, e.g. after `...`. `depth`: the document is nested too deeply to evaluate. `count`:
   * the file has too many documents; the rest is not evaluated.
   */
  readonly kind: 'syntax' | 'separator' | 'unread' | 'depth' | 'count';
  /** For `syntax` and `separator`: what kubectl prints after `error parsing <file>: `. kubectl reads no further in the file. */
  readonly message: string;
  readonly range: SourceRange;
  /** 0-based index of the document that is lost or that contains the lost text. */
  readonly documentIndex: number;
  readonly related: readonly { readonly message: string; readonly range: SourceRange }[];
}

export interface ManifestFile {
  readonly manifests: readonly WrittenManifest[];
  readonly problems: readonly SourceProblem[];
  /** Includes documents that are empty or cannot be read. */
  readonly documentCount: number;
  /** Documents with only comments, white space or null; kubectl skips them. */
  readonly emptyCount: number;
}

const NO_PROBLEMS: readonly SourceProblem[] = [];

/** The documents of the files of one run. */
export class Documents extends Derivation<ManifestFile> {
  readonly known: KnownReadings | undefined;

  /** `known`: readings of earlier runs. */
  constructor(held = new HeldValues(), known?: KnownReadings) {
    super((file) => readManifests(file, held, known));
    this.known = known;
  }
}

/** Documents kubectl would apply, and the reason for each it would not. `known`: readings of earlier runs. */
export function readManifests(file: SourceFile, held = new HeldValues(), known?: KnownReadings): ManifestFile {
  const earlier = known?.find(file);
  if (earlier !== undefined) return manifestsOf(file, earlier, held);
  const read = new ManifestReader(file, held).read();
  const reading = known && readingOf(read);
  if (reading !== undefined) known?.add(file, reading);
  return read;
}

class ManifestReader {
  readonly #file: SourceFile;
  readonly #written: WrittenFile;
  readonly #manifests: WrittenManifest[] = [];
  readonly #problems: SourceProblem[] = [];
  #index = 0;
  #emptyCount = 0;

  constructor(file: SourceFile, held: HeldValues) {
    this.#file = file;
    this.#written = new WrittenFile(file, held);
  }

  read(): ManifestFile {
    const { text } = this.#file;
    // kubectl removes the byte-order mark when it decodes the file.
    for (const part of splitDocuments(text, text.startsWith('\ufeff') ? 1 : 0)) {
      if (this.#index === MAX_DOCUMENTS || this.#problems.length >= MAX_DOCUMENTS) {
        this.#report('count', `file holds more than ${MAX_DOCUMENTS} documents`, {
          start: part.start,
          end: text.length,
        });
        break;
      }
      this.#readPart(part);
    }
    this.#written.settle(this.#manifests);
    return {
      manifests: this.#written.manifests,
      problems: this.#problems.length === 0 ? NO_PROBLEMS : this.#problems,
      documentCount: this.#index,
      emptyCount: this.#emptyCount,
    };
  }

  #readPart(part: DocumentPart): void {
    switch (part.kind) {
      case 'yaml':
        this.#readYaml(part.start, part.end, part.jsonError);
        this.#index++;
        break;
      case 'json':
        this.#readJson(part);
        this.#index++;
        break;
      case 'separator':
        this.#report('separator', part.message, part);
        break;
      case 'syntax':
        this.#report('syntax', part.message, part);
        this.#index++;
        break;
      case 'dropped':
        this.#report(
          'unread',
          'kubectl does not read this line: no line break ends it and its length is a multiple of 4096 bytes',
          part,
        );
        break;
    }
  }

  #readYaml(start: number, end: number, jsonError: JsonProblem | undefined): void {
    const document = new DocumentText(this.#file.text, start, end);
    const read = readYaml(document.text);
    if ('failure' in read) {
      this.#reportYaml(read.failure, document, jsonError);
      return;
    }
    const { root, value, depth, rest } = read;
    if (rest !== undefined) {
      // YAML does not treat a byte-order mark as white space.
      const range = document.rangeInFile(rest, Math.max(rest, document.text.trimEnd().length));
      this.#report('unread', 'Kubernetes ignores text between the end of a document and the next `---`', range);
    }
    if (read.range === undefined || value === null) {
      this.#emptyCount++;
      return;
    }
    const range = document.rangeInFile(read.range.start, read.range.end);
    if (depth > MAX_DEPTH) {
      this.#reportDepth(range);
      return;
    }
    const duplicateFields = root === undefined ? [] : findDuplicates(root, read.duplicates, document);
    this.#manifests.push(
      new WrittenManifest({
        written: this.#written,
        index: this.#index,
        format: 'yaml',
        documentRange: { start, end },
        range,
        value,
        duplicateFields,
      }),
    );
  }

  #readJson(part: { start: number; end: number; root: Parameters<typeof decodeJson>[0] }): void {
    const range = { start: part.start, end: part.end };
    const decoded = decodeJson(part.root);
    if ('problem' in decoded) {
      const { message, start } = decoded.problem;
      this.#report('syntax', message, { start, end: start + 1 });
      return;
    }
    const { value, depth } = decoded;
    if (value === null) {
      this.#emptyCount++;
      return;
    }
    if (depth > MAX_DEPTH) {
      this.#reportDepth(range);
      return;
    }
    const repeated = decoded.duplicates.map((key) => ({
      ...key,
      kind: 'repeated' as const,
      message: '',
      isMerged: false,
    }));
    const duplicateFields = findDuplicates(part.root, repeated, undefined);
    this.#manifests.push(
      new WrittenManifest({
        written: this.#written,
        index: this.#index,
        format: 'json',
        documentRange: range,
        range,
        value,
        duplicateFields,
      }),
    );
  }

  /** If a document is neither JSON nor YAML, kubectl reports the JSON error. */
  #reportYaml(failure: YamlFailure, document: DocumentText, jsonError: JsonProblem | undefined): void {
    if (jsonError !== undefined) {
      const start = Math.min(jsonError.start, this.#file.text.length - 1);
      this.#report('syntax', jsonError.message, { start, end: start + 1 });
      return;
    }
    const { context } = failure;
    const related = context && {
      message: context.message,
      range: document.rangeInFile(context.start, context.start + 1),
    };
    // Report an unexpected end of text at its last character.
    const start = Math.min(failure.start, Math.max(0, document.text.trimEnd().length - 1));
    const range = document.rangeInFile(start, start < failure.start ? start + 1 : failure.end);
    const message = `error converting YAML to JSON: ${failure.message}`;
    this.#report('syntax', message, range, related === undefined ? [] : [related]);
  }

  #reportDepth(range: SourceRange): void {
    this.#report('depth', `document is nested more than ${MAX_DEPTH} levels deep`, range);
  }

  #report(
    kind: SourceProblem['kind'],
    message: string,
    place: SourceRange,
    related: SourceProblem['related'] = [],
  ): void {
    const range = { start: place.start, end: place.end };
    this.#problems.push({ kind, message, range, documentIndex: this.#index, related });
  }
}
