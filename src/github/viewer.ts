// Who the token is: comments and issues with our marker are ours only if we wrote them, since anybody can copy a marker.
import type { Client } from './client.ts';

/** What the token of a workflow run writes as. */
const ACTIONS_LOGIN = 'github-actions[bot]';

/** The login as REST answers it for what this token writes. */
export async function viewerLogin(client: Client): Promise<string> {
  try {
    const { viewer } = await client.graphql<{ readonly viewer?: { readonly login?: unknown } }>('{ viewer { login } }');
    return typeof viewer?.login === 'string' ? viewer.login : ACTIONS_LOGIN;
  } catch {
    return ACTIONS_LOGIN;
  }
}
