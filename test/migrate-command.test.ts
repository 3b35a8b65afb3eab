// `preadmit migrate`: a folder of test/cases/migrate is a repository, with one expected file per kind of policy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { expectGolden } from './support/bless.ts';
import { GitFolder } from './support/git-fixture.ts';
import { runPrinted } from './support/printed.ts';

const CASES = join(import.meta.dirname, 'cases', 'migrate');
const INPUTS = /\.yaml$/;

function repositoryOf(files: Readonly<Record<string, string>>): string {
  const repository = new GitFolder();
  onTestFinished(() => repository.remove());
  for (const [path, text] of Object.entries(files)) repository.write(path, text);
  repository.commit();
  return repository.path;
}

function inputsOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => INPUTS.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function run(directory: string, ...args: readonly string[]) {
  return runPrinted(directory, ['migrate', ...args]);
}

describe.each(readdirSync(CASES).sort())('%s', (name) => {
  test.each(['ValidatingPolicy', 'ValidatingAdmissionPolicy'])('%s', async (kind) => {
    const directory = repositoryOf(inputsOf(join(CASES, name)));
    const { status, out, err } = await run(directory, '--to', kind);
    expect(parseAllDocuments(out).flatMap((document) => ('errors' in document ? document.errors : []))).toEqual([]);
    expectGolden(join(CASES, name, `expected.${kind}.txt`), `${out}--- exit ${status}\n${err}`);
  });
});

const WIDGETS = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: labels}
spec:
  rules:
    - name: team
      match: {any: [{resources: {kinds: [ConfigMap]}}]}
      validate: {message: team, pattern: {metadata: {labels: {team: "?*"}}}}
`;

test('selects a policy by name, and rejects an unknown name', async () => {
  const directory = repositoryOf({ 'a.yaml': WIDGETS, 'b.yaml': WIDGETS.replace('name: labels', 'name: others') });
  const one = await run(directory, 'others');
  expect(one.out).toContain('name: others');
  expect(one.out).not.toContain('name: labels');
  expect(await run(directory, 'other')).toMatchObject({ status: 2, out: '', err: expect.stringContaining('`other`') });
});

test('does nothing without a ClusterPolicy', async () => {
  const directory = repositoryOf({ 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' });
  expect(await run(directory)).toMatchObject({ status: 3, out: '' });
});

test('hides a translation with different results', async () => {
  // Kyverno evaluates only the first of two objects in a list, and reports less for an error than for a failure.
  const policy = WIDGETS.replace('pattern: {metadata: {labels: {team: "?*"}}}', DENY);
  const { status, out, err } = await run(repositoryOf({ 'a.yaml': policy }));
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/the verdicts differ for a generated object, CREATE ConfigMap/);
});

const DENY = `deny: {conditions: {all: [{key: "{{ request.object.data.size }}", operator: Equals, value: big}]}}`;

test('hostile texts of policies stay texts', async () => {
  const message = "'); true || ('\\\\ \\u001b[31m {{";
  const policy = WIDGETS.replace('message: team', `message: ${JSON.stringify(message)}`).replace(
    '"?*"',
    `"it's' || true || '*"`,
  );
  const { out } = await run(repositoryOf({ 'a.yaml': policy }));
  expect(out).not.toContain('\u001b');
  expect(out).toContain("\\\\'s");
});
