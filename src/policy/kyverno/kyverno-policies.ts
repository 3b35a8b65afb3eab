// All policies of Kyverno's of a target, in the order of its webhooks: mutation of both groups first, then validation of both.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { AdmissionRequest } from '../../kubernetes/admission-request.ts';
import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import { BuiltinMergeTypes } from '../../kubernetes/patch/builtin-merge-type.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { SchemaCatalog } from '../../kubernetes/schema/schema-catalog.ts';
import type { AdmissionOutcome, LoadedPolicies, LoadedPolicy, RecordedDecision } from '../policy-language.ts';
import { CelPolicies, isCelException, isCelPolicy } from './cel-policy/cel-policies.ts';
import { CelPolicyOutcome } from './cel-policy/cel-policy-outcome.ts';
import { ClassicPolicies } from './classic/classic-policies.ts';
import { isClassicException, isClassicPolicy } from './classic/classic-policy.ts';
import { KyvernoDefinitions } from './definitions.ts';
import type { KyvernoSettings } from './kyverno-settings.ts';

export class KyvernoPolicies implements LoadedPolicies {
  readonly policies: readonly LoadedPolicy[];
  readonly #classic: ClassicPolicies;
  readonly #cel: CelPolicies;
  readonly #cluster: Cluster;
  #diagnostics: readonly Diagnostic[] | undefined;

  constructor(resources: readonly Resource[], cluster: Cluster, settings: KyvernoSettings) {
    const catalog = new SchemaCatalog(cluster.version.minor);
    const mergeTypes = new BuiltinMergeTypes();
    const classic = resources.filter((resource) => isClassicPolicy(resource) || isClassicException(resource));
    const cel = resources.filter((resource) => isCelPolicy(resource) || isCelException(resource));
    this.#cluster = cluster;
    this.#classic = new ClassicPolicies(classic, cluster, settings);
    this.#cel = new CelPolicies(cel, cluster, settings, (kind) => {
      const struct = catalog.structForKind(kind);
      return struct && mergeTypes.of(struct);
    });
    this.policies = [...this.#classic.policies, ...this.#cel.policies];
  }

  get diagnostics(): readonly Diagnostic[] {
    this.#diagnostics ??= [
      ...this.#classic.diagnostics,
      ...this.#cel.diagnostics(new KyvernoDefinitions(this.#cluster.version)),
    ];
    return this.#diagnostics;
  }

  prepare(request: AdmissionRequest): void {
    this.#classic.prepare(request);
    this.#cel.prepare(request);
  }

  evaluate(request: AdmissionRequest, record?: (decision: RecordedDecision) => void): AdmissionOutcome {
    if (!this.#cel.concerns(request)) return this.#classic.evaluate(request, record);
    const outcome = new CelPolicyOutcome(request, record);
    let seen: AdmissionRequest | undefined;
    const classic = this.#classic.evaluate(request, record, (mutated) => {
      seen = this.#cel.mutate(mutated, outcome);
      return seen;
    });
    if (seen !== undefined) this.#cel.validate(seen, outcome);
    return joined(classic, outcome.build(classic.exempt));
  }
}

function joined(one: AdmissionOutcome, other: AdmissionOutcome): AdmissionOutcome {
  return {
    exempt: one.exempt,
    matched: [...one.matched, ...other.matched],
    evaluations: [...one.evaluations, ...other.evaluations],
    omitted: [...one.omitted, ...other.omitted],
    passed: one.passed + other.passed,
    denial: one.denial ?? other.denial,
    warnings: [...one.warnings, ...other.warnings],
    auditAnnotations: new Map([...one.auditAnnotations, ...other.auditAnnotations]),
    unknowns: [...one.unknowns, ...other.unknowns],
  };
}
