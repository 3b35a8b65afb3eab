// Evaluates requests for callers of the library that have objects instead of a repository.

import type { ObjectChange } from '../../engine/object/object-request.ts';
import { UNOBSERVED } from '../../engine/stages.ts';
import { readsSecrets } from '../../engine/target/looked-up-secrets.ts';
import type { TargetEvaluator } from '../../engine/target/target-evaluator.ts';
import { emulatedRelease } from '../../engine/validation/registry-validation.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { DEFAULT_VERSION, parseKubernetesVersion, versionProblem } from '../../kubernetes/api/version.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { ReportBuilder } from '../../report/builder/report-builder.ts';
import {
  byHardness,
  type ExplainedPolicy,
  explainedPolicy,
  type Lines,
  linesOf,
} from '../../report/explanation/explanation.ts';
import { ValueMask } from '../../report/explanation/value-mask.ts';
import type { Finding, Report, ReportedDiagnostic, ResourceName } from '../../report/report.ts';
import { type Configuration, resolveConfiguration } from '../../settings/configuration.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import type { ServerValidation } from '../../validation/server-validation.ts';
import { reportOptions } from '../check-state.ts';
import { readRepository } from '../state/read-repository.ts';
import { resourcesIn, testEvaluator } from '../test/test-evaluator.ts';
import { InputError } from './input-error.ts';
import { plainValueOf, type Source, sourceFiles } from './input-source.ts';

