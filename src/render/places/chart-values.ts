// The values that a chart is rendered with and their locations: subcharts, the chart, values files, values of a declaration.
import { append } from '../../go/slices/append.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, textField, valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { joinPaths } from '../../source/text/repository-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { below, depthOf, embeddedIn, type Written, type WrittenFiles } from './written.ts';

const MAXIMUM_CHARTS = 100;
const MAXIMUM_LEAVES = 5000;

export interface ChartFolder {
  /** From the top of the repository. */
  readonly folder: string;
  /** Template name prefix, e.g. `shop/charts/db`. */
  readonly name: string;
  /** Path of its values in those of the outermost chart. */
  readonly at: FieldPath;
}

/** Values that are merged over the layers before them. */
export interface ValueLayer {
  readonly values: JsonObject;
  /** Path in the merged values that the layer is merged at. */
  readonly at: FieldPath;
  /** The document that contains the values; undefined if they are not in a file. */
  readonly document: Written | undefined;
}

export interface ValueLeaf {
  /** From the outermost chart's values. */
  readonly path: FieldPath;
  readonly value: string | bigint | number | boolean;
  readonly layer: ValueLayer;
}

export function nestedCharts(folder: string, tree: FileTree, files: WrittenFiles): readonly ChartFolder[] {
  const name = chartName(folder, files) || folder.slice(folder.lastIndexOf('/') + 1);
  const charts: ChartFolder[] = [{ folder, name, at: [] }];
  for (let index = 0; index < charts.length && charts.length < MAXIMUM_CHARTS; index++) {
    const chart = charts[index] as ChartFolder;
    const aliases = aliasesOf(chart.folder, files);
    const inside = joinPaths(chart.folder, 'charts');
    for (const entry of [...tree.list(inside)].sort()) {
      const path = joinPaths(inside, entry);
      const own = tree.kind(path) === 'folder' ? chartName(path, files) : '';
      if (own === '') continue;
      for (const alias of aliases.get(own) ?? [own]) {
        charts.push({ folder: path, name: `${chart.name}/charts/${alias}`, at: [...chart.at, alias] });
      }
    }
  }
  return charts.slice(0, MAXIMUM_CHARTS);
}

function chartName(folder: string, files: WrittenFiles): string {
  const [chart] = files.documents(joinPaths(folder, 'Chart.yaml'));
  return isJsonObject(chart?.value) ? textField(chart.value, 'name') : '';
}

/** Keys of a dependency's values, by the name of its chart. */
function aliasesOf(folder: string, files: WrittenFiles): ReadonlyMap<string, readonly string[]> {
  const aliases = new Map<string, string[]>();
  for (const file of ['Chart.yaml', 'requirements.yaml']) {
    const [chart] = files.documents(joinPaths(folder, file));
    if (!isJsonObject(chart?.value)) continue;
    for (const dependency of objectItems(chart.value.get('dependencies'))) {
      const name = textField(dependency, 'name');
      const known = aliases.get(name) ?? [];
      const alias = textField(dependency, 'alias') || name;
      if (!known.includes(alias)) aliases.set(name, [...known, alias]);
    }
  }
  return aliases;
}

/** The charts' own values, innermost chart first. */
export function chartLayers(charts: readonly ChartFolder[], files: WrittenFiles): readonly ValueLayer[] {
  return [...charts].reverse().flatMap(({ folder, at }) => fileLayer(joinPaths(folder, 'values.yaml'), files, at));
}

export function fileLayer(path: string, files: WrittenFiles, at: FieldPath = []): readonly ValueLayer[] {
  const [document] = files.documents(path);
  return document === undefined || !isJsonObject(document.value) ? [] : [{ values: document.value, at, document }];
}

type Tree = Map<string, Tree | Leaves>;

/** A value that is not a map; merging replaces it as a whole. */
interface Leaves {
  readonly value: JsonValue;
  readonly layer: ValueLayer;
}

/** The last layer wins. */
export class MergedValues {
  readonly layers: readonly ValueLayer[];
  readonly #root: Tree = new Map();
  #leaves: readonly ValueLeaf[] | undefined;

  constructor(layers: readonly ValueLayer[]) {
    this.layers = layers;
    for (const layer of layers) {
      let tree = this.#root;
      for (const step of layer.at) tree = branchOf(tree, String(step));
      mergeInto(tree, layer.values, layer);
    }
  }

  /** Every scalar, including items of lists. */
  leaves(): readonly ValueLeaf[] {
    if (this.#leaves !== undefined) return this.#leaves;
    const leaves: ValueLeaf[] = [];
    const visitValue = (value: JsonValue, path: FieldPath, layer: ValueLayer): void => {
      if (leaves.length >= MAXIMUM_LEAVES) return;
      if (isJsonArray(value)) for (const [index, item] of value.entries()) visitValue(item, [...path, index], layer);
      else if (isJsonObject(value)) for (const [key, item] of value) visitValue(item, [...path, key], layer);
      else if (value !== null && value !== '') leaves.push({ path, value, layer });
    };
    const visit = (tree: Tree, path: FieldPath): void => {
      for (const [key, item] of tree) {
        if (item instanceof Map) visit(item, [...path, key]);
        else visitValue(item.value, [...path, key], item.layer);
      }
    };
    visit(this.#root, []);
    this.#leaves = leaves;
    return leaves;
  }

  at(path: FieldPath): JsonValue | undefined {
    let node: Tree | Leaves | undefined = this.#root;
    for (const [depth, step] of path.entries()) {
      if (!(node instanceof Map)) return node === undefined ? undefined : valueAt(node.value, path.slice(depth));
      node = node.get(String(step));
    }
    return node instanceof Map ? valuesIn(node) : node?.value;
  }

  /** The last layer that has the path. */
  layerOf(path: FieldPath): ValueLayer | undefined {
    return [...this.layers].reverse().find((layer) => {
      const rest = pathIn(layer, path);
      return rest !== undefined && depthOf(layer.values, rest) === rest.length;
    });
  }
}

export function pathIn({ at }: ValueLayer, path: FieldPath): FieldPath | undefined {
  return at.every((step, index) => step === path[index]) ? path.slice(at.length) : undefined;
}

function branchOf(tree: Tree, key: string): Tree {
  const known = tree.get(key);
  if (known instanceof Map) return known;
  const branch: Tree = new Map();
  tree.set(key, branch);
  return branch;
}

function mergeInto(tree: Tree, values: JsonObject, layer: ValueLayer): void {
  for (const [key, value] of values) {
    if (isJsonObject(value)) mergeInto(branchOf(tree, key), value, layer);
    else if (value === null && layer.at.length === 0) tree.delete(key);
    else tree.set(key, { value, layer });
  }
}

function valuesIn(tree: Tree): JsonObject {
  return new Map([...tree].map(([key, item]) => [key, item instanceof Map ? valuesIn(item) : item.value]));
}

export function declaredValues(declaration: Written): readonly Written[] {
  const found: Written[] = [];
  const add = (path: FieldPath): void => {
    const value = valueAt(declaration.value, path);
    if (isJsonObject(value)) found.push(below(declaration, path));
    else if (typeof value === 'string') append(found, embeddedIn(declaration, path));
  };
  const ofSource = (path: FieldPath): void => {
    for (const field of ['values', 'valuesObject', 'valuesInline']) add([...path, field]);
  };
  ofSource(['spec']);
  ofSource(['spec', 'source', 'helm']);
  const sources = valueAt(declaration.value, ['spec', 'sources']);
  if (isJsonArray(sources)) for (const index of sources.keys()) ofSource(['spec', 'sources', index, 'helm']);
  return found;
}
