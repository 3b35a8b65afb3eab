// The policies of group policies.kyverno.io of a target. Evaluates single requests like Kyverno's webhooks.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { isSecretKind } from '../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { Spender } from '../../../kubernetes/request/run-budget.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { PolicyExplanation } from '../../explanation/explanation.ts';
import type { PolicyIdentity } from '../../language/policy.ts';
import type { LoadedPolicy } from '../../language/policy-language.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import { liveObject } from '../cleanup/live-object.ts';
import type { KyvernoDefinitions } from '../definition/definitions.ts';
import type { KyvernoSettings } from '../installation/kyverno-settings.ts';
import { type CelKind, isCelException, isCelPolicy } from '../language/policy-kinds.ts';
import { openNamespace } from '../matching/match-answer.ts';
import { type Consequences, objectLabel } from '../rule/consequences.ts';
import { openRequest } from '../rule/open-request.ts';
import { KyvernoPanic, Undecided } from '../rule/rule-response.ts';
import { unwrittenVariants } from './cel-autogen.ts';
import { celPolicyDiagnostics } from './cel-diagnostics.ts';
import { readCelPolicy } from './cel-policy.ts';
import { type CelPolicyOutcome, type NamedCelPolicy, neverDenies, validatingWebhook } from './cel-policy-outcome.ts';
import type { CelRefusal } from './cel-refusal.ts';
import { type CelPolicySubject, type CelResponse, SharedSubject } from './cel-response.ts';
import { compileDeletingPolicy, DeletingPolicy } from './deleting-policy.ts';
import { explainCelPolicy } from './explain-cel-policy.ts';
import { compileGeneratingPolicy, GeneratingPolicy } from './generating-policy.ts';
import { compileImageValidatingPolicy, ImageValidatingPolicy } from './image-validating-policy.ts';
import { KyvernoEnvironments } from './kyverno-environment.ts';
import { mayMatchConstraints, readMatchConstraints } from './match-constraints.ts';
import { compileMutatingPolicy, type MergeTypeOf, MutatingPolicy } from './mutating-policy.ts';
import { OpenFields } from './open-fields.ts';
import { repositorySources } from './repository-sources.ts';
import type { CelSources, ExpressionWatch } from './sources.ts';
import { compileValidatingPolicy, ValidatingPolicy } from './validating-policy.ts';

type Validating = ValidatingPolicy | ImageValidatingPolicy;
type Compiled = Validating | MutatingPolicy | GeneratingPolicy | DeletingPolicy;

interface HeldPolicy extends NamedCelPolicy {
  readonly kind: CelKind;
  readonly constraints: readonly (MatchResources | undefined)[];
  readonly spender: Spender;
  /** Compiles on first call. */
  readonly compile: () => Compiled | CelRefusal;
}

/** Called when `rule` changed the object. `readsSecret`: the new value may come from a Secret that the rule read. */
export type ObjectChanged = (
  policy: PolicyIdentity,
  before: JsonObject,
  after: JsonObject,
  rule: FieldPath,
  readsSecret?: boolean,
) => void;

export class CelPolicies {
  readonly policies: readonly LoadedPolicy[];
  readonly #policies: readonly HeldPolicy[];
  readonly #exceptions: readonly Resource[];
  readonly #expired: readonly Resource[];
  readonly #environments: KyvernoEnvironments;
  /** Compiled when an exception is first used. */
  readonly #withoutExceptions = new Map<HeldPolicy, Compiled | CelRefusal>();
  readonly #cluster: Cluster;
  readonly #sources: CelSources;
  readonly #settings: KyvernoSettings;
  readonly #consequences: Consequences;
  #last: SharedSubject | undefined;
  /** True if the current policy read a Secret. */
  #readsSecret = false;
  /** By resource, operation and scope: the policies that may match. */
  readonly #concerned = new Map<string, readonly HeldPolicy[]>();

