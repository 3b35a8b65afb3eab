// Validates the operations of a JSON patch. Variables count as arbitrary text.
import type { JsonObject } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { readPatch } from '../mutate/json-patch.ts';
import { findVariables } from '../variables/find-variables.ts';

export function checkPatches(rule: JsonObject, index: number): string | undefined {
  const text = textField(objectOrEmpty(rule.get('mutate')), 'patchesJson6902');
  if (text === '') return undefined;
  const read = readPatch(withoutVariables(text));
  const begin = `path must begin with a forward slash: spec.rules[${index}]: `;
  if ('error' in read)
    return `${begin}${read.error.replace(/^failed to (decode patches|convert patchesJSON6902 to JSON): /, '')}`;
  const wrong = read.find(({ path }) => !path.startsWith('/'));
  return wrong === undefined ? undefined : `${begin}${wrong.path}`;
}

function withoutVariables(text: string): string {
  let replaced = text;
  for (const found of findVariables(text)) {
    const prefix = found.startsWith('{{') ? '' : found.charAt(0);
    replaced = replaced.replace(found, () => `${prefix}kyvernojsonpatchvariable`);
  }
  return replaced;
}
