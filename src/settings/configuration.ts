// The settings of a run with all defaults filled in: from `.preadmit.yaml`, then from the command line.

import type { LocatedPart } from '../source/manifest/manifest.ts';
import type { FieldPath } from '../source/node/field-path.ts';
import type { SourceLocation } from '../source/text/source-file.ts';
import { type WrittenApiServer, withFamilies } from './api-server-shape.ts';
import type {
  ADMISSION_PLUGINS,
  COUNTED,
  DRIFT_SEVERITIES,
  EXCEPTIONS_FROM,
  FAIL_ON_LEVELS,
  FetchKind,
  FIELD_VALIDATIONS,
  ON_UNDECIDED,
  POLICIES_FROM,
  SUPPRESSION_MODES,
  TOUCHED,
  UNREACHED,
  VALIDATION_MODES,
  WrittenConfiguration,
  WrittenKyverno,
  WrittenPodSecurity,
  WrittenRendering,
  WrittenTarget,
  WrittenUser,
} from './configuration-shape.ts';
import { COMPLETE } from './configuration-shape.ts';
import { featureGate } from './feature-gates.ts';
import { type PolicySource, pinKey, resolveSource } from './policy-source.ts';
import { DEFAULT_EXCLUDE, DEFAULT_INCLUDE } from './selection.ts';
import { overrideGlobs, type WrittenGlob, writtenGlobs } from './written-globs.ts';

/** Lowest result that fails the gate; `error` considers only evaluation errors and policy errors. */
export type FailOn = (typeof FAIL_ON_LEVELS)[number];
/** Whether a run fails when something that could fail the gate was not judged. */
export type OnUndecided = (typeof ON_UNDECIDED)[number];
/** Whether files that no controller applies are judged, if the repository contains controllers' roots. */
export type Unreached = (typeof UNREACHED)[number];
/** Whether findings that base has too count for objects that a change updates. */
export type Touched = (typeof TOUCHED)[number];
export type PoliciesFrom = (typeof POLICIES_FROM)[number];
export type Counted = (typeof COUNTED)[number];

/** The settings of `.preadmit.yaml` and the command line, with all defaults filled in. */
export interface Configuration {
  readonly include: readonly string[];
  /** Takes precedence over `include`, `policies` and `clusterFacts`. */
  readonly exclude: readonly string[];
  readonly skip: readonly SkipRule[];
  /** Globs of files that are evaluated regardless of their location. */
  readonly evaluate: readonly string[];
  readonly failOn: FailOn;
  readonly onUndecided: OnUndecided;
  readonly unreached: Unreached;
  /** Only for comparisons, like `only`. */
  readonly policiesFrom: PoliciesFrom;
  readonly only: Counted;
  readonly touched: Touched;
  readonly suppressions: (typeof SUPPRESSION_MODES)[number];
  /** Only for comparisons. */
  readonly exceptionsFrom: (typeof EXCEPTIONS_FROM)[number];
  readonly policySources: readonly PolicySource[];
  /** What is fetched if the repository names it but does not contain it. */
  readonly fetch: readonly FetchKind[];
  /** Where to find schemas of custom kinds. Addresses are used only with `--fetch-schemas`. */
  readonly schemas: readonly string[];
  /** Label and annotation of objects that name their owner. */
  readonly owner: { readonly label?: string; readonly annotation?: string };
  /** Where audits keep their history: `branch:<name>`, `file:<path>`; absent: nowhere. */
  readonly history?: string;
  /** Maximum number of evaluation steps of the run, if configured. */
  readonly workLimit?: number;
  /** The globs that a person wrote. */
  readonly globs: readonly WrittenGlob[];
  readonly rendering: WrittenRendering;
  /** False: no clusters are configured, so they are derived from the repository. */
  readonly hasWrittenTargets: boolean;
  /** At least one. Without configured targets, a single template for all clusters of the repository. */
  readonly targets: readonly ConfiguredTarget[];
}

export interface SkipRule {
  readonly files: readonly string[];
  readonly reason: string;
}

