// Why a policy source could not be read, in words that name it. Where policies are missing nothing can be called allowed.
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
