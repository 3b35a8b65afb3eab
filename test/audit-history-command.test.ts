// `preadmit audit --history` and `preadmit report`: branch and file, the configuration, places that a hostile checkout may not name.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { GitFolder } from './support/git-fixture.ts';
import { runPrinted } from './support/printed.ts';
import { configMap, sizePolicy } from './support/workspace.ts';

function run(folder: GitFolder, args: readonly string[], today = '2026-11-24') {
  return runPrinted(folder.path, args, { today });
}

function repository({ onTestFinished }: TestContext, configuration?: string): GitFolder {
  const folder = new GitFolder();
  onTestFinished(() => folder.remove());
  folder.write('policies/size.yaml', sizePolicy());
  folder.write('apps/a.yaml', configMap('a', 9));
  if (configuration !== undefined) folder.write('.preadmit.yaml', configuration);
  folder.commit('before');
  return folder;
}

test('a branch: ages and a moved file, then the page', async (context) => {
  const folder = repository(context);
  const args = ['audit', '--history', 'branch:preadmit-audit', '--format', 'text', '--format', 'json=audit.json'];
  expect((await run(folder, args, '2026-10-14')).out).toContain('The history begins today: findings may be older.');
  folder.git('mv', 'apps/a.yaml', 'apps/moved.yaml');
  folder.write('apps/b.yaml', configMap('b', 9));
  folder.commit('move');
  const { status, out } = await run(folder, args);
  expect(status).toBe(1);
  expect(out).toContain('Since 14 Oct: 1 new, 0 fixed. The history has 2 audits since 14 Oct.');
  expect(out).toContain('ConfigMap default/a: size-limit/validations[0], since 14 Oct, 5 weeks or more');
  const report = ['report', 'audit.json', '--site', 'public', '--history', 'branch:preadmit-audit'];
  expect((await run(folder, report)).out).toMatch(/^Wrote .*index\.html, with a history of 2 audits\.\n$/);
  expect(readFileSync(join(folder.path, 'public/index.html'), 'utf8')).toContain(
    'The history has 2 audits since 14 Oct.',
  );
  // Without the history, the report alone has the trend.
  rmSync(join(folder.path, 'public'), { recursive: true });
  expect((await run(folder, ['report', 'audit.json', '--site', 'public'])).out).toContain('with a history of 2 audits');
  const page = readFileSync(join(folder.path, 'public/index.html'), 'utf8');
  expect(page).toContain('The history has 2 audits since 14 Oct.');
  expect(page).toContain('"2026-10-14"');
});

test('a second audit of the day is compared with the first one', async (context) => {
  const folder = repository(context);
  const audit = (moment: string) =>
    runPrinted(folder.path, ['audit', '--history', 'file:history.jsonl'], { today: moment.slice(0, 10), moment });
  await audit('2026-11-24T05:17:00Z');
  folder.write('apps/a.yaml', configMap('a', 1));
  folder.write('apps/b.yaml', configMap('b', 9));
  folder.write('apps/c.yaml', configMap('c', 9));
  folder.commit('one fixed, two new');
  const { out } = await audit('2026-11-24T09:30:00Z');
  expect(out).toContain(
    'The history begins today: findings may be older.\n  - Since the audit of 24 Nov, 05:17 UTC: 2 new, 1 fixed.\n',
  );
  expect((await audit('2026-11-25T05:17:00Z')).out).not.toContain('Since the audit of');
});

test('an audit of an older commit is not added; one of a branch that was set back is', async (context) => {
  const folder = repository(context);
  const audit = () => run(folder, ['audit', '--history', 'branch:preadmit-audit']);
  folder.git('tag', 'first');
  folder.write('apps/b.yaml', configMap('b', 9));
  folder.commit('second');
  const second = folder.git('rev-parse', 'HEAD').trim();
  expect((await audit()).err).toBe('');
  folder.git('checkout', '-q', 'first');
  const older = await audit();
  const first = folder.git('rev-parse', 'HEAD').trim();
  expect(older.err).toBe(
    `preadmit: this audit is not in the history: the last audit checked ${second.slice(0, 10)}, which is newer than ${first.slice(0, 10)}\n`,
  );
  expect(older.out).not.toContain('History');
  const lines = () => folder.git('show', 'preadmit-audit:history.jsonl').trim().split('\n').length;
  expect(lines()).toBe(1);
  folder.git('branch', '--force', 'main', 'first');
  expect((await audit()).err).toBe('');
  expect(lines()).toBe(2);
});

