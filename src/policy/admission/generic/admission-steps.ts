// The steps that each admission policy language gives to the shared loader.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { RbacAuthorizer } from '../../../kubernetes/access/rbac.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { ExpressionMode } from '../../../kubernetes/cel/environment.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { FieldError } from '../../../kubernetes/validation/field-error.ts';
import type { CompiledVariables } from '../../expression/variables.ts';
import type { PolicyFacts } from '../../language/policy-facts.ts';
import type { LoadedPolicies } from '../../language/policy-language.ts';
import type { AdmissionBinding, AdmissionPolicy, PlacedExpression } from './admission-policy.ts';
import type { RequestNamespaces } from './dispatched-request.ts';
import type { SharedPaths } from './field-reads.ts';
import type { BoundPolicy, Hook, HookIndex } from './hook-index.ts';
import type { PolicyFieldError } from './validate-admission-policy.ts';

/** What policies are dispatched with, the same for all requests of a run. */
export interface DispatchContext<Policy extends AdmissionPolicy, Binding extends AdmissionBinding, Runner> {
  readonly index: HookIndex<Hook<Policy, Binding, Runner>>;
  readonly cluster: Cluster;
  readonly namespaces: RequestNamespaces;
  readonly paths: SharedPaths;
  readonly authorizer: RbacAuthorizer;
}

/** State of the loader when the facts of a policy are read. */
export interface PolicyState<Policy, Binding, Runner> {
  readonly policy: Policy;
  /** All bindings, including those that the server refuses. */
  readonly bindings: readonly Binding[];
  readonly isRefused: boolean;
  /** Undefined before a request needs it. */
  readonly runner: Runner | undefined;
}

/** The loader's own part of `LoadedPolicies`. */
type SharedAnswers = 'policies' | 'diagnostics' | 'prepare';

/** In the order in which the loader needs them. Made for one load, so that steps may share caches. */
export interface AdmissionSteps<
  Policy extends AdmissionPolicy,
  Binding extends AdmissionBinding,
  Compiled extends { readonly variables: CompiledVariables },
  Runner,
> {
  readonly kind: Policy['kind'];
  readonly readPolicy: (resource: Resource) => Policy;
  readonly readBinding: (resource: Resource) => Binding;
  /** The order of evaluation. */
  readonly inOrder: <T extends Policy | Binding>(items: readonly T[]) => readonly T[];
  /** False if this cluster evaluates no policy of this language. */
  readonly isServed: boolean;
  /** `other`: the environments of another server. */
  readonly compile: (policy: Policy, mode: ExpressionMode, other?: AdmissionEnvironments) => Compiled;
  readonly expressionsOf: (policy: Policy, compiled: Compiled) => readonly PlacedExpression[];
  /** `compiled`: as on creation. */
  readonly validatePolicy: (policy: Policy, compiled: Compiled) => readonly PolicyFieldError[];
  readonly validateBinding: (binding: Binding) => readonly FieldError[];
  /** `compiled`: as stored. */
  readonly runner: (policy: Policy, compiled: Compiled) => Runner;
  /** Called once; the function that it returns reports the ill-typed expressions of a policy. */
  readonly typing: () => (policy: Policy, compiled: Compiled) => readonly Diagnostic[];
  /** True if a violation is only warned about or audited. */
  readonly neverDenies?: (bindings: readonly Binding[]) => boolean;
  readonly facts: (
    state: PolicyState<Policy, Binding, Runner>,
  ) => Pick<PolicyFacts, 'actions' | 'typeWarnings' | 'budgetShare'>;
  readonly answers: (
    members: readonly BoundPolicy<Policy, Binding, Runner>[],
    context: DispatchContext<Policy, Binding, Runner>,
  ) => Omit<LoadedPolicies, SharedAnswers>;
}
