// Translates policies of a deprecated kind. Returns a translation only if both policies give the same verdict for every tested object.

import { typedConverter } from '../../engine/conversion/typed-converter.ts';
import type { ObjectConverter } from '../../engine/object/admission-object.ts';
import { objectRequest, requestNamespace } from '../../engine/object/object-request.ts';
import { UNOBSERVED } from '../../engine/stages.ts';
import type { Target } from '../../engine/target/target.ts';
import { TargetEvaluator } from '../../engine/target/target-evaluator.ts';
import { formatApiVersion } from '../../kubernetes/api/group-version.ts';
import { type Resource, resourcesOf } from '../../kubernetes/api/resource.ts';
import type { ResourceMapping } from '../../kubernetes/cluster/cluster.ts';
import { RepositoryCluster } from '../../kubernetes/cluster/repository-cluster.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { BudgetSpent, RunBudget } from '../../kubernetes/request/run-budget.ts';
import { builtinResources } from '../../kubernetes/schema/resources.ts';
import type { AdmissionOutcome, LoadedPolicies, PolicyLanguage } from '../../policy/language/policy-language.ts';
import { type JsonObject, stringifyJson } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textItems } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { CheckInput } from '../check-state.ts';
import { plannedTargets, stateClusters } from '../clusters/planned-targets.ts';
import { targetOf } from '../clusters/targets.ts';
import { languagesOf, migrationOf } from '../state/languages.ts';
import { stateContent } from '../state/state-content.ts';
import type { MigrationTarget } from './migration-target.ts';
import { isPlausible, objectVariants, pathOfObject, plainObject } from './object-variants.ts';

export interface PolicyMigration {
  readonly policy: Resource;
  /** Undefined if there is no equivalent translation. */
  readonly documents: readonly JsonObject[] | undefined;
  /** Why there is no translation, one sentence each. */
  readonly reasons: readonly string[];
  /** Differences that do not change the verdicts. */
  readonly notes: readonly string[];
  /** Number of requests for which both policies were evaluated. */
  readonly tried: { readonly ofRepository: number; readonly generated: number };
}

export interface MigrationOptions {
  readonly to: MigrationTarget;
  /** Names of policies; empty for all. */
  readonly names: readonly string[];
}

/** In repository order, each policy once. `missing`: names that no policy has. */
export function migratePolicies(
  input: CheckInput,
  { to, names }: MigrationOptions,
): { readonly migrations: readonly PolicyMigration[]; readonly missing: readonly string[] } {
  const content = stateContent(input, input.stages ?? UNOBSERVED);
  const planned = plannedTargets(input.configuration, stateClusters(input.configuration, content), content);
  const migrations = new Map<Resource, PolicyMigration>();
  for (const { configured, belongs } of planned) {
    const target = targetOf(configured, content.resources, new Set(), () => true, belongs);
    const languages = languagesOf(configured, input.today ?? '');
    const converter = typedConverter(target);
    const newWork = (): RunBudget => RunBudget.of(input.configuration.workLimit, input.files);
    const cluster = clusterOf(target, converter, newWork());
    const migration = migrationOf(configured, cluster, input.today ?? '');
    const wanted = target.policies.filter(
      (policy) =>
        migration.accepts(policy) && (names.length === 0 || names.includes(policy.name)) && !migrations.has(policy),
    );
    if (wanted.length === 0) continue;
    const trial = new MigrationTrial({ ...target, work: newWork() }, languages, converter, cluster, newWork);
    for (const policy of wanted) {
      const translated = migration.migrate(policy, to);
      const exceptions = migration.exceptions(policy, target.policies);
      if ('obstacles' in translated || exceptions.length > 0) {
        const obstacles = 'obstacles' in translated ? translated.obstacles : [];
        const reasons = obstacles.map(({ rule, construct }) =>
          rule === '' ? construct : `rule ${rule}: ${construct}`,
        );
        const excepted = exceptions.map(
          ({ namespace, name }) =>
            `PolicyException ${namespace}/${name} names it, and new policies ignore PolicyExceptions`,
        );
        migrations.set(policy, {
          policy,
          documents: undefined,
          reasons: [...reasons, ...excepted],
          notes: [],
          tried: NOTHING,
        });
        continue;
      }
      migrations.set(policy, trial.compare(policy, translated.documents, migration.samples(policy)));
    }
  }
  const found = new Set<string>([...migrations.keys()].map(({ name }) => name));
  return { migrations: [...migrations.values()], missing: names.filter((name) => !found.has(name)) };
}

const NOTHING = { ofRepository: 0, generated: 0 };

function clusterOf(target: Target, converter: ObjectConverter, work: RunBudget): RepositoryCluster {
  return new RepositoryCluster({
    version: target.kubernetesVersion,
    builtin: builtinResources(target.kubernetesVersion.minor),
    resources: target.facts,
    stored: (resource, mapping) =>
      converter.convert(resource, mapping, requestNamespace(resource, mapping, target.defaultNamespace)).object,
    defaultNamespace: target.defaultNamespace,
    isComplete: target.isComplete ?? false,
    work,
    ...(target.complete && { complete: target.complete }),
    ...(target.featureGates && { featureGates: target.featureGates }),
  });
}

