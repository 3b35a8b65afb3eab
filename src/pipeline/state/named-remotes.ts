// The addresses of charts, bases and repositories that the files of a state name, used or not.
import { isKustomization } from '../../inventory/kustomize-references.ts';
import type { Remote } from '../../render/sources/remote/remote.ts';
import { basesIn } from '../../render/sources/remote/remote-bases.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { Documents } from '../../source/manifest/read-manifests.ts';
import { baseName } from '../../source/text/repository-path.ts';
import type { SourceFile } from '../../source/text/source-file.ts';

const SOURCE_GROUP = 'source.toolkit.fluxcd.io';
const ARGO_GROUP = 'argoproj.io';
const CHART_FILES: ReadonlySet<string> = new Set(['Chart.yaml', 'Chart.lock']);
const MAXIMUM_DEPTH = 40;

/** Only fields that name an address to fetch count, not every address in a text. */
export function namedRemotes(files: readonly SourceFile[], documents = new Documents()): readonly Remote[] {
  return files.flatMap((file) =>
    file.derived(documents).manifests.flatMap(({ value }) => (isJsonObject(value) ? remotesIn(file.path, value) : [])),
  );
}

function remotesIn(path: string, value: JsonObject): readonly Remote[] {
  const document: JsonValue = value;
  if (isKustomization(path, document)) {
    return [
      ...basesIn(document),
      ...objectItems(document.get('helmCharts')).map((chart) => chartsOf(textField(chart, 'repo'))),
    ];
  }
  if (CHART_FILES.has(baseName(path))) {
    return objectItems(value.get('dependencies')).map((entry) => chartsOf(textField(entry, 'repository')));
  }
  const [group = ''] = textField(value, 'apiVersion').split('/');
  if (group === SOURCE_GROUP) return addressed(textField(objectOrEmpty(value.get('spec')), 'url'));
  if (group === ARGO_GROUP) return repositoryUrls(value, 0).flatMap(addressed);
  return objectItems(value.get('items')).flatMap((item) => remotesIn(path, item));
}

/** An address of Flux or Argo CD may be that of a chart repository, or of a Git repository. Registries have no scheme in Argo CD. */
function addressed(url: string): readonly Remote[] {
  return [chartsOf(/^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `oci://${url}`)];
}

function chartsOf(repository: string): Remote {
  return { repository, name: '', version: '' };
}

function repositoryUrls(value: JsonValue, depth: number): readonly string[] {
  if (depth > MAXIMUM_DEPTH) return [];
  if (isJsonArray(value)) return value.flatMap((item) => repositoryUrls(item, depth + 1));
  if (!isJsonObject(value)) return [];
  return [...value].flatMap(([field, item]) =>
    field === 'repoURL' && typeof item === 'string' ? [item] : repositoryUrls(item, depth + 1),
  );
}
