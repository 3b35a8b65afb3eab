// Every kind of policy source, valid and hostile.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type PolicySource, resolveSource, type WrittenSource } from '../../../../src/settings/policy-source.ts';
import { parseCredentials } from '../../../../src/workspace/network/host-credentials.ts';
import { type Transport, TransportError } from '../../../../src/workspace/network/transport.ts';
import { openSources } from '../../../../src/workspace/sources/open-sources.ts';
import { type SourceAccess, sourceAccess } from '../../../../src/workspace/sources/source-access.ts';
import { WorkspaceError } from '../../../../src/workspace/workspace-error.ts';
import { FakeRegistry, npmArchive, type OciLayer, sha256, tar, tarLayer } from '../../../support/fake-registry.ts';
import { Folder, GitFolder } from '../../../support/git-fixture.ts';

const POLICY = 'kind: Policy\n';
let registry: FakeRegistry;

beforeAll(async () => {
  registry = await FakeRegistry.start();
});
afterAll(() => registry.close());

function access(more: Partial<SourceAccess> = {}, tokens = ''): SourceAccess {
  const parsed = parseCredentials(tokens);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return {
    ...sourceAccess(parsed.credentials),
    transport: registry.transport,
    timeoutMilliseconds: 20_000,
    retryMilliseconds: 0,
    ...more,
  };
}

function source(written: WrittenSource): PolicySource {
  return resolveSource('platform', written);
}

/** The selected texts by path. */
async function read(written: WrittenSource, using = access(), root = '/nowhere'): Promise<Record<string, string>> {
  const { contents, close } = await openSources([source(written)], { root, places: [] }, using);
  await close();
  const files = contents.flatMap((content) => content.files.filter(({ selected }) => selected));
  return Object.fromEntries(files.map(({ file }) => [file.path, file.text]));
}

async function failure(written: WrittenSource, using = access(), root?: string): Promise<WorkspaceError> {
  const error = await read(written, using, root).catch((thrown: unknown) => thrown);
  if (!(error instanceof WorkspaceError)) throw error;
  return error;
}

