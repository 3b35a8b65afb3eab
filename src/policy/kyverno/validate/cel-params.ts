// Collects the params of a CEL rule (`pkg/admissionpolicy: CollectParams`).
import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import {
  type LabelSelector,
  labelsOf,
  readLabelSelector,
  selectorMatches,
} from '../../../kubernetes/selector/label-selector.ts';
import { isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import { textField } from '../../../source/json/json-field.ts';
import { Undecided } from '../rule/rule-response.ts';

/** The source of params. Throws `Undecided` if only the cluster knows. */
export interface ParamSource {
  isNamespaced(kind: GroupVersionKind): boolean | { readonly error: string };
  /** All objects of a kind. An empty namespace means all namespaces. */
  list(kind: GroupVersionKind, namespace: string): readonly JsonObject[];
  /** False if the cluster may have more objects than `list` returns. */
  readonly isComplete: boolean;
}

/** `namespace` is the object's. The error is Kyverno's text. */
export function collectCelParams(
  cel: JsonObject,
  namespace: string,
  source: ParamSource,
): readonly (JsonObject | null)[] | { readonly error: string } {
  const paramKind = cel.get('paramKind');
  if (!isJsonObject(paramKind)) return [null];
  const paramRef = cel.get('paramRef');
  const reference = isJsonObject(paramRef) ? paramRef : new Map();
  const groupVersion = parseApiVersion(textField(paramKind, 'apiVersion'));
  if (groupVersion === undefined) return { error: "can't parse the parameter resource group version" };
  const kind = { ...groupVersion, kind: textField(paramKind, 'kind') };
  const isNamespaced = source.isNamespaced(kind);
  if (typeof isNamespaced === 'object') {
    return { error: `failed to check if resource is namespaced or not (${isNamespaced.error})` };
  }
  const named = textField(reference, 'namespace');
  if (!isNamespaced && named !== '') {
    return { error: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
  }
  const from = isNamespaced ? named || namespace : '';
  if (isNamespaced && from === '') {
    return { error: "can't use namespaced paramRef to match cluster-scoped resources" };
  }
  return find(kind, from, reference, source);
}

function find(
  kind: GroupVersionKind,
  namespace: string,
  reference: JsonObject,
  source: ParamSource,
): readonly JsonObject[] | { readonly error: string } {
  const name = textField(reference, 'name');
  const place = namespace === '' ? '' : ` in namespace ${namespace}`;
  if (name !== '') {
    const found = source.list(kind, namespace).find((object) => nameOf(object) === name);
    if (found !== undefined) return [found];
    if (!source.isComplete) throw new Undecided(`the content of the ${kind.kind} ${name}${place}`);
    return { error: `${kind.kind} "${name}" not found` };
  }
  const selector = readSelector(reference);
  const params =
    selector === undefined
      ? []
      : source.list(kind, namespace).filter((object) => selectorMatches(selector, labelsOf(object)));
  if (selector !== undefined && params.length === 0 && !source.isComplete) {
    throw new Undecided(`which ${kind.kind} objects${place} its selector matches`);
  }
  if (params.length === 0 && textField(reference, 'parameterNotFoundAction') === 'Deny') {
    return { error: 'no params found' };
  }
  return params;
}

function readSelector(reference: JsonObject): LabelSelector | undefined {
  const selector = reference.get('selector');
  if (!isJsonObject(selector)) return undefined;
  const read = readLabelSelector(selector);
  return 'error' in read ? undefined : read;
}

function nameOf(object: JsonObject): string {
  const metadata = object.get('metadata');
  return isJsonObject(metadata) ? textField(metadata, 'name') : '';
}
