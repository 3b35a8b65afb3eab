// Evaluates a podSecurity rule: Pod Security checks with Kyverno's exclusions and messages (`pkg/pss`, `validate_pss.go`).
import type { PodSecurityError } from '../../../kubernetes/pod-security/check.ts';
import { POD_SECURITY_CHECKS } from '../../../kubernetes/pod-security/check-table.ts';
import { checkAtVersion } from '../../../kubernetes/pod-security/checks-of.ts';
import {
  LATEST_POD_SECURITY_VERSION,
  parsePodSecurityVersion,
} from '../../../kubernetes/pod-security/level-version.ts';
import { type CheckedPod, checkedPod } from '../../../kubernetes/pod-security/pod.ts';
import { compareUtf8, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems, valueAt } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { orUndecided, Undecided } from '../rule/rule-response.ts';
import { goValueText } from '../value/go-value-text.ts';
import { anyWildcardMatches } from '../value/wildcard.ts';

/** Violations of a check. Exclusions remove entries of `errors`. */
export interface PodSecurityFinding {
  readonly id: string;
  readonly reason: string;
  readonly errors: readonly PodSecurityError[];
  /** Fields in violation, even if Kyverno's message names none. */
  readonly places: readonly PodSecurityError[];
}

/** Checks whose fields Kyverno's copy of the standard does not contain. */
const UNPLACED: readonly string[] = ['hostProbesAndHostLifecycle'];

export interface PodTemplate {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  /** Path of the Pod template in the object. A CronJob's Pod metadata comes from its Job. */
  readonly path: FieldPath;
}

const TEMPLATES: ReadonlyMap<string, FieldPath> = new Map([
  ['Pod', []],
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
  ...['DaemonSet', 'Deployment', 'Job', 'StatefulSet', 'ReplicaSet', 'ReplicationController'].map(
    (kind): [string, FieldPath] => [kind, ['spec', 'template']],
  ),
]);

/** Undefined for kinds that create no Pods. */
export function podTemplateOf(object: JsonObject): PodTemplate | undefined {
  const kind = textField(object, 'kind');
  const path = TEMPLATES.get(kind);
  if (path === undefined) return undefined;
  const template = objectOrEmpty(valueAt(object, path));
  const owner = kind === 'CronJob' ? objectOrEmpty(valueAt(object, ['spec', 'jobTemplate'])) : template;
  return { path, metadata: objectOrEmpty(owner.get('metadata')), spec: objectOrEmpty(template.get('spec')) };
}

export interface PodSecurityFindings {
  readonly findings: readonly PodSecurityFinding[];
  /** Set if a check depends on an open field. */
  readonly open: Undecided | undefined;
}

/** In the order of check names. `excludes`: entries of the rule's `exclude`, or of an exception's `podSecurity`. */
export function podSecurityFindings(
  podSecurity: JsonObject,
  template: PodTemplate,
): PodSecurityFindings | { readonly error: string } {
  const level = textField(podSecurity, 'level');
  const version = textField(podSecurity, 'version');
  const parsed = version === '' ? LATEST_POD_SECURITY_VERSION : parsePodSecurityVersion(version);
  if (parsed === undefined) return { error: `could not parse "${version}" as version` };
  const { findings, open } = check(level, parsed.minor, checkedPod(template.metadata, template.spec));
  const left = withoutExcluded(findings, objectItems(podSecurity.get('exclude')), podSecurity, template);
  return { findings: left, open };
}

/** Newer than Kyverno's copy of the standard. */
const UNKNOWN_CHECKS: readonly string[] = ['procMount_restricted'];

const ORDERED = POD_SECURITY_CHECKS.filter(({ id }) => !UNKNOWN_CHECKS.includes(id)).sort((one, other) =>
  compareUtf8(one.id, other.id),
);

/** Every level except baseline runs all checks, including overridden ones. A version before a check's first version uses the first. */
function check(level: string, minor: number, pod: CheckedPod): PodSecurityFindings {
  let open: Undecided | undefined;
  const findings: PodSecurityFinding[] = [];
  for (const each of ORDERED) {
    if (level === 'baseline' && each.level !== 'baseline') continue;
    const versioned = checkAtVersion(each, minor) ?? each.versions[0];
    const violation = orUndecided(() => versioned?.check(pod));
    if (violation instanceof Undecided) {
      open ??= violation;
      continue;
    }
    if (violation === undefined) continue;
    const { reason, errors } = violation;
    findings.push({ id: each.id, reason, errors: UNPLACED.includes(each.id) ? [] : errors, places: errors });
  }
  return { findings, open };
}

const CONTROLS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Capabilities', ['capabilities_baseline', 'capabilities_restricted']],
  ['Seccomp', ['seccompProfile_baseline', 'seccompProfile_restricted']],
  ['Privileged Containers', ['privileged']],
  ['Host Ports', ['hostPorts']],
  ['/proc Mount Type', ['procMount']],
  ['HostProcess', ['windowsHostProcess']],
  ['SELinux', ['seLinuxOptions']],
  ['Host Namespaces', ['hostNamespaces']],
  ['HostPath Volumes', ['hostPathVolumes']],
  ['Sysctls', ['sysctls']],
  ['AppArmor', ['appArmorProfile']],
  ['Privilege Escalation', ['allowPrivilegeEscalation']],
  ['Running as Non-root', ['runAsNonRoot']],
  ['Running as Non-root user', ['runAsUser']],
  ['Volume Types', ['restrictedVolumes']],
]);