describe('an OCI artifact', () => {
  it('as packed by Flux', async () => {
    const oci = registry.oci('acme/flux', [tarLayer({ 'policies/a.yaml': POLICY, 'README.md': '# words' })]);
    expect(await read({ oci })).toEqual({ 'policies/a.yaml': POLICY });
  });

  it('with one layer per file, as pushed by ORAS', async () => {
    const file = (title: string, text: string): OciLayer => ({
      bytes: Buffer.from(text),
      mediaType: 'application/vnd.oci.image.layer.v1.tar',
      annotations: { 'org.opencontainers.image.title': title },
    });
    const mediaType = 'application/octet-stream';
    const layers = [
      { ...file('a.yaml', POLICY), mediaType },
      { ...file('b/c.yml', 'kind: B\n'), mediaType },
      { ...file('README.md', '#'), mediaType },
    ];
    expect(await read({ oci: registry.oci('acme/oras', layers) })).toEqual({
      'a.yaml': POLICY,
      'b/c.yml': 'kind: B\n',
    });
  });

  it('with a layer of YAML, as pushed by Kyverno', async () => {
    const layer = { bytes: Buffer.from(POLICY), mediaType: 'application/vnd.cncf.kyverno.policy.layer.v1+yaml' };
    expect(await read({ oci: registry.oci('acme/kyverno', [layer]) })).toEqual({ 'layer-1.yaml': POLICY });
  });

  it('with files selected by `include`', async () => {
    const oci = registry.oci('acme/include', [tarLayer({ 'policies/a.yaml': POLICY, 'tests/b.yaml': 'kind: B\n' })]);
    expect(await read({ oci, include: ['policies'] })).toEqual({ 'policies/a.yaml': POLICY });
    expect(await failure({ oci, include: ['rules'] })).toMatchObject({
      code: 'source-missing',
      message: 'the policy source `platform` (registry.test/acme/include) contains no file that `rules` matches',
    });
  });

  it("with a token from the registry's token service, which gets credentials only for its own host", async () => {
    const oci = registry.oci('acme/private', [tarLayer({ 'a.yaml': POLICY })], 'private.test');
    const path = `private.test/v2/acme/private/manifests/${oci.split('@')[1]}`;
    const manifest = await registry.bytesAt(path);
    const guarded = (body: Buffer, token: string) =>
      registry.on(path, (request, response) => {
        const challenge =
          'Bearer realm="https://auth.test/token?client=x",service="private.test",scope="repository:other:push"';
        if (request.headers.authorization === `Bearer ${token}`) response.end(body);
        else response.writeHead(401, { 'www-authenticate': challenge }).end();
      });
    guarded(manifest, 'anonymous');
    registry.on('auth.test/token', JSON.stringify({ token: 'anonymous' }));
    registry.requests.length = 0;
    expect(await read({ oci }, access({}, 'private.test=secret'))).toEqual({ 'a.yaml': POLICY });
    const asked = registry.requests.filter(({ url }) => url.startsWith('auth.test/'));
    expect(asked).toEqual([
      {
        url: 'auth.test/token?client=x&service=private.test&scope=repository%3Aacme%2Fprivate%3Apull',
        authorization: undefined,
      },
    ]);
    await read({ oci }, access({}, 'auth.test=me:secret'));
    expect(registry.requests.filter(({ url }) => url.startsWith('auth.test/')).at(-1)?.authorization).toBe(
      `Basic ${Buffer.from('me:secret').toString('base64')}`,
    );
    guarded(manifest, 'another');
    expect(await failure({ oci }, access({}, 'auth.test=me:secret'))).toMatchObject({
      code: 'source-refused',
      message:
        'the policy source `platform` (private.test/acme/private) cannot be read: `private.test` denied access with status 401',
    });
  });

  it('with redirects to the content, which get no credentials', async () => {
    const layer = tarLayer({ 'a.yaml': POLICY });
    const oci = registry.oci('acme/moved', [layer]);
    registry.redirect(
      `registry.test/v2/acme/moved/blobs/${sha256(layer.bytes)}`,
      'https://storage.test/blob?signature=1',
    );
    registry.on('storage.test/blob', layer.bytes);
    const manifest = `registry.test/v2/acme/moved/manifests/${oci.split('@')[1]}`;
    registry.requests.length = 0;
    const challenged = await registry.bytesAt(manifest);
    registry.on(manifest, (request, response) => {
      if (request.headers.authorization === undefined)
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      else response.end(challenged);
    });
    expect(await read({ oci }, access({}, 'registry.test=secret'))).toEqual({ 'a.yaml': POLICY });
    const sent = registry.requests.map(({ url, authorization }) => [url.split('/')[0], authorization !== undefined]);
    expect(sent).toContainEqual(['registry.test', true]);
    expect(sent).toContainEqual(['storage.test', false]);
    expect(sent).not.toContainEqual(['storage.test', true]);
  });

  it.each([
    ['http://storage.test/blob', 'leads to an address that is not a plain `https://` URL'],
    ['file:///etc/passwd', 'leads to an address that is not a plain `https://` URL'],
    ['https://user:password@storage.test/blob', 'leads to an address that is not a plain `https://` URL'],
    ['https://169.254.169.254/latest/meta-data', 'leads to a private address'],
    ['https://localhost/blob', 'leads to a private address'],
    ['https://[::1]/blob', 'leads to a private address'],
    ['https://registry.test/loop', 'was redirected more than 5 times'],
    ['https://', 'was redirected to an invalid URL'],
  ])('without following redirects to %s', async (location, problem) => {
    const layer = tarLayer({ 'a.yaml': `${POLICY}# ${location}` });
    const oci = registry.oci('acme/lost', [layer]);
    registry.redirect(`registry.test/v2/acme/lost/blobs/${sha256(layer.bytes)}`, location);
    registry.redirect('registry.test/loop', 'https://registry.test/loop');
    expect(await failure({ oci })).toMatchObject({
      code: 'source-refused',
      message: `the policy source \`platform\` (registry.test/acme/lost) ${problem}`,
    });
  });

  it('on a private network only if the configuration names its host', async () => {
    const layer = tarLayer({ 'a.yaml': `${POLICY}# private` });
    const oci = registry.oci('acme/inside', [layer]);
    registry.redirect(`registry.test/v2/acme/inside/blobs/${sha256(layer.bytes)}`, 'https://storage.test/inside');
    registry.on('storage.test/inside', layer.bytes);
    const asked = new Map<string, boolean>();
    const transport: Transport = (request) => {
      asked.set(new URL(request.url).host, request.allowsPrivate);
      return registry.transport(request);
    };
    await read({ oci }, access({ transport }));
    expect([...asked]).toEqual([
      ['registry.test', true],
      ['storage.test', false],
    ]);
    const guarded: Transport = (request) =>
      request.allowsPrivate ? registry.transport(request) : Promise.reject(new TransportError('no', 'private'));
    expect(await failure({ oci }, access({ transport: guarded }))).toMatchObject({
      code: 'source-refused',
      message: 'the policy source `platform` (registry.test/acme/inside) leads to a private address',
    });
  });

  it('with a manifest or layer that does not match its digest', async () => {
    const layer = tarLayer({ 'a.yaml': POLICY });
    const oci = registry.oci('acme/forged', [layer]);
    registry.on(`registry.test/v2/acme/forged/blobs/${sha256(layer.bytes)}`, Buffer.alloc(layer.bytes.length));
    expect(await failure({ oci })).toMatchObject({ code: 'source-mismatch' });
    registry.on(`registry.test/v2/acme/forged/manifests/${oci.split('@')[1]}`, '{"layers":[]}');
    expect((await failure({ oci })).message).toMatch(
      /has the wrong content: the registry returned sha256:[0-9a-f]{64} for sha256:/,
    );
  });

  it.each<[string, OciLayer, string, string]>([
    [
      'a layer of another type',
      { bytes: Buffer.from('x'), mediaType: 'application/wasm' },
      'source-malformed',
      'has a layer of the type `application/wasm`, which cannot be read',
    ],
    [
      'compression nobody announced',
      { bytes: Buffer.from('x'), mediaType: 'application/x+tar+zstd' },
      'source-malformed',
      'has a layer of the type `application/x+tar+zstd`, which cannot be read',
    ],
    [
      'a path that climbs',
      { ...tarLayer({}), bytes: gzipSync(tar({ '../../a.yaml': POLICY })) },
      'source-malformed',
      'has a layer that contains a path that leads outside',
    ],
    [
      'a title that climbs',
      {
        bytes: Buffer.from(POLICY),
        mediaType: 'text/yaml',
        annotations: { 'org.opencontainers.image.title': '../a.yaml' },
      },
      'source-malformed',
      'has a layer whose title is a path that leads outside',
    ],
    [
      'a bomb',
      { ...tarLayer({}), bytes: gzipSync(Buffer.alloc(32 * 1024 * 1024)) },
      'source-too-large',
      'has a layer that unpacks to more than 16 MiB',
    ],
    [
      'more than the manifest says',
      { ...tarLayer({ 'a.yaml': POLICY }), size: 10 },
      'source-too-large',
      'is larger than 10 bytes',
    ],
    [
      'a size that is none',
      { ...tarLayer({ 'a.yaml': POLICY }), size: -1 },
      'source-malformed',
      'has a layer without type, digest or size',
    ],
    [
      'an empty layer',
      { ...tarLayer({}), bytes: Buffer.alloc(0) },
      'source-malformed',
      'has a layer that is not compressed with gzip, or is cut off',
    ],
  ])('%s', async (_name, layer, code, problem) => {
    const oci = registry.oci('acme/hostile', [layer]);
    const error = await failure({ oci }, access({ maximumUnpackedBytes: 16 * 1024 * 1024 }));
    expect([error.code, error.message]).toEqual([
      code,
      `the policy source \`platform\` (registry.test/acme/hostile) ${problem}`,
    ]);
  });

  it('with one path in two layers, and as an index', async () => {
    const twice = registry.oci('acme/twice', [tarLayer({ 'a.yaml': POLICY }), tarLayer({ 'a.yaml': 'kind: B\n' })]);
    expect((await failure({ oci: twice })).message).toContain('has `a.yaml` in two layers');
    const index = Buffer.from('{"manifests":[]}');
    registry.on(`registry.test/v2/acme/index/manifests/${sha256(index)}`, index);
    const error = await failure({ oci: `registry.test/acme/index@${sha256(index)}` });
    expect(error.message).toMatch(/ is an index of several artifacts$/);
    expect(error.hint).toBe('pin the digest of one of its manifests');
  });

  it('with an endless response, and with none', async () => {
    const endless = `registry.test/acme/endless@${sha256(Buffer.from('endless'))}`;
    registry.on(endless.replace('/acme', '/v2/acme').replace('@', '/manifests/'), (_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', more);
      };
      more();
    });
    expect(await failure({ oci: endless })).toMatchObject({ code: 'source-too-large' });
    const silent = `registry.test/acme/silent@${sha256(Buffer.from('silent'))}`;
    registry.on(silent.replace('/acme', '/v2/acme').replace('@', '/manifests/'), () => {});
    expect(await failure({ oci: silent }, access({ timeoutMilliseconds: 300 }))).toMatchObject({
      code: 'source-timeout',
      message: 'the policy source `platform` (registry.test/acme/silent) could not be read within 0.3 seconds',
    });
    const slow = `registry.test/acme/slow@${sha256(Buffer.from('slow'))}`;
    registry.on(slow.replace('/acme', '/v2/acme').replace('@', '/manifests/'), (_request, response) =>
      response.write('{'),
    );
    expect(await failure({ oci: slow }, access({ timeoutMilliseconds: 300 }))).toMatchObject({
      code: 'source-timeout',
    });
  });

  it('with retries after temporary failures, up to a limit', async () => {
    const oci = registry.oci('acme/busy', [tarLayer({ 'a.yaml': POLICY })]);
    const url = `registry.test/v2/acme/busy/manifests/${oci.split('@')[1]}`;
    const manifest = await registry.bytesAt(url);
    let asked = 0;
    registry.on(url, (_request, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(503).end();
      else if (asked === 2) response.destroy();
      else response.end(manifest);
    });
    expect(await read({ oci })).toEqual({ 'a.yaml': POLICY });
    registry.on(url, (_request, response) => response.writeHead(503).end());
    registry.requests.length = 0;
    expect(await failure({ oci })).toMatchObject({
      code: 'source-unreachable',
      message:
        'the policy source `platform` (registry.test/acme/busy) cannot be read: `registry.test` responded with status 503',
    });
    expect(registry.requests).toHaveLength(3);
  });

  it('on a machine that does not respond', async () => {
    const refused: Transport = () => Promise.reject(new TransportError('no', 'unreachable', 'ECONNREFUSED'));
    const oci = `registry.test/acme/x@${sha256(Buffer.from(''))}`;
    expect(await failure({ oci }, access({ transport: refused }))).toMatchObject({
      code: 'source-unreachable',
      message: 'the policy source `platform` (registry.test/acme/x) cannot be reached (ECONNREFUSED)',
    });
  });
});

