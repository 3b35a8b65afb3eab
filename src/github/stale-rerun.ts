// Recognizes a re-run that checks an older commit than the newest one of the default branch.
import type { Client } from './client.ts';
import type { EventContext, StepEnvironment } from './event.ts';

/**
 * A re-run keeps the commit of its first attempt. Returns the reason why it is no audit of the default branch any more; undefined if it is
 * one, or if GitHub does not answer. Needs `contents: read`.
 */
export async function staleRerun(
  client: () => Client,
  { isDefaultBranch, headSha, repository: { owner, name: repo } }: EventContext,
  environment: StepEnvironment,
): Promise<string | undefined> {
  const [, branch] = /^refs\/heads\/(.+)$/.exec(environment['GITHUB_REF'] ?? '') ?? [];
  const attempt = environment['GITHUB_RUN_ATTEMPT'] ?? '1';
  if (!isDefaultBranch || attempt === '1' || branch === undefined) return undefined;
  const newest = await client()
    .rest.git.getRef({ owner, repo, ref: `heads/${branch}` })
    .then(({ data }) => data.object.sha)
    .catch(() => headSha);
  if (newest === headSha) return undefined;
  return `this re-run checks ${headSha.slice(0, 10)}, but \`${branch}\` has a newer commit: it changes neither the history, nor the audit issue, nor the page`;
}
