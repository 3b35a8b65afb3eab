// Capabilities: baseline allows only the default set, restricted requires dropping ALL (pod-security-admission `check_capabilities_*.go`).

import type { JsonObject } from '../../../source/json/json.ts';
import { objectField, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import {
  containerList,
  forbiddenField,
  joinQuoted,
  type PodSecurityCheck,
  type PodSecurityError,
  requiredField,
  sortedSet,
  type Violation,
} from '../check.ts';
import { type CheckedPod, isWindowsPod } from '../pod.ts';

export const capabilitiesBaseline: PodSecurityCheck = {
  id: 'capabilities_baseline',
  level: 'baseline',
  versions: [{ minimumMinor: 0, check: checkBaseline }],
};

export const capabilitiesRestricted: PodSecurityCheck = {
  id: 'capabilities_restricted',
  level: 'restricted',
  versions: [
    { minimumMinor: 22, overrides: ['capabilities_baseline'], check: checkRestricted },
    {
      minimumMinor: 25,
      overrides: ['capabilities_baseline'],
      check: (pod) => (isWindowsPod(pod) ? undefined : checkRestricted(pod)),
    },
  ],
};

const DEFAULT_SET: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const NET_BIND_SERVICE: ReadonlySet<string> = new Set(['NET_BIND_SERVICE']);

function checkBaseline(pod: CheckedPod): Violation | undefined {
  const added = addedBeyond(pod, DEFAULT_SET);
  if (added.containers.length === 0) return undefined;
  return { reason: 'non-default capabilities', detail: addedText(added), errors: added.errors };
}

function checkRestricted(pod: CheckedPod): Violation | undefined {
  const missing: string[] = [];
  const errors: PodSecurityError[] = [];
  for (const { name, securityContext, path } of pod.containers) {
    const dropped = textItems((securityContext && objectField(securityContext, 'capabilities'))?.get('drop'));
    if (dropped.includes('ALL')) continue;
    const field = [...path, 'securityContext', 'capabilities', 'drop'];
    missing.push(name);
    errors.push(dropped.length === 0 ? requiredField(field) : forbiddenField(field, sortedSet(dropped)));
  }
  const added = addedBeyond(pod, NET_BIND_SERVICE);
  const details: string[] = [];
  if (missing.length > 0) details.push(`${containerList(missing)} must set securityContext.capabilities.drop=["ALL"]`);
  if (added.containers.length > 0) details.push(addedText(added));
  if (details.length === 0) return undefined;
  return { reason: 'unrestricted capabilities', detail: details.join('; '), errors: [...errors, ...added.errors] };
}

interface AddedCapabilities {
  readonly containers: readonly string[];
  readonly capabilities: readonly string[];
  readonly errors: readonly PodSecurityError[];
}

function addedBeyond(pod: CheckedPod, allowed: ReadonlySet<string>): AddedCapabilities {
  const containers: string[] = [];
  const capabilities: string[] = [];
  const errors: PodSecurityError[] = [];
  for (const { name, securityContext, path } of pod.containers) {
    const field = [...path, 'securityContext', 'capabilities', 'add'];
    const bad = badEntries(securityContext && objectField(securityContext, 'capabilities'), field, allowed);
    if (bad.length === 0) continue;
    const values = bad.map(({ capability }) => capability);
    const paths = bad.map((entry) => entry.path);
    containers.push(name);
    for (const value of values) capabilities.push(value);
    errors.push(forbiddenField(field, sortedSet(values), paths));
  }
  return { containers, capabilities: sortedSet(capabilities), errors };
}

interface BadEntry {
  readonly capability: string;
  readonly path: FieldPath;
}

function badEntries(
  capabilities: JsonObject | undefined,
  field: FieldPath,
  allowed: ReadonlySet<string>,
): readonly BadEntry[] {
  return textItems(capabilities?.get('add'))
    .map((capability, index) => ({ capability, path: [...field, index] }))
    .filter(({ capability }) => !allowed.has(capability));
}

function addedText({ containers, capabilities }: AddedCapabilities): string {
  return `${containerList(containers)} must not include ${joinQuoted(capabilities)} in securityContext.capabilities.add`;
}