/** A cluster, or a part of one, with its files. All globs are relative to the repository root. */
export interface ConfiguredTarget {
  readonly name: string;
  readonly policies: readonly string[];
  /** Names of policy sources; absent: all sources. */
  readonly policySources?: readonly string[];
  readonly manifests: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  /** Globs of files with Namespaces, CRDs, params and RBAC; not evaluated. */
  readonly clusterFacts: readonly string[];
  /** Kinds whose objects are all in the files, so a missing object does not exist. */
  readonly complete: readonly CompleteKind[];
  /** As written: `1.36`, `v1.36`, `1.36.2` or `v1.36.2-eks-1a2b3c4`. */
  readonly kubernetesVersion: string;
  /** APIs besides those of Kubernetes and of the files. Absent: unknown; otherwise the cluster serves no others. */
  readonly apiVersions?: readonly string[];
  readonly fieldValidation: (typeof FIELD_VALIDATIONS)[number];
  /** Whether the server's own validation of built-in kinds is asked. */
  readonly validation: (typeof VALIDATION_MODES)[number];
  readonly disabledAdmissionPlugins: readonly (typeof ADMISSION_PLUGINS)[number][];
  /** True for gates that are on. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  readonly apiServer: WrittenApiServer;
  readonly mutationDrift: (typeof DRIFT_SEVERITIES)[number];
  readonly podSecurity: WrittenPodSecurity;
  readonly kyverno: WrittenKyverno;
  readonly user: User;
  /** Where the target is configured; absent for the default target. */
  readonly location?: SourceLocation;
}

/** The parts of e.g. `ConfigMap in platform`. */
interface CompleteKind {
  readonly kind: string;
  readonly group?: string;
  readonly namespace?: string;
}

export interface User {
  readonly username: string;
  readonly groups: readonly string[];
  /** Empty if there is none. */
  readonly uid: string;
  readonly extra: ReadonlyMap<string, readonly string[]>;
  /** True if the user is not configured. A verdict that depends on it is a guess and must say so. */
  readonly assumed: boolean;
}

/** Values of the command line, which apply to all targets. */
export interface ConfigurationOverrides {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly policies?: readonly string[];
  readonly policySources?: readonly PolicySource[];
  readonly fetch?: readonly FetchKind[];
  readonly failOn?: FailOn;
  readonly onUndecided?: OnUndecided;
  readonly unreached?: Unreached;
  readonly policiesFrom?: PoliciesFrom;
  readonly only?: Counted;
  readonly kubernetesVersion?: string;
}

const DEFAULT_TARGET_NAME = 'default';
const DEFAULT_KUBERNETES_VERSION = '1.36';
const EVERYTHING: readonly string[] = ['**'];
/**
 * Manifests in Git are applied by a controller, not by a person. Only the controller of Flux has the same username in every installation.
 */
const DEFAULT_USERNAME = 'system:serviceaccount:flux-system:kustomize-controller';

/** `locate` gives the locations of configuration values. */
export function resolveConfiguration(
  written: WrittenConfiguration,
  locate?: (path: FieldPath, part: LocatedPart) => SourceLocation,
): Configuration {
  const targets = written.targets ?? new Map<string, WrittenTarget>();
  const named: [string, WrittenTarget][] = targets.size === 0 ? [[DEFAULT_TARGET_NAME, {}]] : [...targets];
  return {
    include: written.include ?? DEFAULT_INCLUDE,
    exclude: written.exclude ?? DEFAULT_EXCLUDE,
    skip: written.skip ?? [],
    evaluate: written.evaluate ?? [],
    failOn: written.failOn ?? 'deny',
    onUndecided: written.onUndecided ?? 'fail',
    unreached: written.unreached ?? 'skip',
    policiesFrom: written.policiesFrom ?? 'base',
    only: written.only ?? 'new',
    touched: written.touched ?? 'count',
    suppressions: written.suppressions ?? 'allow',
    exceptionsFrom: written.exceptionsFrom ?? 'base',
    policySources: [...(written.policySources ?? [])].map(([name, source]) =>
      resolveSource(name, source, locate?.(['policySources', name, pinKey(source)], 'value')),
    ),
    fetch: written.fetch ?? [],
    schemas: written.schemas ?? [],
    owner: written.owner ?? {},
    rendering: written.rendering ?? {},
    ...(written.history !== undefined && { history: written.history }),
    ...(written.workLimit !== undefined && { workLimit: written.workLimit }),
    globs: locate === undefined ? [] : writtenGlobs(written, locate),
    hasWrittenTargets: targets.size > 0,
    targets: named.map(([name, target]) => {
      const location = targets.has(name) ? locate?.(['targets', name], 'key') : undefined;
      return { ...resolveTarget(name, target, written), ...(location && { location }) };
    }),
  };
}

