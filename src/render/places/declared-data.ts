// Data that a declaration takes from other objects: Flux variables, and values in ConfigMaps and Secrets.

import { isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import type { PlaceFinder } from './place-finder.ts';
import { embeddedIn, objectIdentity, type Written } from './written.ts';

type Find = (kind: string, namespace: string, name: string) => Written | undefined;

interface Variable {
  readonly value: string;
  readonly document: Written;
  readonly path: FieldPath;
}

export type DeclaredVariables = ReadonlyMap<string, Variable>;

const DEFAULT_KEY = 'values.yaml';
const MAXIMUM_NAMES = 100;

/** `spec.postBuild` of a Flux Kustomization. Its own `substitute` overrides objects, and later objects override earlier ones. */
export function declaredVariables(declaration: Written, find: Find): DeclaredVariables {
  const variables = new Map<string, Variable>();
  const postBuild = objectOrEmpty(valueAt(declaration.value, ['spec', 'postBuild']));
  for (const reference of objectItems(postBuild.get('substituteFrom'))) {
    const object = referred(declaration, reference, find);
    if (object === undefined) continue;
    for (const { key, value, path } of dataOf(object)) variables.set(key, { value, document: object, path });
  }
  for (const [name, value] of objectOrEmpty(postBuild.get('substitute'))) {
    const path = ['spec', 'postBuild', 'substitute', name];
    if (typeof value === 'string') variables.set(name, { value, document: declaration, path });
  }
  return variables;
}

/** `spec.valuesFrom` of a HelmRelease: the values in the referenced objects, in order. */
export function referredValues(declaration: Written, find: Find): readonly Written[] {
  const references = objectItems(valueAt(declaration.value, ['spec', 'valuesFrom']));
  return references.flatMap((reference) => {
    if (textField(reference, 'targetPath') !== '') return [];
    const object = referred(declaration, reference, find);
    const wanted = textField(reference, 'valuesKey') || DEFAULT_KEY;
    const entry = object && dataOf(object).find(({ key, isText }) => key === wanted && isText);
    return object === undefined || entry === undefined ? [] : embeddedIn(object, entry.path);
  });
}

/** The text behind the last entry of `spec.valuesFrom` with this `targetPath`. */
export function referredText(
  declaration: Written,
  targetPath: string,
  find: Find,
): { readonly document: Written; readonly path: FieldPath } | undefined {
  const reference = objectItems(valueAt(declaration.value, ['spec', 'valuesFrom'])).findLast(
    (each) => textField(each, 'targetPath') === targetPath,
  );
  const document = reference && referred(declaration, reference, find);
  const wanted = (reference && textField(reference, 'valuesKey')) || DEFAULT_KEY;
  const datum = document && dataOf(document).findLast(({ key }) => key === wanted);
  return document && datum && { document, path: datum.path };
}

function referred(declaration: Written, reference: ReadonlyMap<string, JsonValue>, find: Find): Written | undefined {
  const { namespace } = objectIdentity(declaration.value);
  const kind = `/${textField(reference, 'kind')}`;
  const name = textField(reference, 'name');
  return find(kind, namespace, name) ?? find(kind, namespace === '' ? 'default' : '', name);
}

interface Datum {
  readonly key: string;
  readonly value: string;
  readonly path: FieldPath;
  /** False for base64, where offsets in the file differ from offsets in the value. */
  readonly isText: boolean;
}

function dataOf({ value }: Written): readonly Datum[] {
  const isSecret = objectIdentity(value).kind === 'Secret';
  return ['data', 'stringData'].flatMap((field) => {
    const isText = !isSecret || field === 'stringData';
    return [...objectOrEmpty(valueAt(value, [field]))].flatMap(([key, text]) =>
      typeof text === 'string' ? [{ key, value: isText ? text : decoded(text), path: [field, key], isText }] : [],
    );
  });
}

function decoded(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return text;
  }
}

export interface DeclaredSubstitution {
  /** The object as rendered, and as applied. */
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly variables: () => DeclaredVariables;
  readonly declaration: Written | undefined;
  readonly declared: () => SourceLocation;
}

/** A field whose text names a variable gets the variable's location. Fields added by the controller get the declaration's. */
export function substitutedPlaces(
  places: PlaceFinder,
  { before, after, variables, declaration, declared }: DeclaredSubstitution,
): PlaceFinder {
  const decidingVariable = (path: FieldPath): Variable | undefined => {
    const text = valueAt(before, path);
    const value = valueAt(after, path);
    if (typeof text !== 'string' || value === undefined || !text.includes('${') || text === value) return undefined;
    const names = [...text.matchAll(/\$\{([_A-Za-z]\w*)/g)].slice(0, MAXIMUM_NAMES).map(([, name]) => name as string);
    const named = names.flatMap((name) => variables().get(name) ?? []).reverse();
    const whole = named.find((variable) => variable.value.replaceAll('\n', '') === String(value));
    const inside = named.find((variable) => variable.value !== '' && String(value).includes(variable.value));
    return whole ?? inside ?? (names.length === 1 ? named[0] : undefined);
  };
  /** `spec.commonMetadata` of a Flux object, which its controller writes over the rendered object. */
  const commonMetadata = (path: FieldPath): FieldPath | undefined => {
    const [metadata, kind, key] = path;
    if (declaration === undefined || path.length !== 3 || metadata !== 'metadata') return undefined;
    const there = ['spec', 'commonMetadata', kind as string, key as string];
    const value = valueAt(after, path);
    const isSet = value !== undefined && value !== valueAt(before, path);
    return isSet && valueAt(declaration.value, there) === value ? there : undefined;
  };
  const isAdded = (path: FieldPath): boolean =>
    valueAt(after, path) !== undefined && valueAt(before, path) === undefined && !isJsonObject(valueAt(after, path));
  const plainPlace: PlaceFinder['place'] = (path, part) => places.place(path, part, valueAt(before, path));
  return {
    place: (path, part, value) => {
      const variable = decidingVariable(path);
      if (variable !== undefined) return variable.document.place(variable.path, part);
      const common = commonMetadata(path);
      if (common !== undefined) return declaration?.place(common, part) ?? declared();
      return isAdded(path) ? declared() : plainPlace(path, part, value);
    },
    placeText: (path, start, end) => {
      const variable = decidingVariable(path);
      if (variable !== undefined) return variable.document.place(variable.path, 'value');
      const common = commonMetadata(path);
      if (common !== undefined) return declaration?.placeText(common, start, end) ?? declared();
      if (isAdded(path)) return declared();
      const isSame = valueAt(before, path) === valueAt(after, path);
      return (isSame ? places.placeText?.(path, start, end) : undefined) ?? plainPlace(path, 'value', undefined);
    },
    alsoFrom: (path) => {
      if (decidingVariable(path) === undefined) return places.alsoFrom(path);
      const text = { message: 'substituted in', location: plainPlace(path, 'value', undefined) };
      return [text, ...places.alsoFrom(path)];
    },
  };
}
