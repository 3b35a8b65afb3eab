// Decides which proxy a request uses, from the same environment variables as curl and Git.
import { BlockList, isIP } from 'node:net';
import { TransportError } from './transport.ts';

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for an https URL; undefined: connect directly. Follows curl: names in lower case come first, `ALL_PROXY` is the
 * fallback. Throws TransportError for a proxy that is not an http or https URL.
 */
export function proxyFor(url: URL, environment: ProxyEnvironment): URL | undefined {
  const value = (name: string): string | undefined =>
    environment[name.toLowerCase()]?.trim() || environment[name]?.trim() || undefined;
  const written = value('HTTPS_PROXY') ?? value('ALL_PROXY');
  if (written === undefined || isExcluded(url, value('NO_PROXY') ?? '')) return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  // The value may contain a password.
  throw new TransportError('the proxy in HTTPS_PROXY is not an http:// or https:// URL');
}

/** Entries are hosts with their subdomains, IP addresses or CIDR ranges, each with an optional port; `*` excludes every host. */
function isExcluded(url: URL, written: string): boolean {
  const host = hostOf(url);
  const port = url.port || '443';
  return written.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    if (entry === '') return false;
    if (entry.includes('/')) return isInRange(host, entry);
    const [, name = '', ofPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (ofPort !== undefined && ofPort !== port) return false;
    const wanted = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
    return wanted !== '' && (host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`)));
  });
}

function isInRange(host: string, range: string): boolean {
  const [net = '', prefix = ''] = range.split('/');
  const [family, ofNet] = [isIP(host), isIP(net)];
  const most = family === 4 ? 32 : 128;
  if (family === 0 || family !== ofNet || !/^\d{1,3}$/.test(prefix) || Number(prefix) > most) return false;
  const list = new BlockList();
  const type = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(net, Number(prefix), type);
  return list.check(host, type);
}

/** Host name in lower case without port, and without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, '');
}
