// One cluster as the repository describes it: what to evaluate, by which policies, knowing what.
import type { Diagnostic, Severity } from '../diagnostic/diagnostic.ts';
import type { AccessRule } from '../kubernetes/access/access.ts';
import type { Resource } from '../kubernetes/api/resource.ts';
import type { KubernetesVersion } from '../kubernetes/api/version.ts';
import type { CompleteObjects } from '../kubernetes/cluster/cluster.ts';
import type { UserInfo } from '../kubernetes/request/admission-request.ts';
import type { FieldValidation } from '../kubernetes/request/field-validation.ts';
import type { RunBudget } from '../kubernetes/request/run-budget.ts';
import type { AdmissionPlugin } from '../kubernetes/schema/creation/in-tree-admission.ts';
import type { LoadedPolicy } from '../policy/language/policy-language.ts';
import type { Unknowns } from './unknowns.ts';

export interface Target {
  /** Of the run, shared by its targets; absent: one of its own. */
  readonly work?: RunBudget;
  readonly name: string;
  readonly kubernetesVersion: KubernetesVersion;
  readonly fieldValidation: FieldValidation;
  /** Of those that change objects. */
  readonly disabledAdmissionPlugins: readonly AdmissionPlugin[];
  /** Feature gates that are on though they are off by default; none if absent. */
  readonly featureGates?: readonly string[];
  /** Of a field that Git writes and a mutating policy changes; absent: nothing is said of it. */
  readonly mutationDrift?: Severity;
  /** Whether it is found out what validating policies would say of objects that no policy had changed. */
  readonly explainsMutations?: boolean;
  readonly userInfo: UserInfo;
  /** Answers to the authorizer's questions that come before those of RBAC objects. */
  readonly accessRules?: readonly AccessRule[];
  /** Objects of which the facts are all there are. */
  readonly complete?: readonly CompleteObjects[];
  /** Namespace of namespaced resources that name none. */
  readonly defaultNamespace: string;
  /** Resources to evaluate, in repository order. */
  readonly manifests: readonly Resource[];
  /** Resources policies and bindings may come from. */
  readonly policies: readonly Resource[];
  /** Everything that tells about the cluster: the manifests, the policies, and facts exported from it. */
  readonly facts: readonly Resource[];
  /** True if the facts tell everything about the cluster, so that what they do not hold does not exist; false if absent. */
  readonly isComplete?: boolean;
}

/** Why a resource was not offered to the policies. */
export interface Unevaluated {
  readonly resource: Resource;
  readonly reason: 'exempt-kind' | 'refused-object' | 'placeholder' | 'too-much-work';
  readonly detail: string;
}

export interface TargetEvaluation {
  readonly target: Target;
  readonly policies: readonly LoadedPolicy[];
  /** Number of resources offered to the policies. */
  readonly evaluated: number;
  readonly unevaluated: readonly Unevaluated[];
  /** About policies and objects: what the API server would refuse, what has no effect. */
  readonly diagnostics: readonly Diagnostic[];
  readonly unknowns: Unknowns;
  /** Group, kind, namespace and name; undefined for objects whose name the server makes up. */
  identityOf(resource: Resource): string | undefined;
}
