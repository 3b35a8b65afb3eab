// Evaluates an expression with objects as the API server would hold them and with the names that a policy defines.

import { typedConverter } from '../engine/conversion/typed-converter.ts';
import { objectRequest, requestNamespace } from '../engine/object/object-request.ts';
import { type Resource, resourcesOf } from '../kubernetes/api/resource.ts';
import type { KubernetesVersion } from '../kubernetes/api/version.ts';
import { answerExpression, type ObservedAnswer } from '../kubernetes/cel/answer.ts';
import { RepositoryCluster } from '../kubernetes/cluster/repository-cluster.ts';
import { requestVariable, type UserInfo } from '../kubernetes/request/admission-request.ts';
import { builtinResources } from '../kubernetes/schema/resources.ts';
import { secretTextsIn, withoutSecrets } from '../kubernetes/secret/secret-object.ts';
import { type Completions, completionsIn } from '../policy/admission/editing/expression-answers.ts';
import { type ExpressionScope, ExpressionScopes } from '../policy/admission/editing/expression-scopes.ts';
import { isExpressionPolicy } from '../policy/admission/editing/expression-site.ts';
import { type NamedSite, namedSites } from '../policy/admission/editing/named-expressions.ts';
import { TriedEnvironment } from '../policy/admission/editing/tried-environment.ts';
import { NamespaceObject } from '../policy/expression/namespace-object.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import type { Manifest } from '../source/manifest/manifest.ts';
import { readManifests } from '../source/manifest/read-manifests.ts';
import { Derivation, type SourceFile } from '../source/text/source-file.ts';

export interface TriedFiles {
  /** The first object of each file is used. All other objects of the files are part of the cluster. */
  readonly object?: SourceFile;
  readonly oldObject?: SourceFile;
  readonly params?: SourceFile;
  readonly namespace?: SourceFile;
}

export interface TriedOptions {
  readonly version: KubernetesVersion;
  readonly files: TriedFiles;
  /** Name of a Namespace without labels. Overrides the file. */
  readonly namespaceName?: string;
  readonly user: UserInfo;
  readonly policy?: Resource;
  readonly isMutation: boolean;
}

export interface TriedAnswer extends ObservedAnswer {
  /** Expressions to write instead of one that does not compile. */
  readonly help: readonly string[];
  /** Sentences about variables that no option gives a value. */
  readonly absent: readonly string[];
}

const DEFAULT_NAMESPACE = 'default';

/** Policies of a file that contain expressions. */
export function expressionPolicies(file: SourceFile): readonly Resource[] {
  return file.derived(DOCUMENTS).flatMap(objectsIn).filter(isExpressionPolicy);
}

/** Throws TriedFileError for a file without an object. */
export class TriedExpressions {
  /** What the API server would report about the objects, with the line. */
  readonly remarks: readonly string[];
  /** Expressions that the policy names. */
  readonly named: readonly NamedSite[];
  /** Values of Secrets among the objects. */
  readonly secrets: ReadonlySet<string>;
  readonly #environment: TriedEnvironment;
  readonly #options: TriedOptions;
  readonly #scope: () => ExpressionScope;