describe('an npm package', () => {
  const registryUrl = 'https://npm.test';

  it('by version and digest, without running its scripts', async () => {
    const archive = npmArchive({
      'package.json': '{"scripts":{"install":"exit 1"}}',
      'policies/a.yaml': POLICY,
    });
    const integrity = registry.npm('@acme/policies', '1.2.3', archive);
    const written = { npm: '@acme/policies@1.2.3', integrity, registry: registryUrl, include: ['policies'] };
    expect(await read(written)).toEqual({ 'policies/a.yaml': POLICY });
  });

  it('with a token only for its registry', async () => {
    const integrity = registry.npm('elsewhere', '1.0.0', npmArchive({ 'a.yaml': POLICY }), 'https://cdn.test/a.tgz');
    registry.requests.length = 0;
    await read({ npm: 'elsewhere@1.0.0', integrity, registry: registryUrl }, access({}, 'npm.test=secret'));
    expect(registry.requests).toEqual([
      { url: 'npm.test/elsewhere', authorization: 'Bearer secret' },
      { url: 'cdn.test/a.tgz', authorization: undefined },
    ]);
  });

  it('with a wrong digest, a missing version, and an invalid URL', async () => {
    const integrity = registry.npm('changed', '1.0.0', npmArchive({ 'a.yaml': POLICY }));
    registry.npm('changed', '1.0.0', npmArchive({ 'a.yaml': 'kind: Other\n' }));
    const written = { npm: 'changed@1.0.0', integrity, registry: registryUrl };
    expect(await failure(written)).toMatchObject({ code: 'source-mismatch' });
    expect((await failure({ ...written, npm: 'changed@1.0.1' })).message).toContain('has no version 1.0.1');
    expect((await failure({ ...written, npm: 'nowhere@1.0.0' })).code).toBe('source-missing');
    registry.npm('lost', '1.0.0', Buffer.alloc(0), 'http://npm.test/lost.tgz');
    expect((await failure({ ...written, npm: 'lost@1.0.0' })).message).toContain(
      'leads to an address that is not a plain `https://` URL',
    );
    registry.npm('inward', '1.0.0', Buffer.alloc(0), 'https://10.0.0.1/admin');
    expect((await failure({ ...written, npm: 'inward@1.0.0' })).message).toContain('leads to a private address');
    registry.on('npm.test/no-json', '<html>');
    expect((await failure({ ...written, npm: 'no-json@1.0.0' })).code).toBe('source-malformed');
  });
});