  constructor(resources: readonly Resource[], cluster: Cluster, settings: KyvernoSettings, consequences: Consequences) {
    this.#consequences = consequences;
    this.#settings = settings;
    this.#cluster = cluster;
    this.#sources = repositorySources(cluster, (kind) => {
      if (isSecretKind(kind)) this.#readsSecret = true;
    });
    this.#exceptions = settings.exceptions.isEnabled
      ? resources
          .filter(isCelException)
          .filter(({ namespace }) => ['', namespace].includes(settings.exceptions.namespace))
          .filter((exception) => !isExpired(exception, settings.today))
      : [];
    this.#expired = resources.filter((resource) => isCelException(resource) && isExpired(resource, settings.today));
    const environments = new KyvernoEnvironments(cluster.version);
    this.#environments = environments;
    this.#policies = resources.filter(isCelPolicy).map((resource) => this.#hold(resource, environments));
    this.policies = this.#policies.map(({ identity, written }) => ({
      identity,
      bindings: 1,
      neverDenies: neverDenies(written),
    }));
  }

  diagnostics(definitions: KyvernoDefinitions): readonly Diagnostic[] {
    const checked = this.#policies.map(({ identity, compile }) => {
      const compiled = compile();
      const refusal = 'errors' in compiled ? compiled : undefined;
      return { resource: identity.resource, refusal };
    });
    return [...celPolicyDiagnostics(checked, this.#exceptions, definitions), ...this.#expired.map(expiredException)];
  }

  prepare(request: AdmissionRequest): void {
    for (const { compile } of this.#concernedBy(request)) compile();
  }

  concerns(request: AdmissionRequest): boolean {
    return this.#concernedBy(request).length > 0;
  }

  policiesFor(request: AdmissionRequest): readonly PolicyIdentity[] {
    return this.#concernedBy(request).map(({ identity }) => identity);
  }

  /** The request after all MutatingPolicies. Undefined if one fails and blocks. `changed` is called for each change. */
  mutate(
    request: AdmissionRequest,
    outcome: CelPolicyOutcome,
    mergeTypeOf: MergeTypeOf,
    changed: ObjectChanged,
  ): AdmissionRequest | undefined {
    let current = request;
    for (const policy of this.#concernedBy(request)) {
      const compiled = policy.kind === 'MutatingPolicy' ? policy.compile() : undefined;
      if (!(compiled instanceof MutatingPolicy)) continue;
      this.#begin(policy);
      this.#readsSecret = false;
      try {
        const { responses, object } = compiled.mutate(this.#subject(current), mergeTypeOf);
        if (outcome.addMutation(policy, responses)) return undefined;
        if (object === current.object || object === null || current.object === null) continue;
        const rule = mutationsPath(policy.written.spec);
        changed(policy.identity, current.object, object, rule, this.#readsSecret);
        current = { ...current, object };
      } catch (error) {
        tellProblem(error, policy, outcome);
      }
    }
    return current;
  }

  validate(request: AdmissionRequest, outcome: CelPolicyOutcome): void {
    const open = OpenFields.of(request);
    const asked = open === undefined ? request : openRequest(request);
    for (const policy of this.#concernedBy(request)) {
      try {
        this.#begin(policy);
        const compiled = policy.compile();
        if ('errors' in compiled) continue;
        if (isValidating(compiled)) this.#validate(policy, compiled, this.#subject(asked, open), outcome);
        else this.#foresee(policy, compiled, request, outcome);
      } catch (error) {
        tellProblem(error, policy, outcome);
      }
    }
  }

  /** How each policy reaches its result. Mutating policies are explained with the object `before` them. */
  explain(request: AdmissionRequest, before: AdmissionRequest): readonly PolicyExplanation[] {
    const changing = this.#concernedBy(request).filter(({ kind }) => kind === 'MutatingPolicy').length;
    return this.#policies.map((policy) => {
      this.#begin(policy);
      const compiled = policy.compile();
      const ask = (subject: CelPolicySubject): readonly CelResponse[] => {
        if ('errors' in compiled) return [];
        if (compiled instanceof GeneratingPolicy) return compiled.generate(subject).responses;
        if (compiled instanceof DeletingPolicy) return this.#askedToDelete(compiled, subject);
        if (compiled instanceof MutatingPolicy) {
          // The traced values show the patch. Merging it would need the kind's schema.
          const { responses } = compiled.mutate(subject, () => undefined);
          return responses.filter(({ exceptions }) => exceptions !== undefined);
        }
        return this.#askedToValidate(policy, compiled, subject);
      };
      const exception = (key: string): Resource | undefined =>
        this.#exceptions.find(({ namespace, name }) => key === (namespace === '' ? name : `${namespace}/${name}`));
      const { constraints } = policy;
      const explained = {
        policy,
        constraints,
        isRefused: 'errors' in compiled,
        cluster: this.#cluster,
        exception,
        ask,
      };
      if (policy.kind !== 'MutatingPolicy') return explainCelPolicy(explained, this.#subject(request));
      return explainCelPolicy({ ...explained, isBeforeOthers: changing > 1 }, this.#subject(before));
    });
  }

  /** Traces the object as written, if the result depends only on its written values. */
  #askedToDelete(compiled: DeletingPolicy, subject: CelPolicySubject): readonly CelResponse[] {
    const { request } = subject;
    if (request.object === null) return [];
    const object = liveObject(request.object, (what) => new Undecided(what));
    const { watch, ...sources } = subject.sources;
    const live = { ...subject, request: { ...request, object } };
    try {
      compiled.evaluate({ ...live, sources });
    } catch (error) {
      compiled.evaluate({ ...live, sources: { ...sources, ...(watch && { watch: withoutParts(watch) }) } });
      throw error;
    }
    return compiled.evaluate(subject).filter(({ status }) => status === 'error');
  }

  #validate(policy: HeldPolicy, compiled: Validating, subject: CelPolicySubject, outcome: CelPolicyOutcome): void {
    const responses = this.#askedToValidate(policy, compiled, subject);
    outcome.addValidation(policy, responses);
    if (this.#exceptions.length === 0) return;
    const keys = responses.flatMap(({ exceptions = [] }) => exceptions);
    const exception = this.#exceptions.find(({ namespace, name }) => keys.includes(`${namespace}/${name}`));
    if (exception === undefined) return;
    const plain =
      this.#withoutExceptions.get(policy) ??
      COMPILERS[policy.kind](policy.identity.resource.value, [], this.#environments);
    this.#withoutExceptions.set(policy, plain);
    if ('errors' in plain || !isValidating(plain)) return;
    const without = withoutUndecided(() => this.#askedToValidate(policy, plain, subject));
    const failed = without.find(({ status }) => status === 'fail' || status === 'error');
    if (failed !== undefined) outcome.addExempted(policy, failed, exception, expiry(exception));
  }

  #askedToValidate(policy: HeldPolicy, compiled: Validating, subject: CelPolicySubject): readonly CelResponse[] {
    const { request } = subject;
    if (compiled instanceof ValidatingPolicy) return compiled.evaluate(subject);
    const webhook = validatingWebhook(policy.written);
    const isVerifiedElsewhere = this.#concernedBy(request).some(
      (other) =>
        other !== policy && other.kind === 'ImageValidatingPolicy' && validatingWebhook(other.written) === webhook,
    );
    return compiled.evaluate(subject, { registry: this.#settings, isVerifiedElsewhere });
  }

  /** Effects on other objects: those that the policy generates, deletes or patches. */
  #foresee(
    policy: HeldPolicy,
    compiled: MutatingPolicy | GeneratingPolicy | DeletingPolicy,
    request: AdmissionRequest,
    outcome: CelPolicyOutcome,
  ): void {
    const { identity } = policy;
    const subject = this.#subject(request);
    if (compiled instanceof GeneratingPolicy) {
      const { responses, generated } = compiled.generate(subject);
      if (responses.length > 0) outcome.addForeseen(policy);
      const labels = generated.map(({ namespace, object }) => {
        const label = objectLabel(object);
        return namespace === '' || label.includes('/') ? label : label.replace(' ', ` ${namespace}/`);
      });
      this.#consequences.add(identity, ['spec', 'generate'], 'would generate', labels, request);
    } else if (compiled instanceof DeletingPolicy) {
      this.#foreseeDeletion(policy, compiled, subject, outcome);
    } else if (compiled.hasTargets) {
      const what = 'other objects that its targetMatchConstraints select in the cluster';
      this.#consequences.add(identity, ['spec', 'targetMatchConstraints'], 'would patch', [what], request);
    }
  }

  /** The controller reads the object from the cluster later. */
  #foreseeDeletion(
    policy: HeldPolicy,
    compiled: DeletingPolicy,
    { request, ...subject }: CelPolicySubject,
    outcome: CelPolicyOutcome,
  ): void {
    if (request.object === null) return;
    const object = liveObject(request.object, (what) => new Undecided(what));
    let open: string | undefined;
    try {
      const responses = compiled.evaluate({ ...subject, request: { ...request, object } });
      if (responses.length > 0) outcome.addForeseen(policy);
      if (!responses.some(({ status }) => status === 'pass')) return;
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      outcome.addForeseen(policy);
      open = error.message;
    }
    this.#consequences.addDeletion(policy.identity, textField(policy.written.spec, 'schedule'), request.object, open);
  }

  #begin({ spender }: HeldPolicy): void {
    this.#cluster.work.begin(spender);
  }

  /** Policies are evaluated one after the other with the same request. */
  #subject(request: AdmissionRequest, open?: OpenFields): CelPolicySubject {
    if (this.#last?.request !== request) this.#last = new SharedSubject({ ...this.#madeSubject(request), open });
    return this.#last;
  }

  #madeSubject(request: AdmissionRequest): CelPolicySubject {
    const { namespace, kind } = request;
    const isNamespace = kind.group === '' && kind.kind === 'Namespace';
    if (namespace === '' || isNamespace) {
      return { request, namespaceObject: null, namespaceLabels: new Map(), sources: this.#sources };
    }
    const fact = this.#cluster.namespace(namespace);
    const { object, labels } = fact;
    return {
      request,
      namespaceObject: object,
      namespaceLabels: labels,
      openNamespace: openNamespace(request, fact),
      sources: this.#sources,
    };
  }

  #hold(resource: Resource, environments: KyvernoEnvironments): HeldPolicy {
    const written = readCelPolicy(resource.value);
    const identity = { kind: resource.gvk.kind, name: resource.name, resource };
    const kind = written.kind.replace(/^Namespaced/, '') as CelKind;
    const variants = [written.spec, ...unwrittenVariants(written.spec).map(({ spec }) => spec)];
    const constraints = variants.map((spec) => {
      const read = readMatchConstraints(spec.get('matchConstraints'));
      if (kind !== 'DeletingPolicy' || read === undefined) return read;
      return { ...read, resourceRules: read.resourceRules.map((rule) => ({ ...rule, operations: ['*'] })) };
    });
    let compiled: Compiled | CelRefusal | undefined;
    const compile = (): Compiled | CelRefusal => {
      compiled ??= COMPILERS[kind](
        resource.value,
        this.#exceptions.map(({ value }) => value),
        environments,
      );
      return compiled;
    };
    const spender = this.#cluster.work.spender(`${identity.kind} ${identity.name}`, resource);
    return { identity, written, kind, constraints, compile, spender };
  }

  #concernedBy(request: AdmissionRequest): readonly HeldPolicy[] {
    const { group, version, resource } = request.resource;
    const key = [group, version, resource, request.subResource, request.operation, request.namespace].join('/');
    let concerned = this.#concerned.get(key);
    if (concerned === undefined) {
      concerned = this.#policies.filter((policy) => isConcerned(policy, request));
      this.#concerned.set(key, concerned);
    }
    return concerned;
  }
}

