// All Kyverno policies of a target, in webhook order: mutation by both policy families first, then validation by both.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { MutationStage } from '../../../kubernetes/patch/mutation-stage.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { changedPaths } from '../../../source/json/changed-paths.ts';
import { joinedOutcome } from '../../evaluation/joined-outcome.ts';
import type { PolicyExplanation } from '../../explanation/explanation.ts';
import type {
  AdmissionOutcome,
  LoadedPolicies,
  LoadedPolicy,
  MutationOutcome,
  ObjectChangeByPolicy,
  ObjectMutation,
  RecordedDecision,
} from '../../language/policy-language.ts';
import { CelPolicies, type ObjectChanged } from '../cel-policy/cel-policies.ts';
import { CelPolicyOutcome } from '../cel-policy/cel-policy-outcome.ts';
import { ClassicPolicies } from '../classic/classic-policies.ts';
import { isClassicException, isClassicPolicy } from '../classic/classic-policy.ts';
import { CleanupPolicies } from '../cleanup/cleanup-policies.ts';
import type { KyvernoDefinitions } from '../definition/definitions.ts';
import type { KyvernoSettings } from '../installation/kyverno-settings.ts';
import { Consequences } from '../rule/consequences.ts';
import { isCelException, isCelPolicy, isCleanupPolicy } from './policy-kinds.ts';

export class KyvernoPolicies implements LoadedPolicies {
  readonly policies: readonly LoadedPolicy[];
  readonly mutation: ObjectMutation = {
    isFollowedByEvaluation: true,
    concerns: (request) =>
      this.#classic.concerns(request) || (this.#cel.concerns(request) && !this.#classic.isUnseen(request)),
    mutate: (request, stage) => this.#mutate(request, stage),
  };
  readonly unknowns: readonly string[];
  readonly #consequences = new Consequences();
  readonly #classic: ClassicPolicies;
  readonly #cel: CelPolicies;
  readonly #cleanup: CleanupPolicies;
  readonly #definitions: () => KyvernoDefinitions;
  #diagnostics: readonly Diagnostic[] | undefined;

  constructor(
    resources: readonly Resource[],
    cluster: Cluster,
    settings: KyvernoSettings,
    definitions: (version: KubernetesVersion) => KyvernoDefinitions,
  ) {
    const classic = resources.filter((resource) => isClassicPolicy(resource) || isClassicException(resource));
    const cel = resources.filter((resource) => isCelPolicy(resource) || isCelException(resource));
    this.#definitions = () => definitions(cluster.version).renewed();
    this.#classic = new ClassicPolicies(classic, cluster, settings, this.#consequences);
    this.#cel = new CelPolicies(cel, cluster, settings, this.#consequences);
    const cleanup = resources.filter(isCleanupPolicy);
    this.#cleanup = new CleanupPolicies(cleanup, cluster, settings, this.#consequences);
    this.unknowns = assumedExceptions(resources, settings);
    this.policies = [...this.#classic.policies, ...this.#cel.policies, ...this.#cleanup.policies];
  }

  get diagnostics(): readonly Diagnostic[] {
    this.#diagnostics ??= this.#ownDiagnostics();
    return [...this.#diagnostics, ...this.#consequences.diagnostics()];
  }

  #ownDiagnostics(): readonly Diagnostic[] {
    const definitions = this.#definitions();
    return [
      ...this.#classic.diagnostics(this.#definitions),
      ...this.#cel.diagnostics(definitions),
      ...this.#cleanup.diagnostics(definitions),
    ];
  }

  prepare(request: AdmissionRequest): void {
    this.#classic.prepare(request);
    this.#cel.prepare(request);
  }

  evaluate(request: AdmissionRequest, record?: (decision: RecordedDecision) => void): AdmissionOutcome {
    const asked = this.#asked(request, record);
    const cleaning = this.#cleanup.foresee(request);
    return cleaning.length === 0 ? asked : { ...asked, exempt: false, matched: [...asked.matched, ...cleaning] };
  }

  #asked(request: AdmissionRequest, record?: (decision: RecordedDecision) => void): AdmissionOutcome {
    const classic = this.#classic.evaluate(request, record);
    if (!this.#cel.concerns(request)) return classic;
    const unseen = this.#classic.unseenReason(request);
    if (unseen !== undefined) {
      this.#consequences.addUnseen(request, unseen, this.#cel.policiesFor(request));
      return classic;
    }
    const outcome = new CelPolicyOutcome(request, record);
    this.#cel.validate(request, outcome);
    return joinedOutcome(classic, outcome.build(false));
  }

  /** Classic policies are explained by rule, CEL policies with the values of their expressions. */
  explain(request: AdmissionRequest, before: AdmissionRequest): readonly PolicyExplanation[] {
    const unseen = this.#classic.unseenReason(request);
    const says = `Kyverno does not see the object: ${unseen}`;
    const cel: readonly PolicyExplanation[] =
      unseen === undefined
        ? this.#cel.explain(request, this.#classic.mutate(before, () => {}).request ?? before)
        : this.#cel.policies.map(({ identity }) => ({
            policy: identity,
            result: 'stops',
            steps: [{ result: 'stops', says }],
          }));
    return [...this.#classic.explain(request), ...cel, ...this.#cleanup.explain(request)];
  }

  #mutate(request: AdmissionRequest, stage: MutationStage): MutationOutcome {
    const changes: ObjectChangeByPolicy[] = [];
    const changed: ObjectChanged = (policy, before, after, rule, readsSecret = false) => {
      const paths = changedPaths(before, after);
      if (paths.length === 0) return;
      changes.push({
        policy,
        binding: undefined,
        param: undefined,
        rule,
        pass: 1,
        paths,
        objects: { before, patched: after, after },
        readsSecret,
      });
    };
    const classic = this.#classic.mutate(request, changed);
    const ended = (outcome: AdmissionOutcome): MutationOutcome => {
      return { object: request.object, changes: [], remarks: [], outcome };
    };
    if (classic.request === undefined) return ended(classic.outcome);
    const own = new CelPolicyOutcome(classic.request, undefined);
    const mergeTypeOf = (kind: AdmissionRequest['kind']) => stage.patchTarget(kind)?.mergeType;
    const mutated = this.#cel.mutate(classic.request, own, mergeTypeOf, changed);
    const outcome = joinedOutcome(classic.outcome, own.build(false));
    if (mutated === undefined || changes.length === 0 || mutated.object === null) return ended(outcome);
    // The server decodes the patched object again.
    const read = stage.patchTarget(request.kind)?.fromPatched(mutated.object);
    const object = read === undefined || 'error' in read ? mutated.object : read.object;
    return { object, changes, remarks: [], outcome };
  }
}

/** The chart disables exceptions by default. If the repository contains some, Preadmit assumes that they are enabled. */
function assumedExceptions(resources: readonly Resource[], { exceptions }: KyvernoSettings): readonly string[] {
  const count = resources.filter((resource) => isClassicException(resource) || isCelException(resource)).length;
  if (count === 0 || !exceptions.isAssumed) return [];
  return [
    'whether Kyverno applies PolicyExceptions, which its chart disables by default: Preadmit applies them; configure `kyverno.exceptions` to change this',
  ];
}
