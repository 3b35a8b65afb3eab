// Finds the parts of a kustomization that the repository does not contain, and edits the kustomizations so that the rest builds.
import { append } from '../../go/slices/append.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { folderOf, joinPaths } from '../../source/text/repository-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import type { UnknownPart } from '../sources/controller.ts';
import { kustomizationIn } from '../sources/kustomization/kustomization-file.ts';
import { type Hole, isRemote, remoteHole } from './hole.ts';
import { KnownNames } from './known-names.ts';
import { documentsIn, isKsops, isPlugin, ksopsFiles, ksopsObjects } from './plugin-objects.ts';

export interface SurveyInput {
  /** The repository, with the files that the controller writes. */
  readonly tree: FileTree;
  /** The folder that is built; '' is the top. */
  readonly root: string;
  /** False for controllers that never run plugins, so that a plugin is an error. */
  readonly runsPlugins: boolean;
  /** Charts of `helmCharts` that are missing, by expected folder. */
  readonly missingCharts: ReadonlyMap<string, UnknownPart>;
}

export interface Survey {
  readonly holes: readonly Hole[];
  /** Every kustomization with a hole in it or below it, in its edited form, by path. */
  readonly contents: ReadonlyMap<string, Map<string, JsonValue>>;
  readonly standIns: ReadonlyMap<string, string>;
  /** The stand-ins with other values. */
  readonly otherStandIns: ReadonlyMap<string, string>;
  /** Files of the repository that take part, although the engine does not read them. */
  readonly inputs: ReadonlySet<string>;
  /** The names that the known objects may have. */
  readonly names: KnownNames;
}

/** The survey, or the hole that leaves no object certain. Undefined if there is no hole. */
export function survey(input: SurveyInput): Survey | { readonly cause: Hole } | undefined {
  return new Surveyor(input).run();
}

/** The same hole may be reached in many ways, so holes are kept in sets. */
type Visit = { readonly cause: Hole } | { readonly holes: ReadonlySet<Hole> };

const NONE: Visit = { holes: new Set() };

/** Deeper kustomizations are not searched. */
const MAXIMUM_DEPTH = 200;

/** Fields with paths whose content may change every object, or the way in which objects are changed. */
const PATH_FIELDS = ['patchesStrategicMerge', 'crds', 'configurations'] as const;
const OBJECT_FIELDS = ['patches', 'patchesJson6902', 'replacements'] as const;

class Surveyor {
  readonly #input: SurveyInput;
  readonly #visits = new Map<string, Visit>();
  readonly #contents = new Map<string, Map<string, JsonValue>>();
  readonly #standIns = new Map<string, string>();
  readonly #otherStandIns = new Map<string, string>();
  readonly #inputs = new Set<string>();
  readonly #text = (path: string): string | undefined => {
    const bytes = this.#input.tree.read(path);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  };
  readonly #names = new KnownNames(this.#text);
  #depth = 0;

  constructor(input: SurveyInput) {
    this.#input = input;
  }

  run(): Survey | { readonly cause: Hole } | undefined {
    const visit = this.#visit(this.#input.root === '' ? '.' : this.#input.root);
    if ('cause' in visit) return visit;
    if (visit.holes.size === 0) return undefined;
    return {
      holes: [...visit.holes],
      contents: this.#contents,
      standIns: this.#standIns,
      otherStandIns: this.#otherStandIns,
      inputs: this.#inputs,
      names: this.#names,
    };
  }

