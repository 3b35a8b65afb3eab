// GitRepository on real repositories: listing, reading and fetching, and the programs that a hostile one tries to run.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { GitRepository } from '../../../src/workspace/git/git-repository.ts';
import { WorkspaceError } from '../../../src/workspace/workspace-error.ts';
import { needs } from '../../support/evidence.ts';
import { Folder, GitFolder } from '../../support/git-fixture.ts';

const made: Folder[] = [];

function gitFolder(options?: { sha256?: boolean }): GitFolder {
  const folder = new GitFolder(options);
  made.push(folder);
  return folder;
}

async function open(directory: string): Promise<GitRepository> {
  const repository = await GitRepository.open(directory);
  if (repository === undefined) throw new Error(`no repository in ${directory}`);
  return repository;
}

afterEach(() => {
  for (const folder of made.splice(0)) folder.remove();
});

describe('open', () => {
  it('finds the root from a nested folder', async () => {
    const folder = gitFolder().write('a/b/c.yaml');
    expect((await open(path.join(folder.path, 'a/b'))).root).toBe(folder.path);
  });

  it('is undefined outside Git', async () => {
    const folder = new Folder();
    made.push(folder);
    expect(await GitRepository.open(folder.path)).toBeUndefined();
  });

  it('ignores a `.git` that is not a repository', async () => {
    const folder = gitFolder().write('sub/.git/notes.txt');
    expect((await open(path.join(folder.path, 'sub'))).root).toBe(folder.path);
  });

  it('opens a linked work tree, where `.git` is a file', async () => {
    const folder = gitFolder().write('a.yaml');
    folder.commit();
    const other = new Folder();
    made.push(other);
    folder.git('worktree', 'add', '-q', path.join(other.path, 'tree'));
    const repository = await open(path.join(other.path, 'tree'));
    expect(repository.root).toBe(path.join(other.path, 'tree'));
    expect((await repository.trackedFiles()).map((file) => file.path)).toEqual(['a.yaml']);
  });

  it('rejects a repository whose settings point to another work tree', async () => {
    const folder = gitFolder();
    const elsewhere = new Folder();
    made.push(elsewhere);
    folder.git('config', 'core.worktree', elsewhere.path);
    await expect(GitRepository.open(folder.path)).rejects.toMatchObject({ code: 'git-failed' });
  });

  it.each([
    ['says that it has no work tree', (folder: GitFolder) => folder.git('config', 'core.bare', 'true')],
    [
      'is of a form that Git does not know',
      (folder: GitFolder) => folder.git('config', 'core.repositoryformatversion', '9'),
    ],
    ['has no objects', (folder: GitFolder) => rmSync(path.join(folder.path, '.git/objects'), { recursive: true })],
    ['has a HEAD that leads nowhere', (folder: GitFolder) => folder.write('.git/HEAD', 'somewhere\n')],
    ['has its settings elsewhere', (folder: GitFolder) => folder.write('.git/commondir', '/nowhere\n')],
  ])('runs Git for a repository that %s', async (_, spoil) => {
    const folder = gitFolder();
    spoil(folder);
    await expect(GitRepository.open(folder.path)).rejects.toMatchObject({ code: 'git-failed' });
  });

  it('does not run Git for a repository with the standard layout', async () => {
    const folder = gitFolder();
    const programs = process.env['PATH'];
    try {
      process.env['PATH'] = '';
      expect((await open(folder.path)).root).toBe(folder.path);
    } finally {
      process.env['PATH'] = programs;
    }
  });

  needs('root').it('opens a repository of another user', async () => {
    const folder = gitFolder().write('a.yaml');
    folder.commit();
    for (const name of ['', '.git', ...readdirSync(folder.path, { recursive: true, encoding: 'utf8' })]) {
      chownSync(path.join(folder.path, name), 65534, 65534);
    }
    const repository = await open(folder.path);
    expect((await repository.trackedFiles()).map((file) => file.path)).toEqual(['a.yaml']);
  });
});