export function withoutExcluded(
  findings: readonly PodSecurityFinding[],
  excludes: readonly JsonObject[],
  podSecurity: JsonObject,
  template: PodTemplate,
): readonly PodSecurityFinding[] {
  const level = textField(podSecurity, 'level');
  const minor = (parsePodSecurityVersion(textField(podSecurity, 'version')) ?? LATEST_POD_SECURITY_VERSION).minor;
  return excludes.reduce((left, exclude) => {
    const images = textItems(exclude.get('images'));
    const { spec, metadata, names } = excludedPod(images, template);
    const { findings: excluded, open } = check(level, minor, checkedPod(metadata, spec));
    if (open !== undefined) throw open;
    return exempt(left, excluded, exclude, names, template);
  }, findings);
}

interface ExcludedPod {
  readonly spec: JsonObject;
  readonly metadata: JsonObject;
  /** Names of the containers selected by image, by list. Undefined if the exclusion applies to the Pod. */
  readonly names: ReadonlyMap<string, readonly string[]> | undefined;
}

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

function excludedPod(images: readonly string[], { spec, metadata }: PodTemplate): ExcludedPod {
  if (images.length === 0) {
    const pod = new Map<string, JsonValue>(spec);
    for (const list of CONTAINER_LISTS) pod.delete(list);
    pod.set('containers', [new Map([['name', 'fake']])]);
    return { spec: pod, metadata, names: undefined };
  }
  const chosen = new Map<string, JsonValue>();
  const names = new Map<string, readonly string[]>();
  for (const list of CONTAINER_LISTS) {
    const fitting = objectItems(spec.get(list)).filter((container) =>
      anyWildcardMatches(images, textField(container, 'image')),
    );
    chosen.set(list, fitting);
    names.set(list, namesOf(fitting));
  }
  return { spec: chosen, metadata: new Map(), names };
}

function namesOf(containers: readonly JsonObject[]): readonly string[] {
  return containers.map((container) => textField(container, 'name'));
}

function exempt(
  findings: readonly PodSecurityFinding[],
  excluded: readonly PodSecurityFinding[],
  exclude: JsonObject,
  names: ExcludedPod['names'],
  template: PodTemplate,
): readonly PodSecurityFinding[] {
  const control = CONTROLS.get(textField(exclude, 'controlName')) ?? [];
  const restrictedField = textField(exclude, 'restrictedField');
  const values = textItems(exclude.get('values'));
  const errors = new Map(findings.map(({ id, errors: left }) => [id, [...left]]));
  for (const { id, errors: exempted } of excluded) {
    if (!control.includes(id)) continue;
    for (const error of exempted) {
      const field = anyIndex(error.path);
      if (restrictedField !== '' && field !== restrictedField) continue;
      if (values.length > 0 && !badValues(error).every((value) => anyWildcardMatches(values, value))) continue;
      const name = names === undefined ? undefined : containerName(error.path, (list) => names.get(list) ?? []);
      const left = errors.get(id);
      const index = left?.findIndex((each) => {
        if (anyIndex(each.path) !== field) return false;
        if (names === undefined || !isInContainer(each.path)) return true;
        return containerName(each.path, (list) => namesOf(objectItems(template.spec.get(list)))) === name;
      });
      if (left === undefined || index === undefined || index < 0) continue;
      // Upstream moves the last element to the position of the removed one.
      left[index] = left.at(-1) as PodSecurityError;
      left.pop();
    }
  }
  return findings.flatMap((finding) => {
    const left = errors.get(finding.id) ?? [];
    if (left.length > 0) return [{ ...finding, errors: left }];
    return finding.errors.length === 0 ? [finding] : [];
  });
}

/** Map keys are in brackets, without quotes. */
function fieldText(path: FieldPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number' || path[index - 1] === 'annotations') return `[${step}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

/** `spec.containers[*].securityContext`. */
function anyIndex(path: FieldPath): string {
  return fieldText(path).replace(/\d+/g, '*');
}

function isInContainer(path: FieldPath): boolean {
  return CONTAINER_LISTS.includes(String(path[1]));
}

function containerName(path: FieldPath, namesIn: (list: string) => readonly string[]): string {
  return isInContainer(path) ? (namesIn(String(path[1]))[Number(path[2])] ?? '') : '';
}

function badValues({ value }: PodSecurityError): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return value === undefined || value === null || value === '' ? [] : [String(value)];
}

/** `(Forbidden reason: …, field error list: […])` for each check. Paths are relative to the object that creates the Pod. */
export function formatFindings(findings: readonly PodSecurityFinding[], kind: string): string {
  return findings
    .map(({ reason, errors }) => {
      const list = errors.map((error) => formatError(error, kind)).join(', ');
      return `(Forbidden reason: ${reason}, field error list: [${list}])`;
    })
    .join('');
}

function formatError({ type, path, value }: PodSecurityError, kind: string): string {
  const field = fieldOf(path, kind);
  if (type === 'required') return `${field}: Required value`;
  if (value === undefined || value === '') return `${field}: Forbidden`;
  return `${field} is forbidden, forbidden values found: ${goValueText(value)}`;
}

/** Kyverno replaces text, so even a Pod's metadata gets the path of a template. */
function fieldOf(path: FieldPath, kind: string): string {
  const prefix = TEMPLATES.get(kind) ?? [];
  const below = prefix.length === 0 ? 'spec' : `${prefix.join('.')}.spec`;
  return fieldText(path).replaceAll('spec', below).replaceAll('metadata', 'spec.template.metadata');
}