  #visit(folder: string): Visit {
    const known = this.#visits.get(folder);
    if (known !== undefined) return known;
    // For cycles, which the engine reports.
    this.#visits.set(folder, NONE);
    this.#depth += 1;
    const visit = this.#depth > MAXIMUM_DEPTH ? NONE : this.#visited(folder);
    this.#depth -= 1;
    this.#visits.set(folder, visit);
    return visit;
  }

  #visited(folder: string): Visit {
    const path = kustomizationIn(this.#input.tree, folder);
    const content = path === undefined ? undefined : this.#objectIn(path);
    if (path === undefined || content === undefined) return NONE;
    this.#names.add(content, folder);
    const cause = this.#causeIn(content, folder, path);
    if (cause !== undefined) return { cause };
    const edited = new Map(content);
    const holes = new Set<Hole>();
    const add = (found: Iterable<Hole>): void => {
      for (const hole of found) holes.add(hole);
    };
    for (const component of new Set(textItems(content.get('components')))) {
      const visit = this.#visit(joinPaths(folder, component).replace(/\/$/, ''));
      if ('cause' in visit) return visit;
      add(visit.holes);
    }
    for (const field of ['resources', 'bases']) add(this.#editResources(edited, field, folder, path));
    add(this.#editGenerators(edited, folder, path));
    add(this.#editValidators(edited, folder, path));
    for (const field of ['configMapGenerator', 'secretGenerator']) {
      add(this.#editValues(edited, field, folder, path));
    }
    add(this.#editCharts(edited, folder, path));
    if (holes.size === 0) return NONE;
    this.#contents.set(path, edited);
    this.#addComponents(content, folder);
    return { holes };
  }

  /** Components change the objects of the kustomization that uses them, so their patches may be about a hole there. */
  #addComponents(content: JsonObject, folder: string): void {
    for (const component of textItems(content.get('components'))) {
      const target = joinPaths(folder, component).replace(/\/$/, '');
      const path = kustomizationIn(this.#input.tree, target);
      const own = path === undefined || this.#contents.has(path) ? undefined : this.#objectIn(path);
      if (path === undefined || own === undefined) continue;
      this.#contents.set(path, new Map(own));
      this.#addComponents(own, target);
    }
  }

  /** Something that may change every object of the kustomization, so that no object is certain. */
  #causeIn(content: JsonObject, folder: string, path: string): Hole | undefined {
    for (const [index, component] of textItems(content.get('components')).entries()) {
      if (isRemote(component)) return remoteHole(component, path, ['components', index]);
    }
    for (const [index, entry] of textItems(content.get('transformers')).entries()) {
      if (isRemote(entry)) return remoteHole(entry, path, ['transformers', index]);
      const plugin = this.#input.runsPlugins ? this.#configsIn(entry, folder)?.find(isPlugin) : undefined;
      if (plugin !== undefined) return pluginHole(plugin, entry, path, ['transformers', index]);
    }
    for (const field of PATH_FIELDS) {
      const index = textItems(content.get(field)).findIndex(isRemote);
      if (index >= 0) return remoteHole(textItems(content.get(field))[index] as string, path, [field, index]);
    }
    for (const field of OBJECT_FIELDS) {
      for (const [index, entry] of objectItems(content.get(field)).entries()) {
        const file = textField(entry, 'path');
        if (isRemote(file)) return remoteHole(file, path, [field, index, 'path']);
      }
    }
    const schema = textField(objectOrEmpty(content.get('openapi')), 'path');
    return isRemote(schema) ? remoteHole(schema, path, ['openapi', 'path']) : undefined;
  }

  #editResources(edited: Map<string, JsonValue>, field: string, folder: string, path: string): ReadonlySet<Hole> {
    const holes = new Set<Hole>();
    const entries = edited.get(field);
    if (!isJsonArray(entries)) return holes;
    const added = new Set<Visit>();
    const kept = entries.filter((entry, index) => {
      if (typeof entry !== 'string') return true;
      if (isRemote(entry)) {
        holes.add(remoteHole(entry, path, [field, index]));
        return false;
      }
      const target = joinPaths(folder, entry).replace(/\/$/, '');
      if (this.#input.tree.kind(target === '.' ? '' : target) !== 'folder') return true;
      const visit = this.#visit(target);
      if (!added.has(visit)) for (const hole of 'cause' in visit ? [visit.cause] : visit.holes) holes.add(hole);
      added.add(visit);
      return !('cause' in visit);
    });
    if (kept.length < entries.length) edited.set(field, kept);
    return holes;
  }

  #editGenerators(edited: Map<string, JsonValue>, folder: string, path: string): readonly Hole[] {
    const entries = edited.get('generators');
    if (!isJsonArray(entries)) return [];
    const holes: Hole[] = [];
    const kept: JsonValue[] = [];
    const objects: string[] = [];
    for (const [index, entry] of entries.entries()) {
      const place = ['generators', index];
      if (typeof entry === 'string' && isRemote(entry)) {
        holes.push(remoteHole(entry, path, place));
        continue;
      }
      const configs = typeof entry === 'string' ? this.#configsIn(entry, folder) : undefined;
      const plugins = this.#input.runsPlugins ? (configs?.filter(isPlugin) ?? []) : [];
      const charts = configs?.flatMap((config) => this.#generatorCharts(config, folder, path, index)) ?? [];
      if (typeof entry !== 'string' || configs === undefined || plugins.length + charts.length === 0) {
        kept.push(entry);
        continue;
      }
      const isGone = (config: JsonObject): boolean =>
        plugins.includes(config) || charts.some((chart) => chart.config === config);
      append(kept, configs.filter((config) => !isGone(config)).map(jsonText));
      append(
        holes,
        charts.map(({ hole }) => hole),
      );
      if (!entry.includes('\n')) this.#inputs.add(joinPaths(folder, entry));
      for (const [number, plugin] of plugins.entries()) {
        const hole = pluginHole(plugin, entry, path, place);
        const made = joinPaths(folder, `.preadmit-${index}-${number}.yaml`);
        const found = isKsops(plugin) ? ksopsObjects(plugin, folder, this.#text, made) : undefined;
        for (const file of isKsops(plugin) ? ksopsFiles(plugin, folder) : []) this.#inputs.add(file);
        for (const standIn of found ?? []) {
          this.#standIns.set(standIn.path, standIn.text);
          this.#otherStandIns.set(standIn.path, standIn.other);
          objects.push(relativePath(folder, standIn.path));
        }
        const assumes = `${hole.what} only decrypts files: its objects are those in the files, with unknown values`;
        holes.push(found === undefined ? hole : { ...hole, lacks: 'values', mayRename: false, assumes });
      }
    }
    if (holes.length === 0) return [];
    edited.set('generators', kept);
    const resources = edited.get('resources');
    const before = isJsonArray(resources) ? resources : [];
    edited.set('resources', [...before, ...objects.filter((file) => !before.includes(file))]);
    return holes;
  }

  /** A validator can only reject the result (`runValidators` in kusttarget.go). */
  #editValidators(edited: Map<string, JsonValue>, folder: string, path: string): readonly Hole[] {
    const entries = edited.get('validators');
    if (!isJsonArray(entries) || !this.#input.runsPlugins) return [];
    const holes = textItems(entries).flatMap((entry, index): readonly Hole[] => {
      const place = ['validators', index];
      const hole = isRemote(entry) ? remoteHole(entry, path, place) : undefined;
      const plugin = hole === undefined ? this.#configsIn(entry, folder)?.find(isPlugin) : undefined;
      const found = plugin === undefined ? hole : pluginHole(plugin, entry, path, place);
      return found === undefined ? [] : [{ ...found, lacks: 'values', assumes: `${found.what} accepts all objects` }];
    });
    const left = new Set(holes.map(({ entry }) => entry[1]));
    if (holes.length > 0) {
      edited.set(
        'validators',
        entries.filter((_, index) => !left.has(index)),
      );
    }
    return holes;
  }

  /** Content at a URL: a stand-in takes its place, so that the names and keys stay those of kustomize. */
  #editValues(edited: Map<string, JsonValue>, field: string, folder: string, path: string): readonly Hole[] {
    const generators = edited.get(field);
    if (!isJsonArray(generators)) return [];
    const holes: Hole[] = [];
    const changed = generators.map((generator, index) => {
      if (!isJsonObject(generator)) return generator;
      const result = new Map(generator);
      for (const list of ['files', 'envs']) {
        const entries = generator.get(list);
        if (!isJsonArray(entries)) continue;
        result.set(
          list,
          entries.map((entry, number) => {
            const [key, url] = typeof entry === 'string' ? keyAndSource(entry) : ['', ''];
            if (!isRemote(url)) return entry;
            const hole = remoteHole(url, path, [field, index, list, number], 'values');
            holes.push({ ...hole, assumes: `the content of ${url} is unknown, named in ${path}` });
            const name = `.preadmit-${field}-${index}-${list}-${number}`;
            this.#addContent(joinPaths(folder, name), url, list === 'envs');
            return list === 'envs' ? name : `${key}=${name}`;
          }),
        );
      }
      return result;
    });
    if (holes.length > 0) edited.set(field, changed);
    return holes;
  }

  #addContent(path: string, url: string, isEnvironment: boolean): void {
    // The keys of an environment file are unknown too, so the two stand-ins have different ones.
    this.#standIns.set(path, isEnvironment ? 'UNKNOWN=1\n' : `content of ${url}\n`);
    this.#otherStandIns.set(path, isEnvironment ? 'UNKNOWN_TOO=2\n' : `other content of ${url}\n`);
  }

  #editCharts(edited: Map<string, JsonValue>, folder: string, path: string): readonly Hole[] {
    const charts = edited.get('helmCharts');
    if (!isJsonArray(charts)) return [];
    const home = textField(objectOrEmpty(edited.get('helmGlobals')), 'chartHome') || 'charts';
    const holes: Hole[] = [];
    const kept = charts.filter((chart, index) => {
      const entry = ['helmCharts', index];
      const hole = isJsonObject(chart) ? this.#chartHole(chart, joinPaths(folder, home), path, entry) : undefined;
      if (hole !== undefined) holes.push(hole);
      return hole === undefined;
    });
    if (holes.length > 0) edited.set('helmCharts', kept);
    return holes;
  }

  /** The same as a generator of its own. */
  #generatorCharts(config: JsonObject, folder: string, path: string, index: number) {
    if (isPlugin(config) || textField(config, 'kind') !== 'HelmChartInflationGenerator') return [];
    const home = joinPaths(folder, textField(config, 'chartHome') || 'charts');
    const hole = this.#chartHole(config, home, path, ['generators', index]);
    return hole === undefined ? [] : [{ config, hole }];
  }

  /** Follows `Generate` in HelmChartInflationGenerator.go: a chart with a repository is pulled if its folder does not exist. */
  #chartHole(chart: JsonObject, home: string, path: string, entry: Hole['entry']): Hole | undefined {
    const [name = '', version = '', repository = ''] = ['name', 'version', 'repo'].map((field) =>
      textField(chart, field),
    );
    const folder = joinPaths(home, version === '' || repository === '' ? '' : `${name}-${version}`, name);
    const what = `chart ${[name, version].filter((text) => text !== '').join(' ')} of ${repository}`;
    if (name !== '' && repository !== '' && this.#input.tree.kind(folder) === undefined) {
      const missing = this.#input.missingCharts.get(folder);
      const because = missing?.unknown ?? `${what} is not in the repository`;
      const toFetch = missing?.missing && { missing: missing.missing };
      return { lacks: 'objects', reason: 'helm-chart', mayRename: false, what, because, path, entry, ...toFetch };
    }
    const files = [textField(chart, 'valuesFile'), ...textItems(chart.get('additionalValuesFiles'))];
    const remote = files.find(isRemote);
    return remote === undefined ? undefined : { ...remoteHole(remote, path, entry), mayRename: false };
  }

  /** Configurations of plugins in an inline text, a file, or a folder with a kustomization; undefined if they cannot be read. */
  #configsIn(entry: string, folder: string): readonly JsonObject[] | undefined {
    if (entry.includes('\n') || entry.startsWith('{')) return objectsOf(documentsIn(entry));
    const path = joinPaths(folder, entry).replace(/\/$/, '');
    const kustomization =
      this.#input.tree.kind(path) === 'folder' ? kustomizationIn(this.#input.tree, path) : undefined;
    if (kustomization === undefined) {
      const text = this.#text(path);
      return text === undefined ? undefined : objectsOf(documentsIn(text));
    }
    const files = textItems(this.#objectIn(kustomization)?.get('resources'));
    const configs = files.map((file) => (isRemote(file) ? undefined : this.#configsIn(file, path)));
    return configs.some((each) => each === undefined) ? undefined : configs.flatMap((each) => each ?? []);
  }

  #objectIn(path: string): JsonObject | undefined {
    const text = this.#text(path);
    const read = text === undefined ? undefined : readYaml(text);
    return read !== undefined && 'value' in read && isJsonObject(read.value) ? read.value : undefined;
  }
}