/** The configuration of a repository without `.preadmit.yaml`. */
export function defaultConfiguration(): Configuration {
  return resolveConfiguration({});
}

export function overrideConfiguration(configuration: Configuration, overrides: ConfigurationOverrides): Configuration {
  return {
    ...configuration,
    include: overrides.include ?? configuration.include,
    exclude: overrides.exclude ?? configuration.exclude,
    globs: overrideGlobs(configuration.globs, overrides),
    failOn: overrides.failOn ?? configuration.failOn,
    onUndecided: overrides.onUndecided ?? configuration.onUndecided,
    unreached: overrides.unreached ?? configuration.unreached,
    policiesFrom: overrides.policiesFrom ?? configuration.policiesFrom,
    only: overrides.only ?? configuration.only,
    policySources: overrides.policySources ?? configuration.policySources,
    fetch: overrides.fetch ?? configuration.fetch,
    targets: configuration.targets.map(({ policySources, ...target }) => ({
      ...target,
      // A target names sources of the configuration; sources of the command line replace all of them.
      ...(policySources && overrides.policySources === undefined && { policySources }),
      policies: overrides.policies ?? target.policies,
      kubernetesVersion: overrides.kubernetesVersion ?? target.kubernetesVersion,
    })),
  };
}

/** Additional files that the targets need, for `DiscoverOptions.context`. */
export function contextGlobs(configuration: Configuration): readonly string[] {
  return [...new Set(configuration.targets.flatMap(({ policies, clusterFacts }) => [...policies, ...clusterFacts]))];
}

function resolveTarget(name: string, target: WrittenTarget, defaults: WrittenConfiguration): ConfiguredTarget {
  const user = target.user ?? defaults.user;
  const apiVersions = target.apiVersions ?? defaults.apiVersions;
  return {
    name,
    policies: target.policies ?? defaults.policies ?? DEFAULT_INCLUDE,
    ...(target.policySources && { policySources: target.policySources }),
    manifests: { include: target.manifests?.include ?? EVERYTHING, exclude: target.manifests?.exclude ?? [] },
    clusterFacts: target.clusterFacts ?? defaults.clusterFacts ?? [],
    complete: (target.complete ?? defaults.complete ?? []).map(completeKind),
    ...(apiVersions && { apiVersions }),
    kubernetesVersion: target.kubernetesVersion ?? defaults.kubernetesVersion ?? DEFAULT_KUBERNETES_VERSION,
    fieldValidation: target.fieldValidation ?? defaults.fieldValidation ?? 'Strict',
    validation: target.validation ?? defaults.validation ?? 'on',
    disabledAdmissionPlugins: target.disabledAdmissionPlugins ?? defaults.disabledAdmissionPlugins ?? [],
    featureGates: new Map((target.featureGates ?? defaults.featureGates ?? []).map(featureGate)),
    apiServer: withFamilies(target.apiServer ?? defaults.apiServer ?? {}),
    mutationDrift: target.mutationDrift ?? defaults.mutationDrift ?? 'warning',
    podSecurity: target.podSecurity ?? defaults.podSecurity ?? {},
    kyverno: target.kyverno ?? defaults.kyverno ?? {},
    user: resolveUser(user ?? { username: DEFAULT_USERNAME }, user === undefined),
  };
}

/** `text` must match `COMPLETE`. */
function completeKind(text: string): CompleteKind {
  const [, kind = '', group, namespace] = COMPLETE.exec(text) ?? [];
  return { kind, ...(group !== undefined && { group }), ...(namespace !== undefined && { namespace }) };
}

function resolveUser(user: WrittenUser, assumed: boolean): User {
  return {
    username: user.username,
    groups: user.groups ?? groupsOf(user.username),
    uid: user.uid ?? '',
    extra: user.extra ?? new Map(),
    assumed,
  };
}

/** Groups that the API server adds (`serviceaccount.MakeGroupNames`, `group.AuthenticatedGroupAdder`), in its order. */
function groupsOf(username: string): readonly string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(username) ?? [];
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return [...own, 'system:authenticated'];
}

/** Processor time for rendering, if configured. */
export function renderingMilliseconds({ rendering }: Pick<Configuration, 'rendering'>): number | undefined {
  return rendering.processorSeconds === undefined ? undefined : rendering.processorSeconds * 1000;
}
