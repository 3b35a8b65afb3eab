// Discovery of a commit gives the same result from a complete listing and from the differences to another commit.
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { type DiscoverOptions, type Discovery, discover } from '../../../../src/workspace/discover/discover.ts';
import { discoverFrom } from '../../../../src/workspace/discover/discover-from.ts';
import { MAXIMUM_FILE_BYTES } from '../../../../src/workspace/files/limits.ts';
import { GitFolder } from '../../../support/git-fixture.ts';

type Edit = (folder: GitFolder) => void;

type SweepOptions = Omit<DiscoverOptions, 'directory' | 'commit'>;

const A_FOLDER_FOR_A_FILE: Edit = (folder) => {
  folder.removeFile('apps/a.yaml');
  folder.write('apps/a.yaml/b.yaml');
};

const EDITS: Readonly<Record<string, Edit>> = {
  nothing: () => {},
  'a changed file': (folder) => void folder.write('apps/a.yaml', 'a: 2\n'),
  'a file more': (folder) => void folder.write('new.yaml').write('apps/line\nbreak.yaml'),
  'a file less': (folder) => void folder.removeFile('apps/a.yaml'),
  'a renamed file': (folder) => void folder.git('mv', 'apps/a.yaml', 'z.yaml'),
  'a folder in place of a file': A_FOLDER_FOR_A_FILE,
  'a link in place of a file': (folder) => {
    folder.removeFile('apps/a.yaml');
    symlinkSync('b.yaml', path.join(folder.path, 'apps/a.yaml'));
  },
  'a file in place of a link': (folder) => {
    folder.removeFile('link.yaml');
    folder.write('link.yaml');
  },
  'a submodule': (folder) => {
    const commit = folder.git('rev-parse', 'HEAD');
    folder.git('update-index', '--add', '--cacheinfo', `160000,${commit},module.yaml`);
  },
  'another submodule': (folder) => {
    folder.git('update-index', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    folder.write('.gitmodules', '[submodule "module"]\n\tpath = module\n\turl = ./x\n\tignore = all\n');
    folder.git('config', 'diff.ignoreSubmodules', 'all');
  },
  'another mode': (folder) => void folder.git('update-index', '--chmod=+x', 'apps/b.yaml'),
  'a kustomization': (folder) => void folder.write('apps/kustomization.yaml', 'resources: []\n'),
  'an excluded file': (folder) => void folder.write('node_modules/x.yaml').write('node_modules/new.yaml'),
  'no text': (folder) => void folder.write('apps/a.yaml', new Uint8Array([0xff, 0xfe, 0xfd])),
  'a file too large': (folder) => void folder.write('apps/a.yaml', 'a'.repeat(MAXIMUM_FILE_BYTES + 1)),
  'a name that is not UTF-8': (folder) => {
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder.path}/b`), Buffer.from([0xff]), Buffer.from('.yaml')]),
      'a: 1\n',
    );
  },
};

const contentOf = ({ root, files, notRead, paths }: Discovery): unknown => ({
  root,
  files: files.map(({ file, selected }) => [file.path, file.text, selected]),
  notRead: notRead.map(({ path: name, reason }) => [name, reason]).sort(),
  paths: [...paths].sort(),
});

function history({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, edit: Edit, sha256 = false) {
  const folder = new GitFolder({ sha256 });
  onTestFinished(() => folder.remove());
  folder.write('apps/a.yaml', 'a: 1\n').write('apps/b.yaml').write('node_modules/x.yaml', 'x: 1\n');
  symlinkSync('apps/b.yaml', path.join(folder.path, 'link.yaml'));
  const first = folder.commit();
  folder.git('update-index', '--add', '--cacheinfo', `160000,${first},module`);
  folder.git('commit', '-q', '-m', 'module');
  const before = folder.git('rev-parse', 'HEAD');
  edit(folder);
  folder.git('add', '-A', '--', ':!module', ':!module.yaml');
  folder.git('commit', '-q', '--allow-empty', '-m', 'edit');
  return { folder, before, after: folder.git('rev-parse', 'HEAD') };
}

async function expectTheSame({ folder, before, after }: ReturnType<typeof history>, options: SweepOptions = {}) {
  const common = { ...options, directory: folder.path };
  const states = [before, after];
  for (const [from = '', to = ''] of [states, states.toReversed()]) {
    const known = await discover({ ...common, commit: from });
    const derived = await discoverFrom(known, { ...common, commit: to });
    expect(contentOf(derived)).toEqual(contentOf(await discover({ ...common, commit: to })));
    const same = new Map(known.files.map(({ file }) => [`${file.path}\0${file.text}`, file]));
    for (const { file } of derived.files) expect(same.get(`${file.path}\0${file.text}`) ?? file).toBe(file);
  }
}

it.for(Object.entries(EDITS))('%s', async ([, edit], context) => {
  await expectTheSame(history(context, edit));
});

it.for<SweepOptions>([
  { include: ['apps/**'], exclude: ['**/b.yaml'], context: ['*.yaml'] },
  { paths: ['apps'] },
  { paths: ['apps/a.yaml'] },
])('discovery of a commit with %j', async (options, context) => {
  await expectTheSame(history(context, A_FOLDER_FOR_A_FILE), options);
});

it('a repository with SHA-256', async (context) => {
  await expectTheSame(history(context, A_FOLDER_FOR_A_FILE, true));
});
