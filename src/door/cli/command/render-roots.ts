// `preadmit render` without a folder: lists every root with its controller and cluster, or compares the roots of two commits.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { UNOBSERVED } from '../../../engine/stages.ts';
import { versionProblem } from '../../../kubernetes/api/version.ts';
import { withoutTexts } from '../../../kubernetes/secret/resource-secrets.ts';
import { maskedObject, withoutSecrets } from '../../../kubernetes/secret/secret-object.ts';
import { appliedNamespace, type RenderedChange, renderedChanges } from '../../../pipeline/compare/rendered-change.ts';
import { withoutSecretValues } from '../../../pipeline/state/document-stream.ts';
import { type RepositoryContent, readRepository } from '../../../pipeline/state/read-repository.ts';
import { listedTree } from '../../../render/engine/listed-tree.ts';
import { isUnknown, objectHoles, type RenderedRoot } from '../../../render/sources/root/rendered-root.ts';
import { RootBuilder } from '../../../render/sources/root/root-builder.ts';
import { type Configuration, contextGlobs, defaultConfiguration } from '../../../settings/configuration.ts';
import { loadConfiguration } from '../../../settings/load-configuration.ts';
import { stringifyJson } from '../../../source/json/json.ts';
import type { SourceLocation } from '../../../source/text/source-file.ts';
import { readConfigurationFile } from '../../../workspace/discover/configuration-file.ts';
import { discover } from '../../../workspace/discover/discover.ts';
import type { ObjectId } from '../../../workspace/git/git-output.ts';
import { BlobContents, commitTree } from '../../../workspace/render/commit-tree.ts';
import { folderTree } from '../../../workspace/render/folder-tree.ts';
import { lazyEngine } from '../../../workspace/render/load-engine.ts';
import { WorkspaceError } from '../../../workspace/workspace-error.ts';
import { type Start, startOf } from '../../run/check-repository.ts';
import { EXIT } from '../../run/exit-code.ts';
import type { Terminal } from '../terminal.ts';

export type RootsFormat = 'text' | 'yaml' | 'json';

/** Exits with 1 if a root cannot be rendered completely. */
export async function renderRoots(format: RootsFormat, showsSecrets: boolean, terminal: Terminal): Promise<number> {
  const start = await startOf({ directory: terminal.directory, paths: [], overrides: {} });
  const { roots } = await contentOf(start, await configurationOf(start));
  if (format === 'json')
    terminal.out(`${JSON.stringify({ roots: roots.map((root) => rootJson(root, showsSecrets)) }, null, 2)}\n`);
  else {
    for (const root of roots) terminal.out(format === 'yaml' ? rootYaml(root, showsSecrets) : rootLines(root));
    if (format === 'text' && roots.length > 0) terminal.out(countsLine(roots));
  }
  return roots.some(isUnknown) ? EXIT.notRendered : EXIT.allowed;
}

/** Prints how the roots' objects differ between `base` and `head`. Exits with 1 if a root cannot be rendered completely at head. */
export async function renderDifference(base: string, head: string, terminal: Terminal): Promise<number> {
  const start = await startOf({ directory: terminal.directory, paths: [], overrides: {} });
  const { repository, root } = start;
  if (repository === undefined) throw new WorkspaceError('bad-revision', `\`${root}\` is not in a Git checkout`);
  const commitOf = async (revision: string): Promise<ObjectId> => {
    const commit = await repository.resolveCommit(revision);
    if (commit !== undefined) return commit;
    throw new WorkspaceError('bad-revision', `commit \`${revision}\` does not exist in this repository`);
  };
  const [before, after] = await Promise.all([commitOf(base), commitOf(head)]);
  const configuration = await configurationOf(start, before);
  const builder = new RootBuilder();
  const first = await contentOf(start, configuration, { commit: before, builder });
  const second = await contentOf(start, configuration, { commit: after, builder });
  for (const change of renderedChanges(first, second)) terminal.out(changeLines(change));
  for (const each of second.roots) {
    if (isUnknown(each)) terminal.err(`preadmit: ${sanitizeLine(headOf(each))}\n`);
  }
  return second.roots.some(isUnknown) ? EXIT.notRendered : EXIT.allowed;
}

async function configurationOf({ root, repository }: Start, id?: ObjectId): Promise<Configuration> {
  const commit = id === undefined || repository === undefined ? undefined : { repository, id };
  const file = await readConfigurationFile({ root, ...(commit && { commit }) });
  const loaded = file && loadConfiguration(file, { versionProblem });
  if (loaded !== undefined && loaded.configuration === undefined) {
    throw new WorkspaceError('unreadable', `the configuration \`${file?.path}\` has errors`, {
      hint: 'run `preadmit check` to see them',
    });
  }
  return loaded?.configuration ?? defaultConfiguration();
}