test('a file that the configuration names; `--owner none` shows only findings without an owner', async (context) => {
  const folder = repository(context, 'history: file:audits/history.jsonl\n');
  await run(folder, ['audit'], '2026-11-23');
  const { out } = await run(folder, ['audit', '--owner', 'none', '--format', 'json']);
  const { audit } = JSON.parse(out) as { audit: { history: { audits: number; trend: readonly unknown[] } } };
  expect(audit.history).toMatchObject({ audits: 2, trend: [{ open: 1 }, { open: 1 }] });
  expect(readFileSync(join(folder.path, 'audits/history.jsonl'), 'utf8').split('\n')).toHaveLength(3);
});

test.each(['file:../outside.jsonl', 'file:/tmp/outside.jsonl', 'file:.git/hooks/pre-commit', 'branch:-x', 'page:x'])(
  'the configuration may not name %s',
  async (place) => {
    const folder = new GitFolder();
    try {
      folder.write('.preadmit.yaml', `history: ${place}\n`);
      folder.commit('before');
      const { status, out } = await run(folder, ['audit']);
      expect(status).toBe(2);
      expect(out).toContain('.preadmit.yaml');
      expect(existsSync(join(folder.path, '../outside.jsonl'))).toBe(false);
    } finally {
      folder.remove();
    }
  },
);

test('the page does not follow a link', async (context) => {
  const folder = repository(context);
  await run(folder, ['audit', '--format', 'json=audit.json']);
  mkdirSync(join(folder.path, 'public'));
  symlinkSync(join(folder.path, 'target.html'), join(folder.path, 'public/index.html'));
  const { status, err } = await run(folder, ['report', 'audit.json', '--site', 'public']);
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(/index\.html`: a symbolic link in the path is not followed\n$/),
  ]);
  expect(existsSync(join(folder.path, 'target.html'))).toBe(false);
});

test('the configuration may not lead outside through a link, nor to a link', async (context) => {
  const folder = repository(context, 'history: file:audits/history.jsonl\n');
  const outside = new GitFolder();
  context.onTestFinished(() => outside.remove());
  symlinkSync(outside.path, join(folder.path, 'audits'));
  const { status, err } = await run(folder, ['audit']);
  expect([status, err]).toEqual([2, expect.stringContaining('is not inside the repository')]);
  rmSync(join(folder.path, 'audits'));
  mkdirSync(join(folder.path, 'audits'));
  symlinkSync(join(outside.path, 'target.jsonl'), join(folder.path, 'audits/history.jsonl'));
  const linked = await run(folder, ['audit']);
  expect(linked.err).toContain('this audit is not in the history');
  expect(existsSync(join(outside.path, 'target.jsonl'))).toBe(false);
});

test('policies of each kind that only warn or audit can be enforced after 14 days without findings', async (context) => {
  const folder = repository(context);
  folder.write('apps/a.yaml', configMap('a', 1));
  folder.write(
    'policies/noted.yaml',
    sizePolicy().replaceAll('size-limit', 'size-note').replace('[Deny]', '[Warn, Audit]'),
  );
  for (const action of ['Audit', 'Enforce']) folder.write(`policies/${action}.yaml`, kyvernoPolicies(action));
  folder.commit('policies');
  const args = ['audit', '--history', 'file:history.jsonl'];
  for (const day of ['2026-11-09', '2026-11-16']) await run(folder, args, day);
  const { out } = await run(folder, args, '2026-11-23');
  expect(out).toContain(`Policies that can be enforced (3)
  - ClusterPolicy labels-audit: 0 findings for 14 days: can be enforced
  - ValidatingAdmissionPolicy size-note: 0 findings for 14 days: can be enforced
  - ValidatingPolicy names-audit: 0 findings for 14 days: can be enforced
`);
});

/** Kyverno's word for Deny is Enforce. */
function kyvernoPolicies(action: string): string {
  const name = action.toLowerCase();
  return `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: labels-${name}}
spec:
  background: true
  rules:
    - name: named
      match: {any: [{resources: {kinds: [ConfigMap]}}]}
      validate:
        failureAction: ${action}
        message: a name is needed
        pattern: {metadata: {name: "?*"}}
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: names-${name}}
spec:
  validationActions: [${action === 'Audit' ? 'Audit' : 'Deny'}]
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE, UPDATE]}]
  validations: [{expression: 'object.metadata.name != "x"', message: another name is needed}]
`;
}
