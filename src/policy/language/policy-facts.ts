// Facts about a policy for an overview of all policies.

export interface PolicyFacts {
  /** `Deny`, `Deny and Audit`: the distinct actions of all bindings. Empty: a failure has no consequence, or the kind has no actions. */
  readonly actions: readonly string[];
  /** What its rules match, one text each: `deployments.apps on CREATE, UPDATE`. */
  readonly matches: readonly string[];
  /** `ConfigMap`, followed by the group if there is one: `Limits.example.com`. */
  readonly paramKind?: string;
  /** First release, e.g. `1.30`, that serves its version and compiles its expressions. Absent: unknown. */
  readonly since?: string;
  /** True if the server rejects the policy, which then has no effect. */
  readonly isRefused?: boolean;
  /** `status.typeChecking.expressionWarnings` as the server writes it. Absent for kinds without type checking. */
  readonly typeWarnings?: readonly TypeWarning[];
  /** Access that the server requires of whoever creates the policy or a binding, one sentence each. */
  readonly readAccess?: readonly string[];
  /** Largest share of the cost budget that one request used, up to 1. Absent: not evaluated, or no budget. */
  readonly budgetShare?: number;
}

export interface TypeWarning {
  /** `spec.validations[0].expression`. */
  readonly fieldRef: string;
  readonly warning: string;
}