function pluginHole(config: JsonObject, entry: string, path: string, place: readonly (string | number)[]): Hole {
  const kind = `${textField(config, 'apiVersion')} ${textField(config, 'kind')}`.trim();
  const file = entry.includes('\n') || entry.startsWith('{') ? path : joinPaths(folderOf(path), entry);
  return {
    ...{ lacks: 'objects', reason: 'plugin', what: `the plugin ${kind} of ${file}` },
    ...{ because: 'preadmit never runs programs', path, entry: place, mayRename: true },
  };
}

function objectsOf(documents: readonly JsonValue[] | undefined): readonly JsonObject[] | undefined {
  const objects = documents?.flatMap((document) => (isJsonObject(document) ? [document] : []));
  return objects?.length === documents?.length ? objects : undefined;
}

/** Follows `ParseFileSource` (api/kv/kv.go): without a key, the last part of the path is the key. */
function keyAndSource(entry: string): readonly [key: string, source: string] {
  const equals = entry.indexOf('=');
  if (equals < 0) return [entry.slice(entry.lastIndexOf('/') + 1), entry];
  return [entry.slice(0, equals), entry.slice(equals + 1)];
}

function relativePath(folder: string, path: string): string {
  const from = folder === '.' ? [] : folder.split('/');
  const to = path.split('/');
  const shared = from.findIndex((name, index) => to[index] !== name);
  const common = shared < 0 ? from.length : shared;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}

function jsonText(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: false, escapeHtml: false });
}
