// The Kubernetes version a command was asked for: one of those a verdict can be given for, or a sentence on why it is none.
import {
  DEFAULT_VERSION,
  type KubernetesVersion,
  parseKubernetesVersion,
  versionProblem,
} from '../../kubernetes/api/version.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

/** Undefined stands for the default. Throws WorkspaceError for a version this program does not know. */
export function askedVersion(text: string | undefined): KubernetesVersion {
  if (text === undefined) return DEFAULT_VERSION;
  const problem = versionProblem(text);
  if (problem !== undefined) throw new WorkspaceError('bad-version', `\`${text}\` ${problem}`);
  return parseKubernetesVersion(text) ?? DEFAULT_VERSION;
}

/** The versions that a text names; undefined if it is about one. */
export function severalReleases(text: string | undefined): readonly string[] | undefined {
  return text?.includes(',') === true ? text.split(',').map((version) => version.trim()) : undefined;
}
