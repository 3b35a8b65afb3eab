// Contributions of a `helmCharts` entry to a field: the entry, or a value with the field's text.

import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { joinPaths } from '../../source/text/repository-path.ts';
import { type AskedField, type FieldDecision, setBy, writtenAs } from './decision.ts';
import type { Setting, TransformerFile } from './transformer-settings.ts';
import { trialText } from './value-trials.ts';
import type { Written, WrittenFiles } from './written.ts';

const MAXIMUM_LEAVES = 2000;
/** Shorter texts occur in too many fields by accident. */
const MINIMUM_PART = 3;

/**
 * For objects rendered from a chart. The engine does not report which value a field comes from, and the chart cannot be rendered alone
 * here. So the best match by text is used, preferring values with the same key; without a match, the entry itself.
 */
export function helmChartDecisions(
  file: TransformerFile,
  files: WrittenFiles,
  asked: AskedField,
): readonly FieldDecision[] {
  const entries = file.entries('helmCharts', []);
  const [only] = entries;
  const found = entries.flatMap((entry) => valueDecisions(entry, file, files, asked));
  if (found.length > 0 || only === undefined || entries.length > 1) return found;
  return [writtenAs('rendered from', only.document, [...only.path, 'name'], { isExact: false, depth: 0 })];
}

interface Leaf {
  readonly document: Written;
  readonly path: FieldPath;
  readonly value: JsonValue;
}

function valueDecisions(
  entry: Setting,
  { folder }: TransformerFile,
  files: WrittenFiles,
  { path, value }: AskedField,
): readonly FieldDecision[] {
  if (value === undefined || value === null || value === '' || isJsonObject(value) || isJsonArray(value)) return [];
  const fields = objectOrEmpty(entry.value);
  const named = [textField(fields, 'valuesFile'), ...textItems(fields.get('additionalValuesFiles'))];
  const documents = named.filter((name) => name !== '').flatMap((name) => files.documents(joinPaths(folder, name)));
  const leaves: Leaf[] = [];
  const add = (document: Written, at: FieldPath, item: JsonValue): void => {
    if (leaves.length >= MAXIMUM_LEAVES) return;
    if (isJsonObject(item)) for (const [key, each] of item) add(document, [...at, key], each);
    else if (isJsonArray(item)) for (const [index, each] of item.entries()) add(document, [...at, index], each);
    else if (item !== null && item !== '') leaves.push({ document, path: at, value: item });
  };
  const inline = fields.get('valuesInline');
  if (inline !== undefined) add(entry.document, [...entry.path, 'valuesInline'], inline);
  for (const document of documents) add(document, [], document.value);
  for (const name of ['releaseName', 'namespace']) {
    const given = fields.get(name);
    if (given !== undefined) add(entry.document, [...entry.path, name], given);
  }
  const best = leaves
    .map((leaf) => ({ leaf, rank: rankOf(leaf, path, trialText(value)) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)[0];
  return best === undefined ? [] : [setBy('value given in', best.leaf.document, best.leaf.path, path.length)];
}

function rankOf({ path, value }: Leaf, asked: FieldPath, text: string): number {
  const own = trialText(value);
  const isNamed = path.at(-1) === asked.findLast((step) => typeof step === 'string');
  if (own === text) return isNamed ? 4 : 2;
  if (own.length < MINIMUM_PART || !text.includes(own)) return 0;
  return isNamed ? 3 : 1;
}