describe('tracked files', () => {
  it('have exact modes and names', async () => {
    const folder = gitFolder()
      .write('plain.yaml')
      .write('run.yaml')
      .write('line\nbreak.yaml')
      .write('tab\t"quote".yaml')
      .write('ümlaut.yaml');
    chmodSync(path.join(folder.path, 'run.yaml'), 0o755);
    symlinkSync('plain.yaml', path.join(folder.path, 'link.yaml'));
    const submodule = gitFolder().write('x.yaml');
    submodule.commit();
    folder.git('submodule', '--quiet', 'add', submodule.path, 'module');
    folder.commit();
    const repository = await open(folder.path);
    const modes = new Map((await repository.trackedFiles()).map((file) => [file.path, file.mode]));
    expect(modes).toEqual(
      new Map([
        ['.gitmodules', '100644'],
        ['line\nbreak.yaml', '100644'],
        ['link.yaml', '120000'],
        ['module', '160000'],
        ['plain.yaml', '100644'],
        ['run.yaml', '100755'],
        ['tab\t"quote".yaml', '100644'],
        ['ümlaut.yaml', '100644'],
      ]),
    );
    const commit = await repository.resolveCommit('HEAD');
    const tree = await repository.listTree(commit as string);
    expect(tree.map((file) => file.path).sort()).toEqual([...modes.keys()].sort());
    expect(tree.find((file) => file.path === 'module')?.size).toBeUndefined();
    expect(tree.find((file) => file.path === 'plain.yaml')?.size).toBe('kind: ConfigMap\n'.length);
  });

  it('are listed separately from files that are neither tracked nor ignored', async () => {
    const folder = gitFolder().write('.gitignore', 'build/\n').write('old.yaml');
    folder.commit();
    folder.write('new.yaml').write('build/out.yaml').write('? named.yaml');
    const { tracked, untracked } = await (await open(folder.path)).indexedFiles();
    expect(untracked).toEqual(['? named.yaml', 'new.yaml']);
    expect(tracked).toEqual(await (await open(folder.path)).trackedFiles());
  });

  it('contain a path in conflict once', async () => {
    const folder = gitFolder().write('a.yaml', 'a: 0\n');
    folder.commit();
    folder.git('checkout', '-q', '-b', 'side');
    folder.write('a.yaml', 'a: 1\n').commit();
    folder.git('checkout', '-q', 'main');
    folder.write('a.yaml', 'a: 2\n').commit();
    expect(() => folder.git('merge', '-q', 'side')).toThrow();
    expect((await (await open(folder.path)).trackedFiles()).map((file) => file.path)).toEqual(['a.yaml']);
  });

  it('are read although a hook of git points elsewhere', async () => {
    const folder = gitFolder().write('a.yaml');
    folder.commit();
    const before = process.env['GIT_DIR'];
    process.env['GIT_DIR'] = '/nonexistent';
    try {
      expect(await (await open(folder.path)).trackedFiles()).toHaveLength(1);
    } finally {
      if (before === undefined) delete process.env['GIT_DIR'];
      else process.env['GIT_DIR'] = before;
    }
  });
});

describe.each([{ sha256: false }, { sha256: true }])('objects (%o)', (options) => {
  it('are read by id, with any bytes', async () => {
    const binary = Buffer.from([0, 10, 255, 10, 10, 0]);
    const folder = gitFolder(options).write('a.yaml', 'a: 1\n').write('empty.yaml', '').write('b', binary);
    const commit = folder.commit();
    const repository = await open(folder.path);
    const tree = await repository.listTree(commit);
    const blobs = await repository.readBlobs(
      tree.map((file) => file.id),
      (content) => Buffer.from(content),
    );
    const contents = Object.fromEntries(tree.map((file) => [file.path, blobs.get(file.id)]));
    expect(contents).toEqual({ 'a.yaml': Buffer.from('a: 1\n'), b: binary, 'empty.yaml': Buffer.alloc(0) });
    expect(commit).toHaveLength(options.sha256 ? 64 : 40);
  });

  it('that are missing cause an error', async () => {
    const folder = gitFolder(options);
    const commit = folder.commit();
    const repository = await open(folder.path);
    const unknown = 'f'.repeat(commit.length);
    for (const id of [unknown, commit]) {
      await expect(repository.readBlobs([id], String)).rejects.toMatchObject({ code: 'object-missing' });
    }
  });

  it('give the parents of a merge, base first', async () => {
    const folder = gitFolder(options).write('a.yaml');
    folder.commit();
    folder.git('checkout', '-q', '-b', 'side');
    const head = folder.write('b.yaml').commit();
    folder.git('checkout', '-q', 'main');
    const base = folder.write('c.yaml').commit();
    folder.git('merge', '-q', '--no-ff', '-m', 'parent of nothing', 'side');
    expect(await (await open(folder.path)).mergeParents('HEAD')).toEqual([base, head]);
  });
});

