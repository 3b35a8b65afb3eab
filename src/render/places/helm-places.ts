// Locates fields that Helm rendered: the value that changes the field, else the line of the template.
import { append } from '../../go/slices/append.ts';
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { LocatedPart } from '../../source/manifest/manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import type { RenderedObject } from '../engine/render-request.ts';
import type { ChartTemplates } from './chart-templates.ts';
import { type ChartFolder, type MergedValues, pathIn, type ValueLeaf } from './chart-values.ts';
import type { PlaceFinder } from './place-finder.ts';
import { releaseSetting } from './release-settings.ts';
import { findInTemplate, type TemplateField } from './template-field.ts';
import { trialText, type ValueTrials } from './value-trials.ts';
import { depthOf, objectIdentity, type Written, type WrittenFiles } from './written.ts';

/** Longer texts are located in the template only: too many values could match. */
const MAXIMUM_TEXT = 2000;
const MAXIMUM_SEARCHES = 1000;
/** Limit for `.Values` references of one line and of its includes. */
const MAXIMUM_REFERENCES = 50;

export interface HelmRoot {
  readonly templates: ChartTemplates;
  readonly values: MergedValues;
  readonly trials: () => ValueTrials;
  readonly files: WrittenFiles;
  readonly declared: () => SourceLocation;
  readonly declaration: Written | undefined;
  /** Remaining searches, shared by the finders of all objects. */
  readonly searches: { left: number };
}

export function newSearches(): HelmRoot['searches'] {
  return { left: MAXIMUM_SEARCHES };
}

/** `index`: the object's number in the rendering. `ordinal`: its number among those of its kind and template. */
export function helmPlaces(
  root: HelmRoot,
  rendered: RenderedObject,
  value: JsonValue,
  index: number,
  ordinal: number,
): PlaceFinder {
  return new HelmPlaces(root, rendered, value, index, ordinal);
}

interface Place {
  readonly message: string;
  place(part: LocatedPart): SourceLocation;
}

class HelmPlaces implements PlaceFinder {
  readonly #root: HelmRoot;
  readonly #value: JsonValue;
  readonly #index: number;
  readonly #ordinal: number;
  readonly #source: { readonly chart: ChartFolder; readonly path: string } | undefined;
  readonly #chains = new Map<string, readonly Place[]>();

  constructor(root: HelmRoot, rendered: RenderedObject, value: JsonValue, index: number, ordinal: number) {
    this.#root = root;
    this.#value = value;
    this.#index = index;
    this.#ordinal = ordinal;
    this.#source = rendered.template === undefined ? undefined : root.templates.fileOf(rendered.template);
  }

  place(path: FieldPath, part: LocatedPart): SourceLocation {
    const [first] = this.#chain(path);
    return first === undefined ? this.#root.declared() : first.place(part);
  }

  alsoFrom(path: FieldPath): ReturnType<PlaceFinder['alsoFrom']> {
    const [, ...others] = this.#chain(path);
    const places = others.map(({ message, place }) => ({ message, location: place('value') }));
    return [...places, { message: 'rendered by', location: this.#root.declared() }];
  }

  #chain(path: FieldPath): readonly Place[] {
    const key = JSON.stringify(path);
    let chain = this.#chains.get(key);
    if (chain === undefined) {
      chain = this.#find(path);
      this.#chains.set(key, chain);
    }
    return chain;
  }

  #find(path: FieldPath): readonly Place[] {
    const definition = this.#definition(path);
    if (definition !== undefined) return [definition];
    const field = this.#templateField(path);
    const values = this.#valuesOf(path, field);
    return field === undefined
      ? values
      : [...values, templatePlace(field, field.depth === path.length && !field.isBlock)];
  }

