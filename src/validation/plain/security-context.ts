// Security contexts (pkg/apis/core/validation `ValidateSecurityContext`, `validatePodSpecSecurityContext`).
import { isJsonArray, type JsonObject } from '../../source/json/json.ts';
import { isDescendingPath, userId } from './formats.ts';
import { anyText, childOf, flag, isAbsent, list, oneOf, structOf, textThat } from './rule.ts';

const seccompProfile = structOf(
  { type: oneOf('RuntimeDefault', 'Unconfined', 'Localhost'), localhostProfile: textThat(isDescendingPath) },
  'type',
  (profile) => (profile.get('type') === 'Localhost') === !isAbsent(profile.get('localhostProfile')),
);

const SHARED = {
  runAsNonRoot: flag,
  runAsUser: userId,
  runAsGroup: userId,
  seccompProfile,
  seLinuxOptions: structOf({ user: anyText, role: anyText, type: anyText, level: anyText }),
  appArmorProfile: structOf({ type: oneOf('RuntimeDefault', 'Unconfined') }, 'type'),
};

export const containerSecurity = structOf(
  {
    ...SHARED,
    privileged: flag,
    allowPrivilegeEscalation: flag,
    readOnlyRootFilesystem: flag,
    capabilities: structOf({ add: list(anyText), drop: list(anyText) }),
    procMount: oneOf('Default'),
  },
  '',
  mayEscalate,
);

function mayEscalate(context: JsonObject): boolean {
  if (context.get('allowPrivilegeEscalation') !== false) return true;
  const added = childOf(context, 'capabilities').get('add');
  return context.get('privileged') !== true && !(isJsonArray(added) && added.includes('CAP_SYS_ADMIN'));
}

export const podSecurity = structOf({
  ...SHARED,
  fsGroup: userId,
  fsGroupChangePolicy: oneOf('OnRootMismatch', 'Always'),
  supplementalGroups: list(userId),
});
