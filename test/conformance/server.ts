// Answers the requests to a recorded kube-apiserver: builds a world of objects and policies, and evaluates each request in it.
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { typedConverter } from '../../src/engine/conversion/typed-converter.ts';
import { UNOBSERVED } from '../../src/engine/stages.ts';
import type { Target } from '../../src/engine/target/target.ts';
import { TargetEvaluator } from '../../src/engine/target/target-evaluator.ts';
import { formatGroupResource, kindKey } from '../../src/kubernetes/api/group-version.ts';
import { type Resource, resourcesOf } from '../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION, parseKubernetesVersion } from '../../src/kubernetes/api/version.ts';
import { PatchTargets } from '../../src/kubernetes/patch/patch-targets.ts';
import type { UserInfo } from '../../src/kubernetes/request/admission-request.ts';
import { AdmissionObjects } from '../../src/kubernetes/schema/admission-object.ts';
import { BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import { LANGUAGES } from '../../src/pipeline/state/languages.ts';
import type { JsonObject } from '../../src/source/json/json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { serverValidation } from '../support/server-validation.ts';
import { recordedLine } from './recorded-json.ts';

interface RecordedWorld {
  readonly world: string;
  readonly setup?: readonly string[];
  readonly policies?: readonly { readonly yaml: string; readonly accepted: boolean }[];
  readonly user?: RecordedUser | null;
}

interface RecordedUser {
  readonly username: string;
  readonly groups?: readonly string[];
}

interface RecordedRequest extends RecordedWorld {
  readonly id: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly yaml: string;
  readonly oldYaml?: string;
}

export interface ServerAnswer {
  readonly world: string;
  readonly id: string;
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly after?: JsonObject;
}

/** Objects that every cluster has, and the permissions of the recording's default user. */
const EVERY_CLUSTER = `
apiVersion: v1
kind: Namespace
metadata: {name: default}
---
apiVersion: v1
kind: Namespace
metadata: {name: kube-system}
---
apiVersion: v1
kind: Namespace
metadata: {name: kube-public}
---
apiVersion: v1
kind: Namespace
metadata: {name: kube-node-lease}
---
apiVersion: v1
kind: Namespace
metadata: {name: flux-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: recorded-default-user}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {kind: ServiceAccount, name: kustomize-controller, namespace: flux-system}
`;

const VERSION = parseKubernetesVersion('1.36') ?? DEFAULT_VERSION;
const TARGETS = new PatchTargets(new AdmissionObjects(VERSION));
const BUILTIN = new BuiltinResources(VERSION.minor);

/** The lines of one file, in order: definitions of worlds precede their requests. */
export class RecordedServer {
  readonly #withObjects: boolean;
  readonly #definitions = new Map<string, RecordedWorld>();
  readonly #worlds = new Map<string, World>();
  #defaultUser = '';

  /** `withObjects`: answers include the final object. */
  constructor(withObjects: boolean) {
    this.#withObjects = withObjects;
  }

  /** An empty object for lines that are not requests. */
  answerLine(text: string): string {
    const line = JSON.parse(text) as Record<string, unknown>;
    if (typeof line['defaultUser'] === 'string') this.#defaultUser = line['defaultUser'];
    if (line['definition'] === true) {
      const world = line as unknown as RecordedWorld;
      this.#definitions.set(world.world, world);
    }
    if (typeof line['yaml'] !== 'string') return '{}';
    const { after, code, ...answer } = this.answer(line as unknown as RecordedRequest);
    return recordedLine({ ...answer, code: BigInt(code), ...(this.#withObjects && after && { after }) });
  }

  answer(request: RecordedRequest): ServerAnswer {
    const definition = request.setup === undefined ? this.#definitions.get(request.world) : request;
    const user = this.#userOf(request.user ?? definition?.user);
    const key = `${request.setup === undefined ? request.world : `${request.world} ${request.id}`} ${user.username}`;
    let world = this.#worlds.get(key);
    if (world === undefined) {
      world = new World(definition ?? request, user);
      this.#worlds.set(key, world);
    }
    return { world: request.world, id: request.id, ...world.answer(request) };
  }

  #userOf(user: RecordedUser | null | undefined): UserInfo {
    const username = user?.username ?? this.#defaultUser;
    const [, namespace] = /^system:serviceaccount:([^:]+):/.exec(username) ?? [];
    const own =
      namespace === undefined
        ? ['system:authenticated']
        : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
    const groups = [...new Set([...(user?.groups ?? []), ...own])];
    return { username, uid: '', groups, extra: new Map() };
  }
}

/** Annotations that every server adds to every Pod. */
const NOT_RECORDED = 'pod-security.kubernetes.io/';

type Answer = Omit<ServerAnswer, 'world' | 'id'>;

class World {
  readonly #evaluator: TargetEvaluator;
  readonly #facts: readonly Resource[];

  constructor({ setup = [], policies = [] }: RecordedWorld, userInfo: UserInfo) {
    const accepted = policies.filter((policy) => policy.accepted).flatMap(({ yaml }) => resources(yaml));
    this.#facts = [...resources(EVERY_CLUSTER), ...setup.flatMap(resources), ...accepted];
    const target: Target = {
      name: 'recorded',
      kubernetesVersion: VERSION,
      fieldValidation: 'Strict',
      disabledAdmissionPlugins: [],
      userInfo,
      defaultNamespace: 'default',
      manifests: [],
      policies: accepted,
      facts: this.#facts,
      isComplete: true,
      serverValidation: serverValidation(),
    };
    this.#evaluator = new TargetEvaluator(target, LANGUAGES, typedConverter(target), UNOBSERVED);
  }

  answer({ operation, yaml, oldYaml }: RecordedRequest): Answer {
    const [resource] = resources(yaml);
    if (resource === undefined) return refusal(400, 'BadRequest', 'no object');
    const [old] = oldYaml === undefined ? [] : resources(oldYaml);
    const change =
      operation === 'UPDATE' && old !== undefined
        ? ({ operation, resource, old } as const)
        : ({ operation: operation === 'DELETE' ? 'DELETE' : 'CREATE', resource } as const);
    const { diagnostics, evaluated } = this.#evaluator.evaluate(change);
    const undecodable = diagnostics.filter(isDecoding);
    if (undecodable.length > 0) return refusal(400, 'BadRequest', joined(undecodable, 'strict decoding error: ', ', '));
    const missing = this.#missingNamespace(resource);
    if (missing !== undefined) return refusal(404, 'NotFound', `namespaces "${missing}" not found`);
    const invalid = diagnostics.filter(({ severity }) => severity === 'error');
    const own = diagnostics.filter(({ code }) => code === 'server-warning').map(({ message }) => message);
    if (evaluated === undefined && invalid.length > 0) return { ...refusalOf(invalid), warnings: own };
    const outcomes = evaluated?.outcomes ?? [];
    const ofPolicies = outcomes.flatMap((outcome) => outcome.warnings);
    const warnings = [...own, ...ofPolicies];
    const audited = outcomes.flatMap((outcome) => [...outcome.auditAnnotations]);
    const annotations = Object.fromEntries(audited.filter(([key]) => !key.startsWith(NOT_RECORDED)));
    const denial = outcomes.map((outcome) => outcome.denial).find((each) => each !== undefined);
    if (denial !== undefined) {
      return { code: denial.code, reason: denial.reason, message: denial.message, warnings, annotations };
    }
    const existing = operation === 'CREATE' ? this.#existing(resource) : undefined;
    if (existing !== undefined) return { ...refusal(409, 'AlreadyExists', existing), warnings, annotations };
    const stored = evaluated?.request.object ?? undefined;
    const after = stored && readFromStore(resource, stored);
    return { code: operation === 'CREATE' ? 201 : 200, warnings, annotations, ...(after && { after }) };
  }

  #missingNamespace(resource: Resource): string | undefined {
    const mapping = BUILTIN.resourceForKind(resource.gvk);
    const namespace = resource.namespace === '' ? 'default' : resource.namespace;
    if (mapping?.namespaced !== true) return undefined;
    const exists = this.#facts.some(
      ({ gvk, name }) => gvk.kind === 'Namespace' && gvk.group === '' && name === namespace,
    );
    return exists ? undefined : namespace;
  }

  #existing(resource: Resource): string | undefined {
    const { gvk, name, namespace } = resource;
    const mapping = BUILTIN.resourceForKind(gvk);
    const isSame = (fact: Resource): boolean =>
      kindKey(fact.gvk) === kindKey(gvk) &&
      fact.name === name &&
      (mapping?.namespaced !== true || (fact.namespace || 'default') === (namespace || 'default'));
    if (name === '' || mapping === undefined || !this.#facts.some(isSame)) return undefined;
    return `${formatGroupResource(gvk.group, mapping.resource)} "${name}" already exists`;
  }
}

/** The answer is read from storage, which sets defaults again. */
function readFromStore({ gvk }: Resource, stored: JsonObject): JsonObject {
  const read = TARGETS.ofBuiltin(gvk)?.fromMerged(stored);
  return read !== undefined && 'object' in read ? read.object : stored;
}

function resources(yaml: string): readonly Resource[] {
  const { manifests } = readManifests(new SourceFile('recorded.yaml', yaml));
  return manifests.flatMap((manifest) =>
    resourcesOf(manifest).flatMap((result) => ('resource' in result ? [result.resource] : [])),
  );
}

function refusal(code: number, reason: string, message: string): Answer {
  return { code, reason, message, warnings: [], annotations: {} };
}

function isDecoding({ code, severity }: Diagnostic): boolean {
  return severity === 'error' && (code === 'refused-object' || code === 'unknown-field' || code === 'duplicate-field');
}

function refusalOf(diagnostics: readonly Diagnostic[]): Answer {
  const [first] = diagnostics;
  if (first?.message.startsWith('namespaces ') === true) return refusal(404, 'NotFound', first.message);
  if (first?.code === 'forbidden-object') return refusal(403, 'Forbidden', first.message);
  if (first?.serverMessage !== undefined) return refusal(422, 'Invalid', first.serverMessage);
  return refusal(422, 'Invalid', joined(diagnostics, ' is invalid: ', ', ', true));
}

/** The server joins all messages into one sentence. */
function joined(diagnostics: readonly Diagnostic[], before: string, separator: string, isList = false): string {
  const [first, ...others] = diagnostics.map(({ message }) => message);
  if (first === undefined || others.length === 0) return first ?? '';
  const start = first.slice(0, first.indexOf(before) + before.length);
  const parts = [first, ...others].map((message) => message.slice(message.indexOf(before) + before.length));
  const text = parts.join(separator);
  return `${start}${isList ? `[${text}]` : text}`;
}
