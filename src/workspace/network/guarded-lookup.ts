// Looks names up and rejects those without a public address.
import { lookup as lookUpName } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { isPublicAddress } from './public-address.ts';
import { TransportError } from './transport.ts';

/** Names of this machine or its network. */
const PRIVATE_NAME = /^(?:localhost|.*\.localhost|.*\.local|.*\.internal)\.?$/;
const LOOKUP_MILLISECONDS = 2_000;

export function guardedLookup(allowsPrivate: boolean): LookupFunction {
  return (hostname, options, answer) => {
    lookUpName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return answer(error, '', 0);
      const usable = allowsPrivate ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (first === undefined) return answer(notPublic(hostname), '', 0);
      if (options.all === true) return answer(null, usable);
      return answer(null, first.address, first.family);
    });
  };
}

/**
 * The public addresses of a name. Empty if the name cannot be looked up here: behind a proxy, only the proxy may know it. Rejects with a
 * TransportError for a name whose addresses are all private.
 */
export async function requirePublicName(host: string): Promise<readonly string[]> {
  if (PRIVATE_NAME.test(host)) throw notPublic(host);
  const late = new AbortController();
  const none = setTimeout(LOOKUP_MILLISECONDS, [], { signal: late.signal, ref: false }).catch(() => []);
  const found = await Promise.race([lookUp(host, { all: true }).catch(() => []), none]);
  late.abort();
  const usable = found.map(({ address }) => address).filter(isPublicAddress);
  if (found.length > 0 && usable.length === 0) throw notPublic(host);
  return usable;
}

function notPublic(host: string): TransportError {
  return new TransportError(`${host} does not have a public address`, 'private');
}
