// The server's Pod Security configuration (`PodSecurityConfiguration`): defaults for Namespaces without labels, and exemptions.
import {
  LATEST_POD_SECURITY_VERSION,
  type PodSecurityLevelVersion,
} from '../../kubernetes/pod-security/level-version.ts';

export type PodSecurityMode = 'enforce' | 'audit' | 'warn';

/** The policy of a Namespace, or the default. */
export type PodSecurityPolicy = Readonly<Record<PodSecurityMode, PodSecurityLevelVersion>>;

export interface PodSecuritySettings {
  /** False if the server runs without the plugin. */
  readonly isEnabled: boolean;
  readonly defaults: PodSecurityPolicy;
  readonly exemptions: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

const PRIVILEGED: PodSecurityLevelVersion = { level: 'privileged', version: LATEST_POD_SECURITY_VERSION };

/** Defaults of a server without configuration. */
export const DEFAULT_POD_SECURITY: PodSecuritySettings = {
  isEnabled: true,
  defaults: { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED },
  exemptions: { usernames: [], namespaces: [], runtimeClasses: [] },
};
