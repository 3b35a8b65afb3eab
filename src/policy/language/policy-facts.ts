// What a policy is and needs, for people who look over all of them.

export interface PolicyFacts {
  /** `Deny`, `Deny and Audit`; of all bindings, each once. Empty: nothing follows from a failure, or the kind has none. */
  readonly actions: readonly string[];
  /** What its rules cover, one text each: `deployments.apps on CREATE, UPDATE`. */
  readonly matches: readonly string[];
  /** `ConfigMap`, with the group where it has one: `Limits.example.com`. */
  readonly paramKind?: string;
  /** First release, as `1.30`, that serves its version and compiles its expressions; absent: none that is known. */
  readonly since?: string;
  /** Number of warnings that the server's type checking would write into its status; absent for kinds that are not checked. */
  readonly typeWarnings?: number;
  /** Share of the cost budget that the dearest request took, up to 1; absent: it was not evaluated, or has none. */
  readonly budgetShare?: number;
}
