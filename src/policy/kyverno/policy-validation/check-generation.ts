// Validates the targets of a generate rule (`api/kyverno/v1/common_types.go`: `Generation.Validate`).
import { type FieldError, forbidden } from '../../../kubernetes/validation/field-error.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

/** The scope of a kind. Undefined if only the cluster knows. */
export type KindScope = (apiVersion: string, kind: string) => 'cluster' | 'namespaced' | undefined;

export function checkGeneration(
  generation: JsonObject,
  path: FieldPath,
  namespace: string | undefined,
  scopeOf: KindScope,
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
  if (!isJsonArray(foreach)) return checkPattern(generation, path, namespace, scopeOf);
  return objectItems(foreach).flatMap((each, index) =>
    checkPattern(each, [...path, 'foreach', index], namespace, scopeOf),
  );
}

function hasText(clone: JsonObject): boolean {
  return textField(clone, 'name') !== '' || textField(clone, 'namespace') !== '';
}

function checkPattern(
  pattern: JsonObject,
  path: FieldPath,
  namespace: string | undefined,
  scopeOf: KindScope,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const target = textField(pattern, 'namespace');
  const clone = isJsonObject(pattern.get('clone')) ? objectOrEmpty(pattern.get('clone')) : new Map();
  const scope = scopeOf(textField(pattern, 'apiVersion'), textField(pattern, 'kind'));
  const isClusterScoped = scope === 'cluster';
  const kinds = textItems(objectOrEmpty(pattern.get('cloneList')).get('kinds'));
  if (namespace !== undefined) {
    const problem = isClusterScoped
      ? `the target must be a namespaced resource: ${textField(pattern, 'apiVersion')}/${textField(pattern, 'kind')}`
      : scopeProblem(target, clone, namespace);
    if (problem !== undefined) {
      errors.push(forbidden([...path, 'namespace'], `target resource scope mismatched: ${problem} `));
    }
  }
  if (textField(pattern, 'kind') !== '') {
    if (scope === 'namespaced' && target === '') {
      errors.push(forbidden([...path, 'namespace'], 'target namespace must be set for a namespaced resource'));
    }
    if (isClusterScoped && target !== '') {
      errors.push(forbidden([...path, 'namespace'], 'target namespace must not be set for a cluster-wide resource'));
    }
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
  const scopes = new Set(kinds.map((kind) => listedScope(kind, scopeOf)));
  if (scopes.has(undefined)) return errors;
  if (scopes.size > 1) {
    errors.push(forbidden([...path, 'cloneList', 'kinds'], 'mixed scope of target resources is forbidden'));
  } else if (scopes.has('namespaced') && source === '') {
    errors.push(forbidden(at, 'namespace is required for namespaced target resources'));
  } else if (scopes.has('cluster') && namespace === undefined && source !== '') {
    errors.push(forbidden(at, 'namespace is forbidden for cluster-wide target resources'));
  }
  return errors;
}

/** Parses `v1/Secret`. */
function listedScope(text: string, scopeOf: KindScope): ReturnType<KindScope> {
  const slash = text.lastIndexOf('/');
  return scopeOf(text.slice(0, Math.max(slash, 0)), text.slice(slash + 1));
}

function scopeProblem(target: string, clone: JsonObject, namespace: string): string | undefined {
  const differs = (verb: string, received: string): string =>
    `a namespaced policy cannot ${verb} resources ${verb === 'clone' ? 'from' : 'in'} other namespaces, expected: ${namespace}, received: ${received}`;
  if (target !== namespace) return differs('generate', target);
  const source = textField(clone, 'namespace');
  return textField(clone, 'name') !== '' && source !== namespace ? differs('clone', source) : undefined;
}
