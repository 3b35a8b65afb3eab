// One request by https to a public address, within limits of time and size.
import { lookup as lookUpName } from 'node:dns';
import { request as sendRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export interface TransportRequest {
  /** Absolute, by https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body. */
  readonly maximumBytes: number;
  /** Of the whole request. */
  readonly milliseconds: number;
}

export interface TransportResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** Rejects with a TransportError for what fails; redirects are not followed. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export class TransportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TransportError';
  }
}

/** `isAllowed`: hosts that may have an address which is not public. */
export function httpsTransport(isAllowed: (host: string) => boolean): Transport {
  return ({ url: address, headers, maximumBytes, milliseconds }) =>
    new Promise((resolve, reject) => {
      const url = new URL(address);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const isFree = isAllowed(host);
      if (isIP(host) !== 0 && !isFree && !isPublicAddress(host)) {
        reject(new TransportError(`${host} is no public address`));
        return;
      }
      const fail = (message: string): void => {
        clearTimeout(timer);
        sent.destroy();
        reject(new TransportError(message));
      };
      // Looked at where the connection is made, so that a name cannot change its address in between.
      const lookup = guardedLookup(isFree);
      const sent = sendRequest(url, { headers: { ...headers, 'user-agent': 'preadmit' }, lookup, agent: false });
      const timer = setTimeout(() => fail(`${url.host} did not answer in time`), milliseconds);
      sent.on('error', (error) => fail(`${url.host}: ${error.message}`));
      sent.on('response', (answer) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maximumBytes) fail(`${url.host} answers with more than ${maximumBytes} bytes`);
          else chunks.push(chunk);
        });
        answer.on('error', (error) => fail(`${url.host}: ${error.message}`));
        answer.on('end', () => {
          clearTimeout(timer);
          const single = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')]);
          resolve({ status: answer.statusCode ?? 0, headers: Object.fromEntries(single), body: Buffer.concat(chunks) });
        });
      });
      sent.end();
    });
}

function guardedLookup(isFree: boolean): LookupFunction {
  return (hostname, options, answer) => {
    lookUpName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return answer(error, '', 0);
      const usable = isFree ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (first === undefined) return answer(new Error('it has no public address'), '', 0);
      if (options.all === true) return answer(null, usable);
      return answer(null, first.address, first.family);
    });
  };
}
