// The Application of Argo CD: builds for its sources, the Namespace it creates, and the parts that cannot be known.
import { append } from '../../go/slices/append.ts';
import { isKustomizationName } from '../../inventory/kustomize-references.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { mergePatch } from '../../source/json/merge-patch.ts';
import type { Applier } from '../../source/manifest/manifest.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { joinPaths } from '../../source/text/repository-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type {
  Build,
  Controller,
  ControllerPlan,
  DeclarationFacts,
  DeclaredObject,
  FoundFolder,
  UnknownPart,
} from '../sources/controller.ts';
import { CheckedRevisions } from '../sources/declaration/checked-revisions.ts';
import { ARGO_APPLICATION } from '../sources/declaration/declared-kinds.ts';
import { namedFolders, openPath } from '../sources/declaration/possible-paths.ts';
import type { GitReference } from '../sources/remote/remote.ts';
import type { ArgoOptions } from './argo-options.ts';
import { buildEnvironment } from './build-environment.ts';
import { applicationDecidingFields } from './deciding-fields.ts';
import { destinationOf } from './destination.ts';
import { directoryFiles } from './directory-source.ts';
import { helmBuild } from './helm-source.ts';
import { kustomizeBuild } from './kustomize-source.ts';
import { namedRevisions, RepositoryFinder, type ThisRepository } from './repository-url.ts';
import { entryAt, pathInTree, readText } from './tree-path.ts';
import { unappliedHook } from './unapplied-hook.ts';

/** Caches data about one run: create one controller per run. */
export function argoApplication(options: ArgoOptions): Controller {
  const repositories = new RepositoryFinder(options);
  const revisions = options.revisions ?? new CheckedRevisions([], undefined, 'short');
  return {
    kinds: [ARGO_APPLICATION],
    plan: (declaration, known, tree) => {
      const repository = repositories.find(known, tree, declaration);
      return new ApplicationPlan(declaration, known, tree, repository, { ...options, revisions }).plan();
    },
    deciding: applicationDecidingFields,
  };
}

interface FetchedFolder extends FoundFolder {
  /** Folder of the chart or repository. */
  readonly top: string;
}

const FETCH_HELP =
  'fetch it with `--fetch git`; if it is this one, add its address to `rendering.argo.repositoryUrls` in `.preadmit.yaml`';
const HELP =
  'check that repository; if it is this one, add its address to `rendering.argo.repositoryUrls` in `.preadmit.yaml`';

class ApplicationPlan {
  readonly #declaration: Resource;
  readonly #spec: JsonObject;
  readonly #known: DeclarationFacts;
  readonly #tree: FileTree;
  readonly #repository: ThisRepository;
  readonly #revisions: CheckedRevisions;
  readonly #destination: string | undefined;
  readonly #namespace: string;

