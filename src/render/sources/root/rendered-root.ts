// A render target: objects that a controller or a user applies together, and the result of rendering them.
import type { SourceLocation } from '../../../source/text/source-file.ts';
import type { FailureClass } from '../../engine/render-request.ts';
import type { Reach } from '../kustomization/kustomization-graph.ts';
import type { Remote } from '../remote/remote.ts';
import type { RenderedManifest } from './rendered-manifest.ts';

export interface RenderedRoot {
  /** Label for users: `kustomization apps/prod`, `Flux Kustomization flux-system/apps`. Unique within a cluster. */
  readonly name: string;
  /** Location of its declaration: the kustomization, the chart, the controller's object. */
  readonly location: SourceLocation;
  /** Names of the roots above it, outermost first; empty for a top-level root. */
  readonly declaredBy: readonly string[];
  readonly manifests: readonly RenderedManifest[];
  /** Files that the rendering read or would read. They are evaluated through this root, not as separate manifests. */
  readonly inputs: ReadonlySet<string>;
  /** Files whose change can change the root. */
  readonly reach: Reach;
  readonly failure?: RootFailure;
  /** Parts that are missing although the rest was rendered; absent: none. */
  readonly holes?: readonly RootHole[];
  /** Only with `failure` or `holes`: what a change must alter to touch the root. */
  readonly source?: RootSource;
  /** Target cluster, address or name, if its declaration or one above sets it. */
  readonly destination?: string;
  /** File at the start of its chain of declarations; absent if no controller applies the root. */
  readonly entry?: string;
  /** Groups whose APIs the templates ask for and that no file that was read shows. */
  readonly asksFor?: readonly string[];
  /** Why the cluster may have other objects than `manifests`. Each becomes a root of its own that is not rendered. */
  readonly doubts?: readonly RootFailure[];
  /** Assumptions, each a sentence without full stop. */
  readonly assumes?: readonly string[];
  /** For a chart: its folder, and the values files that it is rendered with besides its own. */
  readonly chart?: { readonly folder: string; readonly valuesFiles: readonly string[] };
  /** Names of ConfigMaps and Secrets that its declaration uses. */
  readonly takes?: readonly string[];
  /** True for a kustomize component that nothing includes. */
  readonly isComponent?: true;
  /** True if the root was not selected for rendering. */
  readonly isUnasked?: true;
}

/** The origin of a root that could not be rendered completely. */
export interface RootSource {
  /** JSON of the declaring object; empty for a root without one. */
  readonly declaration: string;
  /** Files of the root without those of its declaration. */
  readonly own: Reach;
}

/** The cluster that Argo CD runs in, by Argo CD's address for it. */
export const OWN_CLUSTER_ADDRESS = 'https://kubernetes.default.svc';

/** `declared`: the destination in the declaration. `inherited`: the cluster that the declaration itself is applied to. */
export function destinationIn(declared: string | undefined, inherited: string | undefined): string | undefined {
  return declared === undefined || declared === OWN_CLUSTER_ADDRESS ? (inherited ?? declared) : declared;
}

export interface RootFailure {
  readonly reason: FailureClass | 'unknown-source' | 'other-revision';
  /** Message of the engine or of Preadmit. */
  readonly message: string;
  readonly help: string;
  /** The field that causes the failure; absent: the declaration or file of the root. */
  readonly location?: SourceLocation;
  /** The root is rendered, but the cluster may have other objects. */
  readonly isDoubt?: true;
  /** What to fetch, if that would resolve it. */
  readonly missing?: readonly Remote[];
}

/** A part of a root that the repository does not contain. */
export interface RootHole {
  /** `objects`: the root has unknown objects, so it is incomplete. `values`: only values of known objects are unknown. */
  readonly lacks: 'objects' | 'values';
  readonly reason: FailureClass;
  /** Identifies the part in all roots and states. */
  readonly what: string;
  readonly message: string;
  readonly help: string;
  /** Where the part is named. */
  readonly location: SourceLocation;
  /** Entries that change or use only unknown objects, e.g. patches. */
  readonly also: readonly SourceLocation[];
  /** Charts to fetch, if that would fill it. */
  readonly missing?: readonly Remote[];
}

/** The holes with unknown objects. A root with such a hole is incomplete. */
export function objectHoles({ holes = [] }: RenderedRoot): readonly RootHole[] {
  return holes.filter(({ lacks }) => lacks === 'objects');
}

/** True if some or all objects of the root are unknown. */
export function isUnknown(root: RenderedRoot): boolean {
  return root.failure !== undefined || objectHoles(root).length > 0;
}

const ABOUT_A_BASE: ReadonlySet<RootFailure['reason']> = new Set([
  'patch-target',
  'transformation',
  'conflict',
  'other',
]);

/**
 * True if a component fails because it is built alone. It only changes objects of another kustomization, so its files are then treated as
 * plain files.
 */
export function lacksItsBase({ failure }: RenderedRoot): boolean {
  return failure !== undefined && ABOUT_A_BASE.has(failure.reason);
}
