// Fetching charts, bases and repositories from local servers, through a proxy, by the real protocols.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type BaseReference,
  type ChartReference,
  type Fetched,
  type GitReference,
  type GitRevision,
  type Remote,
  remoteKey,
} from '../../../../src/render/sources/remote/remote.ts';
import type { HostCredential } from '../../../../src/workspace/network/host-credentials.ts';
import { NamedAddresses } from '../../../../src/workspace/remote/named-addresses.ts';
import { RemoteFetcher } from '../../../../src/workspace/remote/remote-fetcher.ts';
import type { RemoteFetching } from '../../../../src/workspace/remote/remote-fetching.ts';
import { chartArchive } from '../../../support/chart-archive.ts';
import { GitFolder } from '../../../support/git-fixture.ts';
import { AUTHORITY, LocalHosts } from '../../../support/local-hosts.ts';
import { engine } from '../../../support/render.ts';

const CHARTS = 'charts.preadmit.test';
const REGISTRY = 'registry.preadmit.test';
const GIT = 'git.preadmit.test';
const FILES = 'files.preadmit.test';
const PRIVATE_HOSTS = new Set([CHARTS, REGISTRY, GIT, FILES, 'auth.preadmit.test', 'other.preadmit.test', '127.0.0.1']);

let hosts: LocalHosts;
let bases: GitFolder;
const commits = { first: '', second: '' };

beforeAll(() => {
  vi.stubEnv('GIT_SSL_CAINFO', AUTHORITY);
  bases = new GitFolder();
  bases.write('web/kustomization.yaml', 'resources: [web.yaml]\n').write('web/web.yaml', 'kind: One\n');
  commits.first = bases.commit();
  bases.git('tag', 'v1.0.0');
  bases.write('web/web.yaml', 'kind: Two\n');
  commits.second = bases.commit();
  bases.git('tag', '-a', 'v1.4.0', '-m', 'annotated');
  bases.git('branch', 'release');
});
afterAll(() => {
  vi.unstubAllEnvs();
  bases.remove();
});
beforeEach(async () => {
  hosts = await LocalHosts.start();
  onTestFinished(() => hosts.close());
  hosts.git(`${GIT}/acme/bases`, bases.path);
});

