// Golden cases of external policies and manifests, through the command line, and the sources that apply to a pull request.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Transport } from '../src/workspace/network/transport.ts';
import { expectGolden } from './support/bless.ts';
import { FakeRegistry, npmArchive, tarLayer } from './support/fake-registry.ts';
import { GitFolder } from './support/git-fixture.ts';
import { runPrinted } from './support/printed.ts';
import { configMap, sizePolicy } from './support/workspace.ts';

interface RunOptions {
  readonly input?: string;
  readonly transport?: Transport;
  readonly tokens?: string;
}

function run(directory: string, args: readonly string[], { input, transport, tokens }: RunOptions = {}) {
  return runPrinted(directory, args, {
    ...(input !== undefined && { input }),
    ...(transport && { transport }),
    policySourceTokens: tokens,
  });
}

const CASES = join(import.meta.dirname, 'cases/sources');

describe('cases', () => {
  it.each(readdirSync(CASES).sort())('%s', async (name) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-sources-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(CASES, name), folder, { recursive: true });
    const repository = join(folder, 'repository');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: repository });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message=all');
    const input = existsSync(join(folder, 'input')) ? readFileSync(join(folder, 'input'), 'utf8') : '';
    const args = readFileSync(join(folder, 'command'), 'utf8').trim().split(' ');
    const { status, out, err } = await run(repository, [...args, '--show-skipped'], { input });
    const printed = `${out}${err}exit ${status}\n`.replaceAll(folder, '<folder>');
    expectGolden(join(CASES, name, 'expected.txt'), printed);
  });
});

