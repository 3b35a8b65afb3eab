// Translates a ClusterPolicy into equivalent CEL policies: Kyverno's, or the API server's with a binding.
import { append } from '../../../go/slices/append.ts';
import { trim } from '../../../go/strings/trim.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { asSeenByKyverno } from '../classic/classic-policy.ts';
import type { KyvernoSettings } from '../installation/kyverno-settings.ts';
import { refusalOfPolicy } from '../policy-validation/validate-policy.ts';
import type { MatchedResource, ServedKinds } from './match-to-cel.ts';
import { type MigratedRule, migrateRule, type WrittenExpression } from './rule-to-cel.ts';
import { seenRequests } from './seen-requests.ts';
import { Untranslatable } from './untranslatable.ts';

export type SuccessorKind = 'ValidatingPolicy' | 'ValidatingAdmissionPolicy';

/** Why a policy has no translation: the construct, and its rule. The rule is empty if the whole policy is concerned. */
export interface MigrationObstacle {
  readonly rule: string;
  readonly construct: string;
}

export type MigratedPolicy =
  | { readonly documents: readonly JsonObject[] }
  | { readonly obstacles: readonly MigrationObstacle[] };

/** The result is unverified until both policies have been evaluated on objects. */
export function migratePolicy(
  resource: Resource,
  to: SuccessorKind,
  served: ServedKinds,
  settings: KyvernoSettings,
): MigratedPolicy {
  const policy = asSeenByKyverno(resource);
  const obstacle = obstacleOf(policy);
  if (obstacle !== undefined) return { obstacles: [{ rule: '', construct: obstacle }] };
  const obstacles: MigrationObstacle[] = [];
  const documents: JsonObject[] = [];
  const rules = objectItems(objectOrEmpty(policy.get('spec')).get('rules'));
  for (const [index, written] of rules.entries()) {
    const rule = textField(written, 'name');
    try {
      const migrated = migrateRule(policy, index, served);
      const name = rules.length === 1 ? resource.name : cutName(`${resource.name}-${rule || index}`);
      if (to === 'ValidatingPolicy') documents.push(validatingPolicy(policy, name, migrated));
      else append(documents, validatingAdmissionPolicy(policy, name, migrated, settings));
    } catch (reason) {
      if (!(reason instanceof Untranslatable)) throw reason;
      obstacles.push({ rule, construct: reason.message });
    }
  }
  if (rules.length === 0) obstacles.push({ rule: '', construct: 'a policy without rules' });
  return obstacles.length > 0 ? { obstacles } : { documents };
}

function obstacleOf(policy: JsonObject): string | undefined {
  const spec = objectOrEmpty(policy.get('spec'));
  if (policy.get('kind') !== 'ClusterPolicy') return 'a namespaced Policy: convert it to a ClusterPolicy first';
  const refusal = refusalOfPolicy(policy);
  if (refusal !== undefined) return `Kyverno rejects the policy: ${refusal.message.trim()}`;
  if (spec.get('admission') === false) return '`admission: false`: the policy does not run at admission';
  if (textField(spec, 'applyRules') === 'One' && objectItems(spec.get('rules')).length > 1) {
    return '`applyRules: One` with several rules: the first rule that decides ends the evaluation';
  }
  return undefined;
}

/** Shortened to the limits of Kubernetes object names. */
function cutName(name: string): string {
  const allowed = name.toLowerCase().replace(/[^a-z0-9.-]+/g, '-');
  return trim(allowed.slice(0, 253), '-.');
}

function validatingPolicy(policy: JsonObject, name: string, rule: MigratedRule): JsonObject {
  if (rule.cel?.has('paramKind') || rule.cel?.has('paramRef')) {
    throw new Untranslatable('`cel.paramKind`: a ValidatingPolicy has no params; use a ValidatingAdmissionPolicy');
  }
  const spec = objectOrEmpty(policy.get('spec'));
  const warns = spec.get('emitWarning') === true && rule.action === 'Audit' ? ['Warn'] : [];
  return fields({
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'ValidatingPolicy',
    metadata: metadataOf(policy, name),
    spec: fields({
      validationActions: [rule.action, ...warns],
      ...(spec.get('background') === false && {
        evaluation: fields({ background: fields({ enabled: false }) }),
      }),
      // Rules for Pod controllers are written explicitly below.
      ...(isOnlyPods(rule) && { autogen: fields({ podControllers: fields({ controllers: [] }) }) }),
      ...bodyOf(policy, rule, rule.resources, []),
    }),
  });
}

