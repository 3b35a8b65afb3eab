// The data of ConfigMaps and Secrets that Flux objects refer to, as far as the repository contains it.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { ciphertextPaths, isCiphertext } from '../../source/placeholder/sops.ts';
import { variableIn } from '../../source/placeholder/substitution.ts';
import { decodeBase64 } from '../../source/yaml/base64.ts';
import type { DeclarationFacts } from '../sources/controller.ts';
import { namespaceOf } from './source-reference.ts';

/** Texts by key. An undefined text exists only in the cluster. */
export type ObjectData = ReadonlyMap<string, string | undefined>;

/**
 * Data of an object that `declaration` refers to in its namespace. The object rendered for the same cluster takes precedence over files.
 * Undefined if the repository has no such object. If it has several, e.g. one per cluster, a text is known only if they agree.
 */
export function dataOf(
  known: DeclarationFacts,
  declaration: Resource,
  kind: string,
  name: string,
): ObjectData | undefined {
  if (kind !== 'ConfigMap' && kind !== 'Secret') return undefined;
  const candidates = candidatesOf(known, declaration, kind, name);
  if (candidates.length === 0) return undefined;
  const all = candidates.map((object) => (kind === 'Secret' ? secretData(object) : textsIn(object.value.get('data'))));
  const keys = new Set(all.flatMap((data) => [...data.keys()]));
  return new Map(
    [...keys].map((key) => {
      const texts = new Set(all.map((data) => data.get(key)));
      return [key, texts.size === 1 ? [...texts][0] : undefined];
    }),
  );
}

/** Why a text of `dataOf` is undefined. Completes "from Secret flux-system/settings, …". */
export function whyUnknown(known: DeclarationFacts, declaration: Resource, kind: string, name: string): string {
  const candidates = candidatesOf(known, declaration, kind, name);
  if (candidates.some(({ value }) => ciphertextPaths(value).length > 0)) return 'which is encrypted in Git';
  return candidates.length > 1 ? 'which has several values in Git' : 'whose value in Git contains a variable';
}

function candidatesOf(known: DeclarationFacts, declaration: Resource, kind: string, name: string): readonly Resource[] {
  const namespace = namespaceOf(declaration);
  const rendered = known.rendered(declaration, `/${kind}`, namespace, name);
  // An object without a namespace may get this one from a kustomization.
  const isMeant = (object: Resource): boolean => object.name === name && ['', namespace].includes(object.namespace);
  return rendered.length > 0 ? rendered : known.all(`/${kind}`).filter(isMeant);
}

/** Names of the objects in references, e.g. in `substituteFrom` and `valuesFrom`. */
export function dataNames(references: JsonValue | undefined): readonly string[] {
  return [...new Set(objectItems(references).map((reference) => textField(reference, 'name')))];
}

/** The API server writes `stringData` over `data` when it stores the object. */
function secretData({ value }: Resource): ObjectData {
  const data = new Map(textsIn(value.get('data')));
  for (const [key, text] of data) if (text !== undefined) data.set(key, decodeBase64(text));
  for (const [key, text] of textsIn(value.get('stringData'))) data.set(key, text);
  return data;
}

function textsIn(value: JsonValue | undefined): ObjectData {
  if (!isJsonObject(value)) return new Map();
  return new Map([...objectOrEmpty(value)].map(([key, text]) => [key, knownText(text)]));
}

function knownText(value: JsonValue): string | undefined {
  if (typeof value !== 'string' || isCiphertext(value)) return undefined;
  return variableIn(value) === undefined ? value : undefined;
}
