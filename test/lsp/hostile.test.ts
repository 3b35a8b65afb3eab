// Invalid input that no editor sends: the server reports it and continues.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { framed, MessageStream } from '../../src/door/lsp/message-stream.ts';
import { type LanguageClient, startLanguageClient } from '../support/language-client.ts';

let client: LanguageClient;
beforeAll(async () => {
  client = await startLanguageClient(new URL('../cases/check/audit-annotation-error', import.meta.url).pathname);
});
afterAll(async () => {
  await client.stop();
});

/** The server still answers. */
async function expectAlive(): Promise<void> {
  const answer = client.connection.sendRequest('textDocument/hover', {
    textDocument: { uri: client.uri('policy.yaml') },
    position: { line: 0, character: 0 },
  });
  expect(await answer).toBeNull();
}

it.each<[what: string, bytes: string | Buffer]>([
  ['a header without a length', 'Content-Type: x\r\n\r\n'],
  ['an invalid length', 'Content-Length: many\r\n\r\n'],
  ['a negative length', 'Content-Length: -5\r\n\r\n'],
  ['an empty body', 'Content-Length: 0\r\n\r\n'],
  ['no JSON', 'Content-Length: 4\r\n\r\n{{{{'],
  ['a list', 'Content-Length: 4\r\n\r\n[[]]'],
  [
    'bytes that are not UTF-8',
    Buffer.concat([Buffer.from('Content-Length: 3\r\n\r\n'), Buffer.from([0xff, 0xfe, 0x80])]),
  ],
  ['a message without a method', framed({ jsonrpc: '2.0', id: 900 })],
  ['a header without end', `${'x'.repeat(100_000)}\r\n\r\n`],
  [
    'deeply nested params',
    framedText(`{"jsonrpc":"2.0","method":"initialized","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  ],
  ['a cancellation of an unknown request', framed({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: {} } })],
  ['a cancellation without params', framed({ jsonrpc: '2.0', method: '$/cancelRequest' })],
  ['an unexpected answer', framed({ jsonrpc: '2.0', id: 5, result: null })],
])('survives %s', async (_, bytes) => {
  client.input.write(bytes);
  await expectAlive();
});

function framedText(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

it.each([
  ['textDocument/hover', {}],
  ['textDocument/hover', { textDocument: { uri: 'file:///a' }, position: { line: -1, character: 'x' } }],
  ['textDocument/completion', { textDocument: 7 }],
  ['textDocument/rename', { textDocument: { uri: 'x' }, position: { line: 0, character: 0 } }],
  ['textDocument/codeAction', { textDocument: { uri: 'file:///x' } }],
  ['initialize', {}],
  ['no/such', {}],
])('rejects %s %j', async (method, params) => {
  const asked = client.connection.sendRequest(method, params);
  if (method === 'textDocument/codeAction') expect(await asked).toBeNull();
  else await expect(asked).rejects.toThrow();
  await expectAlive();
});

it('accepts positions outside of the text, and files outside of the folder', async () => {
  await client.open('policy.yaml');
  for (const uri of [
    client.uri('policy.yaml'),
    'file:///etc/passwd',
    'untitled:1',
    'https://example.com/a.yaml',
    client.uri('../x'),
  ]) {
    const position = { line: 1_000_000_000, character: 1_000_000_000 };
    expect(
      await client.connection.sendRequest('textDocument/definition', { textDocument: { uri }, position }),
    ).toSatisfy((answer) => answer === null || (Array.isArray(answer) && answer.length === 0));
  }
  await client.close('policy.yaml');
});

it('answers a cancelled request once', async () => {
  const { CancellationTokenSource } = await import('vscode-jsonrpc/node');
  const source = new CancellationTokenSource();
  const params = { textDocument: { uri: client.uri('policy.yaml') }, position: { line: 0, character: 0 } };
  const before = client.connection.sendRequest('textDocument/hover', params);
  const asked = client.connection.sendRequest('textDocument/hover', params, source.token);
  source.cancel();
  expect(await before).toBeNull();
  await expect(asked).rejects.toThrow('cancelled');
  await expectAlive();
});

it('accepts documents of any size and kind', async () => {
  const documents = [
    'a: &a [*a]\n',
    `${'['.repeat(50_000)}`,
    `x: ${'y'.repeat(3_000_000)}\n`,
    `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: x}\nspec:\n  validations:\n    - expression: "${'('.repeat(5_000)}"\n`,
    '---\n'.repeat(20_000),
  ];
  for (const text of documents) {
    await client.open('hostile.yaml', text);
    const textDocument = { uri: client.uri('hostile.yaml') };
    await client.connection.sendRequest('textDocument/semanticTokens/full', { textDocument });
    await client.connection.sendRequest('textDocument/completion', {
      textDocument,
      position: { line: 6, character: 30 },
    });
    await client.close('hostile.yaml');
  }
  await expectAlive();
}, 120_000);

it('reads the same messages for any split of the bytes', () => {
  const sent = [{ a: 1 }, { text: 'ü🚢' }, {}, { b: 'x'.repeat(300) }];
  const bytes = Buffer.from(sent.map(framed).join(''));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
      const stream = new MessageStream();
      const found: unknown[] = [];
      for (let [at, turn] = [0, 0]; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] as number;
        for (const message of stream.push(bytes.subarray(at, at + size)))
          found.push('body' in message ? JSON.parse(message.body) : message);
        at += size;
      }
      expect(found).toEqual(sent);
    }),
  );
});

it('skips a message that is too long', () => {
  const stream = new MessageStream();
  expect(stream.push(Buffer.from('Content-Length: 40000000\r\n\r\n'))).toEqual([
    { problem: expect.stringContaining('longer') },
  ]);
  for (let sent = 0; sent < 40; sent++) expect(stream.push(Buffer.alloc(1_000_000))).toEqual([]);
  expect(stream.push(Buffer.from(framed({ a: 1 })))).toEqual([{ body: '{"a":1}' }]);
});
