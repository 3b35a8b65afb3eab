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
  /** Does not hold values to `values.schema.json`. */
  readonly skipSchema?: boolean;
  /** `lookup` finds an object under every name, which holds nothing else; default: it finds nothing. */
  readonly lookupFinds?: boolean;
  /** As `1.36.0`; default: what Helm takes without a cluster. */
  readonly kubernetesVersion?: string;
  /** API versions besides the known ones, as `group/version` or `group/version/Kind`. */
  readonly apiVersions?: readonly string[];
}

/** `as`: `--set`, `--set-string`, `--set-json`, `--set-file` or `--set-literal`. */
export interface HelmSetting {
  readonly as: 'value' | 'string' | 'json' | 'file' | 'literal';
  readonly text: string;
}

export type RenderRequest = KustomizeRequest | HelmRequest;

/**
 * Texts as templates of Go with sprig's functions and those of the ApplicationSet controller. The answer has every text of the first set
 * of parameters, then of the second, and so on. Reads no file.
 */
export interface TemplateRequest {
  readonly engine: 'template';
  readonly texts: readonly string[];
  /** Each a JSON object; numbers become doubles, as the controller reads them. */
  readonly parameterSets: readonly string[];
  /** Of `text/template`, as `missingkey=error`. */
  readonly options: readonly string[];
}

/** The same for the same request, whenever and wherever it is rendered. */
export interface RenderChance {
  /** Seed of everything random. */
  readonly seed: number;
  /** What the engine takes for the time, in milliseconds since 1970. */
  readonly now: number;
}

/** Where an object comes from, as kustomize's annotation says it. */
export interface KustomizeOrigin {
  /** The file it was written in, from the top of the tree. */
  readonly path?: string;
  /** For what a generator made: the kustomization, or the file of the generator. */
  readonly configuredIn?: string;
  /** The generator, e.g. of kind `ConfigMapGenerator`. */
  readonly configuredBy?: { readonly apiVersion?: string; readonly kind?: string; readonly name?: string };
}

/** What an object was called where it was written: before prefixes, suffixes, hashes and `namespace:`. */
export interface WrittenIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** One transformer or generator of one kustomization. */
export interface RenderStep {
  /** Its builtin kind, e.g. `PatchTransformer`, `ImageTagTransformer`. */
  readonly by: string;
  /** Folder of the kustomization, from the top of the tree. */
  readonly in: string;
  /** What it was told: a patch with its target, an entry of `images`; as kustomize gives it to the builtin, without field specs. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** That a step set a field of the final object and all below it, where no longer path says otherwise. */
export interface FieldChange {
  /** Index in `steps`; `rename`: kustomize itself, as with names that follow a rename, and hashes. */
  readonly step: number | 'rename';
  readonly path: readonly (string | number)[];
  /** The field was there, and the step took it away. */
  readonly removed?: true;
}

export interface RenderedObject {
  /** One YAML document, without `---`. */
  readonly text: string;
  /** Kustomize with `provenance`: where the object was written, or what generated it. */
  readonly origin?: KustomizeOrigin;
  /** Kustomize with `provenance`: tells which document of the file it was. */
  readonly written?: WrittenIdentity;
  /** Kustomize with `provenance`: what is not as it was written; shorter paths first. */
  readonly changes?: readonly FieldChange[];
  /** Helm: the template, from the chart's name on, e.g. `shop/charts/db/templates/service.yaml`. */
  readonly template?: string;
  /** Helm: true for a hook. */
  readonly hook?: true;
}

export interface Rendering {
  /** In the engine's order. */
  readonly objects: readonly RenderedObject[];
  /** Kustomize with `provenance`: what ran, in order. */
  readonly steps?: readonly RenderStep[];
  /** Something random or the time was asked for: with other ones the objects may be others. */
  readonly usedChance?: true;
  /** Helm: a template asked for objects of the cluster. */
  readonly lookedUp?: true;
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
  /** Nothing is wrong with what was asked: the machine was too slow. */
  | 'busy'
  | 'other';
