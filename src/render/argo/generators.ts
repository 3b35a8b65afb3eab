// The generators of an ApplicationSet: turns them into parameter sets, as far as the repository determines them.
import { type LabelSelector, selectorMatches } from '../../kubernetes/selector/label-selector.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { UnknownPart } from '../sources/controller.ts';
import type { ArgoCluster } from './argo-options.ts';
import { clusterParameters } from './cluster-generator.ts';
import { madeOf } from './element-place.ts';
import { gitParameters, type TreeListing } from './git-generator.ts';
import { overridden } from './merge-values.ts';
import { flattened, printed } from './parameters.ts';
import type { ThisRepository } from './repository-url.ts';
import { type Parameters, renderTexts, renderValues, type Templating } from './template-text.ts';

export interface GeneratorFacts {
  readonly tree: FileTree;
  readonly listing: () => TreeListing;
  readonly repository: ThisRepository;
  /** Why the files of a revision of this repository are unknown. */
  readonly otherRevision: (revision: string) => UnknownPart | undefined;
  readonly clusters: readonly ArgoCluster[] | undefined;
  readonly templating: Templating;
  /** Collects the files that parameters come from. */
  readonly reads: Set<string>;
}

type Generated = readonly Parameters[] | UnknownPart;

/** A generator and its own `template`, which takes precedence over that of the ApplicationSet. */
export interface GeneratorKind {
  readonly kind: string;
  readonly template: JsonObject;
}

const KINDS = ['list', 'clusters', 'git', 'matrix', 'merge'] as const;
const UNKNOWN_KINDS: Readonly<Record<string, string>> = {
  scmProvider: 'queries a Git host for repositories',
  pullRequest: 'queries a Git host for pull requests',
  clusterDecisionResource: 'reads an object of the cluster',
  plugin: 'calls an external service',
  oci: 'reads a registry',
};

/** Nested matrices grow fast. The limit is far above any real number of Applications. */
export const MAXIMUM_PARAMETER_SETS = 10_000;
const MAXIMUM_DEPTH = 4;

export function generatorKinds(generator: JsonObject): readonly GeneratorKind[] {
  return [...KINDS, ...Object.keys(UNKNOWN_KINDS)]
    .filter((kind) => isJsonObject(generator.get(kind)))
    .map((kind) => ({ kind, template: objectOrEmpty(objectOrEmpty(generator.get(kind)).get('template')) }));
}

export function generateParameters(generator: JsonObject, kind: string, facts: GeneratorFacts, depth = 0): Generated {
  if (depth > MAXIMUM_DEPTH) return { unknown: 'its generators nest too deeply', help: 'reduce the nesting' };
  const sets = parametersOf(objectOrEmpty(generator.get(kind)), kind, facts, depth);
  if ('unknown' in sets) return sets;
  if (sets.length > MAXIMUM_PARAMETER_SETS) return tooMany();
  const selector = objectField(generator, 'selector');
  if (selector === undefined) return sets;
  const requirements = requirementsOf(selector);
  return sets.filter((set) => selectorMatches(requirements, flattened(set)));
}

function tooMany(): UnknownPart {
  return { unknown: `it creates more than ${MAXIMUM_PARAMETER_SETS} Applications`, help: 'split the ApplicationSet' };
}

function parametersOf(generator: JsonObject, kind: string, facts: GeneratorFacts, depth: number): Generated {
  if (kind === 'list') return listParameters(generator, facts.templating.isGo);
  if (kind === 'clusters') {
    return withValues(clusterParameters(generator, facts.templating.isGo, facts.clusters), generator, facts.templating);
  }
  if (kind === 'matrix') return matrixParameters(generator, facts, depth);
  if (kind === 'merge') return mergedParameters(generator, facts, depth);
  if (kind !== 'git') {
    const help = 'also check the rendered manifests: the repository does not contain its parameters';
    return { unknown: `its ${kind} generator ${UNKNOWN_KINDS[kind]}`, help };
  }
  const url = textField(generator, 'repoURL');
  if (!facts.repository.isNamedBy(url)) {
    return {
      unknown: `its git generator reads another repository, ${url}`,
      help: 'run preadmit in that repository, or also check the rendered manifests',
    };
  }
  const other = facts.otherRevision(textField(generator, 'revision'));
  if (other !== undefined) return other;
  return withValues(
    gitParameters(generator, facts.templating.isGo, facts.tree, facts.listing(), facts.reads),
    generator,
    facts.templating,
  );
}