/** The user who sends the request. */
export interface RequestUser {
  /** As in `userInfo.username`. */
  readonly username: string;
  /** Groups of the user. Default: the groups that the API server adds for the username. */
  readonly groups?: readonly string[];
  /** Empty if absent. */
  readonly uid?: string;
  /** Extra fields of the authenticator. Default: none. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A request, the policies to evaluate, and the other objects of the cluster. */
export interface EvaluateInput {
  /** Policies of any supported language, with their bindings. */
  readonly policies: Source;
  /** The objects to create, update or delete. Each object is a request of its own. */
  readonly object: Source;
  /** The objects before an update, matched by kind, namespace and name. */
  readonly oldObject?: Source;
  /** Default: UPDATE for an object with an old object, CREATE for all others. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Params, Namespaces, CustomResourceDefinitions, RBAC objects. With the objects and policies, they are the complete cluster. */
  readonly resources?: Source;
  /** Labels of Namespaces that are not in `resources`. Default: none. */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Default: the service account of a GitOps controller. */
  readonly user?: RequestUser;
  /** `1.36` if absent. */
  readonly kubernetesVersion?: string;
  /** Validates built-in kinds as the API server does. Absent: only their types and metadata are validated. */
  readonly serverValidation?: ServerValidation;
  /** Add the steps of each policy to the result. Evaluates every expression once more. Default: false. */
  readonly explain?: boolean;
}

/**
 * `denied`: by a policy, or by the server because the object is invalid. `undecided`: a text has errors, or the answer depends on facts
 * that only a cluster has, or there is no policy with a binding. `allowed`: all other cases, also with warnings.
 */
export type EvaluationVerdict = 'allowed' | 'denied' | 'undecided';

/** The verdict on all requests, and on each of them. */
export interface EvaluateResult {
  /** The most severe verdict of all objects. */
  readonly verdict: EvaluationVerdict;
  /** Findings of the policies, each with the line that caused it. Sorted by path and location. */
  readonly findings: readonly Finding[];
  /** Errors in the texts: policies that do not compile, objects that the server rejects. */
  readonly problems: readonly ReportedDiagnostic[];
  /** In the order of the input. */
  readonly objects: readonly EvaluatedObject[];
  /** The result as a Report, for reporters. */
  readonly report: Report;
}

/** The result for one object. */
export interface EvaluatedObject {
  readonly resource: ResourceName;
  /** Location of the object in the input. */
  readonly place: Lines;
  /** Of the request for this object. */
  readonly verdict: EvaluationVerdict;
  readonly operation: ObjectChange['operation'];
  /** Changes of mutating policies, in the order in which they were applied. */
  readonly changes: readonly { readonly policy: string; readonly fieldPaths: readonly string[] }[];
  /**
   * The object after these changes and the server's defaults, as a plain object. Fields that only the server knows (`metadata.uid`) are
   * removed. Absent if nothing changed.
   */
  readonly mutated?: unknown;
  /** Why no policy was evaluated; absent if policies were evaluated. */
  readonly notEvaluated?: { readonly reason: string; readonly detail: string };
  /** Only with `explain`: each policy with its steps and the values of its expressions. Failing policies come first. */
  readonly policies?: readonly ExplainedPolicy[];
}

/**
 * Evaluates requests like kube-apiserver: defaults, mutating policies, validation, validating policies. Throws InputError if the arguments
 * do not form a request. Errors in a text are in `problems` instead.
 */
export function evaluate(input: EvaluateInput): EvaluateResult {
  const configuration = configurationOf(input);
  const texts = readTexts(input, configuration);
  const evaluator = serverFor(texts, input, configuration);
  const builder = new ReportBuilder(reportOptions(configuration, { today: '' }));
  for (const entry of texts.skipped) builder.addSkipped(entry);
  const objects = texts.objects.map((resource) =>
    judged(resource, changeOf(resource, input, texts.old), evaluator, builder, input),
  );
  const kubernetesVersion = configuration.targets[0]?.kubernetesVersion ?? '';
  const version = parseKubernetesVersion(kubernetesVersion) ?? DEFAULT_VERSION;
  const aboutTexts = [...texts.diagnostics, ...evaluator.policyDiagnostics];
  builder.addDiagnostics(aboutTexts);
  builder.addTarget({
    name: TARGET,
    kubernetesVersion,
    ...(input.serverValidation && { validatedAs: emulatedRelease(version) }),
    user: configuration.targets[0]?.user.username ?? '',
    policies: evaluator.policies,
    unknowns: evaluator.unknowns.sentences(),
    unknownKinds: evaluator.unknowns.kinds(),
  });
  const report = builder.build(texts.files);
  const isOpen =
    objects.length === 0 ||
    evaluator.policies.every(({ bindings }) => bindings === 0) ||
    aboutTexts.some(({ severity }) => severity === 'error') ||
    report.coverage.skipped.some(({ reason }) => !HARMLESS.has(reason));
  const verdict = hardest([...objects.map((each) => each.verdict), isOpen ? 'undecided' : 'allowed']);
  return { verdict, findings: report.findings, problems: report.diagnostics, objects, report };
}

function judged(
  resource: Resource,
  change: ObjectChange,
  evaluator: TargetEvaluator,
  builder: ReportBuilder,
  { explain = false }: EvaluateInput,
): EvaluatedObject {
  const asking = explain ? evaluator.explain(change) : { ...evaluator.evaluate(change), policies: undefined };
  const { evaluated, unevaluated, diagnostics, policies } = asking;
  builder.addDiagnostics(diagnostics);
  if (evaluated === undefined) builder.addUnevaluated(resource, unevaluated.reason, unevaluated.detail);
  else builder.addEvaluated(evaluated, TARGET);
  const isRefused = diagnostics.some(({ severity }) => severity === 'error');
  const said = evaluated?.outcomes.flatMap(({ evaluations }) => evaluations) ?? [];
  const changes = evaluated?.changes ?? [];
  const denials = said.filter(({ action }) => action === 'deny');
  const isDenied = denials.some(
    ({ result, validationActions }) => result !== 'unknown' && validationActions.includes('Deny'),
  );
  const isUnknown = denials.some(({ result }) => result === 'unknown') || isLeftOpen(unevaluated);
  const mask = new ValueMask([resource.value]);
  const maskOf = ({ policy }: { readonly policy: { readonly resource: Resource } }): ValueMask =>
    readsSecrets(policy.resource) ? new ValueMask([resource.value], evaluator.lookedUp) : mask;
  return {
    resource: nameOf(resource),
    place: linesOf(resource.locate(['kind'], 'key')),
    verdict: isRefused || isDenied ? 'denied' : isUnknown ? 'undecided' : 'allowed',
    operation: change.operation,
    changes: changes.map(({ policy, paths }) => ({ policy: policy.name, fieldPaths: paths.map(formatFieldPath) })),
    ...(evaluated && changes.length > 0 && { mutated: plainValueOf(knownPart(evaluated.request)) }),
    ...(unevaluated && { notEvaluated: { reason: unevaluated.reason, detail: unevaluated.detail } }),
    ...(policies && { policies: byHardness(policies.map((each) => explainedPolicy(each, maskOf(each)))) }),
  };
}

/** The object of a request without placeholder values of fields that only the server knows. */
function knownPart({ object, invented }: AdmissionRequest): JsonValue {
  return (invented?.paths ?? []).reduce(without, object);
}

function without(value: JsonValue, path: FieldPath): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (isJsonArray(value))
    return value.map((item, index) => (index === key && rest.length > 0 ? without(item, rest) : item));
  if (!isJsonObject(value) || !value.has(String(key))) return value;
  const changed = new Map(value);
  if (rest.length === 0) changed.delete(String(key));
  else changed.set(String(key), without(value.get(String(key)) ?? null, rest));
  return changed;
}

const TARGET = 'default';

/**
 * Skipped documents that do not make the verdict undecided: empty documents, and objects that the server rejects or exempts from policies.
 */
const HARMLESS: ReadonlySet<string> = new Set(['empty-document', 'exempt-kind', 'refused-object']);

