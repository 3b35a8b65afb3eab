// The https transport of charts and policy sources, against a server that misbehaves.
import { createServer, type RequestListener, request as sendPlain } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { httpsTransport } from '../../../../src/workspace/network/https-transport.ts';
import { TransportError, type TransportRequest } from '../../../../src/workspace/network/transport.ts';

const REQUEST: TransportRequest = {
  url: 'https://files.test/a',
  headers: { accept: 'text/plain' },
  maximumBytes: 10,
  milliseconds: 5_000,
  allowsPrivate: false,
};

/** The result of a request that the server answers with `answer`. */
async function ask(answer: RequestListener, more: Partial<TransportRequest> = {}) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const transport = httpsTransport(({ pathname }, { headers, agent }) =>
    sendPlain(`http://127.0.0.1:${port}${pathname}`, { ...(headers && { headers }), agent }),
  );
  return transport({ ...REQUEST, ...more }).catch((error: unknown) => {
    if (error instanceof TransportError) return { problem: error.problem, message: error.message };
    throw error;
  });
}

test('returns status, headers and body', async () => {
  const answer = await ask((request, response) =>
    response.setHeader('X-Seen', request.headers.accept ?? '').end('text'),
  );
  expect(answer).toMatchObject({ status: 200, headers: { 'x-seen': 'text/plain' }, body: Buffer.from('text') });
});

test('reads the body only of a successful response', async () => {
  const answer = await ask((_request, response) => {
    response.writeHead(401, { 'www-authenticate': 'Bearer' });
    response.write('x'.repeat(1_000));
  });
  expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' }, body: Buffer.alloc(0) });
});

test('stops a body that is too large, regardless of its declared length', async () => {
  const answer = await ask((_request, response) => {
    const more = (): void => {
      while (response.write(Buffer.alloc(65_536)));
      response.once('drain', more);
    };
    more();
  });
  expect(answer).toEqual({ problem: 'too-large', message: 'files.test responded with more than 10 bytes' });
});

test.each<[string, RequestListener]>([
  ['no answer', () => {}],
  ['half an answer', (_request, response) => void response.write('x')],
])('stops waiting for %s', async (_name, answer) => {
  expect(await ask(answer, { milliseconds: 100 })).toMatchObject({ problem: 'timeout' });
});

test('reports the error code of the system', async () => {
  const error = await httpsTransport()({ ...REQUEST, url: 'https://127.0.0.1:1/', allowsPrivate: true }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ problem: 'unreachable', systemCode: 'ECONNREFUSED' });
});

test.each(['https://127.0.0.1/', 'https://[::1]/', 'https://localhost/', 'https://169.254.169.254/latest/'])(
  'does not connect to %s',
  async (url) => {
    const error = await httpsTransport()({ ...REQUEST, url }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      problem: 'private',
      message: expect.stringMatching(/ not (?:have )?a public address/),
    });
  },
);
