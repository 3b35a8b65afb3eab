// Fetching charts from simulated servers: repositories, registries, digests, redirects, caches.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { allowedVersions } from '../../../src/render/engine/version-constraint.ts';
import { type ChartReference, type FetchedChart, remoteKey } from '../../../src/render/sources/remote/remote.ts';
import { readArchive } from '../../../src/workspace/charts/read-archive.ts';
import { isPublicAddress } from '../../../src/workspace/network/public-address.ts';
import type { TransportRequest } from '../../../src/workspace/network/transport.ts';
import { RemoteFetcher } from '../../../src/workspace/remote/remote-fetcher.ts';
import type { RemoteFetching } from '../../../src/workspace/remote/remote-fetching.ts';
import { archiveOf, chartArchive } from '../../support/chart-archive.ts';
import { engine } from '../../support/render.ts';

const SHOP = chartArchive({ 'Chart.yaml': 'name: shop\nversion: 1.2.0\n', 'templates/a.yaml': 'a: b\n' });
const REPOSITORY = 'https://charts.example.com/stable';
const SHOP_REFERENCE: ChartReference = { repository: REPOSITORY, name: 'shop', version: '1.2.0' };

function sha256(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

type Answer = Uint8Array | string | { readonly status: number; readonly headers?: Record<string, string> };
type World = Readonly<Record<string, Answer | ((request: TransportRequest) => Answer)>>;

function fetcherIn(world: World, options: Partial<RemoteFetching> = {}) {
  const asked: { readonly url: string; readonly authorization: string | undefined }[] = [];
  const fetcher = new RemoteFetcher({
    kinds: ['charts'],
    retryMilliseconds: 0,
    root: import.meta.dirname,
    credentials: new Map(),
    privateHosts: new Set(),
    now: () => 0,
    engine,
    transport: async (request) => {
      asked.push({ url: request.url, authorization: request.headers['authorization'] });
      const entry = world[request.url] ?? { status: 404 };
      const answer = typeof entry === 'function' ? entry(request) : entry;
      if (typeof answer === 'string') return { status: 200, headers: {}, body: new TextEncoder().encode(answer) };
      if (answer instanceof Uint8Array) return { status: 200, headers: {}, body: answer };
      return { status: answer.status, headers: answer.headers ?? {}, body: new Uint8Array() };
    },
    ...options,
  });
  return { fetcher, asked };
}

async function fetchOne(world: World, reference: ChartReference, options: Partial<RemoteFetching> = {}) {
  const { fetcher, asked } = fetcherIn(world, options);
  await fetcher.fetch([reference]);
  return { chart: fetcher.remotes.get(remoteKey(reference)) as FetchedChart, asked };
}

function index(versions: Readonly<Record<string, string>>, digest = sha256(SHOP)): string {
  const entries = Object.entries(versions).map(
    ([version, url]) => `    - {version: ${version}, urls: ["${url}"], digest: ${digest.replace('sha256:', '')}}\n`,
  );
  return `apiVersion: v1\nentries:\n  shop:\n${entries.join('')}`;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-charts-'));
  folders.push(folder);
  return folder;
}

describe('a Helm repository', () => {
  const world = {
    [`${REPOSITORY}/index.yaml`]: index({ '1.2.0': 'shop-1.2.0.tgz', '1.3.0': 'https://cdn.example.com/s.tgz' }),
    [`${REPOSITORY}/shop-1.2.0.tgz`]: SHOP,
    'https://cdn.example.com/s.tgz': SHOP,
  };

  test('returns the archive of a version, or of the newest version that a constraint permits', async () => {
    const { chart, asked } = await fetchOne(world, SHOP_REFERENCE);
    expect(chart).toMatchObject({ version: '1.2.0', digest: sha256(SHOP) });
    expect('files' in chart && [...chart.files.keys()]).toEqual(['Chart.yaml', 'templates/a.yaml']);
    expect(asked.map(({ url }) => url)).toEqual([`${REPOSITORY}/index.yaml`, `${REPOSITORY}/shop-1.2.0.tgz`]);
    expect((await fetchOne(world, { ...SHOP_REFERENCE, version: '^1.0.0' })).chart).toMatchObject({ version: '1.3.0' });
    expect((await fetchOne(world, { ...SHOP_REFERENCE, version: '' })).chart).toMatchObject({ version: '1.3.0' });
  });

  test.each([
    [
      'another digest',
      { ...world, [`${REPOSITORY}/shop-1.2.0.tgz`]: chartArchive({ 'Chart.yaml': 'x: y' }) },
      'its digest is sha256:',
    ],
    [
      'no such version',
      { ...world, [`${REPOSITORY}/index.yaml`]: index({ '2.0.0': 'a' }) },
      'does not have this version',
    ],
    ['no index', {}, 'charts.example.com responded with status 404'],
    [
      'a redirect to http',
      { ...world, [`${REPOSITORY}/index.yaml`]: { status: 302, headers: { location: 'http://charts.example.com/i' } } },
      'not http://',
    ],
    [
      'a redirect to a file',
      { ...world, [`${REPOSITORY}/index.yaml`]: { status: 302, headers: { location: 'file:///etc/passwd' } } },
      'not file://',
    ],
    [
      'redirects in a circle',
      { [`${REPOSITORY}/index.yaml`]: { status: 302, headers: { location: `${REPOSITORY}/index.yaml` } } },
      'redirects too often',
    ],
    [
      'an archive by http',
      { ...world, [`${REPOSITORY}/index.yaml`]: index({ '1.2.0': 'http://cdn.example.com/s.tgz' }) },
      'not http://',
    ],
    [
      'credentials in the address',
      { ...world, [`${REPOSITORY}/index.yaml`]: index({ '1.2.0': 'https://a:b@cdn.example.com/s.tgz' }) },
      'contains credentials',
    ],
    [
      'no archive',
      {
        ...world,
        [`${REPOSITORY}/index.yaml`]: index({ '1.2.0': 'a.tgz' }, sha256('a')),
        [`${REPOSITORY}/a.tgz`]: 'a',
      },
      'not compressed with gzip',
    ],
  ])('%s is reported', async (_, changed, words) => {
    expect((await fetchOne(changed as World, SHOP_REFERENCE)).chart).toEqual({
      failure: expect.stringContaining(words),
    });
  });

  test('receives credentials only for its own host', async () => {
    const credentials = new Map([['charts.example.com', { user: 'me', secret: 'secret' }]]);
    const { asked } = await fetchOne(world, { ...SHOP_REFERENCE, version: '1.3.0' }, { credentials });
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Basic bWU6c2VjcmV0', undefined]);
    expect((await fetchOne(world, SHOP_REFERENCE)).asked.map(({ authorization }) => authorization)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('is not contacted for cached charts, unless the cache is damaged', async () => {
    const cache = temporaryFolder();
    await fetchOne(world, SHOP_REFERENCE, { cache });
    const again = await fetchOne({}, SHOP_REFERENCE, { cache });
    expect(again.asked).toEqual([]);
    expect(again.chart).toMatchObject({ version: '1.2.0', digest: sha256(SHOP) });
    const [archive = ''] = readdirSync(cache).filter((name) => name.endsWith('.tgz'));
    writeFileSync(join(cache, archive), chartArchive({ 'Chart.yaml': 'evil: true' }));
    expect((await fetchOne({}, SHOP_REFERENCE, { cache })).chart).toHaveProperty('failure');
    const constraint = { ...SHOP_REFERENCE, version: '*' };
    await fetchOne(world, constraint, { cache });
    expect((await fetchOne({}, constraint, { cache })).chart).toHaveProperty('failure');
  });

  test('fails when the total time limit is exceeded', async () => {
    let now = 0;
    const clock = () => {
      now += 200_000;
      return now;
    };
    expect((await fetchOne(world, SHOP_REFERENCE, { now: clock })).chart).toEqual({
      failure: 'the time limit for fetching is exceeded',
    });
  });
});

describe('an OCI registry', () => {
  const registry = 'https://registry.example.com/v2/team/shop';
  const reference = { repository: 'oci://registry.example.com/team', name: 'shop', version: '1.2.0+b' };
  const manifest = JSON.stringify({
    layers: [
      { mediaType: 'application/vnd.cncf.helm.chart.provenance.v1.prov', digest: sha256('p') },
      { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', digest: sha256(SHOP) },
    ],
  });
  const world = {
    [`${registry}/manifests/1.2.0_b`]: manifest,
    [`${registry}/manifests/${sha256(manifest)}`]: manifest,
    [`${registry}/manifests/1.4.1`]: manifest,
    [`${registry}/tags/list?n=1000`]: '{"tags": ["1.4.1", "1.4.0", "2.0.0-rc.1", "latest"]}',
    [`${registry}/blobs/${sha256(SHOP)}`]: { status: 307, headers: { location: 'https://cdn.example.com/blob?x=y' } },
    'https://cdn.example.com/blob?x=y': SHOP,
  };

  test('returns the layer of a tag, a digest or a constraint', async () => {
    expect((await fetchOne(world, reference)).chart).toMatchObject({ version: '1.2.0+b', digest: sha256(SHOP) });
    expect((await fetchOne(world, { ...reference, digest: sha256(manifest) })).chart).toHaveProperty('files');
    expect((await fetchOne(world, { ...reference, version: '1.x' })).chart).toMatchObject({ version: '1.4.1' });
  });

  test('receives a token if it requires one, which no other host sees', async () => {
    const challenge = 'Bearer realm="https://auth.example.com/token",service="registry.example.com"';
    const guarded = (answer: Answer) => (request: TransportRequest) =>
      request.headers['authorization'] === 'Bearer t'
        ? answer
        : { status: 401, headers: { 'www-authenticate': challenge } };
    const token = 'https://auth.example.com/token?service=registry.example.com&scope=repository%3Ateam%2Fshop%3Apull';
    const closed: World = {
      ...Object.fromEntries(
        Object.entries(world).map(([url, answer]) => [
          url,
          url.startsWith(registry) ? guarded(answer as Answer) : (answer as Answer),
        ]),
      ),
      [token]: '{"token": "t"}',
    };
    const credentials = new Map([
      ['registry.example.com', { user: 'me', secret: 'secret' }],
      ['auth.example.com', { user: 'me', secret: 'secret' }],
    ]);
    const { chart, asked } = await fetchOne(closed, reference, { credentials });
    expect(chart).toHaveProperty('files');
    expect(asked.map(({ url, authorization }) => [new URL(url).host, authorization])).toEqual([
      ['registry.example.com', 'Basic bWU6c2VjcmV0'],
      ['auth.example.com', 'Basic bWU6c2VjcmV0'],
      ['registry.example.com', 'Bearer t'],
      ['registry.example.com', 'Bearer t'],
      ['cdn.example.com', undefined],
    ]);
    const elsewhere = {
      ...closed,
      [`${registry}/manifests/1.2.0_b`]: {
        status: 401,
        headers: { 'www-authenticate': 'Bearer realm="https://thief.example.net/token"' },
      },
    };
    const stolen = await fetchOne(elsewhere, reference, { credentials });
    expect(stolen.asked.map(({ url, authorization }) => [new URL(url).host, authorization])).toEqual([
      ['registry.example.com', 'Basic bWU6c2VjcmV0'],
      ['thief.example.net', undefined],
    ]);
  });

  test.each([
    [
      'another manifest than its digest',
      { ...reference, digest: sha256('x') },
      { ...world, [`${registry}/manifests/${sha256('x')}`]: manifest },
      'was requested',
    ],
    [
      'another blob than its digest',
      reference,
      { ...world, 'https://cdn.example.com/blob?x=y': 'x' },
      'the registry declares',
    ],
    ['no chart', reference, { ...world, [`${registry}/manifests/1.2.0_b`]: '{"layers": []}' }, 'not a chart'],
    ['an address with a user', { ...reference, repository: 'oci://a@b/c' }, world, 'is not valid'],
    ['a name that climbs', { ...reference, name: '../../x' }, world, 'is not valid'],
  ])('%s is reported', async (_, wanted, changed, words) => {
    expect((await fetchOne(changed as World, wanted)).chart).toEqual({ failure: expect.stringContaining(words) });
  });
});

describe('an archive', () => {
  const description = { name: 'c/Chart.yaml', content: 'name: c' };

  test.each([
    ['climbs', [description, { name: 'c/../../etc/passwd', content: 'x' }], 'outside its folder'],
    ['is absolute', [description, { name: '/etc/passwd', content: 'x' }], 'outside its folder'],
    ['has a link', [description, { name: 'c/a', type: '2' }], 'not a file'],
    ['has a hard link', [description, { name: 'c/a', type: '1' }], 'not a file'],
    ['has a device', [description, { name: 'c/a', type: '3' }], 'not a file'],
    [
      'has a file below a file',
      [description, { name: 'c/a' }, { name: 'c/a/b' }],
      'one of its parent folders is a file',
    ],
    [
      'has a long name that climbs',
      [{ name: 'x', type: 'L', content: 'c/../../x' }, description],
      'outside its folder',
    ],
    [
      'has a pax path that climbs',
      [{ name: 'x', type: 'x', content: '21 path=c/../../../x\n' }, description],
      'outside its folder',
    ],
    ['has no description', [{ name: 'c/a' }], 'no Chart.yaml'],
  ])('that %s is rejected', (_, entries, words) => {
    expect(readArchive(archiveOf(entries))).toEqual({ failure: expect.stringContaining(words) });
  });

  test('with 200 MB of zeroes, or a truncated one, is rejected', () => {
    expect(readArchive(gzipSync(Buffer.alloc(200 * 1024 * 1024)))).toEqual({
      failure: expect.stringContaining('128 MiB'),
    });
    const whole = archiveOf([description, { name: 'c/b', content: 'x'.repeat(5000) }]);
    expect(readArchive(whole.subarray(0, whole.length - 9))).toHaveProperty('failure');
  });

  test('keeps long names', () => {
    const long = `c/templates/${'n'.repeat(120)}.yaml`;
    const read = readArchive(
      archiveOf([description, { name: 'l', type: 'L', content: `${long}\0` }, { name: 'cut', content: 'x' }]),
    );
    expect('files' in read && [...read.files.keys()]).toEqual(['Chart.yaml', long.slice(2)]);
  });

  test('of random bytes throws nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2048 }), (bytes) => {
        expect(readArchive(bytes)).toHaveProperty('failure');
        readArchive(gzipSync(bytes));
      }),
      { numRuns: 200 },
    );
  });
});

test.each([
  '10.1.2.3',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '::1',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'example.com',
  '',
])('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111'])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('a constraint selects the same version as in Helm', () => {
  const versions = ['1.0.0', '1.10.0', '1.9.0', '2.0.0-rc.1', 'v3.0.0', 'latest'];
  expect(allowedVersions('^1.0.0', versions, engine())).toEqual(['1.10.0', '1.9.0', '1.0.0']);
  expect(allowedVersions('>=2.0.0-0', versions, engine())).toEqual(['v3.0.0', '2.0.0-rc.1']);
  expect(allowedVersions('', versions, engine())[0]).toBe('v3.0.0');
  expect(allowedVersions('not one', versions, engine())).toEqual([]);
});