function isLeftOpen(unevaluated: { readonly reason: string } | undefined): boolean {
  return unevaluated !== undefined && !HARMLESS.has(unevaluated.reason);
}

function hardest(verdicts: readonly EvaluationVerdict[]): EvaluationVerdict {
  return (['denied', 'undecided'] as const).find((each) => verdicts.includes(each)) ?? 'allowed';
}

function configurationOf({ kubernetesVersion, user }: EvaluateInput): Configuration {
  checkVersion(kubernetesVersion);
  return resolveConfiguration({
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(user && { user: writtenUser(user) }),
  });
}

/** Throws InputError. */
export function checkVersion(version: string | undefined): void {
  const problem = version === undefined ? undefined : versionProblem(version);
  if (problem !== undefined) throw new InputError('bad-version', `\`${version}\` ${problem}`);
}

function writtenUser({ username, groups, uid, extra }: RequestUser) {
  return {
    username,
    ...(groups && { groups }),
    ...(uid !== undefined && { uid }),
    ...(extra && { extra: new Map(Object.entries(extra)) }),
  };
}

/** Reads all texts once, to report the errors of all of them. */
function readTexts(input: EvaluateInput, configuration: Configuration) {
  const files = {
    objects: sourceFiles('object', input.object),
    old: sourceFiles('oldObject', input.oldObject),
    policies: sourceFiles('policies', input.policies),
    resources: sourceFiles('resources', input.resources),
  };
  const all = Object.values(files).flat();
  const { resources, diagnostics, skipped } = readRepository(
    {
      files: all.map((file) => ({ file, selected: true })),
      paths: new Set(all.map(({ path }) => path)),
      notRead: [],
      configuration,
    },
    UNOBSERVED,
  );
  const found = resources.map(({ resource }) => resource);
  const of = (some: readonly SourceFile[]) => found.filter(({ manifest }) => some.includes(manifest.file));
  const texts = {
    objects: of(files.objects),
    old: of(files.old),
    policies: of(files.policies),
    resources: of(files.resources),
  };
  const unread = skipped.filter(({ reason }) => reason !== 'empty-document');
  if (texts.objects.length + diagnostics.length + unread.length === 0) {
    throw new InputError('no-object', '`object` contains no object with apiVersion, kind and name');
  }
  return { ...texts, diagnostics, skipped, files: all.length };
}

type ReadTexts = ReturnType<typeof readTexts>;

function serverFor(texts: ReadTexts, input: EvaluateInput, configuration: Configuration): TargetEvaluator {
  const { policies, resources, objects } = texts;
  return testEvaluator({
    policies,
    resources: [...resources, ...namespacesOf(objects, resources, input.namespaceLabels)],
    kubernetesVersion: configuration.targets[0]?.kubernetesVersion ?? '',
    ...(input.serverValidation && { serverValidation: input.serverValidation }),
    ...(input.user && { user: writtenUser(input.user) }),
  });
}

/** A request comes from a server that has checked its Namespace, so the Namespace exists. */
function namespacesOf(
  objects: readonly Resource[],
  given: readonly Resource[],
  labels: EvaluateInput['namespaceLabels'] = {},
): readonly Resource[] {
  const isNamespace = ({ gvk }: Resource): boolean => gvk.group === '' && gvk.kind === 'Namespace';
  const known = new Set<string>(given.filter(isNamespace).map(({ name }) => name));
  const named = new Set<string>(objects.map(({ namespace }) => (namespace === '' ? 'default' : namespace)));
  const missing = [...named].filter((name) => !known.has(name));
  const made = missing.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }));
  return sourceFiles('namespace', made).flatMap(resourcesIn);
}

function changeOf(resource: Resource, { operation }: EvaluateInput, old: readonly Resource[]): ObjectChange {
  if (operation !== undefined && operation !== 'UPDATE') {
    if (old.length > 0) throw new InputError('bad-operation', `\`oldObject\` is not allowed with ${operation}`);
    return { operation, resource };
  }
  const before = old.find((each) => isSameObject(each, resource));
  if (before !== undefined) return { operation: 'UPDATE', resource, old: before };
  if (operation === 'UPDATE') {
    const { kind, name } = nameOf(resource);
    throw new InputError('bad-operation', `\`oldObject\` contains no ${kind} ${name}`);
  }
  return { operation: 'CREATE', resource };
}

function isSameObject(one: Resource, other: Resource): boolean {
  return (
    one.gvk.group === other.gvk.group &&
    one.gvk.kind === other.gvk.kind &&
    one.namespace === other.namespace &&
    one.name === other.name
  );
}

function nameOf({ apiVersion, gvk, namespace, name }: Resource): ResourceName {
  return { apiVersion, kind: gvk.kind, ...(namespace !== '' && { namespace }), name };
}