function sha256(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function fetcher(options: Partial<RemoteFetching> = {}): RemoteFetcher {
  const environment = options.environment ?? hosts.environment;
  const made = new RemoteFetcher({
    kinds: ['charts', 'bases', 'git'],
    root: import.meta.dirname,
    credentials: new Map(),
    privateHosts: PRIVATE_HOSTS,
    now: () => 0,
    engine,
    transport: hosts.transport(environment as Record<string, string>),
    environment,
    retryMilliseconds: 0,
    ...options,
  });
  onTestFinished(() => made.close());
  return made;
}

async function fetchOne(remote: Remote, options: Partial<RemoteFetching> = {}): Promise<Fetched> {
  const made = fetcher(options);
  await made.fetch([remote]);
  return made.remotes.get(remoteKey(remote)) as Fetched;
}

function base(text: string, as: BaseReference['as'] = 'any'): BaseReference {
  return { base: text, as };
}

function git(as: GitRevision['as'], text: string, url = `https://${GIT}/acme/bases`): GitReference {
  return { git: url, revision: { as, text } };
}

/** Kind of the object in the fetched repository. */
function contentOf(fetched: Fetched): string | undefined {
  const bytes = 'tree' in fetched ? fetched.tree.read('web/web.yaml') : undefined;
  return bytes && new TextDecoder().decode(bytes).trim();
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'preadmit-remote-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('a proxy', () => {
  const file = base(`https://${FILES}/a.yaml`);

  test('carries https requests and Git, and its login goes only to it', async () => {
    hosts.on(`${FILES}/a.yaml`, 'kind: ConfigMap\n');
    hosts.proxyLogin = 'me:secret';
    const made = fetcher();
    await made.fetch([file, git('tag', 'v1.0.0')]);
    expect([...made.remotes.values()].map((each) => ('failure' in each ? each.failure : 'fetched'))).toEqual([
      'fetched',
      'fetched',
    ]);
    expect(new Set(hosts.tunnels)).toEqual(new Set([`${FILES}:443`, `${GIT}:443`]));
    expect(hosts.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  test('that refuses is named without its password', async () => {
    hosts.proxyLogin = 'me:secret';
    const HTTPS_PROXY = hosts.environment['HTTPS_PROXY']?.replace('secret', 'wrong') ?? '';
    const fetched = await fetchOne(file, { environment: { HTTPS_PROXY } });
    expect(fetched).toEqual({ failure: expect.stringMatching(/^the proxy 127\.0\.0\.1:\d+ refused .* status 407$/) });
  });

  test('is not used for hosts of NO_PROXY', async () => {
    hosts.on(`${hosts.direct}/a.yaml`, 'kind: ConfigMap\n');
    hosts.git(`${hosts.direct}/acme/bases`, bases.path);
    const environment = { ...hosts.environment, NO_PROXY: 'example.com, 127.0.0.0/8' };
    const made = fetcher({ environment });
    await made.fetch([
      base(`https://${hosts.direct}/a.yaml`),
      git('branch', 'release', `https://${hosts.direct}/acme/bases`),
    ]);
    expect([...made.remotes.values()].some((each) => 'failure' in each)).toBe(false);
    expect(hosts.tunnels).toEqual([]);
  });
});

describe('charts', () => {
  const archive = chartArchive({ 'Chart.yaml': 'name: shop\nversion: 1.2.0\n' });
  const inRepository: ChartReference = { repository: `https://${CHARTS}/stable`, name: 'shop', version: '~1.2' };
  const inRegistry: ChartReference = { repository: `oci://${REGISTRY}/team`, name: 'shop', version: '1.2.0' };

  function registry(token = 'anonymous'): void {
    const layer = { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', digest: sha256(archive) };
    const top = `${REGISTRY}/v2/team/shop`;
    const challenge = `Bearer realm="https://auth.preadmit.test/token",service="${REGISTRY}"`;
    for (const [url, body] of [
      [`${top}/manifests/1.2.0`, JSON.stringify({ layers: [layer] })],
      [`${top}/blobs/${layer.digest}`, archive],
    ] as const) {
      hosts.on(url, (asked, response) => {
        if (asked.headers.authorization === `Bearer ${token}`) response.end(body);
        else response.writeHead(401, { 'www-authenticate': challenge }).end();
      });
    }
  }

  test('of a Helm repository resolve a constraint', async () => {
    const entry = `{version: 1.2.0, digest: ${sha256(archive).slice(7)}, urls: [shop.tgz]}`;
    hosts.on(`${CHARTS}/stable/index.yaml`, `entries: {shop: [${entry}, {version: 1.3.0, urls: [x.tgz]}]}`);
    hosts.on(`${CHARTS}/stable/shop.tgz`, archive);
    expect(await fetchOne(inRepository)).toMatchObject({ version: '1.2.0', digest: sha256(archive) });
  });

  test('of a registry use a token, with credentials only for trusted hosts', async () => {
    registry();
    hosts.on('auth.preadmit.test/token', '{"token": "anonymous"}');
    expect(await fetchOne(inRegistry)).toMatchObject({ digest: sha256(archive) });
    const credentials = new Map([['auth.preadmit.test', { user: 'me', secret: 'x' }]]);
    hosts.requests.length = 0;
    await fetchOne(inRegistry, { credentials });
    // A registry without credentials of its own must not get a token that those of another host buy.
    expect(hosts.requests.filter(({ url }) => url.startsWith('auth.'))).toMatchObject([{ authorization: undefined }]);
    hosts.requests.length = 0;
    await fetchOne(inRegistry, {
      credentials: new Map<string, HostCredential>([...credentials, [REGISTRY, { secret: 'y' }]]),
    });
    expect(hosts.requests.filter(({ url }) => url.startsWith('auth.'))).toMatchObject([
      { authorization: `Basic ${Buffer.from('me:x').toString('base64')}` },
    ]);
  });

  test.each([401, 403])('of a host that answers %s are refused with its name and the fix', async (status) => {
    hosts.status(`${CHARTS}/stable/index.yaml`, status);
    expect(await fetchOne(inRepository)).toEqual({
      failure: `${CHARTS} denied access with status ${status}`,
      help: expect.stringContaining(`\`fetch-tokens: ${CHARTS}=…\``),
    });
  });

  test('retry a temporary failure', async () => {
    let asked = 0;
    hosts.on(`${CHARTS}/stable/index.yaml`, (_, response) => {
      asked++;
      response.writeHead(503).end();
    });
    expect(await fetchOne(inRepository)).toEqual({ failure: `${CHARTS} responded with status 503` });
    expect(asked).toBe(3);
  });

  test('lose credentials if the index names another host', async () => {
    hosts.on(
      `${CHARTS}/stable/index.yaml`,
      'entries: {shop: [{version: 1.2.0, urls: ["https://other.preadmit.test/a"]}]}',
    );
    const credentials = new Map([CHARTS, 'other.preadmit.test'].map((host) => [host, { secret: 's' }] as const));
    await fetchOne(inRepository, { credentials });
    expect(hosts.requests.map(({ authorization }) => authorization !== undefined)).toEqual([true, false]);
  });

  test('lose credentials on a redirect to another host', async () => {
    hosts.redirect(`${CHARTS}/stable/index.yaml`, `https://other.preadmit.test/index.yaml`);
    const credentials = new Map([CHARTS, 'other.preadmit.test'].map((host) => [host, { secret: 's' }] as const));
    await fetchOne(inRepository, { credentials });
    expect(hosts.requests.map(({ url, authorization }) => [url, authorization !== undefined])).toEqual([
      [`${CHARTS}/stable/index.yaml`, true],
      ['other.preadmit.test/index.yaml', false],
    ]);
  });
});

describe('a base', () => {
  test('is a file if its address has manifests', async () => {
    hosts.on(`${FILES}/org/repo/v1/web.yaml`, 'kind: ConfigMap\n---\nkind: Secret\n');
    const fetched = await fetchOne(base(`https://${FILES}/org/repo/v1/web.yaml`));
    expect(fetched).toMatchObject({ digest: sha256('kind: ConfigMap\n---\nkind: Secret\n') });
  });

  test.each([
    ['a tag', '?ref=v1.0.0', 'kind: One'],
    ['an annotated tag', '?ref=v1.4.0', 'kind: Two'],
    ['a branch', '?ref=release', 'kind: Two'],
    ['a version', '?version=v1.0.0', 'kind: One'],
    ['no revision', '', 'kind: Two'],
  ])('is a folder of a repository at %s', async (_, query, content) => {
    const fetched = await fetchOne(base(`https://${GIT}/acme/bases//web${query}`));
    expect(contentOf(fetched)).toBe(content);
  });

  test('is a folder at a commit', async () => {
    const fetched = await fetchOne(base(`https://${GIT}/acme/bases//web?ref=${commits.first}`, 'folder'));
    expect(fetched).toMatchObject({ commit: commits.first, isPinned: true });
    expect(contentOf(fetched)).toBe('kind: One');
    // kustomize tries a component only as a folder.
    expect(hosts.requests.every(({ url }) => url.includes('info/refs') || url.endsWith('git-upload-pack'))).toBe(true);
  });

  test('is a repository even if its address shows a web page', async () => {
    hosts.on(`${GIT}/acme/bases`, '<!doctype html><p>bases</p>');
    expect(contentOf(await fetchOne(base(`https://${GIT}/acme/bases?ref=v1.0.0`)))).toBe('kind: One');
  });

  test.each([
    ['no such revision', `https://${GIT}/acme/bases//web?ref=v9`, 'it does not have this revision'],
    ['no repository', `https://${GIT}/acme/none//web?ref=v1`, `${GIT} responded with status 404`],
    ['no file', `https://${FILES}/a.yaml`, `${FILES} responded with status 404`],
    ['plain http', `http://${FILES}/a.yaml`, 'only over https://'],
    ['ssh', 'git@github.com:acme/bases//web', 'not a valid URL'],
    ['an ssh URL', `ssh://git@${GIT}/acme/bases`, 'only over https://, not ssh:'],
    ['a local repository', 'file:///etc//web', 'only over https://, not file:'],
    ['a user in the address', `https://me@${GIT}/acme/bases`, 'contains credentials'],
    ['a remote helper', `ext::sh -c touch% /tmp/x`, 'not valid'],
    ['an option as revision', `https://${GIT}/acme/bases//web?ref=--upload-pack=touch`, 'revision is not valid'],
    ['a refspec as revision', `https://${GIT}/acme/bases//web?ref=a:refs/heads/b`, 'revision is not valid'],
    ['a short commit', `https://${GIT}/acme/bases//web?ref=abc1234`, 'it does not have this revision'],
  ])('with %s is reported', async (_, address, words) => {
    expect(await fetchOne(base(address))).toEqual({ failure: expect.stringContaining(words) });
  });

  test.each(['https://127.0.0.1/a.yaml', 'https://169.254.169.254/latest', 'https://localhost/x', 'https://[::1]/x'])(
    'at %s is not contacted',
    async (address) => {
      const privateHosts = new Set<string>();
      for (const environment of [hosts.environment, {}]) {
        const fetched = await fetchOne(base(address), { privateHosts, environment });
        expect(fetched).toEqual({ failure: expect.stringMatching(/not (?:have )?a public address/) });
      }
      expect(hosts.tunnels).toEqual([]);
    },
  );
});

describe('a repository', () => {
  test.each<[GitRevision['as'], string, string, boolean]>([
    ['tag', 'v1.0.0', 'kind: One', true],
    ['branch', 'release', 'kind: Two', false],
    ['semver', '^1.0.0', 'kind: Two', false],
    ['semver', '1.0.x', 'kind: One', false],
    ['ref', 'refs/tags/v1.0.0', 'kind: One', true],
    ['argo', '', 'kind: Two', false],
    ['argo', 'HEAD', 'kind: Two', false],
    ['argo', 'v1.0.0', 'kind: One', true],
    ['argo', '~1.0', 'kind: One', false],
  ])('at the %s %s', async (as, text, content, isPinned) => {
    const fetched = await fetchOne(git(as, text));
    expect([contentOf(fetched), 'isPinned' in fetched && fetched.isPinned]).toEqual([content, isPinned]);
  });

  test('gets the credentials of its host, and a redirect to another host loses them', async () => {
    const login = `x-access-token:token`;
    hosts.git(`${GIT}/acme/private`, bases.path, login);
    const credentials = new Map([GIT, 'other.preadmit.test'].map((host) => [host, { secret: 'token' }] as const));
    const reference = git('tag', 'v1.0.0', `https://${GIT}/acme/private`);
    expect(await fetchOne(reference)).toMatchObject({ failure: `${GIT} denied access with status 401` });
    expect(contentOf(await fetchOne(reference, { credentials }))).toBe('kind: One');
    hosts.redirect(`${FILES}/moved/info/refs`, `https://${GIT}/acme/private/info/refs?service=git-upload-pack`);
    const moved = git('tag', 'v1.0.0', `https://${FILES}/moved`);
    expect(await fetchOne(moved, { credentials })).toMatchObject({ failure: `${GIT} denied access with status 401` });
    hosts.redirect(`${FILES}/moved/info/refs`, `https://${GIT}/acme/bases/info/refs?service=git-upload-pack`);
    expect(contentOf(await fetchOne(moved))).toBe('kind: One');
  });

  test('is not read through a redirect to a private address', async () => {
    hosts.redirect(`${GIT}/moved/info/refs`, 'https://10.1.2.3/acme/info/refs?service=git-upload-pack');
    expect(await fetchOne(git('tag', 'v1.0.0', `https://${GIT}/moved`))).toEqual({
      failure: '10.1.2.3 is not a public address',
    });
  });

  test('has no links that lead outside', async () => {
    const hostile = new GitFolder();
    onTestFinished(() => hostile.remove());
    hostile.write('a/file', 'x');
    symlinkSync('/etc/passwd', path.join(hostile.path, 'absolute'));
    symlinkSync('../../up', path.join(hostile.path, 'a/up'));
    symlinkSync('../a/file', path.join(hostile.path, 'a/inside'));
    hostile.commit();
    hosts.git(`${GIT}/hostile`, hostile.path);
    const fetched = await fetchOne(git('argo', '', `https://${GIT}/hostile`));
    const targets = ['absolute', 'a/up', 'a/inside'].map((link) => 'tree' in fetched && fetched.tree.target(link));
    expect(targets).toEqual([undefined, undefined, '../a/file']);
  });

  test('with folders that contain each other ten times is stopped', async () => {
    const hostile = new GitFolder();
    onTestFinished(() => hostile.remove());
    hostile.write('a.yaml', 'kind: ConfigMap\n').commit();
    let [mode, id] = ['100644 blob', hostile.git('rev-parse', 'HEAD:a.yaml')];
    for (let depth = 0; depth < 9; depth++) {
      const entries = Array.from({ length: 10 }, (_, index) => `${mode} ${id}\t${'n'.repeat(20)}${index}`);
      hostile.write('entries', `${entries.join('\n')}\n`);
      [mode, id] = ['040000 tree', hostile.git('-c', 'alias.tree=!git mktree < entries', 'tree')];
    }
    hostile.git('update-ref', 'refs/heads/main', hostile.git('commit-tree', '-m', 'bomb', id));
    hosts.git(`${GIT}/bomb`, hostile.path);
    expect(await fetchOne(git('argo', '', `https://${GIT}/bomb`))).toEqual({
      failure: expect.stringMatching(/`git ls-tree` wrote too much$/),
    });
  });

  test('that a server answers with another content type is no repository', async () => {
    hosts.on(`${GIT}/page/info/refs`, '<html>');
    expect(await fetchOne(git('argo', '', `https://${GIT}/page`))).toEqual({
      failure: `${GIT} has no Git repository there`,
    });
  });
});

describe('the cache', () => {
  test('keeps commits and tags, whose contents are verified, but no branches', async () => {
    const cache = temporaryFolder();
    const remotes = [git('tag', 'v1.0.0'), base(`https://${GIT}/acme/bases//web?ref=v1.4.0`), git('branch', 'release')];
    await fetcher({ cache }).fetch(remotes);
    hosts.requests.length = 0;
    const again = fetcher({ cache });
    await again.fetch(remotes);
    expect(remotes.map((remote) => contentOf(again.remotes.get(remoteKey(remote)) as Fetched))).toEqual([
      'kind: One',
      'kind: Two',
      'kind: Two',
    ]);
    expect(hosts.requests.length).toBeGreaterThan(0);
    hosts.requests.length = 0;
    expect(contentOf(await fetchOne(git('commit', commits.first), { cache }))).toBe('kind: One');
    expect(hosts.requests).toEqual([]);
    for (const name of readdirSync(cache)) if (name.endsWith('.pack')) writeFileSync(path.join(cache, name), 'PACK');
    expect(contentOf(await fetchOne(git('commit', commits.first), { cache }))).toBe('kind: One');
    expect(hosts.requests.length).toBeGreaterThan(0);
  });
});

describe('a change from a fork', () => {
  const named = () => new NamedAddresses([git('tag', 'v1.0.0')]);

  test('cannot choose a host', async () => {
    const fetched = await fetchOne(base(`https://${FILES}/a.yaml`), { named });
    expect(fetched).toEqual({
      failure: `${FILES} is not a host of the base branch`,
      help: expect.stringContaining('may not choose a host'),
    });
    expect(hosts.requests).toEqual([]);
    expect(hosts.tunnels).toEqual([]);
  });

  test('can use hosts of base, with credentials only for addresses of base', async () => {
    hosts.git(`${GIT}/acme/other`, bases.path);
    const credentials = new Map([[GIT, { secret: 'token' }]]);
    await fetchOne(git('branch', 'release'), { named, credentials });
    expect(hosts.requests.every(({ authorization }) => authorization !== undefined)).toBe(true);
    hosts.requests.length = 0;
    const other = await fetchOne(git('branch', 'release', `https://${GIT}/acme/other`), { named, credentials });
    expect(contentOf(other)).toBe('kind: Two');
    expect(hosts.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  test('cannot use a folder of base to reach another path or port with its credentials', async () => {
    const credentials = new Map([GIT, `${GIT}:8443`].map((host) => [host, { secret: 'token' }] as const));
    const ofFork = [
      `https://${GIT}/acme/bases//a/%2e%2e/%2E%2e/%2e%2e/private/secret.yaml`,
      `https://${GIT}/acme/bases/../private/secret.yaml`,
      `https://${GIT}/acme/bases.evil/secret.yaml`,
    ];
    for (const address of ofFork) await fetchOne(base(address), { named, credentials });
    expect(hosts.requests.length).toBeGreaterThan(0);
    const secret = hosts.requests.filter(({ url }) => !url.startsWith(`${GIT}/acme/bases/`));
    expect(secret.every(({ authorization }) => authorization === undefined)).toBe(true);
    const github = () => new NamedAddresses([base('https://github.com/acme/bases')]);
    hosts.tunnels.length = 0;
    for (const address of [
      'https://github.com:8443/acme/bases',
      'https://github.com:a@other.preadmit.test/acme/bases',
    ]) {
      expect(await fetchOne(base(address), { named: github })).toHaveProperty('failure');
    }
    expect(hosts.tunnels).toEqual([]);
  });

  test('can use what is in the cache', async () => {
    const cache = temporaryFolder();
    await fetchOne(git('tag', 'v1.0.0'), { cache });
    const fetched = await fetchOne(git('tag', 'v1.0.0'), { cache, named: () => new NamedAddresses([]) });
    expect(contentOf(fetched)).toBe('kind: One');
  });
});

test('nothing is fetched of kinds that are not enabled, and hosts are counted', async () => {
  hosts.on(`${FILES}/a.yaml`, 'kind: ConfigMap\n');
  const made = fetcher({ kinds: ['bases'] });
  await made.fetch([git('tag', 'v1.0.0'), base(`https://${FILES}/a.yaml`), base(`https://${FILES}/b.yaml`)]);
  expect(made.hosts()).toEqual([{ host: FILES, charts: 0, bases: 1, git: 0, failed: 1 }]);
  expect(hosts.tunnels.every((authority) => authority === `${FILES}:443`)).toBe(true);
});
