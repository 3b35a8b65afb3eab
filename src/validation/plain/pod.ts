// Pods and Pod templates (pkg/apis/core/validation `ValidatePodSpec`; pkg/api/pod/warnings.go).
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { areDistinctAndMounted, hasFittingPorts, initContainers, podContainers } from './container.ts';
import { isSubdomain, label, labelKeyText, readAddress, subdomain } from './formats.ts';
import { templateMetadata } from './metadata.ts';
import {
  anyText,
  childOf,
  filledText,
  flag,
  integer,
  isAbsent,
  itemsOf,
  list,
  listBy,
  longCount,
  oneOf,
  type PlainRule,
  structOf,
  textThat,
} from './rule.ts';
import { affinity, nodeSelector, tolerations, topologySpread } from './scheduling.ts';
import { podSecurity } from './security-context.ts';
import { needsToken, volumes } from './volume.ts';

/** IPv4 in its usual text; other texts are refused or lead to a warning. */
const address = textThat((value) => readAddress(value) !== undefined);
const emptyOrSubdomain = textThat((name) => name === '' || isSubdomain(name));

const dnsConfig = structOf({
  nameservers: list(address, 0, 3),
  searches: list(subdomain, 0, 6),
  options: list(structOf({ name: filledText, value: anyText }, 'name')),
});

const SPEC = {
  containers: podContainers,
  initContainers,
  volumes,
  restartPolicy: oneOf('Always', 'OnFailure', 'Never'),
  terminationGracePeriodSeconds: longCount,
  dnsPolicy: oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default'),
  dnsConfig,
  nodeSelector,
  serviceAccountName: emptyOrSubdomain,
  serviceAccount: emptyOrSubdomain,
  automountServiceAccountToken: flag,
  nodeName: subdomain,
  hostNetwork: flag,
  hostPID: flag,
  hostIPC: flag,
  shareProcessNamespace: flag,
  securityContext: podSecurity,
  imagePullSecrets: listBy('name', structOf({ name: filledText }, 'name')),
  hostname: label,
  subdomain: label,
  setHostnameAsFQDN: flag,
  affinity,
  schedulerName: filledText,
  tolerations,
  hostAliases: listBy('ip', structOf({ ip: address, hostnames: list(subdomain) }, 'ip')),
  priorityClassName: subdomain,
  priority: integer(-(2n ** 31n)),
  preemptionPolicy: oneOf('PreemptLowerPriority', 'Never'),
  readinessGates: list(structOf({ conditionType: labelKeyText }, 'conditionType')),
  runtimeClassName: subdomain,
  enableServiceLinks: flag,
  topologySpreadConstraints: topologySpread,
};

const fields = structOf(SPEC, 'containers');

export interface PodKind {
  readonly isPod: boolean;
  /** Volumes that the controller adds. */
  readonly added?: readonly JsonValue[];
}

/** True if the spec is valid and leads to no warning except about equal ports. */
export function isPlainPod(spec: JsonValue | undefined, { isPod, added = [] }: PodKind): spec is JsonObject {
  if (spec === undefined || !fields(spec)) return false;
  const object = spec as JsonObject;
  const mounted = itemsOf(object.get('volumes'));
  const names = new Set([...mounted.map((volume) => volume.get('name')), ...added]);
  const [main, init] = [itemsOf(object.get('containers')), itemsOf(object.get('initContainers'))];
  const all = init.length === 0 ? main : [...init, ...main];
  if (!areDistinctAndMounted(all, names)) return false;
  if (object.get('shareProcessNamespace') === true && object.get('hostPID') === true) return false;
  if (isPod && (object.get('serviceAccountName') ?? '') === '' && needsToken(mounted)) return false;
  return hasFittingPorts(all, object.get('hostNetwork') === true, isPod);
}

/** `restartPolicies` are those that the kind accepts. */
export function podTemplate(...restartPolicies: readonly string[]): PlainRule {
  return (value) => isPlainTemplate(value, restartPolicies, []);
}

export function isPlainTemplate(
  value: JsonValue | undefined,
  restartPolicies: readonly string[],
  added: readonly JsonValue[],
): boolean {
  if (!(value instanceof Map)) return false;
  const template = value as JsonObject;
  for (const name of template.keys()) if (name !== 'metadata' && name !== 'spec') return false;
  const metadata = template.get('metadata');
  if (!isAbsent(metadata) && !templateMetadata(metadata)) return false;
  const spec = template.get('spec');
  if (!isPlainPod(spec, { isPod: false, added })) return false;
  return restartPolicies.includes((spec.get('restartPolicy') ?? 'Always') as string);
}

export function templateLabels(template: JsonObject): JsonObject {
  return childOf(childOf(template, 'metadata'), 'labels');
}
