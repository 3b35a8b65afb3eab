// Sends one https request within limits of time and size, only to a public address unless the host is trusted to be private.

import type { ClientRequest } from 'node:http';
import { type RequestOptions, request as sendRequest } from 'node:https';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { systemErrorCode } from '../workspace-error.ts';
import { guardedLookup, requirePublicName } from './guarded-lookup.ts';
import { hostOf, type ProxyEnvironment, proxyFor } from './proxy.ts';
import { isPublicAddress } from './public-address.ts';
import { type Transport, TransportError } from './transport.ts';
import { openTunnel, type Tunnel } from './tunnel.ts';

/** `send`: tests use it to redirect requests to their own server. `environment`: names the proxies. */
export function httpsTransport(
  send: (url: URL, options: RequestOptions) => ClientRequest = (url, options) => sendRequest(url, options),
  environment: ProxyEnvironment = process.env,
): Transport {
  return async ({ url: address, headers, maximumBytes, milliseconds, allowsPrivate }) => {
    const url = new URL(address);
    const host = hostOf(url);
    if (isIP(host) !== 0 && !allowsPrivate && !isPublicAddress(host)) {
      throw new TransportError(`${host} is not a public address`, 'private');
    }
    const proxy = proxyFor(url, environment);
    if (proxy !== undefined && !allowsPrivate) await requirePublicName(host);
    return new Promise((resolve, reject) => {
      let tunnel: Tunnel | undefined;
      const fail = (error: TransportError): void => {
        clearTimeout(timer);
        sent.destroy();
        tunnel?.close();
        reject(error);
      };
      const failed = (error: Error): void =>
        fail(
          error instanceof TransportError
            ? error
            : new TransportError(`${url.host}: ${error.message}`, 'unreachable', systemErrorCode(error)),
        );
      const sent = send(url, {
        headers: { ...headers, 'user-agent': 'preadmit' },
        ...(proxy === undefined
          ? // Checked when the connection is made, so that the address of the name cannot change in between.
            { lookup: guardedLookup(allowsPrivate), agent: false }
          : {
              // Otherwise the header `host` contains the port.
              defaultPort: 443,
              createConnection: (options, done) => {
                tunnel = openTunnel(proxy, url, options as ConnectionOptions, done as never);
                return undefined;
              },
            }),
      });
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
          tunnel?.close();
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
  };
}