type Samples = ReturnType<ReturnType<typeof migrationOf>['samples']>;

/** Number of objects to generate for each kind, and number of kinds. */
const VARIANTS = 80;
const KINDS = 10;
const SEED = 20261120;

/** Evaluates an old and a new policy for the same requests. */
class MigrationTrial {
  readonly #target: Target;
  readonly #languages: readonly PolicyLanguage[];
  readonly #converter: ObjectConverter;
  readonly #cluster: RepositoryCluster;
  readonly #newWork: () => RunBudget;
  readonly #requests: readonly AdmissionRequest[];

  constructor(
    target: Target,
    languages: readonly PolicyLanguage[],
    converter: ObjectConverter,
    cluster: RepositoryCluster,
    newWork: () => RunBudget,
  ) {
    this.#target = target;
    this.#languages = languages;
    this.#converter = converter;
    this.#cluster = cluster;
    this.#newWork = newWork;
    const evaluator = new TargetEvaluator(target, languages, converter, UNOBSERVED);
    this.#requests = target.manifests.flatMap((resource) => {
      const { evaluated } = evaluator.evaluate({ operation: 'CREATE', resource });
      if (evaluated === undefined) return [];
      // Both evaluate the same object. Variants of server-generated fields do not help to compare two policies.
      const { invented: _, ...request } = evaluated.request;
      // Both answer for the same user, so it does not matter whether the configuration names it.
      return [{ ...request, userInfo: { ...request.userInfo, assumed: false } }];
    });
  }

  /** Each policy may take as much work as a check of the repository. */
  compare(policy: Resource, documents: readonly JsonObject[], samples: Samples): PolicyMigration {
    try {
      return this.#compare(policy, documents, samples);
    } catch (reason) {
      if (!(reason instanceof BudgetSpent)) throw reason;
      const reasons = ['testing it exceeds the work limit; raise `workLimit` in the configuration'];
      return { policy, documents: undefined, reasons, notes: [], tried: NOTHING };
    }
  }

  #compare(policy: Resource, documents: readonly JsonObject[], samples: Samples): PolicyMigration {
    const made = readObjects(documents);
    const cluster = clusterOf(this.#target, this.#converter, this.#newWork());
    const [old, migrated] = [this.#load([policy], cluster), this.#load(made, cluster)];
    const refusals = migrated.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'error'));
    const notes = new Set<string>();
    const without = (reasons: readonly string[], tried = NOTHING): PolicyMigration => {
      return { policy, documents: undefined, reasons, notes: [], tried };
    };
    if (refusals.length > 0) {
      return without(refusals.map(({ message }) => `the server would reject the translation: ${message}`));
    }
    const tried = { ofRepository: 0, generated: 0 };
    for (const [source, requests] of [
      ['ofRepository', this.#ofRepository(old, migrated)],
      ['generated', this.#generated(made, samples)],
    ] as const) {
      for (const request of requests) {
        const said = judged(old, request);
        const now = judged(migrated, request);
        if (said.isUnknown) continue;
        tried[source] += 1;
        if (said.verdict !== now.verdict || now.isUnknown) {
          return without([disagreement(source, request, said, now)], tried);
        }
        if (said.verdict !== 'allowed' && said.messages.join('\n') !== now.messages.join('\n'))
          notes.add(MESSAGES_DIFFER);
      }
    }
    if (tried.ofRepository + tried.generated === 0) return without(['there is no object to test both policies with']);
    return { policy, documents, reasons: [], notes: [...notes], tried };
  }

  #load(resources: readonly Resource[], cluster: RepositoryCluster): readonly LoadedPolicies[] {
    return this.#languages
      .map((language) => ({ language, accepted: resources.filter((resource) => language.accepts(resource)) }))
      .filter(({ accepted }) => accepted.length > 0)
      .map(({ language, accepted }) => language.load(accepted, cluster));
  }

  /** Creates every object. Also updates and deletes objects that the policies match. */
  *#ofRepository(old: readonly LoadedPolicies[], migrated: readonly LoadedPolicies[]): Iterable<AdmissionRequest> {
    for (const request of this.#requests) {
      yield request;
      const isConcerned = [...old, ...migrated].some((loaded) => loaded.evaluate(request).matched.length > 0);
      if (isConcerned) yield* laterRequests(request, request.object);
    }
  }

  *#generated(made: readonly Resource[], samples: Samples): Iterable<AdmissionRequest> {
    for (const base of this.#bases(made)) {
      const variants = objectVariants(base, samples, VARIANTS, SEED);
      let before: AdmissionRequest | undefined;
      for (const request of this.#held([base, ...variants])) {
        yield request;
        if (before !== undefined) yield* laterRequests(request, before.object);
        before = request;
      }
    }
  }

  /** For each kind that the new policies match: the first object of the repository, and a minimal one. */
  #bases(made: readonly Resource[]): readonly JsonObject[] {
    const rules = made.flatMap(({ value }) => {
      const constraints = objectOrEmpty(objectOrEmpty(value.get('spec')).get('matchConstraints'));
      return objectItems(constraints.get('resourceRules'));
    });
    const bases = new Map<string, readonly JsonObject[]>();
    for (const rule of rules) {
      for (const resource of textItems(rule.get('resources'))) {
        const [group = '', version = ''] = [...textItems(rule.get('apiGroups')), ...textItems(rule.get('apiVersions'))];
        const kinds = resource === '*' ? EVERY_KIND : [this.#cluster.kindFor({ group, version, resource }, '')];
        for (const kind of kinds) {
          if (kind === undefined) continue;
          const own = this.#requests.filter((request) => {
            return request.object !== null && request.kind.kind === kind.kind && request.kind.group === kind.group;
          });
          const found = own.slice(0, 2).flatMap(({ object }) => (object === null ? [] : [object]));
          const plain = plainObject(
            formatApiVersion(kind.group, kind.version),
            kind.kind,
            this.#cluster.mappingFor(kind).namespaced,
          );
          bases.set(`${kind.group}/${kind.kind}`, [plain, ...found]);
        }
      }
    }
    return [...bases.values()].slice(0, KINDS).flat();
  }

  /** Requests to create the objects, without those that the server would reject. */
  *#held(objects: readonly JsonObject[]): Iterable<AdmissionRequest> {
    for (const resource of readObjects(objects)) {
      const mapping: ResourceMapping = this.#cluster.mappingFor(resource.gvk);
      const namespace = requestNamespace(resource, mapping, this.#target.defaultNamespace);
      const { object, refused } = this.#converter.convert(resource, mapping, namespace);
      if (refused || resource.name === '' || !isPlausible(object)) continue;
      if (this.#converter.validate(resource, undefined, mapping, namespace).refusals.length > 0) continue;
      const { userInfo } = this.#target;
      yield objectRequest({ resource, operation: 'CREATE', object, oldObject: null, mapping, userInfo, namespace });
    }
  }
}

