// One cluster as the repository describes it: the manifests, the policies and the known facts.
import type { Diagnostic, Severity } from '../../diagnostic/diagnostic.ts';
import type { AccessRule } from '../../kubernetes/access/access.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { KubernetesVersion } from '../../kubernetes/api/version.ts';
import type { CompleteObjects } from '../../kubernetes/cluster/cluster.ts';
import type { UserInfo } from '../../kubernetes/request/admission-request.ts';
import type { FieldValidation } from '../../kubernetes/request/field-validation.ts';
import type { RunBudget } from '../../kubernetes/request/run-budget.ts';
import type { AdmissionPlugin } from '../../kubernetes/schema/plugins/plugin-request.ts';
import type { LoadedPolicy } from '../../policy/language/policy-language.ts';
import type { ServerSettings, ServerValidation } from '../../validation/server-validation.ts';
import type { Unknowns } from '../unknown/unknowns.ts';

export interface Target {
  /** Shared by the targets of a run; absent: the target has its own. */
  readonly work?: RunBudget;
  readonly name: string;
  readonly kubernetesVersion: KubernetesVersion;
  readonly fieldValidation: FieldValidation;
  /** The server's own validation of built-in kinds; absent: only names and metadata are checked. */
  readonly serverValidation?: ServerValidation;
  /** Of the plugins that Preadmit implements. */
  readonly disabledAdmissionPlugins: readonly AdmissionPlugin[];
  /** True for gates that are on; gates without an entry are unknown if they are off by default. */
  readonly featureGates?: ReadonlyMap<string, boolean>;
  /** Settings of the server that decide its validation. */
  readonly apiServer?: ServerSettings;
  /** Severity for fields that Git sets and a mutating policy changes; absent: not reported. */
  readonly mutationDrift?: Severity;
  /** Whether to evaluate validating policies on the unmutated objects too. */
  readonly explainsMutations?: boolean;
  readonly userInfo: UserInfo;
  /** Answers of the authorizer that take precedence over the RBAC objects. */
  readonly accessRules?: readonly AccessRule[];
  /** Kinds for which the facts hold all objects in the cluster. */
  readonly complete?: readonly CompleteObjects[];
  /** Namespace of namespaced resources without one. */
  readonly defaultNamespace: string;
  /** Resources to evaluate, in repository order. */
  readonly manifests: readonly Resource[];
  /** Candidates for policies and bindings. */
  readonly policies: readonly Resource[];
  /** Everything known about the cluster: the manifests, the policies, and objects exported from the cluster. */
  readonly facts: readonly Resource[];
  /** Names of Namespaces that only the judged change defines, so that their labels in the cluster are unknown. */
  readonly claimedNamespaces?: ReadonlySet<string>;
  /** True if the facts are complete, so that an object that is not among them does not exist. Default: false. */
  readonly isComplete?: boolean;
}

/** Why a resource was not passed to the policies. */
export interface Unevaluated {
  readonly resource: Resource;
  readonly reason: 'exempt-kind' | 'refused-object' | 'placeholder' | 'too-much-work';
  readonly detail: string;
}

export interface TargetEvaluation {
  readonly target: Target;
  readonly policies: readonly LoadedPolicy[];
  /** Number of resources passed to the policies. */
  readonly evaluated: number;
  readonly unevaluated: readonly Unevaluated[];
  /** About policies and objects: server errors, and settings without effect. */
  readonly diagnostics: readonly Diagnostic[];
  readonly unknowns: Unknowns;
  /** Group, kind, namespace and name; undefined if the server or the rendering generates the name. */
  identityOf(resource: Resource): string | undefined;
}
