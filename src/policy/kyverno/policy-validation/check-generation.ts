// What a generate rule has to say about its targets (`api/kyverno/v1/common_types.go`: `Generation.Validate`).
import { type FieldError, forbidden } from '../../../kubernetes/field-error.ts';
import type { FieldPath } from '../../../source/field-path.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../source/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json-field.ts';

/** Undefined: only the cluster can tell. */
export type IsNamespaced = (apiVersion: string, kind: string) => boolean | undefined;

export function checkGeneration(
  generation: JsonObject,
  path: FieldPath,
  namespace: string | undefined,
  isNamespaced: IsNamespaced,
): readonly FieldError[] {
  const cloneList = objectOrEmpty(generation.get('cloneList'));
  const foreach = generation.get('foreach');
  const given = [
    (generation.get('data') ?? null) !== null,
    hasText(objectOrEmpty(generation.get('clone'))),
    isJsonArray(cloneList.get('kinds')),
    isJsonArray(foreach),
  ];
  if (given.filter(Boolean).length > 1) {
    return [forbidden(path, 'only one of generate patterns(data, clone, cloneList and foreach) can be specified')];
  }
  if (!isJsonArray(foreach)) return checkPattern(generation, path, namespace, isNamespaced);
  return objectItems(foreach).flatMap((each, index) =>
    checkPattern(each, [...path, 'foreach', index], namespace, isNamespaced),
  );
}

function hasText(clone: JsonObject): boolean {
  return textField(clone, 'name') !== '' || textField(clone, 'namespace') !== '';
}

function checkPattern(
  pattern: JsonObject,
  path: FieldPath,
  namespace: string | undefined,
  isNamespaced: IsNamespaced,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const target = textField(pattern, 'namespace');
  const clone = isJsonObject(pattern.get('clone')) ? objectOrEmpty(pattern.get('clone')) : new Map();
  const kinds = textItems(objectOrEmpty(pattern.get('cloneList')).get('kinds'));
  if (namespace !== undefined) {
    const problem = scopeProblem(target, clone, namespace);
    if (problem !== undefined) {
      errors.push(forbidden([...path, 'namespace'], `target resource scope mismatched: ${problem} `));
    }
  }
  const kind = textField(pattern, 'kind');
  if (kind !== '' && target === '' && isNamespaced(textField(pattern, 'apiVersion'), kind) === true) {
    errors.push(forbidden([...path, 'namespace'], 'target namespace must be set for a namespaced resource'));
  }
  if (kinds.length === 0) {
    for (const name of ['kind', 'name', 'apiVersion']) {
      if (textField(pattern, name) === '') errors.push(forbidden([...path, name], `${name} can not be empty`));
    }
    return errors;
  }
  const source = textField(objectOrEmpty(pattern.get('cloneList')), 'namespace');
  const at = [...path, 'cloneList', 'namespace'];
  if (namespace !== undefined && source !== namespace) {
    const detail = `a namespaced policy cannot clone resources from other namespace, expected: ${namespace}, received: ${source}`;
    for (let count = 0; count < kinds.length; count++) errors.push(forbidden(at, detail));
  }
  if (source === '') errors.push(forbidden(at, 'namespace is required for namespaced target resources'));
  return errors;
}

function scopeProblem(target: string, clone: JsonObject, namespace: string): string | undefined {
  const differs = (verb: string, received: string): string =>
    `a namespaced policy cannot ${verb} resources ${verb === 'clone' ? 'from' : 'in'} other namespaces, expected: ${namespace}, received: ${received}`;
  if (target !== namespace) return differs('generate', target);
  const source = textField(clone, 'namespace');
  return textField(clone, 'name') !== '' && source !== namespace ? differs('clone', source) : undefined;
}
