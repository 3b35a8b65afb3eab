// Finds the chart of a HelmRelease in the repository: by path, or as a vendored copy of the requested version.
import { trimRight } from '../../go/strings/trim.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { objectField, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { baseName, folderOf, joinPaths } from '../../source/text/repository-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import type { DeclarationFacts, FoundFolder, UnknownPart } from '../sources/controller.ts';
import { sourceNamed, sourcesNamed } from './applied-source.ts';
import { sourceRoot } from './fetched-source.ts';
import { within } from './generated-resources.ts';
import { nameOf, namespaceOf, type OwnSources, pathInSource, sourceReference, specOf } from './source-reference.ts';

export interface ReleaseChart {
  /** Folder or archive. */
  readonly path: string;
  /** Values files that replace the chart's own. `written`: as in `valuesFiles`. */
  readonly valuesFiles: readonly { readonly path: string; readonly written: string }[];
  /** True if the files are searched in the chart, and not in the source that contains it. */
  readonly isPackaged: boolean;
  readonly ignoresMissingFiles: boolean;
  readonly assumes?: readonly string[];
}

type UnknownChart = { readonly unknown: string } & Partial<UnknownPart>;

export function releaseChart(
  release: Resource,
  known: DeclarationFacts,
  tree: FileTree,
  own: OwnSources,
): ReleaseChart | UnknownChart {
  const spec = specOf(release);
  const reference = objectField(spec, 'chartRef');
  if (reference === undefined) {
    const template = objectOrEmpty(objectOrEmpty(spec.get('chart')).get('spec'));
    return chartOf(template, release, release, known, tree, own);
  }
  const named = sourceReference(reference, release);
  const source = sourceNamed(known, release, named);
  if (source === undefined) return { unknown: `its chart ${nameOf(named)} is not in this repository` };
  if (named.kind === 'HelmChart') return chartOf(specOf(source), source, release, known, tree, own);
  const url = trimRight(textField(specOf(source), 'url'), '/');
  const which = objectOrEmpty(specOf(source).get('ref'));
  const version = textField(which, 'tag');
  const digest = textField(which, 'digest');
  const fetched = {
    repository: folderOf(url),
    name: baseName(url),
    version: version || textField(which, 'semver'),
    ...(digest !== '' && { digest }),
  };
  return (
    vendored(baseName(url), version, folderOf(url), release, tree, NO_FILES) ?? found(known.chart(fetched), NO_FILES)
  );
}

/** The versions of the source that names the chart; for a HelmChart, also of the source that it names. */
export function chartSources(release: Resource, known: DeclarationFacts): readonly Resource[] {
  const template = objectOrEmpty(objectOrEmpty(specOf(release).get('chart')).get('spec'));
  const reference = objectField(specOf(release), 'chartRef') ?? objectOrEmpty(template.get('sourceRef'));
  return sourcesNamed(known, release, sourceReference(reference, release)).flatMap((source) => {
    if (source.gvk.kind !== 'HelmChart') return [source];
    const repository = sourceReference(objectOrEmpty(specOf(source).get('sourceRef')), source);
    return [source, ...sourcesNamed(known, release, repository)];
  });
}

