// One document of a file: its value as Kubernetes reads it, and the location of every field in the text.

import type { JsonValue } from '../json/json.ts';
import { readJsonValue } from '../json/json-reader.ts';
import { decodeJson } from '../json/parse-json.ts';
import type { FieldPath } from '../node/field-path.ts';
import { type Node, textRange, valueOffset } from '../node/node.ts';
import { DocumentText } from '../text/document-text.ts';
import type { SourceFile, SourceLocation, SourceRange } from '../text/source-file.ts';
import { composeYaml } from '../yaml/compose.ts';
import { entryRange, type Found, Locator } from '../yaml/locator.ts';
import { readYaml } from '../yaml/yaml-to-json.ts';
import type { HeldValues } from './held-values.ts';
import type { DuplicateField, LocatedPart, Manifest } from './manifest.ts';
import type { DocumentTree } from './recent-trees.ts';

export interface ManifestParts {
  readonly written: WrittenFile;
  readonly index: number;
  readonly format: 'yaml' | 'json';
  readonly documentRange: SourceRange;
  readonly range: SourceRange;
  readonly value: JsonValue;
  readonly duplicateFields: readonly DuplicateField[];
}

/** A location in a string of a document; `offset` is in UTF-16 units of the decoded text. */
export interface TextPlace {
  readonly path: FieldPath;
  readonly text: string;
  readonly offset: number;
}

export class WrittenFile {
  readonly file: SourceFile;
  /** Shared with the documents that are read in the same run. */
  readonly held: HeldValues;
  readonly ref = new WeakRef(this);
  #manifests: readonly WrittenManifest[] = [];

  constructor(file: SourceFile, held: HeldValues) {
    this.file = file;
    this.held = held;
  }

  get manifests(): readonly WrittenManifest[] {
    return this.#manifests;
  }

  /** Documents up to the last one that was read, including empty ones. */
  get documentCount(): number {
    return 1 + (this.#manifests.at(-1)?.index ?? -1);
  }

  /** Call once, when all documents are read. */
  settle(manifests: readonly WrittenManifest[]): void {
    // The copy drops spare capacity: most files have few documents, but there may be many files.
    this.#manifests = manifests.slice();
    for (const manifest of this.#manifests) this.held.hold(this, manifest);
  }

  /** `index` is the document's index in the file. */
  release(index: number): void {
    let low = 0;
    let high = this.#manifests.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#manifests[middle] as WrittenManifest).index < index) low = middle + 1;
      else high = middle;
    }
    const found = this.#manifests[low];
    if (found?.index === index) found.release();
  }
}

/** A document of a file of the repository. There may be a million, so each is a single object without private helpers. */
export class WrittenManifest implements Manifest {
  readonly written: WrittenFile;
  /** 0-based index of the document in the file, including empty documents. */
  readonly index: number;
  readonly format: 'yaml' | 'json';
  readonly duplicateFields: readonly DuplicateField[];
  readonly #documentStart: number;
  readonly #documentEnd: number;
  readonly #start: number;
  readonly #end: number;
  #value: JsonValue | undefined;

  constructor(parts: ManifestParts) {
    this.written = parts.written;
    this.index = parts.index;
    this.format = parts.format;
    this.duplicateFields = parts.duplicateFields.length === 0 ? NO_FIELDS : parts.duplicateFields;
    this.#documentStart = parts.documentRange.start;
    this.#documentEnd = parts.documentRange.end;
    this.#start = parts.range.start;
    this.#end = parts.range.end;
    this.#value = parts.value;
  }

  get file(): SourceFile {
    return this.written.file;
  }

