// Applies edits to the documents of a file. Writes the edits that are safe and gives a reason for each of the others.
import { append } from '../../go/slices/append.ts';
import { changedPaths } from '../json/changed-paths.ts';
import type { JsonValue } from '../json/json.ts';
import { readJsonValue } from '../json/json-reader.ts';
import { readManifests } from '../manifest/read-manifests.ts';
import type { WrittenManifest } from '../manifest/written-manifest.ts';
import type { FieldPath } from '../node/field-path.ts';
import type { Node } from '../node/node.ts';
import { DocumentText } from '../text/document-text.ts';
import { SourceFile } from '../text/source-file.ts';
import { composeYaml } from '../yaml/compose.ts';
import { commentsIn } from './comments.ts';
import { documentSplices, type EditedDocument, Unwritable } from './document-edit.ts';
import { applyEdits, type JsonEdit } from './json-edit.ts';
import { spliced, type TextSplice } from './text-edit.ts';

/** Edits of an object in a document: of the document itself, or of the value at `rootPath`. */
export interface ObjectEdits {
  readonly manifest: WrittenManifest;
  readonly rootPath: FieldPath;
  readonly edits: readonly JsonEdit[];
}

export interface EditedFile {
  readonly text: string;
  readonly splices: readonly TextSplice[];
  /** Edits that were not applied, with the reason. */
  readonly left: ReadonlyMap<JsonEdit, string>;
}

/** With more edits of one document, either all are applied or none. */
const MAX_TRIES = 40;

/** All objects must be in the file. Guarantees that the new text parses to exactly the edited value and keeps every comment. */
export function editFile(file: SourceFile, objects: readonly ObjectEdits[]): EditedFile {
  const left = new Map<JsonEdit, string>();
  const splices: TextSplice[] = [];
  const byDocument = new Map<WrittenManifest, ObjectEdits[]>();
  for (const object of objects) {
    const same = byDocument.get(object.manifest);
    if (same === undefined) byDocument.set(object.manifest, [object]);
    else same.push(object);
  }
  for (const [manifest, ofDocument] of byDocument)
    append(splices, new DocumentEdit(manifest, left).splices(ofDocument));
  return { text: spliced(file.text, splices) ?? file.text, splices, left };
}

const HARMFUL = 'the edit would change a comment or another field';

class DocumentEdit {
  readonly #manifest: WrittenManifest;
  readonly #left: Map<JsonEdit, string>;
  readonly #document: EditedDocument | undefined;
  readonly #toFile: (splice: TextSplice) => TextSplice;

  constructor(manifest: WrittenManifest, left: Map<JsonEdit, string>) {
    this.#manifest = manifest;
    this.#left = left;
    const { file, documentRange, format } = manifest;
    const written = file.text.slice(documentRange.start, documentRange.end);
    const ended = (text: string): string => (written.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text);
    if (format === 'json') {
      const read = readJsonValue(written, 0, false);
      this.#document = 'root' in read ? { text: written, root: read.root } : undefined;
      const { start: base } = documentRange;
      this.#toFile = ({ start, end, text }) => ({ start: base + start, end: base + end, text: ended(text) });
    } else {
      const text = new DocumentText(file.text, documentRange.start, documentRange.end);
      const composed = composeYaml(text.text, false);
      const root = 'root' in composed ? composed.root : undefined;
      this.#document = root && { text: text.text, root };
      this.#toFile = ({ start, end, text: piece }) => ({ ...text.rangeInFile(start, end), text: ended(piece) });
    }
  }

  splices(objects: readonly ObjectEdits[]): readonly TextSplice[] {
    const document = this.#document;
    const edits = objects.flatMap((object) => object.edits.map((edit) => ({ edit, placed: placedIn(object, edit) })));
    if (document === undefined) return this.#leave(edits, 'the document cannot be parsed');
    const possible = edits.filter(({ edit, placed }) => this.#isPossible(document, edit, placed));
    const all = this.#tried(document, possible);
    if (all !== undefined) return all;
    if (possible.length > MAX_TRIES) return this.#leave(possible, HARMFUL);
    const taken: typeof possible = [];
    for (const one of possible) {
      if (this.#tried(document, [...taken, one]) === undefined) this.#left.set(one.edit, HARMFUL);
      else taken.push(one);
    }
    return this.#tried(document, taken) ?? [];
  }

  #leave(edits: readonly { readonly edit: JsonEdit }[], reason: string): readonly TextSplice[] {
    for (const { edit } of edits) this.#left.set(edit, reason);
    return [];
  }

  #isPossible(document: EditedDocument, edit: JsonEdit, placed: JsonEdit): boolean {
    try {
      documentSplices(document, [placed]);
      return true;
    } catch (problem) {
      if (!(problem instanceof Unwritable)) throw problem;
      this.#left.set(edit, problem.message);
      return false;
    }
  }

  /** Undefined if the new text would not parse to the intended value. */
  #tried(document: EditedDocument, edits: readonly { readonly placed: JsonEdit }[]): readonly TextSplice[] | undefined {
    const placed = edits.map((edit) => edit.placed);
    const splices = documentSplices(document, placed);
    const text = spliced(document.text, splices);
    if (text === undefined) return undefined;
    const read = this.#read(text);
    const { value, left } = applyEdits(this.#manifest.value, placed);
    if (read === undefined || left.length > 0 || changedPaths(read.value, value).length > 0) return undefined;
    const comments = commentsIn(document.root, document.text);
    const kept = this.#manifest.format === 'json' ? comments : commentsIn(read.root, text);
    if (comments.join('\n') !== kept.join('\n')) return undefined;
    return splices.map(this.#toFile);
  }

  #read(text: string): { readonly value: JsonValue; readonly root: Node } | undefined {
    const { manifests } = readManifests(new SourceFile(this.#manifest.file.path, text));
    const [manifest, ...others] = manifests;
    if (manifest === undefined || others.length > 0) return undefined;
    const value = manifest.value;
    if (this.#manifest.format === 'json') {
      const read = readJsonValue(text, 0, false);
      return 'root' in read ? { value, root: read.root } : undefined;
    }
    const composed = composeYaml(text, false);
    return 'root' in composed && composed.root !== undefined ? { value, root: composed.root } : undefined;
  }
}

function placedIn({ rootPath }: ObjectEdits, edit: JsonEdit): JsonEdit {
  return rootPath.length === 0 ? edit : { ...edit, path: [...rootPath, ...edit.path] };
}
