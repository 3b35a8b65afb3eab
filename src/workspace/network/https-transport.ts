// Sends one https request within limits of time and size, only to a public address unless the host is trusted to be private.
import { lookup as lookUpName } from 'node:dns';
import type { ClientRequest } from 'node:http';
import { type RequestOptions, request as sendRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { systemErrorCode } from '../workspace-error.ts';
import { isPublicAddress } from './public-address.ts';
import { type Transport, TransportError } from './transport.ts';

/** `send`: tests use it to redirect requests to their own server. */
export function httpsTransport(
  send: (url: URL, options: RequestOptions) => ClientRequest = (url, options) => sendRequest(url, options),
): Transport {
  return ({ url: address, headers, maximumBytes, milliseconds, allowsPrivate }) =>
    new Promise((resolve, reject) => {
      const url = new URL(address);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !allowsPrivate && !isPublicAddress(host)) {
        reject(new TransportError(`${host} is not a public address`, 'private'));
        return;
      }
      const fail = (error: TransportError): void => {
        clearTimeout(timer);
        sent.destroy();
        reject(error);
      };
      const failed = (error: Error): void =>
        fail(
          error instanceof TransportError
            ? error
            : new TransportError(`${url.host}: ${error.message}`, 'unreachable', systemErrorCode(error)),
        );
      // Checked when the connection is made, so that the address of the name cannot change in between.
      const lookup = guardedLookup(allowsPrivate);
      const sent = send(url, { headers: { ...headers, 'user-agent': 'preadmit' }, lookup, agent: false });
      const late = new TransportError(`${url.host} did not respond in time`, 'timeout');
      const timer = setTimeout(() => fail(late), milliseconds);
      sent.on('error', failed);
      sent.on('response', (answer) => {
        const status = answer.statusCode ?? 0;
        const chunks: Buffer[] = [];
        let bytes = 0;
        const end = (): void => {
          clearTimeout(timer);
          const single = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')]);
          resolve({ status, headers: Object.fromEntries(single), body: Buffer.concat(chunks) });
          sent.destroy();
        };
        if (status < 200 || status > 299) {
          end();
          return;
        }
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= maximumBytes) chunks.push(chunk);
          else fail(new TransportError(`${url.host} responded with more than ${maximumBytes} bytes`, 'too-large'));
        });
        answer.on('error', failed);
        answer.on('end', end);
      });
      sent.end();
    });
}

function guardedLookup(allowsPrivate: boolean): LookupFunction {
  return (hostname, options, answer) => {
    lookUpName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return answer(error, '', 0);
      const usable = allowsPrivate ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (first === undefined) {
        return answer(new TransportError(`${hostname} does not have a public address`, 'private'), '', 0);
      }
      if (options.all === true) return answer(null, usable);
      return answer(null, first.address, first.family);
    });
  };
}
