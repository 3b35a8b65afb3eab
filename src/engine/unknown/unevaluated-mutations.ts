// Finds webhooks and policies in the files that may mutate objects and are not evaluated here.

import type { Resource } from '../../kubernetes/api/resource.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';

export interface UnevaluatedMutation {
  /** `MutatingWebhookConfiguration injector`. */
  readonly label: string;
  /** May return true too often, never too rarely: it ignores selectors and conditions. */
  mayChange(request: AdmissionRequest): boolean;
}

type MayChange = UnevaluatedMutation['mayChange'];

const GROUPS: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'policies.kubewarden.io',
  'mutations.gatekeeper.sh',
]);

/** Excludes policies that a loaded language accepts, because those are evaluated. */
export function unevaluatedMutations(
  resources: readonly Resource[],
  languages: readonly PolicyLanguage[],
): readonly UnevaluatedMutation[] {
  return resources.flatMap((resource): readonly UnevaluatedMutation[] => {
    const mayChange = mayChangeOf(resource);
    if (mayChange === undefined || languages.some((language) => language.accepts(resource))) return [];
    return [{ label: `${resource.gvk.kind} ${resource.name}`, mayChange }];
  });
}

function mayChangeOf(resource: Resource): MayChange | undefined {
  const { group, kind } = resource.gvk;
  if (!GROUPS.has(group)) return undefined;
  const { value, namespace } = resource;
  const spec = objectOrEmpty(value.get('spec'));
  switch (`${group}/${kind}`) {
    case 'admissionregistration.k8s.io/MutatingWebhookConfiguration':
      return byRules(objectItems(value.get('webhooks')).flatMap((webhook) => objectItems(webhook.get('rules'))));
    case 'admissionregistration.k8s.io/MutatingAdmissionPolicy':
      return byRules(objectItems(objectOrEmpty(spec.get('matchConstraints')).get('resourceRules')));
    case 'policies.kubewarden.io/ClusterAdmissionPolicy':
      return spec.get('mutating') === true ? byRules(objectItems(spec.get('rules'))) : undefined;
    case 'policies.kubewarden.io/AdmissionPolicy':
      return spec.get('mutating') === true ? within(namespace, byRules(objectItems(spec.get('rules')))) : undefined;
    default:
      return group === 'mutations.gatekeeper.sh' ? byGatekeeper(spec) : undefined;
  }
}

function within(namespace: string, mayChange: MayChange | undefined): MayChange | undefined {
  return mayChange && ((request) => request.namespace === (namespace || 'default') && mayChange(request));
}

/** Ignores versions: by default, rules match equivalent versions. */
function byRules(rules: readonly JsonObject[]): MayChange {
  const read = rules.map((rule) => ({
    groups: textItems(rule.get('apiGroups')),
    operations: textItems(rule.get('operations')),
    resources: textItems(rule.get('resources')),
  }));
  return ({ resource, operation }) =>
    read.some(
      ({ groups, operations, resources }) =>
        hasOrAll(groups, resource.group) &&
        hasOrAll(operations, operation) &&
        (resources.includes(resource.resource) || resources.some((entry) => entry === '*' || entry === '*/*')),
    );
}

/** Most mutators use `applyTo`; metadata mutators use `match.kinds`, or match everything. */
function byGatekeeper(spec: JsonObject): MayChange {
  const kindsOf = (value: JsonValue | undefined, groupsKey: string) =>
    objectItems(value).map((each) => ({
      groups: textItems(each.get(groupsKey)),
      kinds: textItems(each.get('kinds')),
    }));
  const applied = kindsOf(spec.get('applyTo'), 'groups');
  const matched = kindsOf(objectOrEmpty(spec.get('match')).get('kinds'), 'apiGroups');
  const covers = (list: typeof applied, { kind: { group, kind } }: AdmissionRequest): boolean =>
    list.length === 0 || list.some(({ groups, kinds }) => hasOrAll(groups, group) && hasOrAll(kinds, kind));
  const isMetadata = textField(spec, 'location').startsWith('metadata.');
  return (request) => (applied.length > 0 || isMetadata) && covers(applied, request) && covers(matched, request);
}

function hasOrAll(items: readonly string[], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}