describe('a Git repository', () => {
  const local = { gitProtocols: ['file'] };

  function central(): GitFolder {
    const folder = new GitFolder();
    onTestFinished(() => folder.remove());
    return folder;
  }

  it('by tag, annotated or not, and by commit', async () => {
    const folder = central();
    const first = folder.write('policies/a.yaml', POLICY).commit();
    folder.git('tag', 'v1');
    folder.write('policies/a.yaml', 'kind: Later\n').commit();
    folder.git('tag', '-a', 'v2', '-m', 'second');
    const git = `file://${folder.path}`;
    expect(await read({ git, tag: 'v1' }, access(local))).toEqual({ 'policies/a.yaml': POLICY });
    expect(await read({ git, tag: 'v2' }, access(local))).toEqual({ 'policies/a.yaml': 'kind: Later\n' });
    folder.git('config', 'uploadpack.allowReachableSHA1InWant', 'true');
    expect(await read({ git, commit: first }, access(local))).toEqual({ 'policies/a.yaml': POLICY });
    expect(await failure({ git, tag: 'v3' }, access(local))).toMatchObject({
      code: 'source-missing',
      message: `the policy source \`platform\` (${git}) has no tag \`v3\``,
    });
    expect((await failure({ git, commit: '1'.repeat(40) }, access(local))).code).toBe('source-missing');
  });

  it('without leaving files behind', async () => {
    const folder = central();
    folder.write('a.yaml', POLICY).commit();
    folder.git('tag', 'v1');
    const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('preadmit-source-'));
    const before = leftovers();
    await read({ git: `file://${folder.path}`, tag: 'v1' }, access(local));
    await failure({ git: `file://${folder.path}`, tag: 'v2' }, access(local));
    expect(leftovers().filter((name) => !before.includes(name))).toEqual([]);
  });

  it.each([
    ['file:///srv/policies', 'file'],
    ['/srv/policies', 'file'],
    ['http://git.test/policies.git', 'http'],
    ['git://git.test/policies.git', 'git'],
    ["ext::sh -c 'touch /tmp/preadmit-ext'", 'file'],
  ])('%s is rejected', async (git, protocol) => {
    expect(await failure({ git, tag: 'v1' })).toMatchObject({
      code: 'source-refused',
      message: `the policy source \`platform\` (${git}) uses the protocol \`${protocol}\``,
      hint: 'expected one of `https`, `ssh`',
    });
  });

  it('without hooks, checkout, submodules or links', async () => {
    const folder = central();
    const marker = `${folder.path}/ran`;
    folder.write('.gitattributes', '* filter=evil\n').write('a.yaml', POLICY);
    folder.write('.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = ext::touch x\n').commit();
    folder.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},x`);
    folder.git('commit', '-q', '-m', 'submodule');
    folder.git('config', 'filter.evil.smudge', `touch ${marker}`);
    folder.git('tag', 'v1');
    expect(await read({ git: `file://${folder.path}`, tag: 'v1' }, access(local))).toEqual({ 'a.yaml': POLICY });
    expect(existsSync(marker)).toBe(false);
    symlinkSync('/etc/passwd', `${folder.path}/b.yaml`);
    folder.commit();
    folder.git('tag', 'v2');
    expect(await failure({ git: `file://${folder.path}`, tag: 'v2' }, access(local))).toMatchObject({
      code: 'source-malformed',
      hint: 'select the files with policies by `include`, or fix this file',
    });
    const names = { git: `file://${folder.path}`, tag: 'v2', include: ['a.yaml'] };
    expect(await read(names, access(local))).toEqual({ 'a.yaml': POLICY });
  });

  it('with more text than the limit, however well it compresses', async () => {
    const folder = central();
    folder.write('a.yaml', `# ${' '.repeat(3 * 1024 * 1024)}\n`).commit();
    folder.git('tag', 'v1');
    const limited = access({ ...local, maximumUnpackedBytes: 2 * 1024 * 1024 });
    const message = /^the policy source `platform` \(.*\) contains more than 2 MiB of policies$/;
    expect((await failure({ git: `file://${folder.path}`, tag: 'v1' }, limited)).message).toMatch(message);
    expect((await failure({ folder: folder.path }, limited)).message).toMatch(message);
  });

  it('on a server that does not respond', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const sockets: Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const impatient = access({ gitProtocols: ['git'], timeoutMilliseconds: 500 });
    expect(await failure({ git: `git://127.0.0.1:${port}/policies.git`, tag: 'v1' }, impatient)).toMatchObject({
      code: 'source-timeout',
      message: `the policy source \`platform\` (git://127.0.0.1:${port}/policies.git) could not be fetched within 0.5 seconds`,
    });
  });

  it('with more data than the limit', async () => {
    const folder = central();
    folder
      .write('a.yaml', POLICY)
      .write('large.bin', randomBytes(3 * 1024 * 1024))
      .commit();
    folder.git('tag', 'v1');
    expect(
      await failure(
        { git: `file://${folder.path}`, tag: 'v1' },
        access({ ...local, maximumDownloadBytes: 1024 * 1024 }),
      ),
    ).toMatchObject({
      code: 'source-too-large',
      message: `the policy source \`platform\` (file://${folder.path}) is larger than 1 MiB`,
    });
  });
});