const EVERY_KIND = [
  { group: '', version: 'v1', kind: 'Pod' },
  { group: 'apps', version: 'v1', kind: 'Deployment' },
  { group: '', version: 'v1', kind: 'ConfigMap' },
  { group: '', version: 'v1', kind: 'Namespace' },
];

/** Parses the documents like those of a file. */
function readObjects(documents: readonly JsonObject[]): readonly Resource[] {
  const text = documents
    .map((document) => stringifyJson(document, { sortKeys: false, escapeHtml: false }))
    .join('\n---\n');
  const { manifests } = readManifests(new SourceFile('migrated.yaml', text));
  return manifests.flatMap(resourcesOf).flatMap((result) => ('resource' in result ? [result.resource] : []));
}

/** Updates to the same object and from `before`, and a deletion. */
function* laterRequests(request: AdmissionRequest, before: JsonObject | null): Iterable<AdmissionRequest> {
  const { object } = request;
  if (object === null) return;
  yield { ...request, operation: 'UPDATE', oldObject: object };
  if (before !== null && before !== object) yield { ...request, operation: 'UPDATE', oldObject: before };
  yield { ...request, operation: 'DELETE', object: null, oldObject: object };
}

interface Judgement {
  readonly verdict: 'denied' | 'warned' | 'audited' | 'allowed';
  readonly isUnknown: boolean;
  readonly messages: readonly string[];
}

function judged(policies: readonly LoadedPolicies[], request: AdmissionRequest): Judgement {
  const outcomes: readonly AdmissionOutcome[] = policies.map((loaded) => loaded.evaluate(request));
  const all = outcomes.flatMap(({ evaluations }) => evaluations);
  const failed = all.filter(({ action, result }) => action === 'deny' && result !== 'unknown');
  const has = (name: string): boolean =>
    failed.some(({ validationActions }) => validationActions.some((each) => each === name));
  const verdict = has('Deny') ? 'denied' : has('Warn') ? 'warned' : failed.length > 0 ? 'audited' : 'allowed';
  return {
    verdict,
    isUnknown: all.some(({ result }) => result === 'unknown'),
    messages: failed.map(({ message }) => message).sort(),
  };
}

const MESSAGES_DIFFER =
  'the verdicts are equal, but some messages differ: Kyverno adds the rule and the location of the field';

function disagreement(
  source: 'ofRepository' | 'generated',
  { operation, object, oldObject }: AdmissionRequest,
  said: Judgement,
  now: Judgement,
): string {
  const which = source === 'generated' ? 'a generated object' : 'an object of the repository';
  const name = pathOfObject(object ?? oldObject ?? new Map());
  const words = ({ verdict, messages: [message] }: Judgement): string =>
    `${verdict}${message === undefined ? '' : ` (${message.slice(0, 160)})`}`;
  const after = now.isUnknown ? 'undecided' : words(now);
  return `the verdicts differ for ${which}, ${operation} ${name}: ${words(said)} before, ${after} after`;
}
