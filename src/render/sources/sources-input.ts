// What rendering a repository needs to know, and what it answers.
import type { Kustomization } from '../../inventory/kustomize-references.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { RenderEngine } from '../engine/render-engine.ts';
import type { Controller } from './controller.ts';
import type { ControllerReach } from './declaration/chains.ts';
import type { FetchedRemotes, Remote } from './remote/remote.ts';
import type { ClusterTraits } from './root/cluster-traits.ts';
import type { PlannedRoot } from './root/planned-root.ts';
import type { RenderedRoot } from './root/rendered-root.ts';
import type { RootBuilder } from './root/root-builder.ts';

export interface SourcesInput {
  /** Objects in manifest files, before rendering. */
  readonly resources: readonly Resource[];
  readonly kustomizations: readonly Kustomization[];
  readonly paths: ReadonlySet<string>;
  readonly tree: FileTree;
  /** Loads the engine on first use. */
  readonly engine: () => RenderEngine;
  readonly controllers: readonly Controller[];
  /** The cluster that a declaration in this file is applied to. */
  clusterAt(path: string): ClusterTraits;
  /** Known texts of ConfigMaps and Secrets that only the cluster has, by `Kind/namespace/name`, then by key. May be incomplete. */
  readonly clusterData?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly remotes?: FetchedRemotes;
  /** A file of the repository, for locations. */
  fileAt(path: string): SourceFile | undefined;
  /** False for files outside the selection; their declarations are ignored. */
  isSelected(path: string): boolean;
  /** Further resources that declarations may refer to. Their own declarations are ignored. */
  readonly known?: readonly Resource[];
  /** Selects the roots to render; absent: all. The result contains other roots without their objects. */
  isWanted?(root: PlannedRoot): boolean;
  /** Caches of an earlier state of the same repository. */
  readonly builder?: RootBuilder;
  /** Maximum number of roots to build; further roots fail with a message. */
  readonly maxRoots?: number;
}

export interface RenderedSources {
  readonly roots: readonly RenderedRoot[];
  /** By path of a file that is evaluated through roots: true if at least one of them was rendered. */
  readonly inputs: ReadonlyMap<string, boolean>;
  /** Distinct charts, bases and repositories that must be fetched to render more. */
  readonly missing: readonly Remote[];
  /** What controllers apply; absent if the repository has no certain controller's root. */
  readonly reach?: ControllerReach;
}