  /** Everything between two separators. */
  get documentRange(): SourceRange {
    return { start: this.#documentStart, end: this.#documentEnd };
  }

  /** From the first to the last character of the value. */
  get range(): SourceRange {
    return { start: this.#start, end: this.#end };
  }

  /** In a large repository, repeated reads may return different objects with equal content. */
  get value(): JsonValue {
    if (this.#value !== undefined) return this.#value;
    const value = this.written.held.read(this.written, this, this.format === 'json' ? jsonValue : yamlValue);
    this.#value = value;
    return value;
  }

  get characters(): number {
    return this.#documentEnd - this.#documentStart;
  }

  /** Releases the value; the next access decodes it again. */
  release(): void {
    this.#value = undefined;
  }

  has(path: FieldPath): boolean {
    return this.deepestPath(path).length === path.length;
  }

  /** The longest prefix of the path that is written in the document. */
  deepestPath(path: FieldPath): FieldPath {
    return path.slice(0, treeOf(this).locator.find(path).depth);
  }

  /**
   * Location of a field; for a value behind an alias or a merge key, the location at the anchor. The key of an item, or
   * of the document, is its first line. If the path is not fully written, the key of the deepest written field.
   */
  locate(path: FieldPath, part: LocatedPart): SourceRange {
    const tree = treeOf(this);
    const found = tree.locator.find(path);
    const { start, end } = rangeOf(found, found.depth < path.length && part === 'value' ? 'key' : part, tree.text);
    return tree.toFile(start, end);
  }

  place(path: FieldPath, part: LocatedPart): SourceLocation {
    return { file: this.file, range: this.locate(path, part) };
  }

  placeText(path: FieldPath, start: number, end: number): SourceLocation {
    return { file: this.file, range: this.locateText(path, start, end) };
  }

  /** The aliases on the path to the field, outermost first; empty if the field is written directly. */
  locateAliases(path: FieldPath): readonly SourceRange[] {
    const tree = treeOf(this);
    return tree.locator.find(path).aliases.map(({ start, end }) => tree.toFile(start, end));
  }

  /**
   * Location of a part of a string: `start` and `end` are offsets in code points of the decoded string. The range
   * includes escapes and line folds within the part. For other values it is the range of the field.
   */
  locateText(path: FieldPath, start: number, end: number): SourceRange {
    const tree = treeOf(this);
    const found = tree.locator.find(path);
    const { value } = found;
    if (found.depth < path.length || value.kind !== 'scalar') return this.locate(path, 'value');
    const from = unitOffset(value.value, start);
    const range = textRange(value, from, from + unitOffset(value.value.slice(from), Math.max(0, end - start)));
    return tree.toFile(range.start, range.end);
  }

  /**
   * The string that is written at an offset of the file, with the corresponding offset in the string. The end of the string is included.
   */
  textAt(offset: number): TextPlace | undefined {
    const tree = treeOf(this);
    const found = tree.locator.scalarAt(tree.fromFile(offset), tree.text);
    if (found === undefined) return undefined;
    const { path, node } = found;
    return { path, text: node.value, offset: valueOffset(node, tree.fromFile(offset)) };
  }

  /** Like `locateText`, with offsets in UTF-16 units. */
  locateUnits(path: FieldPath, start: number, end: number): SourceRange {
    const tree = treeOf(this);
    const { value, depth } = tree.locator.find(path);
    if (depth < path.length || value.kind !== 'scalar') return this.locate(path, 'value');
    const range = textRange(value, start, end);
    return tree.toFile(range.start, range.end);
  }
}

/** Most manifests need no locations, so the tree is built on demand by parsing the text again. */
function treeOf(manifest: WrittenManifest): DocumentTree {
  return manifest.written.held.trees.of(manifest, () =>
    manifest.format === 'json' ? readJsonTree(manifest) : readYamlTree(manifest),
  );
}

function jsonValue({ file, documentRange }: WrittenManifest): JsonValue {
  const read = readJsonValue(file.text, documentRange.start, false);
  const decoded = 'root' in read ? decodeJson(read.root) : undefined;
  return decoded !== undefined && 'value' in decoded ? decoded.value : null;
}

function yamlValue(manifest: WrittenManifest): JsonValue {
  const read = readYaml(documentText(manifest).text);
  return 'value' in read ? read.value : null;
}

function documentText({ file, documentRange }: WrittenManifest): DocumentText {
  return new DocumentText(file.text, documentRange.start, documentRange.end);
}

function readJsonTree({ file, documentRange }: WrittenManifest): DocumentTree {
  const { text } = file;
  const read = readJsonValue(text, documentRange.start, true);
  const root = 'root' in read ? read.root : EMPTY;
  return { locator: new Locator(root), text, toFile: (start, end) => ({ start, end }), fromFile: (offset) => offset };
}

function readYamlTree(manifest: WrittenManifest): DocumentTree {
  const document = documentText(manifest);
  const composed = composeYaml(document.text, true);
  const root = 'root' in composed ? composed.root : undefined;
  const toFile = (start: number, end: number) => document.rangeInFile(start, end);
  const fromFile = (offset: number) => document.offsetOf(offset);
  return { locator: new Locator(root ?? EMPTY), text: document.text, toFile, fromFile };
}

const NO_FIELDS: readonly DuplicateField[] = [];

/** Placeholder that is never used in practice: the text was parsed successfully before. */
const EMPTY: Node = {
  kind: 'scalar',
  start: 0,
  end: 0,
  line: 0,
  value: '',
  style: 'plain',
  tag: '',
  implicit: true,
  pieces: undefined,
};

function rangeOf(found: Found, part: LocatedPart, text: string): SourceRange {
  if (part === 'value') return found.value;
  if (part === 'entry') return entryRange(found);
  return found.key ?? firstLine(entryRange(found), text);
}

function firstLine({ start, end }: SourceRange, text: string): SourceRange {
  const length = text.slice(start, end).search(/[\r\n]/);
  return { start, end: length < 0 ? end : start + length };
}

/** UTF-16 offset after a number of code points. */
function unitOffset(text: string, codePoints: number): number {
  let offset = 0;
  for (let count = 0; count < codePoints && offset < text.length; count++) {
    offset += (text.codePointAt(offset) as number) > 0xffff ? 2 : 1;
  }
  return offset;
}
