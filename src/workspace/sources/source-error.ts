// Errors for policy sources that cannot be read. Without all policies, the verdict must not be `allowed`.
import { addressOf, type PolicySource } from '../../settings/policy-source.ts';
import { WorkspaceError, type WorkspaceErrorCode } from '../workspace-error.ts';

export function sourceError(
  source: PolicySource,
  code: Extract<WorkspaceErrorCode, `source-${string}`>,
  problem: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
): WorkspaceError {
  return new WorkspaceError(code, `the policy source \`${source.name}\` (${addressOf(source)}) ${problem}`, options);
}
