// Finds fields that depend on random values, the time, lookups or an upgrade, by comparing renderings with different ones.

import type { JsonValue } from '../../source/json/json.ts';
import { jsonDifferences } from '../../source/json/json-differences.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { RenderedManifest } from './rendered-manifest.ts';

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

/**
 * Adds to the documents of an installation what an upgrade of the release applies instead: fields that differ, and documents that only an
 * upgrade has. A document of one of the two only is judged as it is, because the server receives it in that case.
 */
export function withUpgrade(
  installed: readonly RenderedManifest[],
  upgraded: readonly RenderedManifest[],
): readonly RenderedManifest[] {
  const compared = new Map(upgraded.map((manifest) => [comparedManifest(manifest), manifest]));
  const counterparts = counterpartsOf(installed.map(comparedManifest), [...compared.keys()]);
  const manifests = installed.map((manifest, index) => {
    const counterpart = counterparts[index];
    const other = counterpart && compared.get(counterpart);
    const fields = other === undefined ? [] : jsonDifferences(manifest.value, other.value);
    return other === undefined || fields.length === 0 ? manifest : manifest.differingOnUpgrade(fields, other.text);
  });
  for (const counterpart of counterparts) if (counterpart !== undefined) compared.delete(counterpart);
  return [...manifests, ...compared.values()];
}

function comparedManifest({ value, rendered }: RenderedManifest): ComparedDocument {
  return { value, origin: rendered.template ?? '' };
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
