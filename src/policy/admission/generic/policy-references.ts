// Objects that admission policies and their bindings may read besides the request's objects: params, and RBAC objects for the authorizer.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { stringifyJson } from '../../../source/json/json.ts';
import { objectField, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { ObjectReference, PolicyReferences } from '../../language/policy-language.ts';

/**
 * Scans the text without compiling and never returns too little. Any binding may belong to any policy, so each name
 * combines with each kind.
 */
export function admissionReferences(resources: readonly Resource[]): PolicyReferences {
  const kinds = new Map<string, Pick<ObjectReference, 'group' | 'kind'>>();
  const objects: Pick<ObjectReference, 'name' | 'selector'>[] = [];
  let asksAuthorizer = false;
  for (const { value } of resources) {
    const spec = objectOrEmpty(value.get('spec'));
    const paramKind = objectField(spec, 'paramKind');
    if (paramKind !== undefined) {
      const apiVersion = textField(paramKind, 'apiVersion');
      const slash = apiVersion.indexOf('/');
      const group = slash < 0 ? '' : apiVersion.slice(0, slash);
      const kind = textField(paramKind, 'kind');
      kinds.set(`${group}/${kind}`, { group, kind });
    }
    const paramRef = objectField(spec, 'paramRef');
    if (paramRef !== undefined) {
      objects.push({ name: textField(paramRef, 'name'), selector: objectField(paramRef, 'selector') });
    }
    asksAuthorizer ||= stringifyJson(value, { sortKeys: false, escapeHtml: false }).includes('authorizer');
  }
  return { kinds: [...kinds.values()], objects, asksAuthorizer };
}