async function contentOf(
  { directory, repository }: Start,
  configuration: Configuration,
  state?: { readonly commit: ObjectId; readonly builder: RootBuilder },
): Promise<RepositoryContent> {
  const { include, exclude } = configuration;
  const discovery = await discover({
    ...{ directory, paths: [], include, exclude, context: contextGlobs(configuration) },
    ...(repository && { repository }),
    ...(state && { commit: state.commit }),
  });
  const tree =
    state === undefined || repository === undefined
      ? listedTree(folderTree(discovery.root), discovery.paths)
      : commitTree(await repository.listTree(state.commit), discovery.files, new BlobContents(repository));
  const builder = state?.builder ?? new RootBuilder();
  const repositoryUrl = await repository?.originUrl();
  const rendering = { tree, engine: lazyEngine(), builder, ...(repositoryUrl !== undefined && { repositoryUrl }) };
  return readRepository({ ...discovery, configuration, rendering }, UNOBSERVED);
}

function placeText({ file, range }: SourceLocation): string {
  return `${file.path}:${file.positionAt(range.start).line}`;
}

/** `Application argocd/web → https://… (apps/web.yaml:3), by Application argocd/all`. */
function headOf(root: RenderedRoot): string {
  const { name, destination, location, declaredBy, failure } = root;
  const to = destination === undefined ? '' : ` → ${destination}`;
  const by = declaredBy.length === 0 ? '' : `, by ${declaredBy.at(-1)}`;
  const parts = objectHoles(root).map(({ what }) => what);
  const lacks = parts.length === 0 ? '' : `: incomplete, without ${parts.join(', ')}`;
  return `${name}${to} (${placeText(location)})${by}${failure === undefined ? lacks : `: not rendered: ${failure.message}`}`;
}

function rootLines(root: RenderedRoot): string {
  const count = root.manifests.length;
  const objects = root.failure === undefined ? `: ${count} object${count === 1 ? '' : 's'}` : '';
  return `${sanitizeLine(headOf(root))}${objects}\n`;
}

function countsLine(roots: readonly RenderedRoot[]): string {
  const failed = roots.filter(({ failure }) => failure !== undefined).length;
  const incomplete = roots.filter((root) => root.failure === undefined && isUnknown(root)).length;
  const rendered = roots.length - failed - incomplete;
  return `${roots.length} root${roots.length === 1 ? '' : 's'}: ${rendered} rendered, ${incomplete} incomplete, ${failed} not rendered\n`;
}

function rootYaml(root: RenderedRoot, showsSecrets: boolean): string {
  const head = `# ${sanitizeLine(headOf(root))}\n`;
  const documents = root.manifests.map((manifest) => {
    const text = showsSecrets
      ? manifest.text
      : withoutSecrets(withoutSecretValues(manifest.text), manifest.secrets ?? new Set());
    const origin = sanitizeLine(placeText(manifest.place(['kind'], 'key')));
    const because = manifest.neverApplied?.because;
    const excluded = because === undefined ? '' : `# Never applied: ${sanitizeLine(because)}\n`;
    return `---\n# Root: ${sanitizeLine(root.name)}\n# Origin: ${origin}\n${excluded}${text.trimEnd()}\n`;
  });
  return `${head}${documents.join('')}`;
}

function rootJson(
  { name, destination, declaredBy, location, manifests, failure, holes = [] }: RenderedRoot,
  showsSecrets: boolean,
) {
  return {
    ...{ name, place: placeText(location), declaredBy },
    ...(destination !== undefined && { destination }),
    ...(failure && { notRendered: { reason: failure.reason, message: failure.message, help: failure.help } }),
    ...(holes.length > 0 && {
      holes: holes.map(({ lacks, reason, what, message, help, location: place }) => ({
        ...{ lacks, reason, what, message, help, place: placeText(place) },
      })),
    }),
    objects: manifests.map(({ value, defaultNamespace, secrets, neverApplied }) => ({
      ...(neverApplied !== undefined && { neverApplied: neverApplied.because }),
      ...(defaultNamespace !== undefined && { namespace: defaultNamespace }),
      object: JSON.parse(
        stringifyJson(showsSecrets ? value : withoutTexts(maskedObject(value), secrets), {
          sortKeys: false,
          escapeHtml: false,
        }),
      ),
    })),
  };
}

const SIGNS = { created: '+', updated: '~', deleted: '-' } as const;

function changeLines({ change, resource, fields }: RenderedChange): string {
  const namespace = appliedNamespace(resource);
  const name = `${resource.gvk.kind} ${namespace === '' ? '' : `${namespace}/`}${resource.name}`;
  const lines = fields.map(({ path, before = '(absent)', after = '(absent)' }) => `    ${path}: ${before} → ${after}`);
  const head = `${SIGNS[change]} ${name} (${resource.manifest.root})`;
  return [head, ...lines].map((line) => `${sanitizeLine(line)}\n`).join('');
}