/** Plain templates accept only strings. `elementsYaml` adds elements unchanged. */
function listParameters(list: JsonObject, isGo: boolean): Generated {
  const wrong = { unknown: 'error parsing value as string', help: 'quote the values of the list, or use goTemplate' };
  const sets: Parameters[] = [];
  for (const element of objectItems(list.get('elements'))) {
    const set = isGo ? element : flatElement(element);
    if (set === undefined) return wrong;
    sets.push(isGo ? set : madeOf(set, [element]));
  }
  const text = textField(list, 'elementsYaml');
  if (text === '') return sets;
  const { manifests, problems } = readManifests(new SourceFile('elements.yaml', text));
  const elements = manifests[0]?.value ?? [];
  if (problems[0] !== undefined || !isJsonArray(elements) || !elements.every(isJsonObject)) {
    const why = problems[0]?.message ?? 'not a list of objects';
    return { unknown: `error unmarshling decoded ElementsYaml: ${why}`, help: 'correct the elements' };
  }
  return [...sets, ...elements.map(objectOrEmpty)];
}

function flatElement(element: JsonObject): Parameters | undefined {
  const flat = new Map<string, JsonValue>();
  for (const [key, value] of element) {
    if (key === 'values' && isJsonObject(value)) for (const [name, item] of value) flat.set(`values.${name}`, item);
    else flat.set(key, value);
  }
  return [...flat.values()].every((value) => typeof value === 'string') ? flat : undefined;
}

/** The `values` of a generator are templates of its own parameters. */
function withValues(sets: Generated, generator: JsonObject, templating: Templating): Generated {
  const values = [...objectOrEmpty(generator.get('values'))].filter(([, text]) => typeof text === 'string');
  if ('unknown' in sets || values.length === 0) return sets;
  const texts = values.map(([, text]) => String(text)).filter((text) => text.includes('{{'));
  const rendered = renderTexts([...new Set(texts)], sets, templating);
  if ('unknown' in rendered) return rendered;
  return sets.map((set, index) => {
    const own = values.map(([name, text]): [string, string] => {
      return [name, rendered[index]?.get(String(text)) ?? String(text)];
    });
    if (templating.isGo) return new Map<string, JsonValue>([...set, ['values', new Map(own)]]);
    return new Map([...set, ...own.map(([name, text]): [string, JsonValue] => [`values.${name}`, text])]);
  });
}

/** Combines every set of the first generator with every set of the second. The second may use parameters of the first. */
function matrixParameters(matrix: JsonObject, facts: GeneratorFacts, depth: number): Generated {
  const [one, other, ...more] = objectItems(matrix.get('generators'));
  if (one === undefined || other === undefined || more.length > 0) {
    const count = one === undefined || other === undefined ? 'less' : 'more';
    return { unknown: `found ${count} than two generators, Matrix support only two`, help: 'nest matrices' };
  }
  const firsts = nestedParameters(one, facts, depth);
  if ('unknown' in firsts) return firsts;
  const isTemplated = stringifyJson(other, { sortKeys: false, escapeHtml: false }).includes('{{');
  let seconds: Generated = isTemplated ? [] : nestedParameters(other, facts, depth);
  const sets: Parameters[] = [];
  for (const first of firsts) {
    if (isTemplated) seconds = nestedParameters(interpolated(other, first, facts.templating), facts, depth);
    if ('unknown' in seconds) return seconds;
    for (const second of seconds) {
      const combined = facts.templating.isGo ? overridden(second, first) : combinedTexts(first, second);
      if ('unknown' in combined) return combined as UnknownPart;
      sets.push(madeOf(combined as Parameters, [first, second]));
    }
    if (sets.length > MAXIMUM_PARAMETER_SETS) return tooMany();
  }
  return sets;
}

function nestedParameters(generator: JsonObject | UnknownPart, facts: GeneratorFacts, depth: number): Generated {
  if ('unknown' in generator) return generator;
  const [first, ...more] = generatorKinds(generator);
  if (first === undefined) return { unknown: 'child generator generated no parameters', help: 'add a generator' };
  if (more.length > 0)
    return { unknown: 'found more than one generator in matrix.Generators', help: 'keep one of them' };
  return generateParameters(generator, first.kind, facts, depth + 1);
}