function chartOf(
  template: JsonObject,
  declaration: Resource,
  release: Resource,
  known: DeclarationFacts,
  tree: FileTree,
  own: OwnSources,
): ReleaseChart | UnknownChart {
  const chart = textField(template, 'chart');
  const reference = sourceReference(objectOrEmpty(template.get('sourceRef')), declaration);
  const files: WrittenFiles = {
    valuesFiles: textItems(template.get('valuesFiles')),
    ignoresMissingFiles: template.get('ignoreMissingValuesFiles') === true,
  };
  if (reference.kind === 'HelmRepository') {
    const source = sourceNamed(known, release, reference);
    const version = textField(template, 'version');
    const url = source === undefined ? nameOf(reference) : textField(specOf(source), 'url');
    const copy = vendored(chart, version, url, release, tree, files);
    if (copy !== undefined) return copy;
    if (source !== undefined) return found(known.chart({ repository: url, name: chart, version }), files);
    return { unknown: `chart ${chart}${version === '' ? '' : ` ${version}`} of ${url} is not in the repository` };
  }
  const source = sourceRoot(reference, release, known, own);
  if (source === undefined || 'unknown' in source) {
    if (source !== undefined && source.missing === undefined) {
      return { ...source, mayBuild: own.mayHold(reference, chart) };
    }
    const url = own.urlOf(reference);
    const words = url === undefined ? nameOf(reference) : `${nameOf(reference)} (${url})`;
    const mayBuild = own.mayHold(reference, chart);
    const unknown = `chart ${chart} is in ${words}, which is not in this repository`;
    return source === undefined ? { unknown, mayBuild } : { ...source, unknown, mayBuild };
  }
  const { root, assumes } = source;
  const inRoot = (file: string): string => pathInSource(`${root}/${pathInSource(file)}`);
  const path = inRoot(chart);
  if (tree.kind(path) === undefined) return { unknown: `chart ${path} is not in the repository` };
  return {
    path,
    valuesFiles: files.valuesFiles.map((written) => ({ path: inRoot(written), written })),
    isPackaged: false,
    ignoresMissingFiles: files.ignoresMissingFiles,
    ...(assumes.length > 0 && { assumes }),
  };
}

interface WrittenFiles {
  readonly valuesFiles: readonly string[];
  readonly ignoresMissingFiles: boolean;
}

const NO_FILES: WrittenFiles = { valuesFiles: [], ignoresMissingFiles: false };

function found(chart: FoundFolder | UnknownPart, files: WrittenFiles): ReleaseChart | UnknownChart {
  if ('unknown' in chart) return chart;
  return { ...packaged(chart.folder, files), assumes: [chart.assumes] };
}

function packaged(path: string, { valuesFiles, ignoresMissingFiles }: WrittenFiles): ReleaseChart {
  const inChart = valuesFiles.map((written) => ({ path: joinPaths(path, written), written }));
  return { path, valuesFiles: inChart, isPackaged: true, ignoresMissingFiles };
}

/** `charts/NAME-VERSION.tgz`, or `charts/NAME` with that version, in the folder of the release or a parent folder. */
function vendored(
  chart: string,
  version: string,
  repository: string,
  { manifest }: Resource,
  tree: FileTree,
  files: WrittenFiles,
): ReleaseChart | UnknownChart | undefined {
  if (chart === '' || version === '' || chart.includes('/')) return undefined;
  for (let folder = folderOf(manifest.file.path); ; folder = folderOf(folder)) {
    const charts = folder === '.' ? 'charts' : `${folder}/charts`;
    const archive = `${charts}/${chart}-${version}.tgz`;
    const copy = `${charts}/${chart}`;
    const path = isChart(tree, copy, chart, version) ? copy : tree.kind(archive) === 'file' ? archive : undefined;
    if (path !== undefined) {
      if (files.valuesFiles.length > 0 && path === archive) {
        return { unknown: `chart ${chart} ${version} of ${repository} is an archive, but valuesFiles needs a folder` };
      }
      return packaged(path, files);
    }
    if (folder === '.' || folder === '/') return undefined;
  }
}

function isChart(tree: FileTree, folder: string, name: string, version: string): boolean {
  const bytes = tree.kind(folder) === 'folder' ? tree.read(within(folder, 'Chart.yaml')) : undefined;
  const read = bytes === undefined ? undefined : readYaml(new TextDecoder().decode(bytes));
  if (read === undefined || 'failure' in read || !isJsonObject(read.value)) return false;
  return textField(read.value, 'name') === name && textField(read.value, 'version') === version;
}

export function releaseNamespace(release: Resource): string {
  return textField(specOf(release), 'targetNamespace') || namespaceOf(release);
}