  constructor(
    declaration: Resource,
    known: DeclarationFacts,
    tree: FileTree,
    repository: ThisRepository,
    options: ArgoOptions & { readonly revisions: CheckedRevisions },
  ) {
    this.#revisions = options.revisions;
    this.#declaration = declaration;
    this.#spec = objectOrEmpty(declaration.value.get('spec'));
    this.#known = known;
    this.#tree = tree;
    this.#repository = repository;
    const destination = objectOrEmpty(this.#spec.get('destination'));
    this.#destination = destinationOf(destination, options);
    this.#namespace = textField(destination, 'namespace');
  }

  plan(): ControllerPlan {
    const builds: Build[] = [];
    const unknownParts: UnknownPart[] = [];
    for (const source of this.#sources()) {
      if (textField(source, 'ref') !== '' && textField(source, 'path') === '' && textField(source, 'chart') === '')
        continue;
      const found = this.#buildOf(source);
      if ('unknown' in found) unknownParts.push(found);
      else {
        builds.push(found.build);
        append(unknownParts, found.unknownParts);
      }
    }
    if (builds.length === 0 && unknownParts.length === 0) {
      return { unknown: 'it has no source', help: 'set `spec.source` or `spec.sources`' };
    }
    return { builds, declares: this.#createdNamespace(), unknownParts };
  }

  /** With a source hydrator, the dry source is the one to render. */
  #sources(): readonly JsonObject[] {
    const sources = objectItems(this.#spec.get('sources'));
    if (sources.length > 0) return sources;
    const dry = objectField(objectOrEmpty(this.#spec.get('sourceHydrator')), 'drySource');
    const source = dry ?? objectField(this.#spec, 'source');
    return source === undefined ? [] : [source];
  }

  #buildOf(
    written: JsonObject,
  ): { readonly build: Build; readonly unknownParts: readonly UnknownPart[] } | UnknownPart {
    const found = this.#folderOf(written);
    if (typeof found !== 'string' && 'unknown' in found) return found;
    const folder = typeof found === 'string' ? found : found.folder;
    const inRepository = typeof found === 'string' ? { mayBuild: [folder] } : {};
    const source = this.#withOverrides(written, folder);
    if ('unknown' in source) return { ...source, ...inRepository };
    const type = this.#typeOf(source, folder);
    const facts = {
      ...{ source, folder, tree: this.#tree, name: this.#declaration.name, namespace: this.#namespace },
      top: typeof found === 'string' ? '' : found.top,
      environment: this.#environmentOf(source),
      references: this.#references(),
      kubernetesVersion: this.#known.cluster(this.#declaration).kubernetesVersion,
      apiVersions: this.#known.apiVersions,
    };
    const rest = {
      ...this.#restOf(written, folder),
      ...(typeof found !== 'string' && { assumes: [found.assumes] }),
      isGuess: this.#repository.isGuess,
    };
    if (type === 'helm' || type === 'kustomize') {
      const build = type === 'helm' ? helmBuild(facts) : kustomizeBuild(facts);
      if ('unknown' in build) return { ...build, ...inRepository };
      const reads = [...rest.reads, ...(build.reads ?? [])];
      return { build: { ...build, ...rest, reads }, unknownParts: [] };
    }
    if (type !== 'directory') return { ...type, ...inRepository };
    const { request, unknownParts } = directoryFiles(source, folder, this.#tree);
    return { build: { request, ...rest }, unknownParts };
  }

  #folderOf(source: JsonObject): string | FetchedFolder | UnknownPart {
    const url = textField(source, 'repoURL');
    const chart = textField(source, 'chart');
    if (chart !== '') {
      // OCI registries are named without a protocol.
      const repository = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `oci://${url}`;
      const found = this.#known.chart({ repository, name: chart, version: textField(source, 'targetRevision') });
      return 'unknown' in found
        ? {
            ...found,
            mayBuild: [...namedFolders(source, this.#tree), ...this.#valuesFiles(source)],
            reads: this.#valuesFiles(source),
          }
        : { ...found, top: found.folder };
    }
    const path = textField(source, 'path');
    const mayBuild = path === '' ? [] : [openPath(path)];
    if (!this.#repository.isNamedBy(url)) {
      const fetched = this.#fetchedFolder(source, url);
      return 'unknown' in fetched && this.#repository.mayBe(url) ? { ...fetched, mayBuild } : fetched;
    }
    const other = this.#otherRevision(source);
    return other === undefined ? this.#folderBelow('', path) : { ...other, mayBuild };
  }

  /** For a source of this repository. */
  #otherRevision(source: JsonObject): UnknownPart | undefined {
    const named = (): readonly string[] => namedRevisions(this.#known, this.#repository);
    const revision = textField(source, 'targetRevision');
    const other = this.#revisions.otherThanChecked(revision, this.#declaration, named);
    return other && { ...other, at: { object: this.#declaration, path: this.#revisionField(source) } };
  }

  #revisionField(source: JsonObject): FieldPath {
    const index = objectItems(this.#spec.get('sources')).indexOf(source);
    if (index >= 0) return ['spec', 'sources', index, 'targetRevision'];
    const isDry = objectOrEmpty(this.#spec.get('sourceHydrator')).has('drySource');
    return isDry ? ['spec', 'sourceHydrator', 'drySource', 'targetRevision'] : ['spec', 'source', 'targetRevision'];
  }

  /** Values files of a chart from elsewhere, `$ref/path`, that are in this repository. */
  #valuesFiles(source: JsonObject): readonly string[] {
    const references = this.#references();
    return textItems(objectOrEmpty(source.get('helm')).get('valueFiles')).flatMap((written) => {
      const [ref = '', ...steps] = written.split('/');
      const path = references.get(ref)?.root() === '' ? pathInTree(steps.join('/')) : undefined;
      return path === undefined ? [] : [path];
    });
  }

  /** `top`: folder of the repository's files. */
  #folderBelow(top: string, path: string): string | UnknownPart {
    const inTree = pathInTree(path.replace(/^\/+/, ''));
    const entry = inTree === undefined ? undefined : entryAt(this.#tree, joinPaths(top, inTree));
    const isBelow = entry !== undefined && (top === '' || `${entry.path}/`.startsWith(`${top}/`));
    if (!isBelow || entry.kind !== 'folder' || path.startsWith('/')) {
      return { unknown: `${path}: app path does not exist`, help: 'add the folder, or correct the path' };
    }
    return entry.path;
  }

  #fetchedFolder(source: JsonObject, url: string): FetchedFolder | UnknownPart {
    const path = textField(source, 'path');
    const unknown = `its source ${path === '' ? '' : `${path} of `}${url} is in another repository`;
    const git = gitReference(source);
    if (git === undefined) return { unknown, help: HELP };
    const found = this.#known.repository(git);
    if ('unknown' in found) {
      return found.missing === undefined ? found : { unknown, help: FETCH_HELP, missing: found.missing };
    }
    const folder = this.#folderBelow(found.folder, path);
    return typeof folder === 'string' ? { ...found, folder, top: found.folder } : folder;
  }

  /** Merges `.argocd-source.yaml` and `.argocd-source-<application>.yaml` over the declared source. */
  #withOverrides(source: JsonObject, folder: string): JsonObject | UnknownPart {
    let merged = source;
    for (const path of this.#overrideFiles(folder)) {
      const text = readText(this.#tree, path);
      if (text === undefined) continue;
      const { manifests, problems } = readManifests(new SourceFile(path, text));
      const patch = manifests[0]?.value ?? null;
      if (problems[0] !== undefined || (patch !== null && !isJsonObject(patch))) {
        return { unknown: `${path}: ${problems[0]?.message ?? 'is not an object'}`, help: 'correct the file' };
      }
      if (isJsonObject(patch)) merged = objectOrEmpty(mergePatch(merged, patch));
    }
    const kept = ['chart', 'path', 'repoURL', 'targetRevision'].flatMap((field): [string, JsonValue][] => {
      const value = source.get(field);
      return value === undefined ? [] : [[field, value]];
    });
    return merged === source ? source : new Map([...merged, ...kept]);
  }

  #overrideFiles(folder: string): readonly string[] {
    const names = ['.argocd-source.yaml', `.argocd-source-${this.#declaration.name}.yaml`];
    return names.map((name) => (folder === '' ? name : `${folder}/${name}`));
  }

  #typeOf(source: JsonObject, folder: string): 'helm' | 'kustomize' | 'directory' | UnknownPart {
    const named = (['kustomize', 'helm', 'directory', 'plugin'] as const).filter((type) =>
      isJsonObject(source.get(type)),
    );
    if (named.length > 1) {
      const words = named.map((type) => `${type.charAt(0).toUpperCase()}${type.slice(1)}`).join(',');
      return { unknown: `multiple application sources defined: ${words}`, help: 'keep one of them' };
    }
    const [type] = named;
    if (type === 'plugin') {
      const name = textField(objectOrEmpty(source.get('plugin')), 'name');
      return {
        unknown: `the plugin ${name === '' ? 'that Argo CD selects' : name} generates its manifests`,
        help: 'plugins run programs, and preadmit never runs programs: check the rendered manifests',
      };
    }
    if (type !== undefined) return type;
    // Argo CD walks the folder in order, and the last match wins.
    const [last] = this.#tree
      .list(folder)
      .filter((name) => name.endsWith('Chart.yaml') || isKustomizationName(name))
      .sort()
      .reverse();
    if (last === undefined) return 'directory';
    return last.endsWith('Chart.yaml') ? 'helm' : 'kustomize';
  }

  #environmentOf(source: JsonObject) {
    return buildEnvironment({
      name: this.#declaration.name,
      namespace: this.#namespace,
      project: textField(this.#spec, 'project') || 'default',
      repoURL: textField(source, 'repoURL'),
      path: textField(source, 'path'),
      targetRevision: textField(source, 'targetRevision'),
    });
  }

  #references() {
    const named = objectItems(this.#spec.get('sources')).filter((source) => textField(source, 'ref') !== '');
    return new Map(
      named.map((source) => {
        const url = textField(source, 'repoURL');
        const isHere = this.#repository.isNamedBy(url) && textField(source, 'chart') === '';
        const git = textField(source, 'chart') === '' ? gitReference(source) : undefined;
        const root = (): string | UnknownPart | undefined => {
          if (isHere) return this.#otherRevision(source) ?? '';
          const found = git && this.#known.repository(git);
          return found === undefined || 'unknown' in found ? found : found.folder;
        };
        return [`$${textField(source, 'ref')}`, { url, root }];
      }),
    );
  }

  #restOf(source: JsonObject, folder: string) {
    const revision = textField(source, 'targetRevision');
    const isHead = revision === '' || revision === 'HEAD';
    const assumes = [
      ...(this.#repository.assumes === undefined ? [] : [this.#repository.assumes]),
      ...(isHead ? [] : [`the checked files are those of revision ${revision}`]),
    ];
    return {
      folder: folder === '' ? '.' : folder,
      applier: this.#applier(),
      ...(this.#namespace !== '' && { namespace: this.#namespace }),
      ...(this.#destination !== undefined && { destination: this.#destination }),
      assumes,
      reads: this.#overrideFiles(folder),
      neverApplied: unappliedHook,
    };
  }

  #applier(): Applier {
    const options = textItems(objectOrEmpty(this.#spec.get('syncPolicy')).get('syncOptions'));
    return { obeys: ['argo-cd'], ...(options.includes('ServerSideApply=true') && { isServerSide: true }) };
  }

  #createdNamespace(): readonly DeclaredObject[] {
    const policy = objectOrEmpty(this.#spec.get('syncPolicy'));
    if (this.#namespace === '' || !textItems(policy.get('syncOptions')).includes('CreateNamespace=true')) return [];
    const managed = objectField(policy, 'managedNamespaceMetadata');
    const metadata = new Map<string, JsonValue>([['name', this.#namespace]]);
    if (managed !== undefined) {
      const labels = objectOrEmpty(managed.get('labels'));
      if (labels.size > 0) metadata.set('labels', labels);
      const annotations = new Map(objectOrEmpty(managed.get('annotations')));
      metadata.set('annotations', annotations.set('argocd.argoproj.io/sync-options', 'ServerSideApply=true'));
    }
    return [
      {
        value: new Map<string, JsonValue>([
          ['apiVersion', 'v1'],
          ['kind', 'Namespace'],
          ['metadata', metadata],
        ]),
        written: namespaceField,
        onlyIfAbsent: managed === undefined,
        ...(this.#destination !== undefined && { destination: this.#destination }),
      },
    ];
  }
}

/** Only https. */
function gitReference(source: JsonObject): GitReference | undefined {
  const url = textField(source, 'repoURL');
  if (!/^https:\/\//i.test(url)) return undefined;
  return { git: url, revision: { as: 'argo', text: textField(source, 'targetRevision') } };
}

function namespaceField([first, second, ...rest]: FieldPath): FieldPath {
  if (first === 'metadata' && (second === 'labels' || second === 'annotations')) {
    return ['spec', 'syncPolicy', 'managedNamespaceMetadata', second, ...rest];
  }
  return first === 'metadata' ? ['spec', 'destination', 'namespace'] : ['spec', 'syncPolicy', 'syncOptions'];
}
