// The values of a HelmRelease: from ConfigMaps and Secrets in their order, then its own (fluxcd/pkg/chartutil).
import { trim } from '../../go/trim.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json-field.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import type { HelmSetting } from '../render-request.ts';
import type { DeclarationFacts } from '../sources/controller.ts';
import { dataOf } from './object-data.ts';
import { namespaceOf, specOf } from './source-reference.ts';

export interface ReleaseValues {
  /** YAML or JSON, later ones win. */
  readonly values: readonly string[];
  readonly set: readonly HelmSetting[];
}

const DEFAULT_KEY = 'values.yaml';

/**
 * `unknown`: what is missing. A single value that only the cluster has becomes a placeholder at its path; a whole set of
 * values cannot be replaced by anything.
 */
export function releaseValues(
  release: Resource,
  known: DeclarationFacts,
): ReleaseValues | { readonly unknown: string } {
  const spec = specOf(release);
  const own = objectOrEmpty(spec.get('values'));
  const values: string[] = [];
  const set: HelmSetting[] = [];
  let before: JsonObject = new Map();
  for (const reference of objectItems(spec.get('valuesFrom'))) {
    const kind = textField(reference, 'kind');
    const name = textField(reference, 'name');
    const key = textField(reference, 'valuesKey') || DEFAULT_KEY;
    const told = known.clusterData(kind, namespaceOf(release), name);
    const written = dataOf(known, release, kind, name);
    const data = written ?? (told?.has(key) === true ? told : undefined);
    if (reference.get('optional') === true && (data === undefined || !data.has(key))) continue;
    if (data !== undefined && !data.has(key)) {
      return { unknown: `the values of ${kind} ${name} are not there: it has no key ${key}` };
    }
    const text = data?.get(key) ?? told?.get(key);
    const path = textField(reference, 'targetPath');
    if (path !== '') {
      if (isKept(path, own, before)) set.push(settingOf(path, text, name, reference.get('literal') === true));
    } else if (text === undefined) {
      return { unknown: `the values in ${kind} ${name} are not in the repository` };
    } else {
      const read = readYaml(text);
      if ('value' in read) before = merged(before, objectOrEmpty(read.value));
      values.push(text);
    }
  }
  if (own.size > 0) values.push(stringifyJson(own, { sortKeys: false, escapeHtml: false }));
  return { values, set };
}

/** Maps are merged, everything else is replaced, as Helm does with one values file after the other. */
export function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result = new Map<string, JsonValue>(base);
  for (const [key, value] of over) {
    const below = result.get(key);
    result.set(key, isJsonObject(value) && isJsonObject(below) ? merged(below, value) : value);
  }
  return result;
}

/**
 * False where `spec.values` is merged over the single value again: at the top, and below a map that an earlier reference
 * began. Elsewhere the value is written into the map of `spec.values` itself and stays.
 */
function isKept(path: string, own: JsonObject, before: JsonObject): boolean {
  const steps = path.split('.');
  if (steps.length > 1 && !isJsonObject(before.get(steps[0] as string))) return true;
  let value: JsonValue | undefined = own;
  for (const step of steps) value = isJsonObject(value) ? value.get(step) : undefined;
  return value === undefined;
}

/**
 * As an option of Helm's command line; quotes around a text make it one that stays a string. What is not known becomes a
 * placeholder with the name of the object that has it.
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
