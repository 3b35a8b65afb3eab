// Credentials by host, as written in inputs and environment variables.

export interface HostCredential {
  /** Absent: the host accepts a token with any user name. */
  readonly user?: string;
  readonly secret: string;
}

/** By host, with the port if it is not the default. A secret is sent only to its own host, regardless of the configuration. */
export type HostCredentials = ReadonlyMap<string, HostCredential>;

export type ParsedCredentials = { readonly credentials: HostCredentials } | { readonly problem: string };

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;
/** Characters that a header may contain. */
const SECRET = /^[\x21-\x7e]+$/;

/** Parses lines of the form `<host>=<token>` or `<host>=<user>:<token>`. Error messages never repeat the content of a line. */
export function parseCredentials(text: string): ParsedCredentials {
  const credentials = new Map<string, HostCredential>();
  for (const [index, line] of text.split('\n').entries()) {
    const entry = line.trim();
    if (entry === '') continue;
    const equals = entry.indexOf('=');
    const host = entry.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    const value = entry.slice(equals + 1).trim();
    const colon = value.indexOf(':');
    const [user, secret] = colon < 0 ? [undefined, value] : [value.slice(0, colon), value.slice(colon + 1)];
    if (!HOST.test(host) || !SECRET.test(secret) || (user !== undefined && !SECRET.test(user))) {
      return { problem: `line ${index + 1} is not \`<host>=<token>\` or \`<host>=<user>:<token>\`` };
    }
    credentials.set(host, { secret, ...(user !== undefined && { user }) });
  }
  return { credentials };
}

export function basicAuthorization({ user = 'x-access-token', secret }: HostCredential): string {
  return `Basic ${Buffer.from(`${user}:${secret}`, 'utf8').toString('base64')}`;
}
