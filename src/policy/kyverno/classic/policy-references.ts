// Objects that Kyverno's policies may read besides the request's objects: ConfigMaps, params, Namespaces, and RBAC objects for roles.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, textField } from '../../../source/json/json-field.ts';
import type { ObjectReference, PolicyReferences } from '../../language/policy-language.ts';

/** An object whose name is unknown. */
export const ANY_OBJECT: Pick<ObjectReference, 'name' | 'selector'> = { name: '', selector: new Map() };

const VARIABLE = /\{\{|\$\(/;

/** Scans the text without compiling and never returns too little: names with variables, and all params, count as any object. */
export function policyReferences(resources: readonly Resource[]): PolicyReferences {
  const params = new Map<string, Pick<ObjectReference, 'group' | 'kind'>>();
  const names = new Set<string>();
  let asksAuthorizer = false;
  const visit = (value: JsonValue): void => {
    if (isJsonArray(value)) value.forEach(visit);
    if (!isJsonObject(value)) return;
    const configMap = objectField(value, 'configMap');
    if (configMap !== undefined) {
      const name = textField(configMap, 'name');
      names.add(VARIABLE.test(name) ? '' : name);
    }
    addParamKind(value, params);
    asksAuthorizer ||= isJsonArray(value.get('roles')) || isJsonArray(value.get('clusterRoles'));
    for (const item of value.values()) visit(item);
  };
  for (const { value } of resources) visit(value);
  return {
    kinds: names.size === 0 ? [] : [{ group: '', kind: 'ConfigMap' }],
    objects: [...names].map((name) => (name === '' ? ANY_OBJECT : { name, selector: undefined })),
    asksAuthorizer,
    others: params.size === 0 ? [] : [{ kinds: [...params.values()], objects: [ANY_OBJECT] }],
  };
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