/** `values` that need parameters of their own generator stay unrendered here. */
function interpolated(generator: JsonObject, set: Parameters, templating: Templating): JsonObject | UnknownPart {
  const waiting = new Map<string, JsonValue>();
  const rest = new Map(generator);
  for (const kind of ['clusters', 'git']) {
    const own = objectField(generator, kind);
    const values = own && objectField(own, 'values');
    if (own === undefined || values === undefined) continue;
    waiting.set(kind, new Map([...values].map(([name, text]) => [name, renderedIfKnown(text, set, templating)])));
    rest.set(kind, new Map([...own].filter(([name]) => name !== 'values')));
  }
  const rendered = renderValues(rest, [set], templating);
  if ('unknown' in rendered) return rendered;
  const result = new Map(objectOrEmpty(rendered[0]));
  for (const [kind, values] of waiting) {
    result.set(kind, new Map([...objectOrEmpty(result.get(kind)), ['values', values]]));
  }
  return result;
}

function renderedIfKnown(text: JsonValue, set: Parameters, templating: Templating): JsonValue {
  if (typeof text !== 'string' || !text.includes('{{')) return text;
  const options = [...templating.options.filter((option) => !option.startsWith('missingkey=')), 'missingkey=error'];
  const rendered = renderTexts([text], [set], { ...templating, options });
  return 'unknown' in rendered ? text : (rendered[0]?.get(text) ?? text);
}

function combinedTexts(first: Parameters, second: Parameters): Parameters | UnknownPart {
  const combined = new Map<string, JsonValue>([...first].map(([key, value]) => [key, printed(value)]));
  for (const [key, value] of second) {
    const known = combined.get(key);
    if (known !== undefined && known !== printed(value)) {
      const words = `found duplicate key ${key} with different value, a: ${String(known)} ,b: ${printed(value)}`;
      return { unknown: words, help: 'rename a parameter, e.g. with `pathParamPrefix`' };
    }
    combined.set(key, printed(value));
  }
  return combined;
}

/** Sets of the first generator, updated by sets of later generators with equal keys; in the order of the first. */
function mergedParameters(merge: JsonObject, facts: GeneratorFacts, depth: number): Generated {
  const generators = objectItems(merge.get('generators'));
  const keys = [...new Set(textItems(merge.get('mergeKeys')))].sort();
  if (generators.length < 2) {
    return { unknown: 'found less than two generators, Merge requires two or more', help: 'add a generator' };
  }
  if (keys.length === 0) {
    return { unknown: 'no merge keys were specified, Merge requires at least one', help: 'add `mergeKeys`' };
  }
  let merged: Map<string, Parameters> | undefined;
  for (const generator of generators) {
    const sets = nestedParameters(generator, facts, depth);
    if ('unknown' in sets) return sets;
    const byKey = new Map<string, Parameters>();
    for (const set of sets) {
      const key = stringifyJson(new Map(keys.map((name) => [name, set.get(name) ?? null])), {
        sortKeys: true,
        escapeHtml: true,
      });
      if (byKey.has(key)) {
        const words =
          'the parameters from a generator were not unique by the given mergeKeys, Merge requires all param sets to be unique';
        return { unknown: `${words}. Duplicate key was ${key}`, help: 'add a key to `mergeKeys`' };
      }
      byKey.set(key, set);
    }
    if (merged === undefined) merged = byKey;
    else {
      for (const [key, set] of merged) {
        const more = byKey.get(key);
        if (more === undefined) continue;
        const both = facts.templating.isGo ? overridden(set, more) : new Map([...set, ...more]);
        merged.set(key, madeOf(both, [more, set]));
      }
    }
  }
  return [...(merged ?? new Map()).values()];
}

/** Skips validation of label values: selectors match cluster addresses too, which are not valid label values. */
function requirementsOf(selector: JsonObject): LabelSelector {
  const labels = [...objectOrEmpty(selector.get('matchLabels'))].map(([key, value]) => {
    return { key, operator: 'In' as const, values: [typeof value === 'string' ? value : ''] };
  });
  const expressions = objectItems(selector.get('matchExpressions')).map((expression) => ({
    key: textField(expression, 'key'),
    operator: textField(expression, 'operator') as 'In' | 'NotIn' | 'Exists' | 'DoesNotExist',
    values: textItems(expression.get('values')),
  }));
  const known = expressions.filter(({ operator }) => ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator));
  return { requirements: [...labels, ...known] };
}
