// Determines the login of the token. Markers can be copied, so only comments and issues by this login belong to Preadmit.
import type { Client } from './client.ts';

/** Author of content written with the token of a workflow run. */
const ACTIONS_LOGIN = 'github-actions[bot]';

/** The login that REST responses show as author for this token. */
export async function viewerLogin(client: Client): Promise<string> {
  try {
    const { viewer } = await client.graphql<{ readonly viewer?: { readonly login?: unknown } }>('{ viewer { login } }');
    return typeof viewer?.login === 'string' ? viewer.login : ACTIONS_LOGIN;
  } catch {
    return ACTIONS_LOGIN;
  }
}
