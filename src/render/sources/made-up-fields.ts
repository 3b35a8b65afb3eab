// Finds fields that depend on random values, the time or lookups, by comparing renderings with different ones.

import type { JsonValue } from '../../source/json/json.ts';
import { jsonDifferences } from '../../source/json/json-differences.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

/** A rendered document. `origin`: its template, or empty. */
export interface ComparedDocument {
  readonly value: JsonValue;
  readonly origin: string;
}

/**
 * For each document, the fields that differ in another rendering of it; the empty path if another rendering lacks the document. A mapping
 * with other keys, or a list of another length, differs as a whole.
 */
export function madeUpFields(
  documents: readonly ComparedDocument[],
  others: readonly (readonly ComparedDocument[])[],
): readonly (readonly FieldPath[])[] {
  const found = documents.map(() => new Map<string, FieldPath>());
  for (const other of others) {
    const counterparts = counterpartsOf(documents, other);
    for (const [index, { value }] of documents.entries()) {
      const counterpart = counterparts[index];
      const paths = counterpart === undefined ? [[]] : jsonDifferences(value, counterpart.value);
      for (const path of paths) found[index]?.set(JSON.stringify(path), path);
    }
  }
  return found.map((paths) => [...paths.values()]);
}

/** By position if both have the same kinds in the same order, because names may be random. Otherwise by name. */
function counterpartsOf(
  documents: readonly ComparedDocument[],
  others: readonly ComparedDocument[],
): readonly (ComparedDocument | undefined)[] {
  const isAligned =
    documents.length === others.length &&
    documents.every((document, index) => kindOf(document) === kindOf(others[index] as ComparedDocument));
  if (isAligned) return others;
  const byName = new Map<string, ComparedDocument[]>();
  for (const other of others) {
    const same = byName.get(nameOf(other));
    if (same === undefined) byName.set(nameOf(other), [other]);
    else same.push(other);
  }
  return documents.map((document) => byName.get(nameOf(document))?.shift());
}

function kindOf({ value, origin }: ComparedDocument): string {
  const object = objectOrEmpty(value);
  return [origin, textField(object, 'apiVersion'), textField(object, 'kind')].join('\0');
}

function nameOf(document: ComparedDocument): string {
  const metadata = objectOrEmpty(objectOrEmpty(document.value).get('metadata'));
  return [kindOf(document), textField(metadata, 'namespace'), textField(metadata, 'name')].join('\0');
}
