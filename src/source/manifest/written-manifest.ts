// One document of a file: its value as Kubernetes reads it, and where in the text every field of it stands.

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

/** A place in a string of a document: `offset` in UTF-16 units of the decoded text. */
export interface TextPlace {
  readonly path: FieldPath;
  readonly text: string;
  readonly offset: number;
}

/** What the documents of a file share. */
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

  /** In the order of the file. */
  get manifests(): readonly WrittenManifest[] {
    return this.#manifests;
  }

  /** Of those up to the last that is read, with those that are empty. */
  get documentCount(): number {
    return 1 + (this.#manifests.at(-1)?.index ?? -1);
  }

  /** Once, when they are read. */
  settle(manifests: readonly WrittenManifest[]): void {
    // A copy takes no more room than it needs; most files have few documents, and there may be many files.
    this.#manifests = manifests.slice();
    for (const manifest of this.#manifests) this.held.hold(this, manifest);
  }

  /** `index` of a document. */
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

/** A document of a file of the repository. There may be a million of them, so that each is one object and what it shares with none. */
export class WrittenManifest implements Manifest {
  readonly written: WrittenFile;
  /** Number of the document in the file, from 0; empty documents count. */
  readonly index: number;
  readonly format: 'yaml' | 'json';
  /** In the order of the file. */
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

  /** All that is between two separators. */
  get documentRange(): SourceRange {
    return { start: this.#documentStart, end: this.#documentEnd };
  }

  /** From the first to the last character of the value. */
  get range(): SourceRange {
    return { start: this.#start, end: this.#end };
  }

  /** Of a large repository another object may be given at another time, with the same content. */
  get value(): JsonValue {
    if (this.#value !== undefined) return this.#value;
    const value = this.written.held.read(this.written, this, this.format === 'json' ? jsonValue : yamlValue);
    this.#value = value;
    return value;
  }

  get characters(): number {
    return this.#documentEnd - this.#documentStart;
  }

  /** Gives up what can be read again. */
  release(): void {
    this.#value = undefined;
  }

  has(path: FieldPath): boolean {
    return this.deepestPath(path).length === path.length;
  }

  /** The longest beginning of the path that is written in the document. */
  deepestPath(path: FieldPath): FieldPath {
    return path.slice(0, treeOf(this).locator.find(path).depth);
  }

  /**
   * Where a field is written; for a value behind an alias or a merge key the place of the anchor. The key of an item, and
   * of the document, is the first line of it. If the path is not written to its end, the key of the deepest field that is.
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

  /** The aliases by which the field came to its place, outermost first; empty if it is written there. */
  locateAliases(path: FieldPath): readonly SourceRange[] {
    const tree = treeOf(this);
    return tree.locator.find(path).aliases.map(({ start, end }) => tree.toFile(start, end));
  }

  /**
   * Where a part of a string is written: `start` and `end` are offsets in code points into the decoded string. The
   * range covers escapes and line folds in between; for anything but a string it is that of the field.
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

  /** The string that is written at an offset of the file, and which place of it that is; the end of the string is a place of it. */
  textAt(offset: number): TextPlace | undefined {
    const tree = treeOf(this);
    const found = tree.locator.scalarAt(tree.fromFile(offset), tree.text);
    if (found === undefined) return undefined;
    const { path, node } = found;
    return { path, text: node.value, offset: valueOffset(node, tree.fromFile(offset)) };
  }

  /** As `locateText`, with offsets in UTF-16 units. */
  locateUnits(path: FieldPath, start: number, end: number): SourceRange {
    const tree = treeOf(this);
    const { value, depth } = tree.locator.find(path);
    if (depth < path.length || value.kind !== 'scalar') return this.locate(path, 'value');
    const range = textRange(value, start, end);
    return tree.toFile(range.start, range.end);
  }
}

/** Most manifests are never asked for a place, so the tree is built on demand, by reading the text again. */
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

/** Stands for a tree that cannot be missing: the text was read before. */
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

function firstLine(range: SourceRange, text: string): SourceRange {
  const line = /[^\r\n]*/y;
  line.lastIndex = range.start;
  const length = line.exec(text)?.[0].length ?? 0;
  return { start: range.start, end: Math.min(range.end, range.start + length) };
}

/** UTF-16 offset of a number of code points. */
function unitOffset(text: string, codePoints: number): number {
  let offset = 0;
  for (let count = 0; count < codePoints && offset < text.length; count++) {
    offset += (text.codePointAt(offset) as number) > 0xffff ? 2 : 1;
  }
  return offset;
}