const COMPILERS: Readonly<
  Record<CelKind, (...args: Parameters<typeof compileValidatingPolicy>) => Compiled | CelRefusal>
> = {
  ValidatingPolicy: compileValidatingPolicy,
  MutatingPolicy: compileMutatingPolicy,
  GeneratingPolicy: compileGeneratingPolicy,
  DeletingPolicy: compileDeletingPolicy,
  ImageValidatingPolicy: compileImageValidatingPolicy,
};

/** Records only the values of whole expressions, because their parts may have unknown values. */
function withoutParts(watch: ExpressionWatch): ExpressionWatch {
  return (program, run) =>
    watch(program, () => {
      const observed = run();
      return { ...observed, trace: { ...observed.trace, children: [] } };
    });
}

function isValidating(compiled: Compiled): compiled is Validating {
  return compiled instanceof ValidatingPolicy || compiled instanceof ImageValidatingPolicy;
}

/** Returns nothing if the result is unknown. */
function withoutUndecided(ask: () => readonly CelResponse[]): readonly CelResponse[] {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Undecided) return [];
    throw error;
  }
}

/** Policies for JSON documents, other services or background scans do not run at admission. */
function isConcerned({ written, constraints }: HeldPolicy, request: AdmissionRequest): boolean {
  const evaluation = objectOrEmpty(written.spec.get('evaluation'));
  if (!['', 'Kubernetes'].includes(textField(evaluation, 'mode'))) return false;
  if (objectOrEmpty(evaluation.get('admission')).get('enabled') === false) return false;
  if (written.namespace !== '' && written.namespace !== request.namespace) return false;
  return constraints.some((each) => mayMatchConstraints(each, request));
}