describe('revisions', () => {
  it('that are not a commit are undefined', async () => {
    const folder = gitFolder();
    const commit = folder.commit();
    const repository = await open(folder.path);
    expect(await repository.resolveCommit('main')).toBe(commit);
    for (const text of ['nope', '--help', '--git-dir', '-h', '', 'a b', 'HEAD\0', '$(id)', `${'0'.repeat(40)}`]) {
      expect(await repository.resolveCommit(text)).toBeUndefined();
    }
  });

  it('must be full ids where an id is required', async () => {
    const repository = await open(gitFolder().path);
    for (const text of ['HEAD', '--output=x', 'ABCDEF'.repeat(7).slice(0, 40), 'f'.repeat(41)]) {
      await expect(repository.listTree(text)).rejects.toMatchObject({ code: 'bad-revision' });
      await expect(repository.changedFiles(text, text)).rejects.toMatchObject({ code: 'bad-revision' });
      await expect(repository.fetchCommit(text)).rejects.toMatchObject({ code: 'bad-revision' });
    }
  });
});

describe('changedFiles', () => {
  it('lists added, changed and deleted files, files turned into links, and both names of renamed files', async () => {
    const long = Array.from({ length: 40 }, (_, line) => `line${line}: ${line}\n`).join('');
    const folder = gitFolder()
      .write('changed.yaml', 'a: 1\n')
      .write('gone.yaml', 'b: 1\n')
      .write('old name.yaml', long)
      .write('file.yaml', 'c: 1\n');
    const base = folder.commit();
    folder.write('changed.yaml', 'a: 2\n').write('new\nname.yaml', long).write('added.yaml', 'd: 1\n');
    folder.git('rm', '-q', '--cached', 'gone.yaml', 'old name.yaml', 'file.yaml');
    for (const name of ['gone.yaml', 'old name.yaml', 'file.yaml']) folder.removeFile(name);
    symlinkSync('changed.yaml', path.join(folder.path, 'file.yaml'));
    const head = folder.commit();
    const repository = await open(folder.path);
    const changes = await repository.changedFiles(base, head);
    expect(changes.map(({ path, from, to }) => [path, from?.mode, to?.mode]).sort()).toEqual([
      ['added.yaml', undefined, '100644'],
      ['changed.yaml', '100644', '100644'],
      ['file.yaml', '100644', '120000'],
      ['gone.yaml', '100644', undefined],
      ['new\nname.yaml', undefined, '100644'],
      ['old name.yaml', '100644', undefined],
    ]);
    const [to, from] = changes.filter(({ path }) => path.includes('name'));
    expect(to?.to?.id).toBe(from?.from?.id);
  });

  it('ignores diff settings of the repository', async () => {
    const folder = gitFolder().write('a.yaml', 'a: 1\n');
    const base = folder.commit();
    const head = folder.write('a.yaml', 'a: 2\n').commit();
    folder.git('config', 'diff.external', 'touch ran');
    folder.git('config', 'diff.noprefix', 'true');
    folder.git('config', 'diff.relative', 'true');
    expect(await (await open(folder.path)).changedFiles(base, head)).toHaveLength(1);
    expect(existsSync(path.join(folder.path, 'ran'))).toBe(false);
  });
});

describe('mergeBase', () => {
  it('is the common ancestor, or undefined', async () => {
    const folder = gitFolder();
    const base = folder.commit('root');
    const one = folder.commit('one');
    folder.git('checkout', '-q', '-b', 'side', base);
    const two = folder.commit('two');
    folder.git('checkout', '-q', '--orphan', 'island');
    const island = folder.commit('island');
    const repository = await open(folder.path);
    expect(await repository.mergeBase(one, two)).toBe(base);
    expect(await repository.mergeBase(one, island)).toBeUndefined();
  });
});