  /** Helm applies CRDs in `crds/` unchanged. */
  #definition(path: FieldPath): Place | undefined {
    if (this.#source === undefined || !/(?:^|\/)crds\//.test(this.#source.path)) return undefined;
    const { kind, name } = objectIdentity(this.#value);
    const [document] = this.#root.files.objects(this.#source.path).named(kind, name);
    if (document === undefined) return undefined;
    const isWhole = depthOf(document.value, path) === path.length;
    return { message: 'written in', place: (part) => document.place(path, isWhole ? part : 'key') };
  }

  #templateField(path: FieldPath): TemplateField | undefined {
    if (this.#source === undefined) return undefined;
    const { templates } = this.#root;
    const document = templates.document(this.#source.path, this.#value, this.#ordinal);
    if (document === undefined) return undefined;
    const found = findInTemplate(document, path, this.#value, templates.definitions());
    if (found !== undefined) return found;
    const kind = document.tokens.find((token) => token.kind === 'key' && token.name === 'kind') ?? document.tokens[0];
    if (kind === undefined) return undefined;
    const location = { file: document.file, range: kind.range };
    return { key: location, value: location, depth: 0, code: '', isBlock: false };
  }

  #valuesOf(path: FieldPath, field: TemplateField | undefined): readonly Place[] {
    const value = valueAt(this.#value, path);
    const { declaration } = this.#root;
    const setting =
      field === undefined || value === undefined || field.depth !== path.length
        ? undefined
        : releaseSetting(field.code, value, declaration);
    if (setting !== undefined) return [valuePlace(declaration, setting, this.#root)];
    const isWritten =
      field !== undefined && field.depth === path.length && !field.isBlock && !field.code.includes('{{');
    if (value === undefined || isJsonObject(value) || isJsonArray(value)) return this.#containerOf(path, field);
    if (isWritten || value === null || value === '' || this.#root.searches.left <= 0) return [];
    this.#root.searches.left -= 1;
    const text = trialText(value);
    if (text.length > MAXIMUM_TEXT) return [];
    const references = this.#references(field);
    const direct = directReference(field, path);
    const [only] = references;
    if (direct && only !== undefined) {
      const leaf = this.#root.values.at(only);
      const layer = this.#root.values.layerOf(only);
      if (leaf !== undefined && layer !== undefined && trialText(leaf) === text)
        return [valuePlace(layer.document, pathIn(layer, only) ?? [], this.#root)];
    }
    const candidates = candidatesFor(text, value, path, this.#root.values.leaves(), references);
    if (candidates.length === 0) return [];
    const found = this.#root.trials().deciding(this.#index, path, value, candidates);
    return found.map(({ layer, path: leaf }) => valuePlace(layer.document, pathIn(layer, leaf) ?? [], this.#root));
  }

  /** A map or list that a template block inserts: an equal value that the block refers to. */
  #containerOf(path: FieldPath, field: TemplateField | undefined): readonly Place[] {
    if (field === undefined || !/\b(?:toYaml|tpl)\b|\.Values\b/.test(field.code)) return [];
    const depth = depthOf(this.#value, path);
    if (depth < field.depth) return [];
    for (const reference of this.#references(field)) {
      const layer = this.#root.values.layerOf(reference);
      const given = this.#root.values.at(reference);
      const container = valueAt(this.#value, path.slice(0, field.depth));
      if (layer === undefined || given === undefined || container === undefined) continue;
      if (!isJsonObject(given) && !isJsonArray(given)) continue;
      if (!isSameJson(given, container) || isEmpty(given)) continue;
      const inside = [...reference, ...path.slice(field.depth, depth)];
      const own = this.#root.values.layerOf(inside) ?? layer;
      return [valuePlace(own.document, pathIn(own, inside) ?? [], this.#root, 'key')];
    }
    return [];
  }

  #references(field: TemplateField | undefined): readonly FieldPath[] {
    if (field === undefined) return [];
    const at = this.#source?.chart.at ?? [];
    const { templates } = this.#root;
    const texts = [field.code];
    for (const [, name] of field.code.matchAll(/\b(?:include|template)\s+"([^"]+)"/g)) {
      const definition = templates.definitions().get(name as string);
      if (definition !== undefined)
        append(
          texts,
          definition.tokens.map(({ rest }) => rest),
        );
    }
    const references = texts.flatMap((text) =>
      [...text.matchAll(/\.Values((?:\.[A-Za-z0-9_-]+)+)/g)].map(([, steps]) => {
        const names = (steps as string).slice(1).split('.');
        const own = [...at, ...names];
        return names[0] === 'global' && this.#root.values.at(own) === undefined ? names : own;
      }),
    );
    return references.slice(0, MAXIMUM_REFERENCES);
  }
}

function isEmpty(value: JsonValue): boolean {
  return (isJsonArray(value) && value.length === 0) || (isJsonObject(value) && value.size === 0);
}

function directReference(field: TemplateField | undefined, path: FieldPath): boolean {
  if (field === undefined || field.depth !== path.length || field.isBlock) return false;
  return /^["']?\{\{-?\s*\$?\.Values(?:\.[A-Za-z0-9_-]+)+\s*(?:\|\s*[a-z]+\s*)*-?\}\}["']?$/.test(field.code);
}

function templatePlace({ key, value }: TemplateField, isWhole: boolean): Place {
  return { message: 'rendered from', place: (part) => (part === 'key' || !isWhole ? key : value) };
}

function valuePlace(document: Written | undefined, path: FieldPath, root: HelmRoot, only?: 'key'): Place {
  return {
    message: 'value given in',
    place: (part) => (document === undefined ? root.declared() : document.place(path, only ?? part)),
  };
}

interface Ranked {
  readonly leaf: ValueLeaf;
  readonly rank: number;
}

/** Leaves that may contribute to the text. Those come first that the template refers to, then equal text, then equal keys. */
function candidatesFor(
  text: string,
  value: JsonValue,
  path: FieldPath,
  leaves: readonly ValueLeaf[],
  references: readonly FieldPath[],
): readonly ValueLeaf[] {
  const words = new Set(text.split(/[^\w.-]/));
  const ranked: Ranked[] = [];
  const last = [...path].reverse().find((step) => typeof step === 'string');
  for (const leaf of leaves) {
    const own = trialText(leaf.value);
    const isNamed = references.some((reference) => reference.every((step, depth) => step === leaf.path[depth]));
    const isInside = typeof leaf.value === 'string' ? text.includes(own) : words.has(own);
    const isTemplate = own.length <= MAXIMUM_TEXT && own.includes('{{') && (isNamed || partsIn(own, text));
    const isSwitch = typeof leaf.value === 'boolean' && typeof value !== 'boolean';
    if (!(isInside || isTemplate || (isNamed && own.length > 0)) || isSwitch) continue;
    const rank =
      (isNamed ? 1000 : 0) +
      (own === text ? 500 : 0) +
      (leaf.path.at(-1) === last ? 200 : 0) +
      Math.min(own.length, 100);
    ranked.push({ leaf, rank });
  }
  return ranked.sort((one, other) => other.rank - one.rank).map(({ leaf }) => leaf);
}

/** True if the text contains all literal parts of the template. */
function partsIn(template: string, text: string): boolean {
  const parts = template.split(/\{\{[^}]*\}\}/).filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => text.includes(part));
}