  constructor(options: TriedOptions) {
    const { policy, isMutation, version } = options;
    const subject = new TriedSubject(options);
    this.#options = options;
    this.named = policy === undefined ? [] : namedSites(policy);
    const [first] = this.named;
    this.#environment = new TriedEnvironment({
      version,
      ...(first && { policy: first.site.policy }),
      isMutation,
      bound: subject.bound,
    });
    this.secrets = new Set([...subject.bound.values()].flatMap((value) => [...secretTextsIn(value)]));
    this.remarks = subject.remarks.map((remark) => withoutSecrets(remark, this.secrets));
    let scope: ExpressionScope | undefined;
    this.#scope = () => {
      scope ??= new ExpressionScopes(subject.cluster).scopeFor({
        policy: {
          variables: first?.site.policy.variables ?? [],
          paramKind: first === undefined ? subject.paramKind : first.site.policy.paramKind,
        },
        object: subject.kind,
        visibleVariables: first === undefined ? undefined : first.site.policy.variables.length,
        hasAuthorizer: first !== undefined,
        isMutation,
      });
      return scope;
    };
  }

  /** `text`: an expression, or the name of one of the policy's expressions. */
  answer(text: string, trace: boolean): TriedAnswer {
    const site = this.named.find(({ name }) => name === text.trim())?.site;
    const expression = site?.expression ?? text;
    const isMutation = site?.isMutation ?? this.#options.isMutation;
    const { environment, costs } = this.#environment.context(isMutation);
    const activation = this.#environment.activation(trace);
    const answer = answerExpression(expression, environment, activation, costs, trace);
    const help = answer.compileError === undefined ? [] : this.#environment.helpFor(expression, isMutation);
    return { ...answer, help, absent: this.#absentFor(expression, isMutation, answer) };
  }

  /**
   * Only for an error, or if there is no object at all: with `--object` alone, the request is a CREATE and `oldObject`
   * is null for a reason.
   */
  #absentFor(expression: string, isMutation: boolean, { compileError, error }: ObservedAnswer): readonly string[] {
    const { object, oldObject, params } = this.#options.files;
    const hasObject = object !== undefined || oldObject !== undefined;
    if (compileError !== undefined || (error === undefined && hasObject)) return [];
    const reads = this.#environment.readsOf(expression, isMutation);
    const takesParams = this.named[0]?.site.policy.paramKind !== undefined;
    const ofVariables = reads.has('variables') ? ['object', ...(takesParams ? ['params'] : [])] : [];
    const isRead = (name: string): boolean => reads.has(name) || ofVariables.includes(name);
    return [
      ...(!hasObject && isRead('object') ? ['`object` is null: name a manifest with `--object <file>`'] : []),
      ...(!hasObject && isRead('request') ? ['there is no `request`: name a manifest with `--object <file>`'] : []),
      ...(error !== undefined && oldObject === undefined && isRead('oldObject')
        ? ['`oldObject` is null: name a manifest with `--old-object <file>`']
        : []),
      ...(error !== undefined && params === undefined && isRead('params')
        ? ['`params` is null: name a manifest with `--params <file>`']
        : []),
    ];
  }

  /** The text that `answer` evaluates. */
  expressionOf(text: string): string {
    return this.named.find(({ name }) => name === text.trim())?.site.expression ?? text;
  }

  /** Completions at `offset`, in UTF-16 units. Does not offer the names of the policy's expressions. */
  completions(text: string, offset: number): Completions {
    return completionsIn(text, offset, [this.#scope()]);
  }
}

export class TriedFileError extends Error {
  override name = 'TriedFileError';
}

interface Held {
  readonly value: JsonObject;
  /** Absent if the document is not a Kubernetes object. */
  readonly resource?: Resource;
}

class TriedSubject {
  readonly remarks: string[] = [];
  readonly bound: ReadonlyMap<string, JsonValue>;
  readonly cluster: RepositoryCluster;
  readonly #options: TriedOptions;
  readonly #objects = new Map<Manifest, readonly Resource[]>();
  readonly #converter: ReturnType<typeof typedConverter>;
  readonly #object: Held | undefined;
  readonly #oldObject: Held | undefined;
  readonly #params: Held | undefined;

  constructor(options: TriedOptions) {
    const { files, version } = options;
    this.#options = options;
    const documents = Object.values(files).flatMap((file: SourceFile | undefined) => file?.derived(DOCUMENTS) ?? []);
    const facts = documents.flatMap((document) => this.#objectsOf(document));
    this.#converter = typedConverter({ kubernetesVersion: version, facts });
    this.cluster = new RepositoryCluster({
      version,
      builtin: builtinResources(version.minor),
      resources: facts,
      stored: (resource, mapping) =>
        this.#converter.convert(resource, mapping, requestNamespace(resource, mapping, DEFAULT_NAMESPACE)).object,
      defaultNamespace: DEFAULT_NAMESPACE,
      isComplete: false,
    });
    this.#object = files.object && this.#held(files.object, true);
    this.#oldObject = files.oldObject && this.#held(files.oldObject, false);
    this.#params = files.params && this.#held(files.params, false);
    const request = this.#request();
    this.bound = new Map<string, JsonValue>([
      ['object', this.#object?.value ?? null],
      ['oldObject', this.#oldObject?.value ?? null],
      ['params', this.#params?.value ?? null],
      ['namespaceObject', this.#namespace(files.namespace)],
      ...(request === undefined ? [] : [['request', request] as const]),
    ]);
  }

  get kind(): Resource['gvk'] | undefined {
    return (this.#object ?? this.#oldObject)?.resource?.gvk;
  }

  get paramKind(): { readonly apiVersion: string; readonly kind: string } | undefined {
    const resource = this.#params?.resource;
    return resource && { apiVersion: resource.apiVersion, kind: resource.gvk.kind };
  }

  #held(file: SourceFile, isValidated: boolean): Held {
    const [first] = file.derived(DOCUMENTS);
    const [resource] = first === undefined ? [] : this.#objectsOf(first);
    if (resource === undefined) {
      const value = first?.value;
      if (!isJsonObject(value)) throw new TriedFileError(`\`${file.path}\` contains no object`);
      return { value };
    }
    const mapping = this.cluster.mappingFor(resource.gvk);
    const namespace = this.#namespaceOf(resource);
    const { object, diagnostics } = this.#converter.convert(resource, mapping, namespace);
    const { refusals } = isValidated
      ? this.#converter.validate(resource, undefined, mapping, namespace)
      : { refusals: [] };
    for (const { primary, message } of [...diagnostics, ...refusals]) {
      const line = primary?.file.positionAt(primary.range.start).line;
      this.remarks.push(`${file.path}${line === undefined ? '' : `:${line}`}: ${message}`);
    }
    return { value: object, resource };
  }

  /** Cached, because the converter identifies an object by reference. */
  #objectsOf(document: Manifest): readonly Resource[] {
    const objects = this.#objects.get(document) ?? objectsIn(document);
    this.#objects.set(document, objects);
    return objects;
  }

  #namespaceOf(resource: Resource): string {
    const mapping = this.cluster.mappingFor(resource.gvk);
    return requestNamespace(resource, mapping, this.#options.namespaceName ?? DEFAULT_NAMESPACE);
  }

  #request(): JsonObject | undefined {
    const subject = this.#object?.resource ?? this.#oldObject?.resource;
    if (subject === undefined) return undefined;
    const mapping = this.cluster.mappingFor(subject.gvk);
    const written = this.#object === undefined ? 'DELETE' : this.#oldObject === undefined ? 'CREATE' : 'UPDATE';
    const request = objectRequest({
      resource: subject,
      operation: written,
      object: this.#object?.value ?? null,
      oldObject: this.#oldObject?.value ?? null,
      mapping,
      userInfo: this.#options.user,
      namespace: this.#namespaceOf(subject),
    });
    return requestVariable(request, request.kind, request.resource);
  }

  #namespace(file: SourceFile | undefined): JsonValue {
    const { namespaceName } = this.#options;
    if (namespaceName !== undefined) return new NamespaceObject(this.cluster.namespace(namespaceName).object).exposed;
    if (file === undefined) return null;
    const { value, resource } = this.#held(file, false);
    if (resource?.gvk.kind !== 'Namespace') throw new TriedFileError(`\`${file.path}\` contains no Namespace`);
    return new NamespaceObject(value).exposed;
  }
}

const DOCUMENTS = new Derivation((file): readonly Manifest[] => {
  const { manifests, problems } = readManifests(file);
  const [problem] = problems.filter(({ kind }) => kind === 'syntax');
  if (problem === undefined) return manifests;
  throw new TriedFileError(`${file.path}:${file.positionAt(problem.range.start).line}: ${problem.message}`);
});

function objectsIn(document: Manifest): readonly Resource[] {
  return resourcesOf(document).flatMap((result) => ('resource' in result ? [result.resource] : []));
}