describe('fetchCommit', () => {
  function shallowClone(origin: GitFolder): GitFolder {
    const clone = gitFolder();
    clone.git('fetch', '-q', '--depth=1', `file://${origin.path}`, 'HEAD');
    clone.git('checkout', '-q', 'FETCH_HEAD');
    return clone;
  }

  it('makes the base of a shallow merge commit readable', async () => {
    const origin = gitFolder().write('a.yaml', 'a: 1\n');
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    const base = origin.commit();
    origin.git('checkout', '-q', '-b', 'side');
    origin.write('a.yaml', 'a: 2\n').commit();
    origin.git('checkout', '-q', 'main');
    origin.git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
    const clone = shallowClone(origin);
    clone.git('remote', 'add', 'origin', `file://${origin.path}`);
    const repository = await open(clone.path);
    const [parent] = await repository.mergeParents('HEAD');
    expect(parent).toBe(base);
    expect(await repository.resolveCommit(base)).toBeUndefined();
    await repository.fetchCommit(base);
    expect(
      (await repository.changedFiles(base, (await repository.resolveCommit('HEAD')) as string)).map(
        (change) => change.path,
      ),
    ).toEqual(['a.yaml']);
    expect(existsSync(path.join(clone.path, '.git/FETCH_HEAD.lock'))).toBe(false);
  });

  it('needs an origin', async () => {
    const repository = await open(gitFolder().path);
    await expect(repository.fetchCommit('f'.repeat(40))).rejects.toMatchObject({ code: 'origin-missing' });
  });

  it.each(['ext::sh -c touch% ran', 'http://example.com/x', 'git://example.com/x', 'foo::bar'])(
    'does not use %s',
    async (url) => {
      const folder = gitFolder();
      folder.git('config', 'remote.origin.url', url);
      const repository = await open(folder.path);
      await expect(repository.fetchCommit('f'.repeat(40))).rejects.toMatchObject({ code: 'origin-unsupported' });
      expect(existsSync(path.join(folder.path, 'ran'))).toBe(false);
    },
  );

  it('neither prints nor lists a token, and removes passwords from errors', async () => {
    const folder = gitFolder();
    folder.git('config', 'remote.origin.url', 'https://user:swordfish@127.0.0.1:9/x.git');
    const repository = await open(folder.path);
    const error: unknown = await repository
      .fetchCommit('f'.repeat(40), { token: 'opensesame' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WorkspaceError);
    expect((error as WorkspaceError).code).toBe('git-failed');
    expect(String((error as WorkspaceError).message)).not.toMatch(/swordfish|opensesame|b3BlbnNlc2FtZ/);
  });

  it('stops at the time limit', async () => {
    const folder = gitFolder();
    const stub = folder.write('bin/ssh', '#!/bin/sh\nsleep 60\n');
    chmodSync(path.join(stub.path, 'bin/ssh'), 0o755);
    folder.git('config', 'remote.origin.url', 'ssh://example.com/x.git');
    const before = process.env['PATH'];
    process.env['PATH'] = `${path.join(folder.path, 'bin')}:${before}`;
    try {
      const repository = await open(folder.path);
      await expect(repository.fetchCommit('f'.repeat(40), { timeoutMilliseconds: 300 })).rejects.toMatchObject({
        code: 'git-timeout',
      });
    } finally {
      process.env['PATH'] = before;
    }
  });
});

describe('a hostile repository', () => {
  it('runs none of its programs', async () => {
    const folder = gitFolder().write('a.yaml');
    const base = folder.commit();
    const head = folder.write('b.yaml').commit();
    const trap = path.join(folder.path, 'trap.sh');
    folder.write('trap.sh', `#!/bin/sh\ntouch ${folder.path}/ran\n`);
    chmodSync(trap, 0o755);
    for (const name of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.askPass',
      'core.editor',
      'core.pager',
      'credential.helper',
      'diff.external',
      'core.alternateRefsCommand',
      'core.gitProxy',
    ]) {
      folder.git('config', name, trap);
    }
    mkdirSync(path.join(folder.path, '.git/hooks'), { recursive: true });
    for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman', 'pre-auto-gc']) {
      folder.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${folder.path}/ran\n`);
      chmodSync(path.join(folder.path, `.git/hooks/${hook}`), 0o755);
    }
    folder.git('config', 'remote.origin.url', `file://${folder.path}`);
    folder.git('config', 'remote.origin.uploadpack', trap);
    folder.removeFile('ran');
    const repository = await open(folder.path);
    await repository.trackedFiles();
    await repository.indexedFiles();
    await repository.changedFiles(base, head);
    const tree = await repository.listTreeFrom(base, head);
    await repository.readBlobs(
      tree.map((file) => file.id),
      String,
    );
    await repository.fetchCommit('f'.repeat(40)).catch(() => {});
    folder.git('config', 'remote.origin.url', 'ssh://127.0.0.1:9/x.git');
    folder.removeFile('ran');
    await repository.fetchCommit('f'.repeat(40)).catch(() => {});
    expect(existsSync(path.join(folder.path, 'ran'))).toBe(false);
  });

  it('cannot replace a commit by another one', async () => {
    const folder = gitFolder().write('a.yaml', 'a: 1\n');
    const base = folder.commit();
    const head = folder.write('a.yaml', 'a: 2\n').commit();
    folder.git('replace', head, base);
    expect(await (await open(folder.path)).changedFiles(base, head)).toHaveLength(1);
  });
});
