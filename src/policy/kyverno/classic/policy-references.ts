// What Kyverno's policies read besides the objects they are asked about: ConfigMaps, params, Namespaces, and RBAC objects for roles.
import type { Resource } from '../../../kubernetes/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json.ts';
import { objectField, textField } from '../../../source/json-field.ts';
import type { ObjectReference, PolicyReferences } from '../../policy-language.ts';

/** Told from the texts, without compiling; never too little: names may hold variables, so they count as any. */
export function policyReferences(resources: readonly Resource[]): PolicyReferences {
  const kinds = new Map<string, Pick<ObjectReference, 'group' | 'kind'>>();
  let asksAuthorizer = false;
  const visit = (value: JsonValue): void => {
    if (isJsonArray(value)) value.forEach(visit);
    if (!isJsonObject(value)) return;
    if (isJsonObject(value.get('configMap'))) kinds.set('ConfigMap', { group: '', kind: 'ConfigMap' });
    addParamKind(value, kinds);
    asksAuthorizer ||= isJsonArray(value.get('roles')) || isJsonArray(value.get('clusterRoles'));
    for (const item of value.values()) visit(item);
  };
  for (const { value } of resources) visit(value);
  const any = { name: '', selector: new Map() };
  return { kinds: [...kinds.values()], objects: kinds.size === 0 ? [] : [any], asksAuthorizer };
}

function addParamKind(value: JsonObject, kinds: Map<string, Pick<ObjectReference, 'group' | 'kind'>>): void {
  const paramKind = objectField(value, 'paramKind');
  if (paramKind === undefined) return;
  const apiVersion = textField(paramKind, 'apiVersion');
  const slash = apiVersion.indexOf('/');
  const kind = textField(paramKind, 'kind');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  kinds.set(`${group}/${kind}`, { group, kind });
}
