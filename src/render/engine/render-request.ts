// Requests to the rendering engine and its answers.

/** Paths are from the top of the tree, with `/`; '' is the top. */
export interface KustomizeRequest {
  readonly engine: 'kustomize';
  readonly root: string;
  /** False: a kustomization may only read files below its own folder, the default of `kustomize build`. Bases may still be anywhere. */
  readonly anyFile: boolean;
  /** Renders `helmCharts` that are in the tree. False: they fail as without `--enable-helm`. */
  readonly enableHelm?: boolean;
  /** `files`: the order of the files, as Flux applies them. Default: namespaces and CRDs first, as `kustomize build` writes them. */
  readonly order?: 'legacy' | 'files';
  /** For `helmCharts`. */
  readonly kubernetesVersion?: string;
  readonly apiVersions?: readonly string[];
  /** Adds the origin and field changes to every object; costs a second build. */
  readonly provenance?: boolean;
}

export interface HelmRequest {
  readonly engine: 'helm';
  readonly chart: string;
  readonly releaseName: string;
  readonly namespace: string;
  /** Values files; a later one overrides. */
  readonly valuesFiles?: readonly string[];
  /** Values as YAML or JSON, applied after the files; a later one overrides. */
  readonly values?: readonly string[];
  /** Like the `--set` options of Helm's command line, applied after all values. */
  readonly set?: readonly HelmSetting[];
  readonly includeCrds?: boolean;
  readonly skipTests?: boolean;
  readonly skipHooks?: boolean;
  /** `.Release.IsUpgrade` instead of `.Release.IsInstall`. */
  readonly isUpgrade?: boolean;
  /** `.Release.Revision`. Default: 1. */
  readonly revision?: number;
  /** Skips validation against `values.schema.json`. */
  readonly skipSchema?: boolean;
  /**
   * `lookup` finds an object of every name, with the words of the templates as keys of its data, or without data if that fails. Default: it
   * finds nothing.
   */
  readonly lookupFinds?: boolean;
  /** E.g. `1.36.0`. Default: the version that Helm assumes without a cluster. */
  readonly kubernetesVersion?: string;
  /** The version that the cluster reports, with its suffix, e.g. `v1.36.2-eks-1a2b3c4`. Default: `kubernetesVersion`. */
  readonly gitVersion?: string;
  /** API versions in addition to the known ones, as `group/version` or `group/version/Kind`. */
  readonly apiVersions?: readonly string[];
  /** All known API versions, replacing those that Helm assumes without a cluster. */
  readonly knownApiVersions?: readonly string[];
}

/** `as`: `--set`, `--set-string`, `--set-json`, `--set-file` or `--set-literal`. */
export interface HelmSetting {
  readonly as: 'value' | 'string' | 'json' | 'file' | 'literal';
  readonly text: string;
}

export type RenderRequest = KustomizeRequest | HelmRequest;

/**
 * Texts as Go templates with sprig's functions and those of the ApplicationSet controller. The answer has every text for the first
 * parameter set, then for the second, and so on. Reads no files.
 */
export interface TemplateRequest {
  readonly engine: 'template';
  readonly texts: readonly string[];
  /** Each is a JSON object. Numbers become doubles, as in the controller. */
  readonly parameterSets: readonly string[];
  /** Options of `text/template`, e.g. `missingkey=error`. */
  readonly options: readonly string[];
}

/** Time and random seed of a rendering. Fixed for a request, so that results are repeatable. */
export interface RenderChance {
  readonly seed: number;
  /** Current time for the engine, in milliseconds since 1970. */
  readonly now: number;
}

export interface KustomizeOrigin {
  /** The file that defines it, from the top of the tree. */
  readonly path?: string;
  /** For a generated object: the kustomization, or the file of the generator. */
  readonly configuredIn?: string;
  /** The generator, e.g. of kind `ConfigMapGenerator`. */
  readonly configuredBy?: { readonly apiVersion?: string; readonly kind?: string; readonly name?: string };
}

/** Identity of an object in its file, before prefixes, suffixes, hashes and `namespace:`. */
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
  /** Its settings, e.g. a patch with its target or an entry of `images`, as kustomize passes them to the builtin, without field specs. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A step set this field of the final object and everything below it, except where a longer path has its own change. */
export interface FieldChange {
  /** Index in `steps`. `rename`: kustomize itself, e.g. when it updates name references or adds hashes. */
  readonly step: number | 'rename';
  readonly path: readonly (string | number)[];
  readonly removed?: true;
}

export interface RenderedObject {
  /** One YAML document, without `---`. */
  readonly text: string;
  /** With kustomize and `provenance`: the file or generator that defines the object. */
  readonly origin?: KustomizeOrigin;
  /** With kustomize and `provenance`: identifies the document in the file. */
  readonly written?: WrittenIdentity;
  /** With kustomize and `provenance`: fields that differ from the file; shorter paths first. */
  readonly changes?: readonly FieldChange[];
  /** With Helm: the template, starting with the chart's name, e.g. `shop/charts/db/templates/service.yaml`. */
  readonly template?: string;
  readonly hook?: true;
}

export interface ChartReads {
  /** `.Release.IsInstall`, `.Release.IsUpgrade` or `.Release.Revision`. */
  readonly release?: true;
  /** API versions that `.Capabilities.APIVersions.Has` did not find, sorted. */
  readonly missingApis?: readonly string[];
  /** The templates may search the Kubernetes version for a distribution such as EKS. */
  readonly versionSuffix?: true;
  /** Templates with conditions that depend on the time or on random values, sorted. */
  readonly chance?: readonly string[];
}

export interface Rendering {
  readonly objects: readonly RenderedObject[];
  /** With kustomize and `provenance`: the steps that ran, in order. */
  readonly steps?: readonly RenderStep[];
  /** The rendering read random bytes or the time, so its objects may differ in the cluster. */
  readonly usedChance?: true;
  /** With Helm: a template called `lookup` for objects of the cluster. */
  readonly lookedUp?: true;
  /** With charts: facts about the release and the cluster that the templates read. Absent: none. */
  readonly reads?: ChartReads;
  /** Other output of the engine, one entry per line. */
  readonly warnings: readonly string[];
}

/** `message`: the engine's own message, with paths from the top of the tree. */
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
  /** Other renderings of the run used up its processor time. */
  | 'budget'
  /** The request is fine; the machine was too slow. */
  | 'busy'
  | 'other';
