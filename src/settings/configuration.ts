// What a run is to do, with every default filled in: from `.preadmit.yaml`, then from the command line.

import type { LocatedPart } from '../source/manifest/manifest.ts';
import type { FieldPath } from '../source/node/field-path.ts';
import type { SourceLocation } from '../source/text/source-file.ts';
import type {
  ADMISSION_PLUGINS,
  COUNTED,
  DRIFT_SEVERITIES,
  EXCEPTIONS_FROM,
  FAIL_ON_LEVELS,
  FEATURE_GATES,
  FIELD_VALIDATIONS,
  ON_UNDECIDED,
  POLICIES_FROM,
  SUPPRESSION_MODES,
  WrittenConfiguration,
  WrittenKyverno,
  WrittenPodSecurity,
  WrittenRendering,
  WrittenTarget,
  WrittenUser,
} from './configuration-shape.ts';
import { COMPLETE } from './configuration-shape.ts';
import { type PolicySource, pinKey, resolveSource } from './policy-source.ts';
import { DEFAULT_EXCLUDE, DEFAULT_INCLUDE } from './selection.ts';
import { overrideGlobs, type WrittenGlob, writtenGlobs } from './written-globs.ts';

/** The lowest thing that makes the gate fail; `error` counts evaluation and policy errors only. */
export type FailOn = (typeof FAIL_ON_LEVELS)[number];
/** Whether a run fails when something that could fail the gate was not judged. */
export type OnUndecided = (typeof ON_UNDECIDED)[number];
export type PoliciesFrom = (typeof POLICIES_FROM)[number];
export type Counted = (typeof COUNTED)[number];

/** What `.preadmit.yaml` and the command line said, every default filled in. */
export interface Configuration {
  /** Globs of the files to read. */
  readonly include: readonly string[];
  /** Stronger than `include`, `policies` and `clusterFacts`. */
  readonly exclude: readonly string[];
  readonly skip: readonly SkipRule[];
  /** Globs of files whose place is not held against them. */
  readonly evaluate: readonly string[];
  readonly failOn: FailOn;
  readonly onUndecided: OnUndecided;
  /** Of comparisons alone, as is `only`. */
  readonly policiesFrom: PoliciesFrom;
  readonly only: Counted;
  readonly suppressions: (typeof SUPPRESSION_MODES)[number];
  /** Of comparisons alone. */
  readonly exceptionsFrom: (typeof EXCEPTIONS_FROM)[number];
  /** In the order they are written. */
  readonly policySources: readonly PolicySource[];
  /** Where schemas of custom kinds are looked for; addresses only where that is asked for. */
  readonly schemas: readonly string[];
  /** Steps that the run may take, where somebody says how many. */
  readonly workLimit?: number;
  /** Those that a person wrote. */
  readonly globs: readonly WrittenGlob[];
  /** As written. */
  readonly rendering: WrittenRendering;
  /** False: nobody described the clusters, so they are what the repository itself tells of. */
  readonly hasWrittenTargets: boolean;
  /** At least one; where none is written, the one that stands for each cluster of the repository. */
  readonly targets: readonly ConfiguredTarget[];
}

export interface SkipRule {
  readonly files: readonly string[];
  readonly reason: string;
}

/** A cluster (or a part of one) and the files that concern it. All globs are from the top of the repository. */
export interface ConfiguredTarget {
  readonly name: string;
  readonly policies: readonly string[];
  /** Names; absent: all of them. */
  readonly policySources?: readonly string[];
  readonly manifests: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  /** Read for Namespaces, CRDs, params and RBAC; not evaluated. */
  readonly clusterFacts: readonly string[];
  /** Objects of which the files hold every one: what they lack does not exist. */
  readonly complete: readonly CompleteKind[];
  /** As written: `1.36`, `v1.36` or `1.36.2`. */
  readonly kubernetesVersion: string;
  readonly fieldValidation: (typeof FIELD_VALIDATIONS)[number];
  readonly disabledAdmissionPlugins: readonly (typeof ADMISSION_PLUGINS)[number][];
  readonly featureGates: readonly (typeof FEATURE_GATES)[number][];
  readonly mutationDrift: (typeof DRIFT_SEVERITIES)[number];
  /** As written. */
  readonly podSecurity: WrittenPodSecurity;
  /** As written. */
  readonly kyverno: WrittenKyverno;
  readonly user: User;
  /** Where a person described it; absent for the one that is meant without any. */
  readonly location?: SourceLocation;
}

/** `ConfigMap in platform`, taken apart. */
interface CompleteKind {
  readonly kind: string;
  readonly group?: string;
  readonly namespace?: string;
}

