// The ClusterPolicies, Policies and PolicyExceptions of a target. Evaluates single requests like Kyverno's webhooks.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { RegexCache } from '../../../go/regexp/regex-cache.ts';
import { kindKey } from '../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { PolicyExplanation } from '../../explanation/explanation.ts';
import type { PolicyIdentity } from '../../language/policy.ts';
import type { AdmissionOutcome, LoadedPolicy, RecordedDecision } from '../../language/policy-language.ts';
import type { ComputedRule } from '../autogen/autogen.ts';
import type { KyvernoDefinitions } from '../definition/definitions.ts';
import { compileException, type PolicyException } from '../exception/policy-exception.ts';
import type { KyvernoSettings } from '../installation/kyverno-settings.ts';
import type { SearchEnvironment } from '../jmespath/search-environment.ts';
import { kindMatches, type SelectedKind } from '../matching/kind-selector.ts';
import { backgroundRules } from '../rule/background-rules.ts';
import { CompiledPolicy } from '../rule/compiled-policy.ts';
import type { KyvernoRule } from '../rule/compiled-rule.ts';
import { type Consequences, objectLabel } from '../rule/consequences.ts';
import { mutatePolicy, mutateTargets, undecidedMutations, validatePolicy } from '../rule/evaluate-policy.ts';
import { generatedObjects } from '../rule/generated-objects.ts';
import { openRequest } from '../rule/open-request.ts';
import type { PolicyContext } from '../rule/policy-context.ts';
import { KyvernoPanic, type RuleResponse, Undecided } from '../rule/rule-response.ts';
import { QueryCache } from '../variables/query-cache.ts';
import { ClassicOutcome } from './classic-outcome.ts';
import { asSeenByKyverno, type ClassicPolicy, isClassicException, isClassicPolicy } from './classic-policy.ts';
import { DenialWriter } from './denial-text.ts';
import { explainResponse, observedReads } from './explain-response.ts';
import { explainRules } from './explain-rules.ts';
import { neverEnforces } from './failure-action.ts';
import { policyDiagnostics } from './policy-diagnostics.ts';
import { repositoryCel } from './repository-cel.ts';
import { repositorySource } from './repository-source.ts';
import { repositoryTargets } from './repository-targets.ts';
import { type ContextParts, policyContext } from './request-context.ts';
import { RequestFilter } from './request-filter.ts';
import { SpokenRules } from './spoken-rules.ts';
import { UserRoles } from './user-roles.ts';
import { WebhookConditions } from './webhook-conditions.ts';

export interface ClassicMutation {
  /** Undefined if the request is rejected. */
  readonly request: AdmissionRequest | undefined;
  readonly outcome: AdmissionOutcome;
}

/** Work to match a policy and start its evaluation, in steps. */
const STEPS_FOR_POLICY = 200;

export class ClassicPolicies {
  readonly policies: readonly LoadedPolicy[];
  readonly #policies: readonly ClassicPolicy[];
  readonly #exceptionResources: readonly Resource[];
  readonly #filter: RequestFilter;
  readonly #consequences: Consequences;
  readonly #parts: ContextParts;
  readonly #writer: DenialWriter;
  /** By kind: the policies with a rule for the kind. */
  readonly #concerned = new Map<string, readonly ClassicPolicy[]>();
  #diagnostics: readonly Diagnostic[] | undefined;

