// Contributions of replacements to a field: the source that a replacement copies to it.

import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectField, objectOrEmpty, textField, textItems, valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { type AskedField, type FieldDecision, setBy } from './decision.ts';
import { isSelected } from './selected-object.ts';
import { listBelow, type Setting, type TransformerFile } from './transformer-settings.ts';
import type { Written } from './written.ts';

export function replacementDecisions(file: TransformerFile, asked: AskedField): readonly FieldDecision[] {
  return [...replacementsOf(file)].reverse().flatMap((replacement) => {
    const depth = targetDepth(replacement, asked);
    const source = objectField(objectOrEmpty(replacement.value), 'source');
    if (depth === undefined || source === undefined || asked.value === undefined) return [];
    const field = source.has('fieldPath') ? ['fieldPath'] : ['name'];
    return [setBy('replaced by', replacement.document, [...replacement.path, 'source', ...field], depth)];
  });
}

function replacementsOf(file: TransformerFile): readonly Setting[] {
  const own = file.field(['replacements']);
  const entries =
    own === undefined
      ? []
      : listBelow({ ...own, path: [], value: new Map([['replacements', own.value]]) }, 'replacements');
  return entries.flatMap((entry) => {
    const path = textField(objectOrEmpty(entry.value), 'path');
    return path === '' ? [entry] : file.documentsOf(path).flatMap((document) => replacementsIn(document, file.folder));
  });
}

/** A replacements file holds one replacement or a list. */
function replacementsIn(document: Written, folder: string): readonly Setting[] {
  const { value } = document;
  if (!isJsonArray(value)) return [{ document, path: [], value, folder }];
  return value.map((item, index) => ({ document, path: [index], value: item, folder }));
}

/** Number of steps of the requested path that the replacement fills; undefined if none. */
function targetDepth(replacement: Setting, asked: AskedField): number | undefined {
  for (const target of listBelow(replacement, 'targets')) {
    const fields = objectOrEmpty(target.value);
    const select = objectField(fields, 'select');
    if (select === undefined || !isSelected(select, asked)) continue;
    const rejected = listBelow(target, 'reject').some(({ value }) => isRejecting(value, asked));
    if (rejected) continue;
    const paths = textItems(fields.get('fieldPaths'));
    for (const path of paths.length === 0 ? ['metadata.name'] : paths) {
      const steps = fieldPathSteps(path);
      if (steps.length <= asked.path.length && leadsTo(steps, asked.object, asked.path)) return steps.length;
    }
  }
  return undefined;
}

function isRejecting(value: JsonValue, asked: AskedField): boolean {
  const reject = objectOrEmpty(value);
  return reject.size > 0 && isSelected(reject, asked);
}

/** Splits `spec.containers.[name=web].image`; dots in names are escaped or in brackets. */
function fieldPathSteps(path: string): readonly string[] {
  const steps: string[] = [];
  let step = '';
  let isInBrackets = false;
  for (let index = 0; index < path.length; index++) {
    const character = path[index] as string;
    if (character === '\\' && index + 1 < path.length) step += path[++index];
    else if (character === '.' && !isInBrackets) {
      if (step !== '') steps.push(step);
      step = '';
    } else {
      if (character === '[') isInBrackets = true;
      if (character === ']') isInBrackets = false;
      step += character;
    }
  }
  if (step !== '') steps.push(step);
  return steps;
}

function leadsTo(steps: readonly string[], object: JsonValue, path: FieldPath): boolean {
  return steps.every((step, depth) => {
    const asked = path[depth] as string | number;
    if (step === '*' || step === String(asked)) return true;
    const condition = /^\[([^=\]]+)=([^\]]*)\]$/.exec(step);
    if (condition === null) return step === `[${asked}]`;
    const item = valueAt(object, path.slice(0, depth + 1));
    return isJsonObject(item) && String(item.get(condition[1] as string) ?? '') === condition[2];
  });
}
