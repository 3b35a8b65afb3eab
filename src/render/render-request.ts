// What can be asked of the rendering engine, and what it answers.

/** Paths are from the top of the tree, with `/`; '' is the top. */
export interface KustomizeRequest {
  readonly engine: 'kustomize';
  /** Folder of the kustomization. */
  readonly root: string;
  /** False: a kustomization may only read files below its own folder, the default of `kustomize build`. Folders may lie anywhere. */
  readonly anyFile: boolean;
  /** Renders `helmCharts` that lie in the tree; false: they fail as without `--enable-helm`. */
  readonly enableHelm?: boolean;
  /** The order of the files, as Flux has it; default: namespaces and definitions first, as `kustomize build` writes. */
  readonly order?: 'legacy' | 'files';
  /** For `helmCharts`. */
  readonly kubernetesVersion?: string;
  readonly apiVersions?: readonly string[];
  /** Tells of every object where it comes from; costs a second build. */
  readonly provenance?: boolean;
}

export interface HelmRequest {
  readonly engine: 'helm';
  /** Folder of the chart, or its archive. */
  readonly chart: string;
  readonly releaseName: string;
  readonly namespace: string;
  /** Values files; later ones win. */
  readonly valuesFiles?: readonly string[];
  /** Values as YAML or JSON, after the files; later ones win. */
  readonly values?: readonly string[];
  /** As options of Helm's command line, after all values. */
  readonly set?: readonly HelmSetting[];
  readonly includeCrds?: boolean;
  readonly skipTests?: boolean;
  readonly skipHooks?: boolean;
  /** `.Release.IsUpgrade` instead of `.Release.IsInstall`. */
  readonly isUpgrade?: boolean;
  /** Does not hold values to `values.schema.json`. */
  readonly skipSchema?: boolean;
  /** As `1.36.0`; default: what Helm takes without a cluster. */
  readonly kubernetesVersion?: string;
  /** API versions besides the known ones, as `group/version` or `group/version/Kind`. */
  readonly apiVersions?: readonly string[];
  /** All known API versions, instead of those Helm knows without a cluster. */
  readonly knownApiVersions?: readonly string[];
}

/** `as`: `--set`, `--set-string`, `--set-json`, `--set-file` or `--set-literal`. */
export interface HelmSetting {
  readonly as: 'value' | 'string' | 'json' | 'file' | 'literal';
  readonly text: string;
}

export type RenderRequest = KustomizeRequest | HelmRequest;

/** The same for the same request, whenever and wherever it is rendered. */
export interface RenderChance {
  /** Seed of everything random. */
  readonly seed: number;
  /** What the engine takes for the time, in milliseconds since 1970. */
  readonly now: number;
}

/** Where something comes from, as kustomize's annotations say it. Paths are from the top of the tree. */
export interface KustomizeOrigin {
  readonly path?: string;
  /** For what a generator made or a transformer changed: the kustomization, or the file of the generator or transformer. */
  readonly configuredIn?: string;
  /** The builtin transformer or generator, e.g. kind `PatchTransformer`. */
  readonly configuredBy?: { readonly apiVersion?: string; readonly kind?: string; readonly name?: string };
}

export interface RenderedObject {
  /** One YAML document, without `---`. */
  readonly text: string;
  /** Kustomize with `provenance`: where the object was written, or what generated it. */
  readonly origin?: KustomizeOrigin;
  /** Kustomize with `provenance`: the transformers that ran over it since, in order, whether they changed it or not. */
  readonly transformations?: readonly KustomizeOrigin[];
  /** Helm: the template, from the chart's name on, e.g. `shop/charts/db/templates/service.yaml`. */
  readonly template?: string;
  /** Helm: true for a hook. */
  readonly hook?: true;
}

export interface Rendering {
  /** In the engine's order. */
  readonly objects: readonly RenderedObject[];
  /** What the engine printed besides, a line each. */
  readonly warnings: readonly string[];
}

/** `message`: in the engine's own words, with paths from the top of the tree. */
export interface RenderFailure {
  readonly failure: FailureClass;
  readonly message: string;
  readonly warnings: readonly string[];
}

export type RenderOutcome = Rendering | RenderFailure;

export type FailureClass =
  | 'remote-base'
  | 'plugin'
  | 'helm-chart'
  | 'missing-file'
  | 'outside-root'
  | 'missing-input'
  | 'patch-target'
  | 'transformation'
  | 'conflict'
  | 'cycle'
  | 'empty'
  | 'unparsable'
  | 'missing-dependency'
  | 'library-chart'
  | 'required-value'
  | 'values-schema'
  | 'template'
  | 'limit'
  | 'other';
