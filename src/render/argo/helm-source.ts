// A chart in the repository as an Application source: passes values files, values and parameters to Helm as Argo CD does.
import { isJsonObject, type JsonObject, stringifyJson } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import type { HelmSetting } from '../engine/render-request.ts';
import type { UnknownPart } from '../sources/controller.ts';
import { expandVariables } from './build-environment.ts';
import { isGlob, pathMatcher } from './glob.ts';
import type { SourceBuild, SourceFacts } from './kustomize-source.ts';
import { entryAt, pathInTree, walk } from './tree-path.ts';

export interface HelmFacts extends SourceFacts {
  readonly name: string;
  readonly namespace: string;
  /** Sources with a `ref`, by `$name`. `isHere` is false if the source is another repository. */
  readonly references: ReadonlyMap<string, { readonly url: string; readonly isHere: boolean }>;
}

export function helmBuild(facts: HelmFacts): SourceBuild | UnknownPart {
  const options = objectOrEmpty(facts.source.get('helm'));
  const files = valuesFiles(facts, options);
  if ('unknown' in files) return files;
  const settings = settingsOf(facts, options);
  if ('unknown' in settings) return settings;
  const values = valuesOf(options);
  const versions = textItems(options.get('apiVersions'));
  return {
    request: {
      engine: 'helm',
      chart: facts.folder,
      releaseName: textField(options, 'releaseName') || facts.name,
      namespace: textField(options, 'namespace') || facts.namespace || 'default',
      valuesFiles: files.paths,
      ...(values !== undefined && { values: [values] }),
      set: settings.set,
      includeCrds: options.get('skipCrds') !== true,
      skipTests: options.get('skipTests') === true,
      skipSchema: options.get('skipSchemaValidation') === true,
      kubernetesVersion: textField(options, 'kubeVersion').replace(/^v/, '') || facts.kubernetesVersion,
      apiVersions: versions.length > 0 ? versions : facts.apiVersions,
    },
    reads: [...files.paths, ...files.folders, ...settings.files],
    ...(versions.length > 0 && { listsApis: true }),
  };
}

/** `valuesObject` replaces `values` completely. */
function valuesOf(options: JsonObject): string | undefined {
  const object = options.get('valuesObject');
  if (isJsonObject(object)) return stringifyJson(object, { sortKeys: false, escapeHtml: false });
  return textField(options, 'values') || undefined;
}

interface ValuesFiles {
  readonly paths: readonly string[];
  /** Folders that patterns search: a new file in them can change the values. */
  readonly folders: readonly string[];
}

function valuesFiles(facts: HelmFacts, options: JsonObject): ValuesFiles | UnknownPart {
  const resolved: { readonly written: string; readonly path: string }[] = [];
  for (const written of textItems(options.get('valueFiles'))) {
    const found = resolvedFile(facts, written);
    if ('unknown' in found) return found;
    resolved.push({ written, path: found.path });
  }
  const explicit = new Set(resolved.map(({ path }) => path).filter((path) => !isGlob(path)));
  const ignoresMissing = options.get('ignoreMissingValueFiles') === true;
  const paths = new Set<string>();
  for (const { written, path } of resolved) {
    if (!isGlob(path)) {
      if (!ignoresMissing || entryAt(facts.tree, path) !== undefined) paths.add(path);
      continue;
    }
    const matches = filesMatching(facts, path);
    if (matches.length === 0 && !ignoresMissing) {
      return { unknown: `values file glob "${written}" matched no files`, help: 'add a file, or correct the pattern' };
    }
    for (const match of matches) if (!explicit.has(match)) paths.add(match);
  }
  const folders = resolved.filter(({ path }) => isGlob(path)).map(({ path }) => literalFolder(path));
  return { paths: [...paths], folders };
}

function filesMatching({ tree }: HelmFacts, pattern: string): readonly string[] {
  const matcher = pathMatcher(pattern, 'doublestar');
  if (matcher === undefined) return [];
  const start = entryAt(tree, literalFolder(pattern));
  if (start?.kind !== 'folder') return [];
  return [...walk(tree, start.path)].filter((path) => matcher(path) && tree.kind(path) !== 'folder');
}

function literalFolder(pattern: string): string {
  return /^[^*?[{]*\//.exec(pattern)?.[0].replace(/\/$/, '') ?? '';
}

/** Paths are relative to the chart; `/` starts at the top, and `$name/` at the top of another source. */
function resolvedFile(facts: HelmFacts, written: string): { readonly path: string } | UnknownPart {
  const [head = '', ...rest] = written.split('/');
  const reference = facts.references.get(head);
  const expanded = expandVariables(reference === undefined ? written : `/${rest.join('/')}`, facts.environment);
  if (reference !== undefined && !reference.isHere) {
    return {
      unknown: `the values file ${written} is in another repository, ${reference.url}`,
      help: 'preadmit fetches nothing during a check: vendor the chart, or also check the rendered manifests',
    };
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(expanded)) {
    return {
      unknown: `the values file ${written} is a URL`,
      help: 'preadmit fetches nothing during a check: commit the file',
    };
  }
  const path = expanded.startsWith('/') ? pathInTree(expanded.slice(1)) : pathInTree(facts.folder, expanded);
  if (path === undefined || path === '') {
    return { unknown: `file '${expanded}' resolved to outside repository root`, help: 'correct the path' };
  }
  return { path };
}

/** In the order in which Helm applies its options: all values, all strings, all files. A later one of the same name wins. */
function settingsOf(
  facts: HelmFacts,
  options: JsonObject,
): { readonly set: readonly HelmSetting[]; readonly files: readonly string[] } | UnknownPart {
  const settings = {
    value: new Map<string, string>(),
    string: new Map<string, string>(),
    file: new Map<string, string>(),
  };
  for (const parameter of objectItems(options.get('parameters'))) {
    const text = expandVariables(textField(parameter, 'value'), facts.environment);
    settings[parameter.get('forceString') === true ? 'string' : 'value'].set(textField(parameter, 'name'), text);
  }
  for (const parameter of objectItems(options.get('fileParameters'))) {
    const found = resolvedFile(facts, textField(parameter, 'path'));
    if ('unknown' in found) return found;
    settings.file.set(textField(parameter, 'name'), found.path);
  }
  const set = (['value', 'string', 'file'] as const).flatMap((as) =>
    [...settings[as]].map(([name, text]) => ({ as, text: `${name}=${withEscapedCommas(text)}` })),
  );
  return { set, files: [...settings.file.values()] };
}

/** An unescaped comma starts the next parameter, except in a list. */
function withEscapedCommas(text: string): string {
  if (text.startsWith('{') && text.endsWith('}')) return text;
  return text.replace(/(?<!\\),/g, '\\,');
}
