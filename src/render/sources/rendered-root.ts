// One thing that a controller, or a person with kubectl, applies as a whole; and what became of rendering it.
import type { SourceLocation } from '../../source/text/source-file.ts';
import type { FailureClass } from '../engine/render-request.ts';
import type { ChartReference } from './chart-reference.ts';
import type { Reach } from './kustomization-graph.ts';
import type { RenderedManifest } from './rendered-manifest.ts';

export interface RenderedRoot {
  /** For people: `kustomization apps/prod`, `Flux Kustomization flux-system/apps`. Unique within a cluster. */
  readonly name: string;
  /** Where it is declared: the kustomization, the chart, the controller's object. */
  readonly location: SourceLocation;
  /** What brought it about, `name`s from the outermost on; empty for what nothing else declares. */
  readonly declaredBy: readonly string[];
  /** In the order of the engine. */
  readonly manifests: readonly RenderedManifest[];
  /** Files that were read, or would have been: they are judged through this root, not as they are written. */
  readonly inputs: ReadonlySet<string>;
  /** What a change has to touch for the root to change. */
  readonly reach: Reach;
  readonly failure?: RootFailure;
  /** The cluster it is applied to, address or name, where its declaration, or one that led to it, says so. */
  readonly destination?: string;
  /** The file in which the chain of declarations begins that leads to it; absent for what no controller applies. */
  readonly entry?: string;
  /** What was taken for granted, a sentence each without a full stop. */
  readonly assumes?: readonly string[];
  /** Names of ConfigMaps and Secrets that its declaration takes from. */
  readonly takes?: readonly string[];
  /** Set where nobody asked for what it applies, so that it was not rendered. */
  readonly isUnasked?: true;
}

/** The cluster that a declaration is in itself, as Argo CD calls it. */
export const OWN_CLUSTER_ADDRESS = 'https://kubernetes.default.svc';

/** `declared`: what the declaration names; `inherited`: the cluster that the declaration is applied to itself. */
export function destinationIn(declared: string | undefined, inherited: string | undefined): string | undefined {
  return declared === undefined || declared === OWN_CLUSTER_ADDRESS ? (inherited ?? declared) : declared;
}

/** Why nothing of the root, or not all of it, is known. */
export interface RootFailure {
  readonly reason: FailureClass | 'unknown-source';
  /** The engine's words, or ours. */
  readonly message: string;
  readonly help: string;
  /** What would be known if somebody fetched them. */
  readonly charts?: readonly ChartReference[];
}

const ABOUT_A_BASE: ReadonlySet<RootFailure['reason']> = new Set([
  'patch-target',
  'transformation',
  'conflict',
  'other',
]);

/** A component changes what another kustomization holds. Alone it applies nothing; its files are then as they are written. */
export function lacksItsBase({ failure }: RenderedRoot): boolean {
  return failure !== undefined && ABOUT_A_BASE.has(failure.reason);
}