  constructor(resources: readonly Resource[], cluster: Cluster, settings: KyvernoSettings, consequences: Consequences) {
    this.#consequences = consequences;
    const environment: SearchEnvironment = {
      regexes: new RegexCache(),
      defaultRegistry: settings.defaultRegistry,
      enableDefaultRegistryMutation: settings.enableDefaultRegistryMutation,
      work: cluster.work,
    };
    this.#parts = { environment, queries: new QueryCache(), cluster, roles: new UserRoles(cluster) };
    this.#filter = new RequestFilter(settings, cluster);
    this.#exceptionResources = resources.filter(isClassicException);
    const exceptions = exceptionsOf(this.#exceptionResources, settings);
    const cel = repositoryCel(cluster);
    this.#policies = resources.filter(isClassicPolicy).map((resource) => {
      const compiled = new CompiledPolicy(asSeenByKyverno(resource));
      const source = repositorySource(cluster, compiled.namespace ?? '');
      const identity = { kind: resource.gvk.kind, name: resource.name, resource };
      const hasConditions = objectItems(compiled.webhookConfiguration?.get('matchConditions')).length > 0;
      const webhook = hasConditions ? new WebhookConditions(compiled, cel) : undefined;
      const spender = cluster.work.spender(`${identity.kind} ${identity.name}`, resource);
      const rules = new SpokenRules(compiled);
      return { identity, compiled, settings: { exceptions, source, cel }, rules, webhook, spender };
    });
    this.#writer = new DenialWriter(this.#policies.map(({ compiled }) => compiled.name));
    this.policies = this.#policies.map(({ identity, compiled }) => ({
      identity,
      bindings: 1,
      neverDenies: neverEnforces(compiled),
    }));
  }

  diagnostics(definitions: () => KyvernoDefinitions): readonly Diagnostic[] {
    this.#diagnostics ??= policyDiagnostics(
      this.#policies,
      this.#exceptionResources,
      definitions(),
      this.#parts.cluster,
    );
    return this.#diagnostics;
  }

  prepare(request: AdmissionRequest): void {
    this.#concernedBy(request);
  }

  /** True for requests that none of Kyverno's webhooks receives. */
  isUnseen(request: AdmissionRequest): boolean {
    return this.#filter.isUnseen(request);
  }

  unseenReason(request: AdmissionRequest): string | undefined {
    return this.#filter.reason(request);
  }

  /** True if a rule may match this request. */
  concerns(request: AdmissionRequest): boolean {
    return this.#concernedBy(request).length > 0 && !this.#filter.isUnseen(request);
  }

  /** Runs the validate rules, after all mutations. */
  evaluate(mutated: AdmissionRequest, record?: (decision: RecordedDecision) => void): AdmissionOutcome {
    const outcome = new ClassicOutcome(mutated, this.#writer, record, (policy, response) =>
      this.#explain(policy, mutated, response),
    );
    const concerned = this.#concernedBy(mutated);
    // Kyverno's webhooks list the kinds of its policies. For other kinds, Kyverno is not called.
    if (concerned.length === 0) return outcome.build(true);
    const unseen = this.#filter.reason(mutated);
    if (unseen !== undefined) {
      this.#tellUnseen(mutated, unseen, concerned);
      return outcome.build(true);
    }
    const asked = openRequest(mutated);
    let context = policyContext(asked, this.#parts);
    for (const policy of concerned) {
      this.#begin(policy);
      if (!isAsked(policy, asked, outcome)) continue;
      try {
        const responses = validatePolicy(policy.compiled, context, policy.settings);
        if (responses.length > 0) outcome.add(policy, responses, context);
        this.#listExceptions(policy, responses, mutated, outcome);
      } catch (error) {
        if (error instanceof Undecided) outcome.webhookUnknown(policy, error.message);
        else if (error instanceof KyvernoPanic) outcome.panic(policy, error.message);
        else throw error;
        context = policyContext(asked, this.#parts);
      }
    }
    for (const policy of concerned) this.#carryOut(policy, mutated, outcome);
    return outcome.build(false);
  }

  /** Explains each policy's result. Mutate and generate rules are explained by their decisions only. */
  explain(request: AdmissionRequest): readonly PolicyExplanation[] {
    const unseen = this.#filter.reason(request);
    return this.#policies.map((policy): PolicyExplanation => {
      const { identity } = policy;
      const stopped = (says: string): PolicyExplanation => {
        return { policy: identity, result: 'stops', steps: [{ result: 'stops', says }] };
      };
      if (unseen !== undefined) return stopped(`Kyverno does not see the object: ${unseen}`);
      if (!isAsked(policy, request, new ClassicOutcome(request, this.#writer))) {
        return stopped('the matchConditions of its webhook exclude the request');
      }
      const context = policyContext(request, this.#parts);
      const ask = ({ computed }: KyvernoRule): RuleResponse | undefined =>
        this.#askRule(policy, policyContext(request, this.#parts), computed);
      return explainRules(policy, context, {
        response: ask,
        reads: (response) => this.#explain(policy, request, response),
        exception: (key) =>
          this.#exceptionResources.find(
            ({ namespace, name }) => key === (namespace === '' ? name : `${namespace}/${name}`),
          ),
      });
    });
  }

  #askRule(policy: ClassicPolicy, context: PolicyContext, computed: ComputedRule): RuleResponse | undefined {
    const { compiled, settings } = policy;
    this.#begin(policy);
    try {
      const [validated] = validatePolicy(compiled, context, settings, computed);
      if (validated !== undefined) return validated;
      const other = [
        ...backgroundRules(compiled, context, settings),
        ...mutatePolicy(compiled, context, settings).responses,
      ];
      return other.find((response) => response.computed === computed);
    } catch (error) {
      if (!(error instanceof KyvernoPanic)) throw error;
      const message = `Kyverno crashes while it evaluates this policy: ${error.message}`;
      return { rule: '', type: 'Validation', status: 'error', message };
    }
  }

  /** Evaluates rules that exceptions skip again, without the exceptions. */
  #listExceptions(
    policy: ClassicPolicy,
    responses: readonly RuleResponse[],
    request: AdmissionRequest,
    outcome: ClassicOutcome,
  ): void {
    if (this.#exceptionResources.length === 0) return;
    for (const { exceptions = [], computed } of responses) {
      const exception = this.#exceptionResources.find(({ namespace, name }) => {
        return exceptions.includes(namespace === '' ? name : `${namespace}/${name}`);
      });
      if (exception === undefined || computed === undefined) continue;
      const context = policyContext(openRequest(request), this.#parts);
      const settings = { ...policy.settings, exceptions: [] };
      const [response] = validatePolicy(policy.compiled, context, settings, computed);
      if (response?.status !== 'fail' && response?.status !== 'error') continue;
      outcome.addExempted(policy, response, exception, context, () =>
        this.#explain(policy, request, response, settings),
      );
    }
  }

  #begin({ spender }: ClassicPolicy): void {
    const { work } = this.#parts.cluster;
    work.begin(spender);
    work.spend(STEPS_FOR_POLICY);
  }

  /** Effects of the background controller on this object after admission. */
  #carryOut(policy: ClassicPolicy, request: AdmissionRequest, outcome: ClassicOutcome): void {
    const { compiled, settings, identity } = policy;
    if (!compiled.hasBackgroundRules) return;
    const responses = backgroundRules(compiled, policyContext(request, this.#parts), settings);
    const carriedOut = responses.filter(({ status }) => status === 'pass');
    if (carriedOut.length === 0) return;
    outcome.addBackground(policy, carriedOut);
    for (const rule of compiled.rulesFor(undefined)) {
      if (rule.action?.form !== 'generate' || !carriedOut.some(({ computed }) => computed === rule.computed)) continue;
      const place = ['spec', 'rules', rule.computed.index, 'generate'];
      const objects = generatedObjects(rule, policyContext(request, this.#parts), settings.source);
      this.#consequences.add(identity, place, 'would generate', objects, request);
    }
    if (!carriedOut.some(({ type }) => type === 'Mutation')) return;
    const targets = repositoryTargets(this.#parts.cluster);
    for (const response of mutateTargets(compiled, policyContext(request, this.#parts), settings, targets)) {
      const { patchedTarget, computed, status, message } = response;
      const place = ['spec', 'rules', computed?.index ?? 0, 'mutate', 'targets'];
      if (patchedTarget !== undefined)
        this.#consequences.add(identity, place, 'would patch', [objectLabel(patchedTarget)], request);
      else if (status === 'unknown') this.#consequences.add(identity, place, 'would patch', [message], request);
    }
  }

  /** The request after all mutate rules. Undefined if a rule fails and blocks; nothing else is evaluated then. */
  mutate(
    request: AdmissionRequest,
    changed: (policy: PolicyIdentity, before: JsonObject, after: JsonObject, rule: FieldPath) => void,
  ): ClassicMutation {
    const outcome = new ClassicOutcome(request, this.#writer);
    const concerned = this.#concernedBy(request);
    if (concerned.length === 0 || this.#filter.isUnseen(request)) return { request, outcome: outcome.build(true) };
    let current = request;
    for (const policy of concerned) {
      this.#begin(policy);
      if (!policy.compiled.hasMutations || !isAsked(policy, current, outcome)) continue;
      const context = policyContext(current, this.#parts);
      try {
        const { responses, object } = mutatePolicy(policy.compiled, context, policy.settings);
        const failed = [
          ...this.#undecidedMutations(policy, current),
          ...responses.filter(({ status }) => status === 'error' || status === 'unknown'),
        ];
        const asked = current;
        const explain = (): ReturnType<typeof explainResponse> => this.#explainMutation(policy, asked);
        if (failed.length > 0 && outcome.addMutation(policy, failed, explain)) {
          return { request: undefined, outcome: outcome.build(false) };
        }
        if (object === undefined || current.object === null || object === current.object) continue;
        changed(policy.identity, current.object, object, writingRule(responses));
        current = { ...current, object };
      } catch (error) {
        if (!(error instanceof KyvernoPanic)) throw error;
        outcome.panic(policy, error.message);
      }
    }
    return { request: current, outcome: outcome.build(false) };
  }

  #undecidedMutations({ compiled, settings }: ClassicPolicy, request: AdmissionRequest): readonly RuleResponse[] {
    const asked = openRequest(request);
    return asked === request ? [] : undecidedMutations(compiled, policyContext(asked, this.#parts), settings);
  }

  #explain(
    policy: ClassicPolicy,
    request: AdmissionRequest,
    response: RuleResponse,
    settings = policy.settings,
  ): ReturnType<typeof explainResponse> {
    return explainResponse(response, request, (observer) =>
      validatePolicy(policy.compiled, policyContext(request, this.#parts, observer), settings, response.computed),
    );
  }

  #explainMutation(policy: ClassicPolicy, request: AdmissionRequest): ReturnType<typeof explainResponse> {
    return observedReads((observer) => {
      mutatePolicy(policy.compiled, policyContext(request, this.#parts, observer), policy.settings);
    });
  }

  #tellUnseen(request: AdmissionRequest, reason: string, concerned: readonly ClassicPolicy[]): void {
    const policies = concerned.map(({ identity }) => identity);
    this.#consequences.addUnseen(request, reason, policies);
  }

  #concernedBy({ kind, subResource }: AdmissionRequest): readonly ClassicPolicy[] {
    const key = `${kindKey(kind)}/${subResource}`;
    let concerned = this.#concerned.get(key);
    if (concerned === undefined) {
      const selected: SelectedKind = { ...kind, subresource: subResource };
      concerned = this.#policies.filter(({ compiled }) => isConcerned(compiled, selected));
      this.#concerned.set(key, concerned);
    }
    return concerned;
  }
}

/** The only rule that writes, if there is exactly one. */
function writingRule(responses: readonly RuleResponse[]): FieldPath {
  const [computed, ...others] = responses.flatMap((response) =>
    response.status === 'pass' ? [response.computed] : [],
  );
  if (computed === undefined || others.length > 0) return ['spec', 'rules'];
  return ['spec', 'rules', computed.index, 'mutate'];
}

/** Policies that only scan in the background do not run at admission. */
function isConcerned(policy: CompiledPolicy, kind: SelectedKind): boolean {
  if (policy.spec.get('admission') === false) return false;
  const rules = policy.hasMutations
    ? [...policy.rulesFor(kind.kind), ...policy.rulesFor(undefined)]
    : policy.rulesFor(kind.kind);
  return rules.some(({ match }) => match.filters.some(({ kinds }) => kinds.length === 0 || kindMatches(kinds, kind)));
}

function isAsked(policy: ClassicPolicy, request: AdmissionRequest, outcome: ClassicOutcome): boolean {
  if (policy.webhook === undefined) return true;
  try {
    const matches = policy.webhook.matches(request);
    if (typeof matches === 'boolean') return matches;
    outcome.webhookError(policy, matches.error);
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    outcome.webhookUnknown(policy, error.message);
  }
  return false;
}

function exceptionsOf(resources: readonly Resource[], { exceptions }: KyvernoSettings): readonly PolicyException[] {
  if (!exceptions.isEnabled) return [];
  const { namespace } = exceptions;
  return resources
    .filter((resource) => namespace === '' || resource.namespace === namespace)
    .map((resource) => compileException(resource.value));
}
