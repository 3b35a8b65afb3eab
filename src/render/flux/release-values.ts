// The values of a HelmRelease: from ConfigMaps and Secrets in order, then its own (fluxcd/pkg/chartutil).
import { trim } from '../../go/strings/trim.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import type { HelmSetting } from '../engine/render-request.ts';
import type { Build, DeclarationFacts } from '../sources/controller.ts';
import { dataOf } from './object-data.ts';
import { namespaceOf, specOf } from './source-reference.ts';

export interface ReleaseValues {
  /** YAML or JSON; later ones override. */
  readonly values: readonly string[];
  readonly set: readonly HelmSetting[];
  /** Whole sets of values that only the cluster has, as "the values of …". They are left out. */
  readonly lacking: readonly string[];
  /** The settings without the single values that only the cluster has, if there are some. */
  readonly alternatives: NonNullable<Build['alternatives']>;
}

const DEFAULT_KEY = 'values.yaml';

/**
 * A single value that only the cluster has becomes a placeholder at its path. A whole set of values has no placeholder, so it is left out.
 * `unknown`: a mistake in the repository, which Flux reports too.
 */
export function releaseValues(
  release: Resource,
  known: DeclarationFacts,
): ReleaseValues | { readonly unknown: string } {
  const spec = specOf(release);
  const own = objectOrEmpty(spec.get('values'));
  const values: string[] = [];
  let set: SingleValue[] = [];
  const lacking: string[] = [];
  const unknownSettings = new Map<HelmSetting, string>();
  let before: JsonObject = new Map();
  for (const reference of objectItems(spec.get('valuesFrom'))) {
    const kind = textField(reference, 'kind');
    const name = textField(reference, 'name');
    const key = textField(reference, 'valuesKey') || DEFAULT_KEY;
    const told = known.clusterData(kind, namespaceOf(release), name);
    const written = dataOf(known, release, kind, name);
    const data = written ?? (told?.has(key) === true ? told : undefined);
    const isOptional = reference.get('optional') === true;
    const path = textField(reference, 'targetPath');
    const source = `${kind} ${namespaceOf(release)}/${name}, key ${key}`;
    // A file that lacks the key decides: the value is not there.
    if (isOptional && data !== undefined && !data.has(key)) continue;
    if (data !== undefined && !data.has(key)) {
      return { unknown: `${kind} ${name} has no key ${key}` };
    }
    const text = data?.get(key) ?? told?.get(key);
    if (path !== '') {
      const steps = stepsOf(path);
      const setting = settingOf(path, text, name, reference.get('literal') === true);
      if (text === undefined) unknownSettings.set(setting, source);
      set.push({ setting, steps, isShared: isShared(steps, own, before) });
      before = merged(before, own);
    } else if (text === undefined) {
      lacking.push(
        `the values of ${source}, which ${isOptional ? 'is optional and ' : ''}${data === undefined ? 'is' : 'has its value'} not in the repository`,
      );
    } else {
      const read = readYaml(text);
      const given = 'value' in read ? objectOrEmpty(read.value) : new Map<string, JsonValue>();
      before = merged(before, given);
      set = set.filter((single) => single.isShared || !covers(given, single.steps));
      values.push(text);
    }
  }
  if (own.size > 0) values.push(stringifyJson(own, { sortKeys: false, escapeHtml: false }));
  const shared = set.filter((single) => single.isShared);
  const isOver = (steps: readonly string[]): boolean =>
    covers(own, steps) || shared.some((single) => single.steps.every((step, index) => step === steps[index]));
  const kept = set.filter((single) => single.isShared || !isOver(single.steps));
  const settings = kept.map(({ setting }) => setting);
  const sources = new Set(settings.flatMap((setting) => unknownSettings.get(setting) ?? []));
  const without = settings.filter((setting) => !unknownSettings.has(setting));
  const alternatives = Array.from(sources, (source) => {
    return { set: without, depends: `the value of ${source}, which is not in the repository` };
  }).slice(0, 1);
  return { values, set: settings, lacking, alternatives };
}

/** A value at a `targetPath`. */
interface SingleValue {
  readonly setting: HelmSetting;
  readonly steps: readonly string[];
  /** The value is written into a map of `spec.values`, which Flux merges over everything at the end. */
  readonly isShared: boolean;
}

/** Merges maps and replaces everything else, as Helm merges values files. */
export function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result = new Map<string, JsonValue>(base);
  for (const [key, value] of over) {
    const below = result.get(key);
    result.set(key, isJsonObject(value) && isJsonObject(below) ? merged(below, value) : value);
  }
  return result;
}

function stepsOf(path: string): readonly string[] {
  return path.split(/(?<!\\)\./).map((step) => step.replace(/\\(.)/g, '$1'));
}

/**
 * Flux merges `spec.values` over the earlier values before it sets a single value. The merge does not copy lists, nor maps that exist only
 * in `spec.values`, so a value set in them changes `spec.values` itself.
 */
function isShared(steps: readonly string[], own: JsonObject, before: JsonObject): boolean {
  let mine: JsonValue | undefined = own;
  let theirs: JsonValue | undefined = before;
  for (const [depth, step] of steps.entries()) {
    const [, name = '', index] = /^(.*?)\[(\d+)\]/.exec(step) ?? [];
    const list = isJsonObject(mine) && index !== undefined ? mine.get(name) : undefined;
    if (isJsonArray(list) && Number(index) < list.length) return true;
    if (depth === steps.length - 1) return false;
    mine = isJsonObject(mine) ? mine.get(step) : undefined;
    theirs = isJsonObject(theirs) ? theirs.get(step) : undefined;
    if (!isJsonObject(mine)) return false;
    if (!isJsonObject(theirs)) return true;
  }
  return false;
}

/** True if merging `values` over others sets the path, or replaces a map above it. */
function covers(values: JsonObject, steps: readonly string[]): boolean {
  let value: JsonValue | undefined = values;
  for (const step of steps) {
    if (!isJsonObject(value)) return true;
    const name = step.replace(/(?:\[\d+\])+$/, '');
    value = value.get(name);
    if (value === undefined) return false;
    if (name !== step) return true;
  }
  return true;
}

/**
 * An option of Helm's command line. Quotes around a text keep it a string. An unknown value becomes a placeholder with the name of its
 * object.
 */
function settingOf(path: string, text: string | undefined, name: string, isLiteral: boolean): HelmSetting {
  if (text === undefined) return literal(path, `\${_${name.replace(/\W/g, '_')}}`);
  if (isLiteral) return literal(path, text);
  const quote = text[0] ?? '';
  const isQuoted = (quote === "'" || quote === '"') && text.endsWith(quote);
  if (!isQuoted) return { as: 'value', text: `${path}=${text}` };
  return { as: 'string', text: `${path}=${trim(text, `'"`)}` };
}

function literal(path: string, text: string): HelmSetting {
  return { as: 'string', text: `${path}=${text.replace(/[\\,[\]{}]/g, '\\$&')}` };
}
