// `preadmit init` on repositories on disk: detection, output, written files and untouched files.
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { parse } from 'yaml';
import { proposedHooks, proposedWorkflow } from '../src/door/cli/init/init-files.ts';
import type { Transport } from '../src/workspace/network/transport.ts';
import { chartArchive } from './support/chart-archive.ts';
import { GitFolder } from './support/git-fixture.ts';
import { type Printed, runPrinted } from './support/printed.ts';
import { configMap, sizePolicy } from './support/workspace.ts';

const ROOT = join(import.meta.dirname, '..');

function run(folder: GitFolder, args: readonly string[], ...answers: readonly string[]): Promise<Printed> {
  return runWith({}, folder, args, ...answers);
}

function runWith(
  given: { readonly transport?: Transport },
  folder: GitFolder,
  args: readonly string[],
  ...answers: readonly string[]
): Promise<Printed> {
  const input = answers.map((answer) => `${answer}\n`).join('');
  return runPrinted(folder.path, args, { interactive: answers.length > 0, input, ...given });
}

function repository({ onTestFinished }: TestContext, files: Readonly<Record<string, string>>): GitFolder {
  const folder = new GitFolder();
  onTestFinished(() => folder.remove());
  for (const [path, text] of Object.entries(files)) folder.write(path, text);
  folder.git('config', 'user.email', 'jane@example.com');
  folder.commit('before');
  return folder;
}

function read(folder: GitFolder, path: string): string {
  return readFileSync(join(folder.path, path), 'utf8');
}

const DENIED = { 'policies/size.yaml': sizePolicy(), 'apps/bad.yaml': configMap('bad', 9) };

const privilegedPod = (name: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop}
spec:
  containers:
    - name: agent
      image: agent:1
      securityContext: {privileged: true}
`;

const APPLICATION = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  source: {repoURL: 'https://github.com/example/shop', path: apps}
  destination: {server: 'https://kubernetes.default.svc', namespace: shop}
`;

const kind = (version: string): string => `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes: [{role: control-plane, image: 'kindest/node:${version}@sha256:0000'}]
`;

const plan = (version: string): string => `apiVersion: upgrade.cattle.io/v1
kind: Plan
metadata: {name: server, namespace: system-upgrade}
spec: {version: '${version}'}
`;

const upgrade = (version: string): string => `apiVersion: tuppr.home-operations.com/v1alpha1
kind: KubernetesUpgrade
metadata: {name: kubernetes}
spec: {kubernetes: {version: '${version}'}}
`;