describe('a pull request', () => {
  let registry: FakeRegistry;
  beforeAll(async () => {
    registry = await FakeRegistry.start();
  });
  afterAll(() => registry.close());

  const policies = (limit: number): Record<string, string> => ({
    'size.yaml': sizePolicy({ message: `size is at most ${limit}` }).replace('<= 3', `<= ${limit}`),
  });

  function artifact(limit: number, name = 'acme/policies'): string {
    return registry.oci(name, [tarLayer(policies(limit))]);
  }

  function configuration(oci: string, more = ''): string {
    return `policySources:\n  platform:\n    oci: ${oci}\n${more}`;
  }

  /** A ConfigMap of size 5 in base and head. `base` and `head` are configurations. */
  async function compare(
    base: string | undefined,
    head: string | undefined,
    options: { readonly size?: number; readonly args?: readonly string[] } = {},
  ) {
    const folder = new GitFolder();
    onTestFinished(() => folder.remove());
    folder.write('apps/cache.yaml', configMap('cache', 5));
    if (base !== undefined) folder.write('.preadmit.yaml', base);
    const before = folder.commit();
    folder.removeFile('.preadmit.yaml');
    if (head !== undefined) folder.write('.preadmit.yaml', head);
    folder.write('apps/cache.yaml', configMap('cache', options.size ?? 5)).write('apps/note.yaml', '# words\n');
    const after = folder.commit();
    registry.requests.length = 0;
    const args = ['diff', before, after, '--format', 'json', ...(options.args ?? [])];
    const { status, out, err } = await run(folder.path, args, { transport: registry.transport });
    return { status, err, report: out === '' ? undefined : JSON.parse(out), requests: [...registry.requests] };
  }

  it('is evaluated with the pin of base, and reports the effect of the new one', async () => {
    const pin = artifact(9);
    const { status, report } = await compare(configuration(pin), configuration(artifact(3)));
    expect(report.policySources).toEqual([{ name: 'platform', version: pin.split('@')[1] }]);
    expect(status).toBe(0);
    expect(report.verdict.conclusion).toBe('allowed');
    expect(report.findings).toEqual([]);
    expect(report.blastRadius).toMatchObject({
      denied: 1,
      worse: 1,
      causes: [{ resource: { name: 'size-limit' }, change: 'updated', path: 'platform//size.yaml' }],
      entries: [{ before: 'allowed', after: 'denied', primary: { path: 'apps/cache.yaml', startLine: 7 } }],
    });
    // The pull request changes the pin, so the warning is on its line.
    expect(report.diagnostics).toMatchObject([
      { code: 'stricter-rule', primary: { path: '.preadmit.yaml', startLine: 3 } },
    ]);
    expect(report.comparison.notices.join('\n')).toMatch(
      /the policy source `platform` changes from sha256:\w+ to sha256:\w+/,
    );
  });

  it('cannot weaken its own policies', async () => {
    const { status, report } = await compare(configuration(artifact(9)), configuration(artifact(50)), { size: 20 });
    expect(status).toBe(1);
    expect(report.findings).toMatchObject([{ message: 'size is at most 9', related: expect.anything() }]);
    expect(report.findings[0].related[0].place.path).toBe('platform//size.yaml');
  });

  it('cannot remove a source for itself', async () => {
    const { status, report } = await compare(configuration(artifact(9)), undefined, { size: 20 });
    expect(status).toBe(1);
    expect(report.comparison.notices).toContain('the policy source `platform` is removed');
  });

  it('does not make anyone contact a host that base does not name', async () => {
    const { status, report, requests } = await compare(
      configuration(artifact(9)),
      configuration(artifact(50, 'evil/policies').replace('registry.test', 'evil.test')),
      { size: 20 },
    );
    expect(status).toBe(1);
    expect(requests.filter(({ url }) => url.startsWith('evil.test'))).toEqual([]);
    expect(report.comparison.notices.join('\n')).toContain(
      '(evil.test/evil/policies) is new in this change: it is not read',
    );
  });

  it('announces a first source for the next change', async () => {
    const { report, requests } = await compare(undefined, configuration(artifact(3)));
    expect(requests).toEqual([]);
    expect(report.comparison.notices.join('\n')).toContain('is new in this change');
  });

  it.each(['head', 'both'])('uses its own sources if base sets `policiesFrom: %s`', async (from) => {
    const base = configuration(artifact(9), `policiesFrom: ${from}\n`);
    const { status, report } = await compare(base, configuration(artifact(3, 'acme/other'), `policiesFrom: ${from}\n`));
    expect(status).toBe(1);
    expect(report.findings).toMatchObject([{ message: 'size is at most 3' }]);
  });

  it('reads an unchanged pin once', async () => {
    const same = configuration(artifact(9));
    const { status, report, requests } = await compare(same, `${same}failOn: warn\n`);
    expect(status).toBe(0);
    expect(report.comparison.scope).toBe('changes');
    expect(requests.filter(({ url }) => url.includes('/manifests/'))).toHaveLength(1);
  });

  it.each([
    ['base', 9, 3],
    ['head', 3, 9],
  ])('fails when the pin of %s cannot be read', async (state, base, head) => {
    const missing = `registry.test/acme/policies@sha256:${'0'.repeat(64)}`;
    const [before, after] = state === 'base' ? [missing, artifact(head)] : [artifact(base), missing];
    const { status, err, report } = await compare(configuration(before), configuration(after));
    expect([status, report]).toEqual([2, undefined]);
    expect(err).toContain(
      'preadmit: the policy source `platform` (registry.test/acme/policies) does not exist: `registry.test` responded with status 404',
    );
  });

  it('works with an npm package, from the command line', async () => {
    const integrity = registry.npm('@acme/policies', '1.2.3', npmArchive(policies(3)));
    const source = `npm:@acme/policies@1.2.3#${integrity}`;
    const folder = new GitFolder();
    onTestFinished(() => folder.remove());
    folder.write('apps/cache.yaml', configMap('cache', 5)).commit();
    const toRegistry: Transport = ({ url, ...request }) =>
      registry.transport({ ...request, url: url.replace('registry.npmjs.org', 'npm.test') });
    const { status, out } = await run(folder.path, ['check', '--policy-sources', source], { transport: toRegistry });
    expect(status).toBe(1);
    expect(out).toContain('see policies//size.yaml:');
  });
});

describe('standard input', () => {
  it('is limited in size, and cannot be combined', async () => {
    const folder = new GitFolder();
    onTestFinished(() => folder.remove());
    folder.write('policies/size.yaml', sizePolicy()).commit();
    const input = `# ${' '.repeat(21 * 1024 * 1024)}`;
    expect(await run(folder.path, ['check', '-'], { input })).toEqual({
      status: 2,
      out: '',
      err: 'preadmit: standard input is longer than 20 MiB\n  help: write it to files in a folder and check the folder\n',
    });
    for (const more of [['policies'], ['--shard', '1/2']]) {
      const { status, err } = await run(folder.path, ['check', '-', ...more]);
      expect([status, err]).toEqual([
        2,
        'preadmit: `-` (standard input) cannot be combined with other paths or `--shard`\n',
      ]);
    }
  });
});

