// Security contexts (pkg/apis/core/validation `ValidateSecurityContext`, `validatePodSpecSecurityContext`).
import { isJsonArray, type JsonObject } from '../../source/json/json.ts';
import { isDescendingPath, userId } from './formats.ts';
import { anyText, flag, isAbsent, list, member, oneOf, struct, text } from './rule.ts';

const seccompProfile = struct(
  { type: oneOf('RuntimeDefault', 'Unconfined', 'Localhost'), localhostProfile: text(isDescendingPath) },
  'type',
  (profile) => (profile.get('type') === 'Localhost') === !isAbsent(profile.get('localhostProfile')),
);

const SHARED = {
  runAsNonRoot: flag,
  runAsUser: userId,
  runAsGroup: userId,
  seccompProfile,
  seLinuxOptions: struct({ user: anyText, role: anyText, type: anyText, level: anyText }),
  appArmorProfile: struct({ type: oneOf('RuntimeDefault', 'Unconfined') }, 'type'),
};

export const containerSecurity = struct(
  {
    ...SHARED,
    privileged: flag,
    allowPrivilegeEscalation: flag,
    readOnlyRootFilesystem: flag,
    capabilities: struct({ add: list(anyText), drop: list(anyText) }),
    procMount: oneOf('Default'),
  },
  '',
  mayEscalate,
);

function mayEscalate(context: JsonObject): boolean {
  if (context.get('allowPrivilegeEscalation') !== false) return true;
  const added = member(context, 'capabilities').get('add');
  return context.get('privileged') !== true && !(isJsonArray(added) && added.includes('CAP_SYS_ADMIN'));
}

export const podSecurity = struct({
  ...SHARED,
  fsGroup: userId,
  fsGroupChangePolicy: oneOf('OnRootMismatch', 'Always'),
  supplementalGroups: list(userId),
});