/** The only expression that writes, if there is exactly one. */
function mutationsPath(spec: JsonObject): FieldPath {
  const [mutation, ...others] = objectItems(spec.get('mutations'));
  if (mutation === undefined || others.length > 0) return ['spec', 'mutations'];
  const field = textField(mutation, 'patchType') === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  return ['spec', 'mutations', 0, field, 'expression'];
}

/** The last day of an exception. Undefined: no end. */
function expiry({ value }: Resource): string | undefined {
  return textField(objectOrEmpty(value.get('spec')), 'expiresAt').slice(0, 10) || undefined;
}

/** On its last day, an exception still applies for some hours. */
function isExpired(exception: Resource, today: string): boolean {
  const until = expiry(exception);
  return until !== undefined && until < today;
}

function expiredException(exception: Resource): Diagnostic {
  return {
    code: 'expired-suppression',
    severity: 'warning',
    message: `this exception expired after ${expiry(exception)}: Kyverno ignores it`,
    primary: exception.locate(['spec', 'expiresAt'], 'value'),
    related: [],
    help: 'fix the violations that it allowed, or extend `expiresAt`',
  };
}

function tellProblem(error: unknown, policy: NamedCelPolicy, outcome: CelPolicyOutcome): void {
  if (error instanceof Undecided) outcome.addUnknown(policy, error.message, error.reads);
  else if (error instanceof KyvernoPanic) {
    const message = `Kyverno crashes while it evaluates this policy: ${error.message}`;
    outcome.addValidation(policy, [{ rule: '', type: 'Validation', status: 'error', message }]);
  } else throw error;
}
