// What the pipeline gives to rendering: the files of one state, and the controllers whose objects are followed.

import type { ReadDocument } from '../inventory/classify.ts';
import { isKustomization, type Kustomization } from '../inventory/kustomize-references.ts';
import type { FileTree } from '../render/file-tree.ts';
import type { RenderEngine } from '../render/render-engine.ts';
import type { Controller } from '../render/sources/controller.ts';
import { reaches } from '../render/sources/kustomization-graph.ts';
import { type RenderedSources, renderSources } from '../render/sources/render-sources.ts';
import type { RootBuilder } from '../render/sources/root-builder.ts';
import type { Configuration } from '../settings/configuration.ts';
import { SourceFile } from '../source/source-file.ts';
import type { RepositoryContent } from './read-repository.ts';
import { targetVersion } from './targets.ts';

export interface Rendering {
  /** The files of the state that is read, whatever their type. */
  readonly tree: FileTree;
  /** Loaded when there is something to render. */
  readonly engine: () => RenderEngine;
  /** Every kustomization, where the files that are read are not all. */
  readonly kustomizations?: readonly Kustomization[];
  /** Files whose roots are rendered, where not all are. */
  readonly wanted?: ReadonlySet<string>;
  /** Shared by states of one repository, so that what is the same in both is rendered once. */
  readonly builder?: RootBuilder;
}

const CONTROLLERS: readonly Controller[] = [];

export function renderedSources(
  { tree, engine, builder, wanted, ...given }: Rendering,
  state: {
    readonly readFiles: readonly { readonly file: SourceFile; readonly documents: readonly ReadDocument[] }[];
    readonly paths: ReadonlySet<string>;
    readonly content: Pick<RepositoryContent, 'resources'>;
    readonly configuration: Configuration;
  },
): RenderedSources {
  const { readFiles, paths, content, configuration } = state;
  const files = new Map(readFiles.map(({ file }) => [file.path, file]));
  const found = (): readonly Kustomization[] =>
    readFiles.flatMap(({ file, documents }) =>
      documents.flatMap(({ value }) =>
        isKustomization(file.path, value) ? [{ path: file.path, content: value }] : [],
      ),
    );
  const [target] = configuration.targets;
  const minor = target === undefined ? 36 : targetVersion(target).minor;
  const fileAt = (path: string): SourceFile | undefined => {
    const known = files.get(path);
    if (known !== undefined || !paths.has(path)) return known;
    const bytes = tree.read(path);
    if (bytes === undefined) return undefined;
    const file = new SourceFile(path, new TextDecoder().decode(bytes));
    files.set(path, file);
    return file;
  };
  return renderSources({
    resources: content.resources.map(({ resource }) => resource),
    kustomizations: given.kustomizations ?? found(),
    paths,
    tree,
    engine,
    controllers: CONTROLLERS,
    kubernetesVersion: `1.${minor}.0`,
    fileAt,
    ...(builder && { builder }),
    ...(wanted && { isWanted: (reach) => [...wanted].some((path) => reaches(reach, path)) }),
  });
}