function isOnlyPods({ resources }: MigratedRule): boolean {
  return resources.every(({ group, resource }) => group === '' && resource === 'pods');
}

function validatingAdmissionPolicy(
  policy: JsonObject,
  name: string,
  rule: MigratedRule,
  settings: KyvernoSettings,
): readonly JsonObject[] {
  const { resources, conditions } = seenRequests(rule.resources, settings);
  if (resources.length === 0) throw new Untranslatable("only kinds that Kyverno's resource filters exclude");
  const emitsWarning = objectOrEmpty(policy.get('spec')).get('emitWarning') === true && rule.action === 'Audit';
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const paramKind = rule.cel && objectField(rule.cel, 'paramKind');
  const paramRef = rule.cel && objectField(rule.cel, 'paramRef');
  return [
    fields({
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: metadataOf(policy, name),
      spec: fields({ ...(paramKind && { paramKind }), ...bodyOf(policy, rule, resources, conditions) }),
    }),
    fields({
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: fields({ name }),
      spec: fields({
        policyName: name,
        ...(paramRef && { paramRef }),
        validationActions: [rule.action, ...(emitsWarning ? ['Warn'] : [])],
      }),
    }),
  ];
}

function bodyOf(
  policy: JsonObject,
  rule: MigratedRule,
  resources: readonly MatchedResource[],
  conditions: readonly WrittenExpression[],
): Readonly<Record<string, JsonValue>> {
  const spec = objectOrEmpty(policy.get('spec'));
  const webhook = objectField(spec, 'webhookConfiguration');
  const failurePolicy = (webhook && textField(webhook, 'failurePolicy')) || textField(spec, 'failurePolicy') || 'Fail';
  const own = objectItems(webhook?.get('matchConditions'));
  const auditAnnotations = objectItems(rule.cel?.get('auditAnnotations'));
  const matchConditions = [...own, ...[...conditions, ...rule.matchConditions].map(namedFields)];
  return {
    failurePolicy,
    matchConstraints: fields({ resourceRules: resourceRules(resources, rule.operations) }),
    ...(matchConditions.length > 0 && { matchConditions }),
    ...(rule.variables.length > 0 && { variables: rule.variables.map(namedFields) }),
    validations: rule.validations,
    ...(auditAnnotations.length > 0 && { auditAnnotations }),
  };
}

function namedFields({ name, expression }: WrittenExpression): JsonObject {
  return fields({ name, expression });
}

/** Groups resources by group and version. Adds `pods/ephemeralcontainers` to Pods. */
function resourceRules(resources: readonly MatchedResource[], operations: readonly string[]): readonly JsonObject[] {
  const byVersion = new Map<string, { readonly group: string; readonly version: string; readonly names: string[] }>();
  for (const { group, version, resource } of resources) {
    const key = `${group}/${version}`;
    const known = byVersion.get(key) ?? { group, version, names: [] };
    known.names.push(resource);
    if (group === '' && resource === 'pods' && operations.includes('UPDATE'))
      known.names.push('pods/ephemeralcontainers');
    byVersion.set(key, known);
  }
  return [...byVersion.values()].map(({ group, version, names }) =>
    fields({ apiGroups: [group], apiVersions: [version], operations, resources: [...new Set(names)] }),
  );
}

/** Copies annotations that describe the policy, but not those that only the old kind uses. */
function metadataOf(policy: JsonObject, name: string): JsonObject {
  const annotations = objectOrEmpty(objectOrEmpty(policy.get('metadata')).get('annotations'));
  const kept = [...annotations].filter(
    ([key]) => key.startsWith('policies.kyverno.io/') && !DROPPED.has(key.slice('policies.kyverno.io/'.length)),
  );
  return fields({ name, ...(kept.length > 0 && { annotations: new Map(kept) }) });
}

const DROPPED: ReadonlySet<string> = new Set(['minversion', 'scored']);

function fields(members: Readonly<Record<string, JsonValue>>): JsonObject {
  return new Map(Object.entries(members));
}

/** True if a PolicyException of the old kind names the policy. New policies ignore such exceptions. */
export function namesPolicy(exception: JsonObject, name: string): boolean {
  const exceptions = objectItems(objectOrEmpty(exception.get('spec')).get('exceptions'));
  return exceptions.some((entry) => isJsonObject(entry) && textField(entry, 'policyName') === name);
}