describe('two folders', () => {
  it('give the same result as two commits with the same files', async () => {
    const folder = new GitFolder();
    onTestFinished(() => folder.remove());
    const states = [
      { 'a/policy.yaml': sizePolicy(), 'b/one.yaml': configMap('one', 2), 'b/two.yaml': configMap('two', 9) },
      {
        'a/policy.yaml': sizePolicy().replace('<= 3', '<= 1'),
        'b/one.yaml': configMap('one', 2),
        'c/new.yaml': configMap('new', 9),
      },
    ];
    const commits = states.map((files) => {
      for (const name of ['a', 'b', 'c']) folder.createFolder(name);
      for (const name of ['a', 'b', 'c']) folder.removeFolder(name);
      for (const [path, text] of Object.entries(files)) folder.write(path, text);
      return folder.commit();
    });
    const elsewhere = new GitFolder();
    onTestFinished(() => elsewhere.remove());
    for (const [index, files] of states.entries()) {
      for (const [path, text] of Object.entries(files)) elsewhere.write(`${index}/${path}`, text);
    }
    const report = async (directory: string, args: readonly string[]) => {
      const { status, out } = await run(directory, ['diff', ...args, '--format', 'json']);
      const { comparison, ...rest } = JSON.parse(out);
      return { status, ...rest, comparison: { ...comparison, base: 'base', head: 'head' } };
    };
    const ofCommits = await report(folder.path, commits);
    expect(ofCommits.status).toBe(1);
    expect(await report(elsewhere.path, ['--base-dir', '0', '--head-dir', '1'])).toEqual(ofCommits);
  });

  it('must both be given, and without commits', async () => {
    const folder = new GitFolder();
    onTestFinished(() => folder.remove());
    folder.write('a/x.yaml').commit();
    for (const args of [
      ['--base-dir', 'a'],
      ['--head-dir', 'a'],
      ['--base-dir', 'a', '--head-dir', 'a', 'HEAD'],
    ]) {
      expect(await run(folder.path, ['diff', ...args])).toMatchObject({
        status: 2,
        err: 'preadmit: `--base-dir` and `--head-dir` must be used together, and without commits or paths\n',
      });
    }
    expect(await run(folder.path, ['diff', '--base-dir', 'a', '--head-dir', 'a/x.yaml'])).toMatchObject({
      status: 2,
      err: 'preadmit: folder `a/x.yaml` does not exist\n  help: paths are relative to the working directory\n',
    });
  });
});

describe('locations in a source', () => {
  it('are part of the message in formats that only know files of the repository', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-sources-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['folder', 'broken']) {
      cpSync(join(CASES, name), join(folder, name), { recursive: true });
      execFileSync('git', ['init', '--quiet'], { cwd: join(folder, name, 'repository') });
      execFileSync('git', ['add', '--all'], { cwd: join(folder, name, 'repository') });
    }
    const report = async (name: string, format: string): Promise<string> =>
      (await run(join(folder, name, 'repository'), ['check', '--format', format])).out;
    const sarif = JSON.parse(await report('folder', 'sarif')).runs[0];
    expect(sarif.results[0].message.text).toContain('platform//policies/replicas.yaml:13');
    expect(sarif.results[0].relatedLocations).toBeUndefined();
    for (const name of ['folder', 'broken']) {
      const { runs } = JSON.parse(await report(name, 'sarif'));
      expect(JSON.stringify(runs[0].results)).not.toContain('"uri":"platform');
      expect(
        JSON.parse(await report(name, 'gitlab')).filter(({ location }: { location: { path: string } }) =>
          location.path.includes('//'),
        ),
      ).toEqual([]);
      expect(await report(name, 'github')).not.toContain('file=platform');
      expect(await report(name, 'junit')).not.toContain('file="platform');
      expect(await report(name, 'rdjson')).not.toContain('"path": "platform');
    }
    const broken = JSON.parse(await report('broken', 'sarif')).runs[0];
    expect(JSON.stringify(broken.invocations)).toContain('at platform//torn.yaml:');
    expect(await report('broken', 'github')).toContain('%0Aat platform//replicas.yaml:');
  });
});
