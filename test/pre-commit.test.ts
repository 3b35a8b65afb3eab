// The pre-commit hook: its command for staged files, and when it allows a commit.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { isJsonArray, isJsonObject, type JsonObject } from '../src/source/json/json.ts';
import { textField } from '../src/source/json/json-field.ts';
import { readManifests } from '../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { needs } from './support/evidence.ts';
import { GitFolder } from './support/git-fixture.ts';
import { runPrinted } from './support/printed.ts';
import { configMap, sizePolicy } from './support/workspace.ts';

const ROOT = join(import.meta.dirname, '..');
const HOOK = hook();

function hook(): JsonObject {
  const path = '.pre-commit-hooks.yaml';
  const file = new SourceFile(path, readFileSync(join(ROOT, path), 'utf8'));
  const hooks = readManifests(file).manifests[0]?.value;
  const [only] = isJsonArray(hooks) ? hooks : [];
  if (!isJsonObject(only)) throw new Error('no hook');
  return only;
}

/** Like pre-commit, passes the names of staged files after the entry. */
async function commit({ onTestFinished }: TestContext, files: Readonly<Record<string, string>>): Promise<number> {
  const folder = new GitFolder();
  onTestFinished(() => folder.remove());
  folder.write('policies/size.yaml', sizePolicy()).write('apps/bad.yaml', configMap('bad', 9));
  folder.write('apps/good.yaml', configMap('good', 1));
  folder.commit('before');
  for (const [path, text] of Object.entries(files)) folder.write(path, text);
  folder.git('add', '-A');
  const matching = new RegExp(textField(HOOK, 'files'));
  const staged = folder
    .git('diff', '--cached', '--name-only')
    .split('\n')
    .filter((path) => matching.test(path));
  const [program, ...args] = textField(HOOK, 'entry').split(' ');
  expect(program).toBe('preadmit');
  return (await runPrinted(folder.path, [...args, ...staged])).status;
}

/** The hooks file and the package. pre-commit also installs the development dependencies, which tests do not download. */
function hookRepository(): GitFolder {
  const repository = new GitFolder();
  onTestFinished(() => repository.remove());
  const { devDependencies: _, ...published } = manifest;
  repository.write('package.json', JSON.stringify(published));
  for (const name of ['.pre-commit-hooks.yaml', ...manifest.files]) {
    cpSync(join(ROOT, name), join(repository.path, name), { recursive: true });
  }
  repository.commit('the package');
  return repository;
}

const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: ';

test('is a Node hook that gets all files at once', () => {
  expect(['id', 'language', 'require_serial'].map((field) => HOOK.get(field))).toEqual(['preadmit', 'node', true]);
});

test.for([
  ['a denied object', { 'apps/new.yaml': configMap('new', 7) }, 1],
  ['an allowed object, next to an unstaged one', { 'apps/new.yaml': configMap('new', 2) }, 0],
  ['a policy', { 'policies/other.yaml': sizePolicy().replaceAll('name: size', 'name: other') }, 0],
  ['a policy that does not compile', { 'policies/size.yaml': sizePolicy().replace('<= 3', '<=') }, 1],
  ['a kustomization of allowed objects', { 'apps/kustomization.yaml': `${KUSTOMIZATION}[good.yaml]\n` }, 0],
  ['a kustomization of denied objects', { 'apps/kustomization.yaml': `${KUSTOMIZATION}[bad.yaml]\n` }, 1],
  ['values and workflows', { 'chart/values.yaml': 'a: 1\n', '.github/workflows/a.yml': 'on: push\n' }, 0],
  ['the configuration', { '.preadmit.yaml': 'failOn: deny\n' }, 0],
  ['an invalid configuration', { '.preadmit.yaml': 'fialOn: deny\n' }, 2],
] as const)('%s', async ([, files, status], context) => {
  expect(await commit(context, files)).toBe(status);
});

needs('pre-commit').it('pre-commit installs the hook without the network and runs it on staged files', () => {
  const hooks = hookRepository();
  const folder = new GitFolder();
  const home = mkdtempSync(join(tmpdir(), 'preadmit-pre-commit-'));
  onTestFinished(() => {
    folder.remove();
    rmSync(home, { recursive: true, force: true });
  });
  const rev = hooks.git('rev-parse', 'HEAD').trim();
  folder.write('.pre-commit-config.yaml', `repos: [{repo: '${hooks.path}', rev: ${rev}, hooks: [{id: preadmit}]}]\n`);
  folder.write('policies/size.yaml', sizePolicy()).write('apps/good.yaml', configMap('good', 1));
  folder.commit('before');
  const run = () => {
    folder.git('add', '-A');
    const env = {
      ...process.env,
      PRE_COMMIT_HOME: home,
      npm_config_offline: 'true',
      npm_config_cache: join(home, 'npm'),
    };
    return spawnSync('pre-commit', ['run', '--color=never'], { cwd: folder.path, env, encoding: 'utf8' });
  };
  folder.write('apps/new.yaml', configMap('new', 2));
  expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining('Passed') });
  folder.write('apps/new.yaml', configMap('new', 7));
  expect(run()).toMatchObject({ status: 1, stdout: expect.stringContaining('size is at most 3') });
});

// `npm pack` prints the names of these scripts on standard output, from which pre-commit reads the name of the package.
test.for(['prepublish', 'prepublishOnly', 'prepare', 'prepack', 'postpack'])('npm pack runs no script %s', (name) => {
  expect(Object.keys(manifest.scripts)).not.toContain(name);
});
