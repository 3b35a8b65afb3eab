// Seccomp: baseline forbids disabling it, restricted requires it (pod-security-admission `check_seccompProfile_*.go`).
import { goQuoteBytes } from '../../../go/strconv/quote.ts';
import { compareUtf8 } from '../../../source/json/json.ts';
import { objectField, textField } from '../../../source/json/json-field.ts';
import {
  containerList,
  forbiddenField,
  joinQuoted,
  type PodSecurityCheck,
  type PodSecurityError,
  plural,
  requiredField,
  settersText,
  sortedSet,
  type Violation,
} from '../check.ts';
import { type CheckedPod, isWindowsPod, POD_SECURITY_CONTEXT } from '../pod.ts';

export const seccompProfileBaseline: PodSecurityCheck = {
  id: 'seccompProfile_baseline',
  level: 'baseline',
  versions: [
    { minimumMinor: 0, check: checkAnnotations },
    { minimumMinor: 19, check: checkBaseline },
  ],
};

export const seccompProfileRestricted: PodSecurityCheck = {
  id: 'seccompProfile_restricted',
  level: 'restricted',
  versions: [
    { minimumMinor: 19, overrides: ['seccompProfile_baseline'], check: checkRestricted },
    {
      minimumMinor: 25,
      overrides: ['seccompProfile_baseline'],
      check: (pod) => (isWindowsPod(pod) ? undefined : checkRestricted(pod)),
    },
  ],
};

const REASON = 'seccompProfile';
const POD_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
const CONTAINER_ANNOTATION_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/';

/** For versions before the field: annotations of the Pod and its containers. */
function checkAnnotations(pod: CheckedPod): Violation | undefined {
  const keys = [POD_ANNOTATION, ...pod.containers.map(({ name }) => CONTAINER_ANNOTATION_PREFIX + name)];
  const bad: { readonly text: string; readonly error: PodSecurityError }[] = [];
  for (const key of keys) {
    const value = pod.annotations.get(key);
    if (value === undefined || isAllowedAnnotation(value)) continue;
    bad.push({ text: `${key}=${goQuoteBytes(value)}`, error: forbiddenField(['metadata', 'annotations', key], value) });
  }
  if (bad.length === 0) return undefined;
  bad.sort((one, other) => compareUtf8(one.text, other.text));
  const texts = sortedSet(bad.map(({ text }) => text));
  const detail = `forbidden ${plural('annotation', 'annotations', texts.length)} ${texts.join(', ')}`;
  return { reason: REASON, detail, errors: bad.map(({ error }) => error) };
}

function isAllowedAnnotation(value: string): boolean {
  return value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
}

function checkBaseline(pod: CheckedPod): Violation | undefined {
  return forbiddenProfiles(pod);
}

function checkRestricted(pod: CheckedPod): Violation | undefined {
  const violation = forbiddenProfiles(pod);
  if (violation !== undefined) return violation;
  const podProfile = pod.securityContext && objectField(pod.securityContext, 'seccompProfile');
  if (podProfile !== undefined) return undefined;
  const missing = pod.containers.filter(
    ({ securityContext }) => securityContext === undefined || !objectField(securityContext, 'seccompProfile'),
  );
  if (missing.length === 0) return undefined;
  const names = containerList(missing.map(({ name }) => name));
  return {
    reason: REASON,
    detail: `pod or ${names} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
    errors: missing.map(({ path }) => requiredField([...path, 'securityContext', 'seccompProfile', 'type'])),
  };
}

/** Profiles of a type that only the level `privileged` allows. */
function forbiddenProfiles(pod: CheckedPod): Violation | undefined {
  const errors: PodSecurityError[] = [];
  const types: string[] = [];
  const podType = forbiddenType(pod.securityContext);
  if (podType !== undefined) {
    types.push(podType);
    errors.push(forbiddenField([...POD_SECURITY_CONTEXT, 'seccompProfile', 'type'], podType));
  }
  const containers: string[] = [];
  for (const { name, securityContext, path } of pod.containers) {
    const type = forbiddenType(securityContext);
    if (type === undefined) continue;
    containers.push(name);
    types.push(type);
    errors.push(forbiddenField([...path, 'securityContext', 'seccompProfile', 'type'], type));
  }
  if (errors.length === 0) return undefined;
  const setters = settersText(podType !== undefined, containers);
  const values = joinQuoted(sortedSet(types));
  return {
    reason: REASON,
    detail: `${setters} must not set securityContext.seccompProfile.type to ${values}`,
    errors,
  };
}

function forbiddenType(securityContext: CheckedPod['securityContext']): string | undefined {
  const profile = securityContext && objectField(securityContext, 'seccompProfile');
  if (profile === undefined) return undefined;
  const type = textField(profile, 'type');
  return type === 'Localhost' || type === 'RuntimeDefault' ? undefined : type;
}
