// What a query reads about the user of a request.

export type UserRead = 'user' | 'roles' | 'clusterRoles';

/** Fields of `request` that say nothing about the user. */
const OTHERS =
  /^\s*\.\s*(?:dryRun|kind|name|namespace|object|oldObject|operation|options|requestKind|requestResource|requestSubResource|resource|subResource|uid)\b/;
const USER = /^\s*\.\s*userInfo\b/;
const ROLES = /^\s*\.\s*(roles|clusterRoles)\b/;
/** At the top, not the field of a Pod. */
const ACCOUNT = /(?:^|[^.\w]|@\.)serviceAccountName(?:space)?\b/;
const EVERYTHING: readonly UserRead[] = ['user', 'roles', 'clusterRoles'];

/** Reports too many rather than too few, for example for the word `request` in a text. */
export function readsOfUser(query: string): readonly UserRead[] {
  const reads = new Set<UserRead>();
  if (ACCOUNT.test(query)) reads.add('user');
  for (let at = query.indexOf('request'); at >= 0; at = query.indexOf('request', at + 1)) {
    if (/\w/.test(query.charAt(at - 1)) || /\w/.test(query.charAt(at + 'request'.length))) continue;
    // A field of another object.
    if (query.charAt(at - 1) === '.' && query.charAt(at - 2) !== '@') continue;
    const rest = query.slice(at + 'request'.length);
    const role = ROLES.exec(rest)?.[1];
    if (role === 'roles' || role === 'clusterRoles') reads.add(role);
    else if (USER.test(rest)) reads.add('user');
    else if (!OTHERS.test(rest)) return EVERYTHING;
  }
  return [...reads];
}