describe('preadmit init', () => {
  it('shows its changes without writing', async (context) => {
    const folder = repository(context, DENIED);
    const { status, out } = await run(folder, ['init', '--owner', 'team-shop']);
    expect(status).toBe(0);
    expect(out).toContain('Policies: 1\n');
    expect(out).toContain('+++ .preadmit-baseline.yaml\n');
    expect(out).toContain('+    owner: team-shop\n');
    expect(out).toContain('+    expires: "2027-02-20"\n');
    expect(out).not.toContain('+++ .preadmit.yaml');
    expect(out).toContain('No file was written');
    expect(folder.git('status', '--porcelain')).toBe('');
  });

  it('makes a failing check pass, and a new violation fail', async (context) => {
    const folder = repository(context, DENIED);
    expect(await run(folder, ['check'])).toMatchObject({ status: 1 });
    expect(await run(folder, ['init', '--yes', '--owner', 'team-shop'])).toMatchObject({ status: 0 });
    folder.commit('init');
    expect(await run(folder, ['check', '--quiet'])).toMatchObject({ status: 0 });
    folder.write('apps/worse.yaml', configMap('worse', 7));
    folder.commit('worse');
    expect(await run(folder, ['check', '--quiet'])).toMatchObject({ status: 1 });
    expect(await run(folder, ['diff', 'HEAD~1', 'HEAD', '--quiet'])).toMatchObject({ status: 1 });
    expect(await run(folder, ['diff', 'HEAD~2', 'HEAD~1', '--quiet'])).toMatchObject({
      out: expect.not.stringContaining('error'),
    });
  });

  it.for([
    ['y', '.github/workflows/preadmit.yaml\n'],
    ['yes', '.github/workflows/preadmit.yaml\n'],
    ['', ''],
    ['n', ''],
  ] as const)('asks on a terminal: %j', async ([answer, written], context) => {
    const folder = repository(context, { 'apps/good.yaml': configMap('good', 1) });
    const { err } = await run(folder, ['init'], answer);
    expect(err).toBe('\nWrite 6 files? [y/N] ');
    expect(folder.git('ls-files', '--others', '.github').trim()).toBe(written.trim());
  });

  it('asks for the owner of existing findings first', async (context) => {
    const folder = repository(context, DENIED);
    folder.git('config', '--unset', 'user.email');
    expect(await run(folder, ['init', '--yes'])).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringMatching(/^preadmit: the baseline needs an owner .*`--owner <name>`\n$/),
    });
    const { status, err } = await run(folder, ['init'], 'team-shop', 'y');
    expect(status).toBe(0);
    expect(err).toMatch(/^Who owns the existing findings\? .*\nWrite \d files\? \[y\/N\] $/s);
    expect(read(folder, '.preadmit-baseline.yaml')).toContain('owner: team-shop');
  });

  it('does not ask for an owner if there are no findings', async (context) => {
    const folder = repository(context, { ...DENIED, '.preadmit-baseline.yaml': 'version: 1\nentries: []\n' });
    folder.git('config', '--unset', 'user.email');
    expect(await run(folder, ['init'], 'n')).toMatchObject({ status: 0, err: expect.stringMatching(/^\nWrite /) });
  });

  it('adds policies that decide immediately, with their findings in the baseline', async (context) => {
    const folder = repository(context, { 'apps/agent.yaml': privilegedPod('agent') });
    const { status } = await run(folder, ['init', '--with', 'pod-security', '--owner', 'team-shop', '--yes']);
    expect(status).toBe(0);
    folder.commit('init');
    expect(read(folder, '.preadmit-baseline.yaml').match(/resource: .*/g)).toEqual(['resource: Pod shop/agent']);
    expect(await run(folder, ['check', '--quiet'])).toMatchObject({ status: 0 });
    folder.write('apps/other.yaml', privilegedPod('other'));
    folder.commit('other');
    const check = await run(folder, ['check', '--quiet']);
    expect(check.status).toBe(1);
    expect(check.out).toContain('securityContext.privileged must not be true: container agent');
    expect(await run(folder, ['test', 'policies', '--quiet'])).toMatchObject({ status: 0 });
  });

  it('adds several policies', async (context) => {
    const folder = repository(context, { 'apps/good.yaml': configMap('good', 1) });
    await run(folder, ['init', '--with', 'best-practices', '--with', 'pod-security', '--yes']);
    const folders = ['best-practices', 'pod-security'];
    expect(folders.map((name) => folder.git('ls-files', '--others', `policies/${name}`) !== '')).toEqual([true, true]);
  });

  it('uses the release and the controller that the repository names', async (context) => {
    const folder = repository(context, { 'clusters/app.yaml': APPLICATION, 'clusters/kind.yaml': kind('v1.34.2') });
    const { out } = await run(folder, ['init', '--yes', '--owner', 'team-shop']);
    expect(out).toContain('Applied by: Argo CD (1 Application)\n');
    expect(read(folder, '.preadmit.yaml').split('\n').slice(1).join('\n')).toBe(`# From clusters/kind.yaml.
kubernetesVersion: "1.34"
# Argo CD applies this repository, so policies see this user in the request.
user:
  username: system:serviceaccount:argocd:argocd-application-controller
`);
    folder.commit('init');
    expect((await run(folder, ['check', '--format', 'json'])).out).toContain('"kubernetesVersion": "1.34"');
  });

  it('leaves the choice of several releases to the user, and rejects unknown ones', async (context) => {
    const files = { 'a.yaml': kind('v1.34.2'), 'b.yaml': kind('v1.35.0'), 'c.yaml': kind('v1.99.0') };
    const { out } = await run(repository(context, files), ['init']);
    expect(out).toContain('Kubernetes: 1.34 (a.yaml), 1.35 (b.yaml)\n  Several releases found');
    expect(out).not.toContain('kubernetesVersion:');
  });

  it.for([
    ['a plan for K3s', plan('v1.34.2+k3s1'), '1.34'],
    ['a plan for an operating system', plan('v1.34.2'), undefined],
    ['an upgrade by tuppr', upgrade('v1.34.2'), '1.34'],
    ['talhelper', 'clusterName: home\ntalosVersion: v1.12.0\nkubernetesVersion: v1.34.2\n', '1.34'],
  ] as const)('finds the release of %s', async ([, text, release], context) => {
    const { out } = await run(repository(context, { 'release.yaml': text }), ['init']);
    expect(out).toContain(`Kubernetes: ${release === undefined ? 'no release found' : `${release} (release.yaml)`}`);
  });

  it('lists errors that a baseline cannot accept', async (context) => {
    const broken = sizePolicy().replace(/expression: .*/, 'expression: object.(');
    const { out } = await run(repository(context, { ...DENIED, 'policies/size.yaml': broken }), ['init']);
    expect(out).toMatch(
      /`preadmit check` exits with 1 and ends with this line:\n {2}Denied: 1 error.*\nThe proposed baseline does not accept these errors, so fix them first:\n {2}policies\/size.yaml:\d+ /,
    );
  });

  it('overwrites nothing, and lists the missing lines', async (context) => {
    const files = {
      ...DENIED,
      'kind.yaml': kind('v1.34.2'),
      '.preadmit.yml': 'failOn: warn\n',
      '.github/workflows/preadmit.yaml': 'on: push\n',
      '.pre-commit-config.yaml': 'repos: []\n',
      '.preadmit-baseline.yaml': 'version: 1\nentries: []\n',
      'policies/pod-security/baseline.yaml': '# ours\n',
    };
    const folder = repository(context, files);
    const { out } = await run(folder, ['init', '--yes', '--owner', 'team-shop', '--with', 'pod-security']);
    for (const [path, text] of Object.entries(files)) expect(read(folder, path)).toBe(text);
    expect(out).toContain('.preadmit.yaml already exists and is not changed. Make sure it contains');
    expect(out).toContain('  kubernetesVersion: "1.34"\n');
    expect(out).toContain('`preadmit baseline --update` adds missing entries');
    expect(out).toContain('policies/pod-security/baseline.yaml already exists and is not changed\n');
    expect(folder.git('ls-files', '--others').split('\n')).not.toContain('.preadmit.yaml');
  });

  it('does not write through links', async (context) => {
    const folder = repository(context, { 'apps/good.yaml': configMap('good', 1) });
    const other = repository(context, { 'a.yaml': 'a: 1\n' });
    symlinkSync(other.path, join(folder.path, '.github'));
    expect(await run(folder, ['init', '--yes'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('`.github` is a symbolic link'),
    });
    expect(other.git('status', '--porcelain')).toBe('');
  });

  it.for([
    [['init', 'apps'], 'takes no paths'],
    [['init', '--with', 'everything'], '`everything` is not a valid value for `--with`'],
  ] as const)('%j is told', async ([args, message], context) => {
    expect(await run(repository(context, DENIED), args)).toMatchObject({
      status: 2,
      err: expect.stringContaining(message),
    });
  });
});