export interface User {
  readonly username: string;
  readonly groups: readonly string[];
  /** Empty: none. */
  readonly uid: string;
  readonly extra: ReadonlyMap<string, readonly string[]>;
  /** True if nobody configured it, so that a verdict which depends on it is a guess and has to say so. */
  readonly assumed: boolean;
}

/** What the command line may set, for every target at once. */
export interface ConfigurationOverrides {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly policies?: readonly string[];
  readonly policySources?: readonly PolicySource[];
  readonly failOn?: FailOn;
  readonly onUndecided?: OnUndecided;
  readonly policiesFrom?: PoliciesFrom;
  readonly only?: Counted;
  readonly kubernetesVersion?: string;
}

const DEFAULT_TARGET_NAME = 'default';
const DEFAULT_KUBERNETES_VERSION = '1.36';
const EVERYTHING: readonly string[] = ['**'];
/** Manifests in Git are applied by a controller, not by a person; Flux' has the one name that no installation changes. */
const DEFAULT_USERNAME = 'system:serviceaccount:flux-system:kustomize-controller';

/** `locate`: where the parts of it are written. */
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
    policiesFrom: written.policiesFrom ?? 'base',
    only: written.only ?? 'new',
    suppressions: written.suppressions ?? 'allow',
    exceptionsFrom: written.exceptionsFrom ?? 'base',
    policySources: [...(written.policySources ?? [])].map(([name, source]) =>
      resolveSource(name, source, locate?.(['policySources', name, pinKey(source)], 'value')),
    ),
    schemas: written.schemas ?? [],
    rendering: written.rendering ?? {},
    ...(written.workLimit !== undefined && { workLimit: written.workLimit }),
    globs: locate === undefined ? [] : writtenGlobs(written, locate),
    hasWrittenTargets: targets.size > 0,
    targets: named.map(([name, target]) => {
      const location = targets.has(name) ? locate?.(['targets', name], 'key') : undefined;
      return { ...resolveTarget(name, target, written), ...(location && { location }) };
    }),
  };
}

/** What is meant without any file. */
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
    policiesFrom: overrides.policiesFrom ?? configuration.policiesFrom,
    only: overrides.only ?? configuration.only,
    policySources: overrides.policySources ?? configuration.policySources,
    targets: configuration.targets.map(({ policySources, ...target }) => ({
      ...target,
      // Names that targets know are those of the configuration.
      ...(policySources && overrides.policySources === undefined && { policySources }),
      policies: overrides.policies ?? target.policies,
      kubernetesVersion: overrides.kubernetesVersion ?? target.kubernetesVersion,
    })),
  };
}

/** Files that the targets need besides the selected ones, for `DiscoverOptions.context`. */
export function contextGlobs(configuration: Configuration): readonly string[] {
  return [...new Set(configuration.targets.flatMap(({ policies, clusterFacts }) => [...policies, ...clusterFacts]))];
}

function resolveTarget(name: string, target: WrittenTarget, defaults: WrittenConfiguration): ConfiguredTarget {
  const user = target.user ?? defaults.user;
  return {
    name,
    policies: target.policies ?? defaults.policies ?? DEFAULT_INCLUDE,
    ...(target.policySources && { policySources: target.policySources }),
    manifests: { include: target.manifests?.include ?? EVERYTHING, exclude: target.manifests?.exclude ?? [] },
    clusterFacts: target.clusterFacts ?? defaults.clusterFacts ?? [],
    complete: (target.complete ?? defaults.complete ?? []).map(completeKind),
    kubernetesVersion: target.kubernetesVersion ?? defaults.kubernetesVersion ?? DEFAULT_KUBERNETES_VERSION,
    fieldValidation: target.fieldValidation ?? defaults.fieldValidation ?? 'Strict',
    disabledAdmissionPlugins: target.disabledAdmissionPlugins ?? defaults.disabledAdmissionPlugins ?? [],
    featureGates: target.featureGates ?? defaults.featureGates ?? [],
    mutationDrift: target.mutationDrift ?? defaults.mutationDrift ?? 'warning',
    podSecurity: target.podSecurity ?? defaults.podSecurity ?? {},
    kyverno: target.kyverno ?? defaults.kyverno ?? {},
    user: resolveUser(user ?? { username: DEFAULT_USERNAME }, user === undefined),
  };
}

/** The text is of the shape. */
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

/** What the API server adds by itself (`serviceaccount.MakeGroupNames`, `group.AuthenticatedGroupAdder`), in its order. */
function groupsOf(username: string): readonly string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(username) ?? [];
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return [...own, 'system:authenticated'];
}
