// The Kubernetes version a command was asked for: one of those a verdict can be given for, or a sentence on why it is none.
import {
  DEFAULT_VERSION,
  formatVersion,
  isSupportedVersion,
  type KubernetesVersion,
  NEWEST_VERSION,
  OLDEST_VERSION,
  parseKubernetesVersion,
} from '../kubernetes/version.ts';
import { WorkspaceError } from '../workspace/workspace-error.ts';

/** In words that follow the text; undefined: there is none. */
export function versionProblem(text: string): string | undefined {
  const version = parseKubernetesVersion(text);
  const range = `${formatVersion(OLDEST_VERSION)} to ${formatVersion(NEWEST_VERSION)}`;
  if (version === undefined) return `is no Kubernetes version: expected one from ${range}`;
  return isSupportedVersion(version) ? undefined : `is not supported: expected a version from ${range}`;
}

/** Undefined stands for the default. Throws WorkspaceError for a version this program does not know. */
export function askedVersion(text: string | undefined): KubernetesVersion {
  if (text === undefined) return DEFAULT_VERSION;
  const problem = versionProblem(text);
  if (problem !== undefined) throw new WorkspaceError('bad-version', `\`${text}\` ${problem}`);
  return parseKubernetesVersion(text) ?? DEFAULT_VERSION;
}
