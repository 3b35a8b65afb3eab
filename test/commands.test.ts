// The commands on a repository on disk: output, written files and exit codes.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { COMMANDS } from '../src/door/cli/options/command-table.ts';
import type { PolicySummary, Report } from '../src/report/report.ts';
import { GitFolder } from './support/git-fixture.ts';
import { runPrinted } from './support/printed.ts';
import { configMap, createWorkspace, repository, sizePolicy } from './support/workspace.ts';

const TERMS = ['--owner', 'team-shop', '--reason', 'before the policy', '--expires', '2027-03-31'];

function run(directory: string, args: readonly string[], today = '2026-11-21', lines: readonly string[] = []) {
  return runPrinted(directory, args, { today, input: lines.join('\n'), now: () => performance.now() });
}

function workspace({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, denied: number): string {
  const { folder, remove } = createWorkspace(repository(denied));
  onTestFinished(remove);
  return folder;
}

test('equal results give equal JUnit files', async (context) => {
  const folder = workspace(context, 1);
  const { out } = await run(folder, ['check', '--format', 'junit']);
  expect(new Set(out.match(/ time="[^"]*"/g))).toEqual(new Set([' time="0.000"']));
});

const SHOP = join(import.meta.dirname, '../examples/shop');
const BASELINE = '.preadmit-baseline.yaml';

test('a baseline is written, applied, expires and is pruned', async (context) => {
  const folder = workspace(context, 2);
  expect(await run(folder, ['baseline'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('there is no baseline'),
  });
  expect(await run(folder, ['baseline', '--update'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('--owner'),
  });
  expect(await run(folder, ['baseline', '--update', ...TERMS])).toEqual({
    status: 0,
    out: '0 entries: 0 unused, 0 expired\n2 findings not in the baseline\nwrote 2 entries to .preadmit-baseline.yaml\n',
    err: '',
  });
  expect(await run(folder, ['check', '--quiet'])).toMatchObject({
    status: 0,
    out: 'Allowed: nothing to report, of 3 resources; 2 findings accepted\n',
  });
  expect((await run(folder, ['check', '--quiet'], '2027-04-01')).status).toBe(1);

  const before = readFileSync(join(folder, BASELINE), 'utf8');
  const later = [...TERMS.slice(0, -1), '2027-12-31'];
  const renewed = await run(folder, ['baseline', '--update', ...later], '2027-04-01');
  expect(renewed).toMatchObject({ status: 1, out: expect.stringContaining('0 unused, 2 expired') });
  expect(readFileSync(join(folder, BASELINE), 'utf8')).toBe(before);

  execFileSync('git', ['rm', '-q', 'apps/large-000.yaml'], { cwd: folder });
  expect(await run(folder, ['baseline'])).toMatchObject({
    status: 1,
    out: expect.stringContaining('unused: size-limit'),
  });
  expect(await run(folder, ['baseline', '--prune'])).toMatchObject({
    status: 0,
    out: expect.stringContaining('wrote 1 entry'),
  });
  expect(await run(folder, ['baseline'])).toMatchObject({
    status: 0,
    out: '1 entry: 0 unused, 0 expired\n0 findings not in the baseline\n',
  });
});

test('one command accepts existing violations of objects', async (context) => {
  const folder = workspace(context, 1);
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    execFileSync('git', ['add', name], { cwd: folder });
  };
  write('unknown.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndta: {size: "1"}\ndata: {size: "1"}\n');
  write('invalid.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A_}\ndata: {size: "1"}\n');
  write('refused.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {size: 1}\n');
  write('unserved.yaml', 'apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: c}\n');
  expect((await run(folder, ['check'])).status).toBe(1);
  expect(await run(folder, ['baseline', '--update', ...TERMS])).toMatchObject({
    status: 0,
    out: expect.stringContaining('wrote 5 entries to .preadmit-baseline.yaml'),
  });
  expect(await run(folder, ['check', '--quiet'])).toMatchObject({
    status: 0,
    out: expect.stringContaining('1 finding and 4 problems accepted'),
  });
  expect(await run(folder, ['baseline'])).toMatchObject({
    status: 0,
    out: '5 entries: 0 unused, 0 expired\n0 findings not in the baseline\n',
  });
});

test('one command accepts a finding in every cluster', async (context) => {
  const folder = workspace(context, 0);
  cpSync(join(import.meta.dirname, 'cases/render/one-base-in-clusters-of-one-layout'), folder, { recursive: true });
  execFileSync('git', ['add', '.'], { cwd: folder });
  expect(await run(folder, ['baseline', '--update', ...TERMS])).toMatchObject({
    out: '0 entries: 0 unused, 0 expired\n2 findings not in the baseline\nwrote 2 entries to .preadmit-baseline.yaml\n',
  });
  expect(await run(folder, ['check', '--quiet'])).toMatchObject({
    status: 0,
    out: expect.stringContaining('1 finding accepted'),
  });
});

test('an invalid baseline is neither written nor used', async (context) => {
  const folder = workspace(context, 1);
  const wrong = ['baseline', '--update', '--owner', 'a', '--reason', 'b', '--expires', 'soon'];
  expect(await run(folder, wrong)).toMatchObject({ status: 2, err: expect.stringContaining('`soon` is not a date') });
  writeFileSync(join(folder, BASELINE), 'entries: [{policy: a}]\n');
  expect(await run(folder, ['check'])).toMatchObject({ status: 2, out: expect.stringContaining('needs `expires`') });
  expect(await run(folder, ['baseline'])).toMatchObject({ status: 2, out: expect.stringContaining('needs `expires`') });
});

test('shards are written and merged, with any result', async (context) => {
  const folder = workspace(context, 4);
  const whole = await run(folder, ['check', '--format', 'json']);
  mkdirSync(join(folder, 'shards'));
  for (const index of [1, 2, 3]) {
    const file = join(folder, `shards/${index}.json`);
    expect((await run(folder, ['check', '--shard', `${index}/3`, '--format', `json=${file}`])).status).toBe(0);
  }
  expect(await run(folder, ['merge', 'shards', '--format', 'json'])).toEqual(whole);
  expect(await run(folder, ['merge', 'shards/1.json', 'shards/2.json'])).toMatchObject({
    status: 2,
    err: 'preadmit: 1 of 3 shards are missing, the first is 3/3\n',
  });
  expect(await run(folder, ['merge', 'apps/good.yaml', 'nowhere.json'])).toMatchObject({
    status: 2,
    err: 'preadmit: `apps/good.yaml` is not JSON\npreadmit: `nowhere.json` cannot be read\n',
  });
  expect((await run(folder, ['merge'])).status).toBe(2);
  expect(await run(folder, ['check', '--shard', '4/3'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('`4/3` is not a shard'),
  });
});

test.each([
  ["'a' + 'b'", 0, 'value  {"string":"ab"}'],
  ['false', 0, 'value  {"bool":false}'],
  ['1+', 1, 'Syntax error: mismatched input'],
  ['nowhere', 1, "undeclared reference to 'nowhere'"],
  ['1/0', 1, 'error  division by zero'],
])('cel exits with the result of %s', async (expression, status, out) => {
  expect(await run('.', ['cel', expression])).toEqual({ status, out: expect.stringContaining(out), err: '' });
});

test('cel answers a batch, and exits with 2 for an invalid line', async () => {
  const requests = ['{"expr": "1+"}', '', '{"expr": "v", "vars": {"v": 2}, "kubernetes": "1.30"}'];
  const answered = await run('.', ['cel', '--batch'], undefined, requests);
  expect(answered.status).toBe(0);
  expect(answered.out.split('\n')).toEqual([
    expect.stringContaining('"compileError"'),
    '{"type":"dyn","value":{"int":"2"},"cost":1}',
    '',
  ]);
  expect(await run('.', ['cel', '--batch'], undefined, ['1', '{"expr": "1", "kubernetes": "1.99"}'])).toMatchObject({
    status: 2,
    out:
      '{"inputError":"expected a JSON object with the string `expr`"}\n' +
      '{"inputError":"`1.99` is not supported: expected a version from 1.28 to 1.37"}\n',
  });
  expect((await run('.', ['cel', '--batch', '1'])).err).toContain('unexpected `1`');
});

test.each([
  [['cel', '1', '--kubernetes-version', '1.99'], '`1.99` is not supported: expected a version from 1.28 to 1.37'],
  [['check', '--kubernetes-version', 'next'], '`next` is not a Kubernetes version: expected one from 1.28 to 1.37'],
  [['review', '--policies', '.', '--kubernetes-version', '1.2'], '`1.2` is not supported'],
  [['chekc'], 'unknown command `chekc`: did you mean `check`?'],
  [['apps/web.yaml'], 'unknown command `apps/web.yaml`: to check files, `preadmit check apps/web.yaml`'],
  [['--format=json'], '`--format=json` is an option of a command: `preadmit check --format=json …`'],
  [['--verison'], 'unknown option `--verison`: did you mean `--version`?'],
  [['help', 'nothing'], 'unknown command `nothing`: see `preadmit --help`'],
  [['check', '-q'], 'unknown option `-q`: see `preadmit --help`'],
])('%j is rejected', async (args, problem) => {
  expect(await run('.', args)).toEqual({ status: 2, out: '', err: expect.stringContaining(`preadmit: ${problem}`) });
});

test.each(COMMANDS)(
  '$name has a help page with its options and exit codes',
  async ({ name, usage, options, exits }) => {
    const help = await run('.', [name, '--help']);
    expect(help.status).toBe(0);
    expect(help.out).toContain(`preadmit ${usage}\n`);
    for (const option of options) expect(help.out).toContain(`\n  --${option.name} `);
    for (const [status, meaning] of exits) expect(help.out).toContain(`\n  ${status}  ${meaning}`);
    expect(await run('.', [name, '-h'])).toEqual(help);
    expect(await run('.', ['help', name])).toEqual(help);
    expect((await run('.', [])).out).toContain(`\n  preadmit ${usage.replace(' [options]', '')} `);
  },
);

test.each([
  ['.preadmit.yaml', 'failOn: sometimes\n', 1],
  ['.preadmit.yaml', 'failOn: sometimes\nkubernetesVersion: "9.9"\n', 2],
  [BASELINE, 'entries: [{policy: a}]\n', 4],
])('an invalid input file is reported: %s, %j', async (path, written, errors) => {
  const { folder, remove } = createWorkspace({ ...repository(1), [path]: written });
  onTestFinished(remove);
  const { status, out } = await run(folder, ['check']);
  expect(status).toBe(2);
  expect(out).toMatch(new RegExp(`\\n\\nNothing checked: \`${path}\` cannot be used \\(${errors} errors?\\)\\n$`));
  expect(out).not.toContain('0 documents found');
  const report = JSON.parse((await run(folder, ['check', '--format', 'json'])).out) as object;
  expect(report).toMatchObject({ unusable: path, verdict: { conclusion: 'nothing-checked', errors }, findings: [] });
  expect((await run(folder, ['check', '--format', 'markdown'])).out).toMatch(
    /^## ⚠️ Admission policies: nothing was checked, as `.*` cannot be used\n/,
  );
});

test('policies and bindings of one name multiply, and their diagnostics do not', async () => {
  // Identical copies are counted once.
  const policy = (index: number): string =>
    sizePolicy({ name: 'same', message: `size is at most ${index}` }).replace(
      'validationActions: [Deny]',
      `validationActions: [Deny]\n  matchResources: {objectSelector: {matchExpressions: [{key: n${index}, operator: DoesNotExist}]}}`,
    );
  const policies = Array.from({ length: 40 }, (_, index) => policy(index)).join('---\n');
  const { folder, remove } = createWorkspace({
    'policies.yaml': policies,
    'apps.yaml': ['one', 'two'].map((name) => configMap(name, 9)).join('---\n'),
  });
  onTestFinished(remove);
  const headline = 'Denied: 2 denied, 10 errors, of 2 resources; 2800 findings more than a report lists';
  const { status, out } = await run(folder, ['check']);
  expect(status).toBe(1);
  expect(out.trimEnd().split('\n').at(-1)).toBe(headline);
  expect(out).toContain('  300 more in this file\n\n');
  expect(out).toContain('ConfigMap default/one');
  expect(out).toContain('ConfigMap default/two');
  expect((await run(folder, ['check', '--format', 'markdown'])).out).toMatch(
    /^## ❌ Admission policies: 2 objects would be denied, 10 errors, 2800 findings more than a report lists\n/,
  );
  const report = JSON.parse((await run(folder, ['check', '--format', 'json'])).out) as Report;
  expect(report.findings.length).toBe(400);
  expect(report.unlisted).toEqual({ error: 2800, warning: 0, notice: 0 });
  expect(report.targets[0]?.policies.map(({ denied }) => denied)).toEqual(Array.from({ length: 40 }, () => 80));
});

test('outside Git, the given folder is checked, with paths from the working directory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-plain-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(repository(1))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const last = async (...args: string[]): Promise<string | undefined> =>
    (await run(folder, ['check', ...args])).out.trimEnd().split('\n').at(-1);
  expect(await last()).toBe('Denied: 1 denied, of 2 resources');
  expect(await last('apps', 'policies')).toBe('Denied: 1 denied, of 2 resources');
  expect(await last('apps', '--policies', 'policies/**')).toBe('Denied: 1 denied, of 2 resources');
  expect((await run(folder, ['check', 'apps', '--policies', 'policies'])).out).toMatch(/^apps\/large-000.yaml\n/);
  expect(await last('apps')).toBe('Nothing checked: no policy was found');
  expect(await last('policies')).toBe('Nothing checked: no resource to evaluate');
  expect(await run(folder, ['check', '/'])).toEqual({
    status: 2,
    out: '',
    err:
      'preadmit: `/` is the root of the file system and not in a Git repository\n' +
      '  help: give the folder that contains the manifests\n',
  });
});

test('cel binds the first object of a file, and its CREATE request', async (context) => {
  const folder = workspace(context, 1);
  const of = (expression: string, file = 'apps/good.yaml') => run(folder, ['cel', expression, '--object', file]);
  expect((await of('request.operation + " " + request.resource.resource + " " + request.name')).out).toContain(
    'value  {"string":"CREATE configmaps good"}\n',
  );
  expect((await of('object.data.size')).out).toContain('value  {"string":"1"}\n');
  expect(await of('1', 'nowhere.yaml')).toEqual({
    status: 2,
    out: '',
    err: 'preadmit: cannot read `nowhere.yaml`: no such file or folder\n',
  });
  expect((await of('1', 'apps')).err).toBe('preadmit: cannot read `apps`: it is a folder\n');
  writeFileSync(join(folder, 'typo.yaml'), configMap('typo', 1).replace('\ndata:', '\ndta:'));
  expect((await of('has(object.dta)', 'typo.yaml')).err).toMatch(/^preadmit: typo.yaml:6: .* unknown field "dta"\n$/);
});

test.each([
  [['--format', 'json='], '`--format json=` is missing the file name'],
  [['--format', 'json=nowhere/report.json'], 'cannot write the report `nowhere/report.json`: no such file'],
  [['--output', '.'], 'cannot write the report `.`: it is a folder'],
])('%j cannot be written', async (args, problem) => {
  const { folder, remove } = createWorkspace(repository(1));
  onTestFinished(remove);
  expect(await run(folder, ['check', ...args])).toMatchObject({ status: 2, err: expect.stringContaining(problem) });
});

test('invalid options are rejected before any work', async (context) => {
  const folder = workspace(context, 1);
  const past = [...TERMS.slice(0, -1), '2026-11-20'];
  expect(await run(folder, ['baseline', '--update', ...past])).toMatchObject({
    status: 2,
    err: 'preadmit: `--expires 2026-11-20` is in the past: the new entries would be expired\n',
  });
  expect(await run(folder, ['diff', 'HEAD', 'HEAD', 'nowhere', 'apps'])).toEqual({
    status: 2,
    out: '',
    err:
      'preadmit: neither commit contains a file or folder `nowhere`\n' +
      '  help: paths are relative to the working directory\n',
  });
  expect((await run(join(folder, 'apps'), ['diff', 'HEAD', 'HEAD', 'good.yaml', '../policies'])).status).toBe(0);
  mkdirSync(join(folder, '.preadmit.yaml'));
  expect(await run(folder, ['check'])).toMatchObject({
    status: 2,
    err: 'preadmit: the configuration `.preadmit.yaml` cannot be read: it is a folder or a device\n',
  });
});

test('diff compares two commits of the given checkout', async (context) => {
  const folder = new GitFolder();
  context.onTestFinished(() => folder.remove());
  for (const [path, text] of Object.entries(repository(1))) folder.write(path, text);
  const base = folder.commit();
  folder.write('apps/new.yaml', configMap('new', 7)).commit();
  // Uncommitted files are ignored.
  folder.write('apps/later.yaml', configMap('later', 8));
  const here = await run(folder.path, ['diff', base, 'HEAD']);
  expect([here.status, here.err]).toEqual([1, '']);
  expect(here.out).toContain('ConfigMap default/new: size is at most 3');
  expect(here.out).toContain('Denied: 1 denied, of 1 resource');
  expect(await run(tmpdir(), ['diff', base, 'HEAD', folder.path])).toEqual(here);
  expect((await run(folder.path, ['diff', 'HEAD', 'HEAD'])).status).toBe(0);
  const whole = await run(folder.path, ['diff', base, 'HEAD', '--only', 'all']);
  expect(whole.out).toContain('Denied: 2 denied, of 3 resources');
  expect(await run(folder.path, ['diff', base, 'nothing'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('commit `nothing` does not exist in this repository'),
  });
  expect(await run(folder.path, ['diff', base])).toMatchObject({ status: 2 });
  expect(await run(tmpdir(), ['diff', base, 'HEAD'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('not in a Git checkout'),
  });
});

describe('why', () => {
  const replicas = ['why', 'deployment/shop-production/storefront', 'replica-limit'];

  test('shows the deciding step and the values', async () => {
    const { status, out, err } = await run(SHOP, replicas);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain(
      'fails    ValidatingAdmissionPolicy replica-limit (examples/shop/policies/replica-limit.yaml:5)',
    );
    expect(out).toContain('fails    param ConfigMap platform/replica-limit-production');
    expect(out).toMatch(
      /object\.spec\.replicas <= variables\.limit → false\n +object\.spec\.replicas → 12\n +variables\.limit → 6/,
    );
    expect(out).toMatch(/stops +namespaceSelector `environment=staging` does not select Namespace shop-production/);
  });

  test('finds the object by line, and writes JSON', async () => {
    const at = ['why', 'apps/storefront/deployment.yaml:10', 'no-node-ports', '--format', 'json'];
    const { objects } = JSON.parse((await run(SHOP, at)).out);
    expect(objects).toHaveLength(1);
    expect(objects[0]).toMatchObject({
      resource: { kind: 'Deployment', namespace: 'shop-production', name: 'storefront' },
      policies: [{ name: 'no-node-ports', result: 'stops', steps: [{ result: 'stops' }] }],
    });
  });

  test.each([
    [['Deployment/web'], 'the repository has no object `Deployment/web`; found `Deployment/shop-production/'],
    [['Deployment/storefront', 'replica-limits'], 'there is no policy `replica-limits`: did you mean `replica-limit`?'],
    [[], 'expected an object and an optional policy'],
    [['Deployment'], 'expected an object and an optional policy'],
  ])('%j is rejected with help', async (args, message) => {
    const { status, err } = await run(SHOP, ['why', ...args]);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });
});

test('policies are listed with their matches, objects and requirements', async () => {
  const { status, out } = await run(SHOP, ['policies', '.']);
  expect(status).toBe(0);
  expect(out).toContain(`replica-limit (ValidatingAdmissionPolicy, examples/shop/policies/replica-limit.yaml)
    deployments.apps on CREATE, UPDATE · 2 bindings: Deny · params ConfigMap
    2 objects, findings: 1 Deny · 0.0001 % of the cost budget · from Kubernetes 1.30 on · types are valid
    its author must be allowed to get all configmaps
`);
  const [target] = JSON.parse((await run(SHOP, ['policies', '.', '--format', 'json'])).out);
  expect(target.policies.map(({ name, facts }: PolicySummary) => [name, facts?.matches.length])).toContainEqual([
    'team-label',
    1,
  ]);
});

test('policies without matches come first, with the release they need', async (context) => {
  const { folder, remove } = createWorkspace({
    ...repository(1),
    'idle.yaml': sizePolicy({ name: 'idle' })
      .replace('[configmaps]', '[secrets]')
      .replace(/expression: .*/, "expression: ip.isCanonical('::1')"),
  });
  context.onTestFinished(remove);
  const { out } = await run(folder, ['policies']);
  expect(out.split('\n').filter((line) => line.includes('AdmissionPolicy'))[0]).toMatch(/^idle/);
  expect(out).toContain('matched nothing · from Kubernetes 1.31 on');
  writeFileSync(
    join(folder, 'idle.yaml'),
    sizePolicy({ name: 'idle' }).replace(/expression: .*/, 'expression: nothing'),
  );
  const broken = (await run(folder, ['policies'])).out;
  expect(broken).toMatch(
    /idle \(.*\)\n.*\n +(?:2 objects, none evaluated|matched nothing) · the API server rejects it · no Kubernetes release/,
  );
});

test('policies list undecided objects and the type checking of the server, word for word', async (context) => {
  const { folder, remove } = createWorkspace({
    ...repository(1),
    'misspelt.yaml': sizePolicy({ name: 'misspelt' }).replace(/expression: .*/, 'expression: object.dat == {}'),
    'param.yaml': sizePolicy({ name: 'param' })
      .replace('spec:', 'spec:\n  paramKind: { apiVersion: v1, kind: ConfigMap }')
      .replace(
        'policyName: "param"',
        'policyName: param\n  paramRef: { name: limits, parameterNotFoundAction: Allow }',
      ),
  });
  context.onTestFinished(remove);
  const { out } = await run(folder, ['policies']);
  expect(out).toMatch(/\nparam \(.*\n.*\n {4}2 objects, findings: 2 undecided · /);
  expect(out).toContain(
    'the author of binding param-everywhere must be allowed to get configmaps limits in all namespaces\n',
  );
  expect(out).toContain(`type checking warns about 1 expression, in \`status.typeChecking\`:
    spec.validations[0].expression:
      /v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'dat'
       | object.dat == {}
       | ......^
`);
});
