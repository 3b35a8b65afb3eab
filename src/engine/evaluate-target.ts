// Requests × policies → evaluations, for one target.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { formatApiVersion } from '../kubernetes/group-version.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { BuiltinResources } from '../kubernetes/schema/resources.ts';
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import type { PolicyEngine } from '../policy/policy-engine.ts';
import type { Unknown } from '../policy/unknown.ts';
import type { ObjectConverter } from './admission-object.ts';
import { createRequest, requestNamespace } from './create-request.ts';
import { unevaluatedPolicies } from './other-policies.ts';
import { RepositoryCluster } from './repository-cluster.ts';
import type { StageObserver } from './stages.ts';
import type { Target, TargetEvaluation, Unevaluated } from './target.ts';

/** Every evaluated resource is handed to `visit` in order and then let go, so that memory does not grow with the repository. */
export function evaluateTarget(
  target: Target,
  engines: readonly PolicyEngine[],
  converter: ObjectConverter,
  stages: StageObserver,
  visit: (evaluated: EvaluatedResource) => void,
): TargetEvaluation {
  stages.enter('compile');
  const cluster = new RepositoryCluster({
    version: target.kubernetesVersion,
    builtin: new BuiltinResources(target.kubernetesVersion.minor),
    resources: target.facts,
    stored: (resource, mapping) =>
      converter.convert(resource, mapping, requestNamespace(resource, mapping, target.defaultNamespace)).object,
    defaultNamespace: target.defaultNamespace,
    isComplete: false,
    ...(target.accessRules && { accessRules: target.accessRules }),
  });
  const loaded = engines.map((engine) => engine.load(target.policies.filter(engine.accepts), cluster));
  let evaluated = 0;
  const unevaluated: Unevaluated[] = [];
  const diagnostics: Diagnostic[] = loaded.flatMap((policies) => policies.diagnostics);
  const unknowns = new Unknowns();
  for (const sentence of unevaluatedPolicies(target.facts)) unknowns.add(sentence);

  for (const resource of target.manifests) {
    stages.enter('convert');
    const mapping = cluster.mappingFor(resource.gvk);
    const namespace = requestNamespace(resource, mapping, target.defaultNamespace);
    const converted = converter.convert(resource, mapping, namespace);
    diagnostics.push(...converted.diagnostics);
    if (converted.refused) {
      unevaluated.push({ resource, reason: 'refused-object', detail: 'the API server refuses it before any policy' });
      continue;
    }
    const request = createRequest(resource, converted.object, mapping, target.userInfo, namespace);
    stages.enter('evaluate');
    const outcomes = loaded.map((policies) => policies.evaluate(request));
    stages.enter('report');
    if (outcomes.every((outcome) => outcome.exempt)) {
      const detail = `${resource.gvk.kind} objects are exempt from admission policies`;
      unevaluated.push({ resource, reason: 'exempt-kind', detail });
      continue;
    }
    if (mapping.origin === 'conventional') unknowns.unknownKind(resource);
    if (mapping.namespaced && resource.namespace === '') unknowns.defaultedNamespace(target.defaultNamespace);
    for (const outcome of outcomes) for (const sentence of outcome.unknowns) unknowns.add(sentence);
    evaluated += 1;
    stages.progress(evaluated, target.manifests.length);
    visit({ resource, request, outcomes, isDefaulted: converted.isDefaulted });
  }
  stages.count('evaluate', 'resources', evaluated);
  for (const { policies } of loaded) stages.count('compile', 'policies', policies.length);
  return {
    target,
    policies: loaded.flatMap((policies) => policies.policies),
    evaluated,
    unevaluated,
    diagnostics,
    unknowns: unknowns.all(),
  };
}

/** What the repository does not tell, gathered into one sentence for each cause. */
class Unknowns {
  readonly #sentences = new Set<string>();
  readonly #kinds = new Map<string, number>();
  #withoutNamespace = 0;
  #defaultNamespace = '';

  add(sentence: string): void {
    this.#sentences.add(sentence);
  }

  unknownKind({ gvk }: Resource): void {
    const key = `${formatApiVersion(gvk.group, gvk.version)} ${gvk.kind}`;
    this.#kinds.set(key, (this.#kinds.get(key) ?? 0) + 1);
  }

  defaultedNamespace(namespace: string): void {
    this.#withoutNamespace += 1;
    this.#defaultNamespace = namespace;
  }

  all(): readonly Unknown[] {
    const sentences = [...this.#sentences].map((sentence): Unknown => ({ before: sentence, after: '' }));
    const kinds = [...this.#kinds].map(
      ([kind, count]): Unknown => ({
        before: `${kind} (`,
        count,
        after:
          ') is neither built in nor defined by a CustomResourceDefinition here: its plural and scope are taken from convention, its schema is unknown',
      }),
    );
    if (this.#withoutNamespace === 0) return [...sentences, ...kinds];
    const after = ` namespaced resources name no namespace and are taken to go to \`${this.#defaultNamespace}\``;
    return [...sentences, ...kinds, { before: '', count: this.#withoutNamespace, after }];
  }
}
