// Baseline: only SELinux types for containers, no user and no role (pod-security-admission `check_seLinuxOptions.go`).

import type { JsonObject } from '../../../source/json/json.ts';
import { objectField, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import {
  forbiddenField,
  joinQuoted,
  type PodSecurityCheck,
  type PodSecurityError,
  plural,
  settersText,
  sortedSet,
  type Violation,
} from '../check.ts';
import { type CheckedPod, POD_SECURITY_CONTEXT } from '../pod.ts';

export const seLinuxOptions: PodSecurityCheck = {
  id: 'seLinuxOptions',
  level: 'baseline',
  versions: [
    { minimumMinor: 0, check: (pod) => check(pod, TYPES_1_0) },
    { minimumMinor: 31, check: (pod) => check(pod, TYPES_1_31) },
  ],
};

const TYPES_1_0: ReadonlySet<string> = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t']);
const TYPES_1_31: ReadonlySet<string> = new Set([...TYPES_1_0, 'container_engine_t']);

function check(pod: CheckedPod, allowedTypes: ReadonlySet<string>): Violation | undefined {
  const errors = errorsOf(pod.securityContext, POD_SECURITY_CONTEXT, allowedTypes);
  const isPodBad = errors.length > 0;
  const containers: string[] = [];
  for (const { name, securityContext, path } of pod.containers) {
    const own = errorsOf(securityContext, [...path, 'securityContext'], allowedTypes);
    if (own.length === 0) continue;
    containers.push(name);
    for (const error of own) errors.push(error);
  }
  if (errors.length === 0) return undefined;

  const types = sortedSet(errors.filter(({ path }) => path.at(-1) === 'type').map(({ value }) => String(value)));
  const wrong: string[] = [];
  if (types.length > 0) wrong.push(`${plural('type', 'types', types.length)} ${joinQuoted(types)}`);
  for (const field of ['user', 'role']) {
    if (errors.some(({ path }) => path.at(-1) === field)) wrong.push(`${field} may not be set`);
  }
  const setters = settersText(isPodBad, containers);
  const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${wrong.join('; ')}`;
  return { reason: 'seLinuxOptions', detail, errors };
}

function errorsOf(
  securityContext: JsonObject | undefined,
  path: FieldPath,
  allowedTypes: ReadonlySet<string>,
): PodSecurityError[] {
  const options = securityContext && objectField(securityContext, 'seLinuxOptions');
  if (options === undefined) return [];
  const errors: PodSecurityError[] = [];
  for (const field of ['type', 'user', 'role']) {
    const value = textField(options, field);
    const isAllowed = field === 'type' ? allowedTypes.has(value) : value === '';
    if (!isAllowed) errors.push(forbiddenField([...path, 'seLinuxOptions', field], value));
  }
  return errors;
}
