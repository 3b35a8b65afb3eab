// Compares two renderings of one root: which documents correspond, and where they differ.

import type { JsonValue } from '../../../source/json/json.ts';
import { jsonDifferences } from '../../../source/json/json-differences.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

/** A rendered document. `origin`: its template, or empty. */
export interface ComparedDocument {
  readonly value: JsonValue;
  readonly origin: string;
}

/** One document in two renderings. */
export interface PairedDocument {
  readonly other: ComparedDocument | undefined;
  /** Empty without a counterpart. A mapping with other keys, or a list of another length, differs as a whole. */
  readonly paths: readonly FieldPath[];
}

/** For each document, its counterpart in another rendering. `more`: documents that only the other rendering has, by index. */
export function pairedDocuments(
  documents: readonly ComparedDocument[],
  others: readonly ComparedDocument[],
): { readonly pairs: readonly PairedDocument[]; readonly more: readonly number[] } {
  const counterparts = counterpartsOf(documents, others);
  const pairs = documents.map(({ value }, index): PairedDocument => {
    const other = counterparts[index];
    return { other, paths: other === undefined ? [] : jsonDifferences(value, other.value) };
  });
  const used = new Set(counterparts);
  return { pairs, more: others.flatMap((other, index) => (used.has(other) ? [] : [index])) };
}

/**
 * By position if both have the same kinds in the same order, because names may be random. Otherwise by name, and the rest by template and
 * kind.
 */
function counterpartsOf(
  documents: readonly ComparedDocument[],
  others: readonly ComparedDocument[],
): readonly (ComparedDocument | undefined)[] {
  const isAligned =
    documents.length === others.length &&
    documents.every((document, index) => kindOf(document) === kindOf(others[index] as ComparedDocument));
  if (isAligned) return others;
  const byName = grouped(others, documentName);
  const named = documents.map((document) => byName.get(documentName(document))?.shift());
  const rest = grouped([...byName.values()].flat(), kindOf);
  return documents.map((document, index) => named[index] ?? rest.get(kindOf(document))?.shift());
}

function grouped(
  documents: readonly ComparedDocument[],
  keyOf: (document: ComparedDocument) => string,
): Map<string, ComparedDocument[]> {
  const groups = new Map<string, ComparedDocument[]>();
  for (const document of documents) {
    const same = groups.get(keyOf(document));
    if (same === undefined) groups.set(keyOf(document), [document]);
    else same.push(document);
  }
  return groups;
}

function kindOf({ value, origin }: ComparedDocument): string {
  const object = objectOrEmpty(value);
  return [origin, textField(object, 'apiVersion'), textField(object, 'kind')].join('\0');
}

/** Template, kind, namespace and name. */
export function documentName(document: ComparedDocument): string {
  const metadata = objectOrEmpty(objectOrEmpty(document.value).get('metadata'));
  return [kindOf(document), textField(metadata, 'namespace'), textField(metadata, 'name')].join('\0');
}
