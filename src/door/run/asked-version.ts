// Validates the Kubernetes version given to a command.
import {
  DEFAULT_VERSION,
  type KubernetesVersion,
  parseKubernetesVersion,
  versionProblem,
} from '../../kubernetes/api/version.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

/** Undefined means the default. Throws WorkspaceError for an unknown version. */
export function askedVersion(text: string | undefined): KubernetesVersion {
  if (text === undefined) return DEFAULT_VERSION;
  const problem = versionProblem(text);
  if (problem !== undefined) throw new WorkspaceError('bad-version', `\`${text}\` ${problem}`);
  return parseKubernetesVersion(text) ?? DEFAULT_VERSION;
}

/** Versions of a comma-separated list; undefined for a single version. */
export function severalReleases(text: string | undefined): readonly string[] | undefined {
  return text?.includes(',') === true ? text.split(',').map((version) => version.trim()) : undefined;
}
