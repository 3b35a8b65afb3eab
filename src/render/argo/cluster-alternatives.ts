// Decides whether an ApplicationSet creates at most one Application for each cluster, so that the folders it may use exclude each other.
import type { JsonObject } from '../../source/json/json.ts';
import { isJsonObject } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { generatorKinds } from './generators.ts';
import { withDefaults } from './merge-values.ts';

/** `{{server}}` or `{{name}}`, with or without Go templates. */
const OWN_CLUSTER = /^\{\{-?\s*\.?(?:server|name)\s*-?\}\}$/;
const CLUSTER_FIELDS = ['server', 'name'] as const;

/**
 * True if its only generator gives one set of parameters for each cluster and its template has one source, for the cluster of the set.
 * `clusters` gives a set for each cluster Secret (`GenerateParams` in applicationset/generators/cluster.go). `merge` gives the sets of its
 * first generator, with other values (`GenerateParams` in applicationset/generators/merge.go).
 */
export function isOnePerCluster(spec: JsonObject): boolean {
  const generators = objectItems(spec.get('generators')).flatMap(generatorsIn);
  const [only, ...more] = generators;
  if (only === undefined || more.length > 0 || spec.has('templatePatch')) return false;
  const template = objectOrEmpty(withDefaults(only.template, objectOrEmpty(spec.get('template'))).get('spec'));
  const destination = objectOrEmpty(template.get('destination'));
  const clusters = CLUSTER_FIELDS.map((field) => textField(destination, field)).filter((text) => text !== '');
  const isForOne = clusters.length === 1 && OWN_CLUSTER.test((clusters[0] ?? '').trim());
  const hasOneSource = isJsonObject(template.get('source')) && objectItems(template.get('sources')).length === 0;
  return isForOne && hasOneSource && givesClusters(only.generator, only.kind);
}

function generatorsIn(generator: JsonObject) {
  return generatorKinds(generator).map(({ kind, template }) => ({
    kind,
    template,
    generator: objectOrEmpty(generator.get(kind)),
  }));
}

function givesClusters(generator: JsonObject, kind: string): boolean {
  if (kind === 'clusters') return generator.get('flatList') !== true;
  if (kind !== 'merge') return false;
  const [first, ...others] = objectItems(generator.get('generators')).map(generatorsIn);
  const [base, ...rest] = first ?? [];
  if (base === undefined || rest.length > 0 || !givesClusters(base.generator, base.kind)) return false;
  return others.flat().every((other) => other.kind === 'list' && keepsClusters(other.generator));
}

/** A later set of `merge` could name another cluster. */
function keepsClusters(list: JsonObject): boolean {
  const elements = objectItems(list.get('elements'));
  return !list.has('elementsYaml') && elements.every((element) => !CLUSTER_FIELDS.some((field) => element.has(field)));
}