it('each command of docs/getting-started.md does what the page says', async (context) => {
  const page = readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8');
  // The first command installs the program.
  const commands = [...page.matchAll(/^(preadmit|git) (?!clone)([^#\n]*)/gm)].map(([, program, rest]) => ({
    program,
    args: (rest ?? '').trim().split(/ +/),
  }));
  expect(commands).toHaveLength(5);
  const folder = repository(context, { 'apps/agent.yaml': privilegedPod('agent') });
  folder.git('config', 'user.email', 'jane@example.com');
  for (const { program, args } of commands) {
    if (program === 'git') folder.git(...args);
    else expect(await run(folder, args, 'y'), args.join(' ')).toMatchObject({ status: 0 });
  }
  expect(read(folder, '.preadmit-baseline.yaml')).toContain('owner: "jane@example.com"');
});

describe('proposals match the documentation', () => {
  it('as workflow', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(proposedWorkflow('main'));
  });

  it('as hook', () => {
    expect(readFileSync(join(ROOT, 'docs/pre-commit.md'), 'utf8')).toContain(proposedHooks('0.1.0'));
  });
});

describe('what the repository names but does not contain', () => {
  const release = (name: string, host: string): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ${name}, namespace: apps}
spec: {chart: {spec: {chart: shop, version: 1.2.0, sourceRef: {kind: HelmRepository, name: ${name}}}}, values: {size: 9}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: ${name}, namespace: apps}
spec: {url: https://${host}}
`;
  const files = {
    'policies/size.yaml': sizePolicy(),
    'a.yaml': release('a', 'charts.example.com'),
    'b.yaml': release('b', 'other.example.com'),
    'overlay/kustomization.yaml': 'resources: ["https://github.com/acme/bases//web?ref=v1"]\n',
  };

  it('is counted, and not fetched', async (context) => {
    const transport: Transport = () => Promise.reject(new Error('no request is expected'));
    const { out } = await runWith({ transport }, repository(context, files), ['init']);
    expect(out).toContain(
      'Not in the repository: 2 charts from 2 hosts, 1 base from 1 host; to download, now and in later checks: `preadmit init --fetch charts,bases`\n',
    );
    expect(out).not.toContain('+fetch:');
  });

  it('is fetched if the user agrees', async (context) => {
    const requests: string[] = [];
    const transport: Transport = async ({ url }) => {
      requests.push(url);
      return { status: 404, headers: {}, body: new Uint8Array() };
    };
    const folder = repository(context, files);
    const refused = await runWith({ transport }, folder, ['init'], 'n', 'n');
    expect(refused.err).toMatch(/^Not in the repository: 2 charts from 2 hosts, .* Download them, .*\nWrite /);
    expect(requests).toEqual([]);
    const agreed = await runWith({ transport }, folder, ['init'], 'y', 'y');
    expect(agreed).toMatchObject({ status: 0, err: expect.stringMatching(/Download them.*\nWrite \d files/) });
    expect(requests).toContain('https://charts.example.com/index.yaml');
    expect(read(folder, '.preadmit.yaml')).toContain('fetch: [charts, bases]\n');
  });

  it('is fetched with `--fetch`, and its findings are in the baseline', async (context) => {
    const archive = chartArchive({
      'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.2.0\n',
      'templates/a.yaml': configMap('fetched', 1).replace(/size: .*/, 'size: "{{ .Values.size }}"'),
    });
    const transport: Transport = async ({ url }) => {
      const isIndex = url.endsWith('/index.yaml');
      const body = isIndex ? 'entries: {shop: [{version: 1.2.0, urls: [shop.tgz]}]}' : archive;
      return { status: 200, headers: {}, body: typeof body === 'string' ? new TextEncoder().encode(body) : body };
    };
    const folder = repository(context, files);
    await runWith({ transport }, folder, ['init', '--yes', '--fetch', 'charts']);
    expect(read(folder, '.preadmit.yaml')).toContain('fetch: [charts]\n');
    expect(read(folder, '.preadmit-baseline.yaml')).toContain('fetched');
  });
});

describe('the audit workflow', () => {
  it.for(['issue', 'page'] as const)(
    'is proposed with `--audit %s`, and takes over the schedule',
    async (what, context) => {
      const folder = repository(context, { 'policies/size.yaml': sizePolicy(), 'apps/a.yaml': configMap('a', 1) });
      const { status } = await run(folder, ['init', '--owner', 'team-shop', '--audit', what, '--yes']);
      expect(status).toBe(0);
      const read = (name: string): string => readFileSync(join(folder.path, '.github/workflows', name), 'utf8');
      expect(read('preadmit.yaml')).not.toContain('schedule');
      const audit = parse(read('preadmit-audit.yaml')) as Record<string, unknown>;
      expect(Object.keys(audit['jobs'] as object)).toEqual(what === 'page' ? ['audit', 'page'] : ['audit']);
      expect(read('preadmit-audit.yaml').includes('pages')).toBe(what === 'page');
      // Without GitHub Pages, the audit still runs.
      expect(read('preadmit-audit.yaml').match(/configure-pages@v\d+\n *continue-on-error: true/g) ?? []).toHaveLength(
        what === 'page' ? 1 : 0,
      );
      expect(read('preadmit-audit.yaml')).toContain('history: branch:preadmit-audit');
    },
  );
});
