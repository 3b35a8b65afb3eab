// Baseline: AppArmor must not be disabled, by field or annotation (pod-security-admission `check_appArmorProfile.go`).
import { goQuoteBytes } from '../../../go/strconv/quote.ts';
import { compareUtf8 } from '../../../source/json/json.ts';
import { objectField, textField } from '../../../source/json/json-field.ts';
import { isAtLeast } from '../../api/version.ts';
import {
  containerList,
  forbiddenField,
  joinQuoted,
  type PodSecurityCheck,
  type PodSecurityError,
  plural,
  sortedSet,
  type Violation,
} from '../check.ts';
import { type CheckedPod, POD_SECURITY_CONTEXT } from '../pod.ts';

export const appArmorProfile: PodSecurityCheck = {
  id: 'appArmorProfile',
  level: 'baseline',
  versions: [
    {
      minimumMinor: 0,
      check: (pod, server) => (server && !isAtLeast(server, '1.30') ? checkAnnotations(pod) : check(pod)),
    },
  ],
};

const ANNOTATION_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';

function check(pod: CheckedPod): Violation | undefined {
  const setters: string[] = [];
  const types: string[] = [];
  const errors: PodSecurityError[] = [];
  const podProfile = pod.securityContext && objectField(pod.securityContext, 'appArmorProfile');
  if (podProfile !== undefined && !isAllowedType(textField(podProfile, 'type'))) {
    setters.push('pod');
    types.push(textField(podProfile, 'type'));
    errors.push(forbiddenField([...POD_SECURITY_CONTEXT, 'appArmorProfile', 'type'], textField(podProfile, 'type')));
  }

  const containers: string[] = [];
  for (const { name, securityContext, path } of pod.containers) {
    const profile = securityContext && objectField(securityContext, 'appArmorProfile');
    if (profile === undefined || isAllowedType(textField(profile, 'type'))) continue;
    containers.push(name);
    types.push(textField(profile, 'type'));
    errors.push(forbiddenField([...path, 'securityContext', 'appArmorProfile', 'type'], textField(profile, 'type')));
  }
  if (containers.length > 0) setters.push(containerList(containers));

  const annotations = forbiddenAnnotations(pod);
  for (const { key, value } of annotations) errors.push(forbiddenField(['metadata', 'annotations', key], value));
  if (annotations.length > 0) setters.push(plural('annotation', 'annotations', annotations.length));

  if (setters.length === 0) return undefined;
  const values = [...sortedSet(types), ...annotations.map(({ text }) => text)];
  return {
    reason: reasonOf(values.length),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${joinQuoted(values)}`,
    errors,
  };
}

/** For servers without the field. */
function checkAnnotations(pod: CheckedPod): Violation | undefined {
  const annotations = forbiddenAnnotations(pod);
  if (annotations.length === 0) return undefined;
  return {
    reason: reasonOf(annotations.length),
    detail: annotations.map(({ text }) => text).join(', '),
    errors: annotations.map(({ key, value }) => forbiddenField(['metadata', 'annotations', key], value)),
  };
}

interface ForbiddenAnnotation {
  readonly key: string;
  readonly value: string;
  /** `key="value"`. */
  readonly text: string;
}

function forbiddenAnnotations({ annotations }: CheckedPod): readonly ForbiddenAnnotation[] {
  return [...annotations]
    .filter(([key, value]) => key.startsWith(ANNOTATION_PREFIX) && !isAllowedAnnotation(value))
    .map(([key, value]) => ({ key, value, text: `${key}=${goQuoteBytes(value)}` }))
    .sort((one, other) => compareUtf8(one.text, other.text));
}

function reasonOf(values: number): string {
  return plural('forbidden AppArmor profile', 'forbidden AppArmor profiles', values);
}

function isAllowedType(type: string): boolean {
  return type === 'RuntimeDefault' || type === 'Localhost';
}

function isAllowedAnnotation(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}