describe('a folder', () => {
  it('outside the repository, including files that Git does not track', async () => {
    const folder = new Folder();
    onTestFinished(() => folder.remove());
    folder
      .write('platform/a.yaml', POLICY)
      .write('platform/.git/config.yaml', 'x')
      .write('platform/node_modules/b.yaml', 'x');
    folder.createFolder('repository');
    expect(await read({ folder: '../platform' }, access(), `${folder.path}/repository`)).toEqual({ 'a.yaml': POLICY });
    expect(await failure({ folder: '../nowhere' }, access(), `${folder.path}/repository`)).toMatchObject({
      code: 'source-missing',
    });
    expect(await failure({ folder: '../platform/a.yaml' }, access(), `${folder.path}/repository`)).toMatchObject({
      message: 'the policy source `platform` (../platform/a.yaml) is not a folder',
    });
    folder.write('platform/c.yaml', Buffer.from([0xff, 0x00, 0xd8]));
    expect((await failure({ folder: '../platform' }, access(), `${folder.path}/repository`)).message).toContain(
      'contains `c.yaml`, which cannot be read',
    );
  });

  it('in the repository only where a change cannot add files', async () => {
    const folder = new Folder();
    onTestFinished(() => folder.remove());
    folder.write('central/a.yaml', POLICY).write('apps/b.yaml');
    symlinkSync('apps', `${folder.path}/link`);
    const open = async (name: string, ...paths: string[]): Promise<string> => {
      const places = [{ root: folder.path, paths: new Set(paths) }];
      const opened = openSources([source({ folder: name })], { root: folder.path, places }, access());
      return opened.then(
        () => 'read',
        (error: WorkspaceError) => error.code,
      );
    };
    expect(await open('central', 'apps/b.yaml')).toBe('read');
    expect(await open('central', 'apps/b.yaml', 'central/c.yaml')).toBe('source-inside-repository');
    // A submodule or link that the repository tracks.
    expect(await open('central', 'central')).toBe('source-inside-repository');
    expect(await open('link', 'apps/b.yaml', 'link')).toBe('source-inside-repository');
    expect(await open('link', 'apps/b.yaml')).toBe('source-inside-repository');
    // The same folder on a file system that ignores case.
    expect(await open('central', 'CENTRAL/c.yaml')).toBe('source-inside-repository');
    expect(await open('.', 'apps/b.yaml')).toBe('source-inside-repository');
    expect(await open('..', 'apps/b.yaml')).toBe('source-inside-repository');
    expect(await open('apps/..', 'apps/b.yaml')).toBe('source-inside-repository');
  });
});

describe('tokens', () => {
  it('are read from one line each', () => {
    const parsed = parseCredentials('ghcr.io=abc\n\n  GHCR.test:5000 = me:pass:word \n');
    expect('credentials' in parsed && [...parsed.credentials]).toEqual([
      ['ghcr.io', { secret: 'abc' }],
      ['ghcr.test:5000', { user: 'me', secret: 'pass:word' }],
    ]);
  });

  it.each(['hunter2', 'ghcr.io=hunter 2', 'https://ghcr.io=hunter2', '=hunter2', 'ghcr.io='])(
    '`%s` is reported without its content',
    (line) => {
      expect(parseCredentials(`a.test=b\n${line}`)).toEqual({
        problem: 'line 2 is not `<host>=<token>` or `<host>=<user>:<token>`',
      });
    },
  );
});
