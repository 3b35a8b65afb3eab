// Validates rules for all kinds, or for none (`validateWildcard` in `validate.go`).
import { isJsonArray, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { hasContent } from '../autogen/autogen.ts';
import { readPatch } from '../mutate/json-patch.ts';

const METADATA_ONLY =
  'policy can only deal with the metadata field of the resource if the rule does not match any kind';

export function wildcardProblem(kinds: readonly string[], isBackground: boolean, rule: JsonObject): string | undefined {
  if (!kinds.includes('*')) return undefined;
  if (isBackground) {
    return 'wildcard policy not allowed in background mode. Set spec.background=false to disable background mode for this policy rule ';
  }
  if (kinds.length > 1) return 'wildcard policy can not deal with more than one kind';
  const validation = objectOrEmpty(rule.get('validate'));
  const isUnsupported =
    hasContent(rule.get('generate')) || isJsonArray(rule.get('verifyImages')) || isJsonArray(validation.get('foreach'));
  if (isUnsupported) return 'wildcard policy does not support rule type';
  if (hasContent(validation)) {
    const hasPattern = (validation.get('pattern') ?? validation.get('anyPattern') ?? null) !== null;
    if (hasPattern && !onlyAboutMetadata(rule)) return METADATA_ONLY;
    if (!denyIsAboutMetadata(validation)) return METADATA_ONLY;
  }
  return hasContent(rule.get('mutate')) && !onlyAboutMetadata(rule) ? METADATA_ONLY : undefined;
}

const REQUEST_VARIABLE = /\{\{\s*(request\.|serviceAccountName|serviceAccountNamespace)[^{}]*\}\}/;

function denyIsAboutMetadata(validation: JsonObject): boolean {
  const conditions = objectOrEmpty(validation.get('deny')).get('conditions');
  if (!isJsonArray(conditions)) return true;
  return objectItems(conditions).every((condition) => {
    const key = textField(condition, 'key');
    if (key.includes('request.object.metadata.')) return true;
    return REQUEST_VARIABLE.test(key) && !key.includes('request.object.spec');
  });
}

export function onlyAboutMetadata(rule: JsonObject): boolean {
  const isMetadata = (pattern: JsonObject): boolean => [...pattern.keys()].every((key) => key === 'metadata');
  const mutation = objectOrEmpty(rule.get('mutate'));
  if (!isMetadata(objectOrEmpty(mutation.get('patchStrategicMerge')))) return false;
  const operations = textField(mutation, 'patchesJson6902');
  if (operations.startsWith('[')) {
    const read = readPatch(operations);
    if (!('error' in read) && !read.every(({ path }) => path.startsWith('/metadata'))) return false;
  }
  const validation = objectOrEmpty(rule.get('validate'));
  if (!isMetadata(objectOrEmpty(validation.get('pattern')))) return false;
  const alternatives = validation.get('anyPattern') ?? null;
  return alternatives === null || (isJsonArray(alternatives) && objectItems(alternatives).every(isMetadata));
}
