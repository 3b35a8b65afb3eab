// All Pod Security checks, in upstream's order of registration.
import type { PodSecurityCheck } from './check.ts';
import { allowPrivilegeEscalation } from './checks/allow-privilege-escalation.ts';
import { appArmorProfile } from './checks/app-armor-profile.ts';
import { capabilitiesBaseline, capabilitiesRestricted } from './checks/capabilities.ts';
import { hostNamespaces } from './checks/host-namespaces.ts';
import { hostPorts } from './checks/host-ports.ts';
import { hostProbesAndHostLifecycle } from './checks/host-probes-and-host-lifecycle.ts';
import { privileged } from './checks/privileged.ts';
import { procMountBaseline, procMountRestricted } from './checks/proc-mount.ts';
import { runAsNonRoot } from './checks/run-as-non-root.ts';
import { runAsUser } from './checks/run-as-user.ts';
import { seLinuxOptions } from './checks/se-linux-options.ts';
import { seccompProfileBaseline, seccompProfileRestricted } from './checks/seccomp-profile.ts';
import { sysctls } from './checks/sysctls.ts';
import { hostPathVolumes, restrictedVolumes } from './checks/volumes.ts';
import { windowsHostProcess } from './checks/windows-host-processes.ts';

/** `policy.DefaultChecks()` of pod-security-admission 0.36, in the order of upstream's file names. */
export const POD_SECURITY_CHECKS: readonly PodSecurityCheck[] = [
  allowPrivilegeEscalation,
  appArmorProfile,
  capabilitiesBaseline,
  capabilitiesRestricted,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbesAndHostLifecycle,
  privileged,
  procMountBaseline,
  procMountRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seLinuxOptions,
  seccompProfileBaseline,
  seccompProfileRestricted,
  sysctls,
  windowsHostProcess,
];
