// A value with the location of each of its fields: a document of a file, or one embedded in a string.

import type { JsonValue } from '../../source/json/json.ts';
import { isJsonObject } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { LocatedPart } from '../../source/manifest/manifest.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { SourceFile, type SourceLocation } from '../../source/text/source-file.ts';

export interface Written {
  readonly value: JsonValue;
  place(path: FieldPath, part: LocatedPart): SourceLocation;
  /** `start` and `end` are offsets in code points in the string. */
  placeText(path: FieldPath, start: number, end: number): SourceLocation;
}

/** The files of a repository as documents; each file is parsed once. */
export class WrittenFiles {
  readonly #fileAt: (path: string) => SourceFile | undefined;
  readonly #read: (path: string) => readonly Written[];
  readonly #documents = new Map<string, readonly Written[]>();
  readonly #identities = new Map<string, DocumentIndex>();

  /** `read`: the documents of a file. */
  constructor(fileAt: (path: string) => SourceFile | undefined, read: (path: string) => readonly Written[]) {
    this.#fileAt = fileAt;
    this.#read = read;
  }

  file(path: string): SourceFile | undefined {
    return this.#fileAt(path);
  }

  documents(path: string): readonly Written[] {
    const known = this.#documents.get(path);
    if (known !== undefined) return known;
    const documents = this.#read(path);
    this.#documents.set(path, documents);
    return documents;
  }

  /** The objects of a file; the items of a List replace the List. */
  objects(path: string): DocumentIndex {
    const known = this.#identities.get(path);
    if (known !== undefined) return known;
    const index = new DocumentIndex(this.documents(path));
    this.#identities.set(path, index);
    return index;
  }
}

/** Objects of a file by kind and name. */
class DocumentIndex {
  readonly all: readonly Written[];
  readonly #byKind = new Map<string, Written[]>();
  readonly #byName = new Map<string, Written[]>();

  constructor(documents: readonly Written[]) {
    this.all = documents.flatMap(itemsOf);
    for (const object of this.all) {
      const { kind, name } = objectIdentity(object.value);
      add(this.#byKind, kind, object);
      add(this.#byName, `${kind}\0${name}`, object);
    }
  }

  named(kind: string, name: string): readonly Written[] {
    return this.#byName.get(`${kind}\0${name}`) ?? [];
  }

  ofKind(kind: string): readonly Written[] {
    return this.#byKind.get(kind) ?? [];
  }
}

function add(map: Map<string, Written[]>, key: string, object: Written): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [object]);
  else known.push(object);
}

function itemsOf(document: Written): readonly Written[] {
  const { kind } = objectIdentity(document.value);
  const items = kind.endsWith('List') ? valueAt(document.value, ['items']) : undefined;
  if (!Array.isArray(items)) return [document];
  return items.map((_, index) => below(document, ['items', index]));
}

export function below(document: Written, path: FieldPath): Written {
  if (path.length === 0) return document;
  return {
    value: valueAt(document.value, path) ?? null,
    place: (rest, part) => document.place([...path, ...rest], part),
    placeText: (rest, start, end) => document.placeText([...path, ...rest], start, end),
  };
}

export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

export function objectIdentity(value: JsonValue): Identity {
  const text = (path: FieldPath): string => {
    const found = valueAt(value, path);
    return typeof found === 'string' ? found : '';
  };
  return {
    apiVersion: text(['apiVersion']),
    kind: text(['kind']),
    name: text(['metadata', 'name']),
    namespace: text(['metadata', 'namespace']),
  };
}

/** The documents in a string of another document: a patch in a kustomization, values in an Application. */
export function embeddedIn(outer: Written, path: FieldPath): readonly Written[] {
  const text = valueAt(outer.value, path);
  if (typeof text !== 'string') return [];
  return readManifests(new SourceFile('', text)).manifests.map((inner) => {
    const outside = ({ range: { start, end } }: SourceLocation): SourceLocation => {
      const from = codePoints(text, 0, start);
      return outer.placeText(path, from, from + codePoints(text, start, end));
    };
    return {
      value: inner.value,
      place: (rest, part) => outside(inner.place(rest, part)),
      placeText: (rest, start, end) => outside(inner.placeText(rest, start, end)),
    };
  });
}

function codePoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00) count++;
  }
  return count;
}

/** Number of leading path steps that the value has. */
export function depthOf(value: JsonValue, path: FieldPath): number {
  let current: JsonValue | undefined = value;
  for (const [depth, step] of path.entries()) {
    if (isJsonObject(current)) current = current.get(String(step));
    else if (Array.isArray(current)) current = current[Number(step)];
    else return depth;
    if (current === undefined) return depth;
  }
  return path.length;
}
