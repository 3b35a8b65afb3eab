// Opens a TLS connection to a host through a proxy with CONNECT.
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { hostOf } from './proxy.ts';
import { TransportError } from './transport.ts';

export interface Tunnel {
  /** Ends the connection to the proxy in any state. */
  close(): void;
}

/**
 * `secure`: options of the TLS connection to the target. Calls `done` once, with the connection or an error. TLS ends at the target, so the
 * proxy sees only its host and port.
 */
export function openTunnel(
  proxy: URL,
  target: URL,
  secure: ConnectionOptions,
  done: (error: Error | null, connection?: Duplex) => void,
): Tunnel {
  const authority = `${target.hostname}:${target.port || '443'}`;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const send = proxy.protocol === 'https:' ? requestSecure : requestPlain;
  const asked = send({
    host: hostOf(proxy),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(login !== ':' && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
  });
  let opened: Duplex | undefined;
  asked.on('error', (error) => done(new TransportError(`the proxy ${proxy.host}: ${error.message}`, 'unreachable')));
  const refused = (status: number | undefined): void => {
    asked.destroy();
    done(new TransportError(`the proxy ${proxy.host} refused the connection with status ${status ?? 0}`, 'proxy'));
  };
  // Without CONNECT support, a server answers as if it were the target.
  asked.on('response', ({ statusCode }) => refused(statusCode));
  asked.on('connect', ({ statusCode }, socket) => {
    opened = socket;
    if (statusCode !== 200) {
      socket.destroy();
      refused(statusCode);
      return;
    }
    const host = hostOf(target);
    done(null, connectTls({ ...secure, socket, ...(isIP(host) === 0 && { servername: host }), host }));
  });
  asked.end();
  return {
    close: () => {
      opened?.destroy();
      asked.destroy();
    },
  };
}
