// Discovery in and out of Git: which files are read, and the reason for each of the others.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_INCLUDE } from '../../../../src/settings/selection.ts';
import { type DiscoverOptions, type Discovery, discover } from '../../../../src/workspace/discover/discover.ts';
import { needs } from '../../../support/evidence.ts';
import { Folder, GitFolder } from '../../../support/git-fixture.ts';

const made: Folder[] = [];

function plainFolder(): Folder {
  const folder = new Folder();
  made.push(folder);
  return folder;
}

function gitFolder(): GitFolder {
  const folder = new GitFolder();
  made.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of made.splice(0)) folder.remove();
});

function selected(discovery: Discovery): string[] {
  return discovery.files.filter((file) => file.selected).map(({ file }) => file.path);
}

function context(discovery: Discovery): string[] {
  return discovery.files.filter((file) => !file.selected).map(({ file }) => file.path);
}

function notRead(discovery: Discovery): Record<string, string> {
  return Object.fromEntries(discovery.notRead.map(({ path, reason }) => [path, reason]));
}

describe('in a Git checkout', () => {
  it('reads tracked YAML and JSON, and lists everything else with a reason', async () => {
    const folder = gitFolder()
      .write('b.yml')
      .write('a.yaml', 'a: 1\n')
      .write('c.json', '{}')
      .write('.hidden/d.yaml')
      .write('line\nbreak.yaml')
      .write('README.md');
    symlinkSync('a.yaml', path.join(folder.path, 'link.yaml'));
    symlinkSync('/etc', path.join(folder.path, 'etc'));
    folder.commit();
    folder.write('new.yaml').write('notes.txt').removeFile('b.yml');
    const discovery = await discover({ directory: folder.path });
    expect(discovery.root).toBe(folder.path);
    expect(selected(discovery)).toEqual(['.hidden/d.yaml', 'a.yaml', 'c.json', 'line\nbreak.yaml']);
    expect(notRead(discovery)).toEqual({
      'b.yml': 'missing-file',
      etc: 'symbolic-link',
      'link.yaml': 'symbolic-link',
      'new.yaml': 'untracked',
    });
    expect(discovery.files.find(({ file }) => file.path === 'a.yaml')?.file.text).toBe('a: 1\n');
  });

  it('does not read submodules', async () => {
    const module = gitFolder().write('x.yaml');
    (module as GitFolder).commit();
    const folder = gitFolder();
    folder.git('submodule', '--quiet', 'add', module.path, 'module');
    const discovery = await discover({ directory: folder.path });
    expect(selected(discovery)).toEqual([]);
    expect(notRead(discovery)).toEqual({ module: 'submodule' });
  });

  it('restricts the search to the start folder, but reads kustomizations around it', async () => {
    const folder = gitFolder()
      .write('apps/a.yaml')
      .write('apps/sub/b.yaml')
      .write('other/c.yaml')
      .write('other/kustomization.yaml');
    folder.commit();
    const discovery = await discover({ directory: path.join(folder.path, 'apps') });
    expect(discovery.root).toBe(folder.path);
    expect(selected(discovery)).toEqual(['apps/a.yaml', 'apps/sub/b.yaml']);
    expect(context(discovery)).toEqual(['other/kustomization.yaml']);
  });

  it('does not follow a tracked path through a folder that became a link', async () => {
    const outside = plainFolder().write('secret.yaml', 'password: x\n');
    const folder = gitFolder().write('dir/secret.yaml', 'a: 1\n');
    folder.commit();
    folder.removeFolder('dir');
    symlinkSync(outside.path, path.join(folder.path, 'dir'));
    const discovery = await discover({ directory: folder.path });
    expect(discovery.files).toEqual([]);
    expect(notRead(discovery)['dir/secret.yaml']).toBe('outside-root');
  });

  it('does not follow a tracked file that became a link, or block on one that became a pipe', async () => {
    const folder = gitFolder().write('a.yaml').write('b.yaml');
    folder.commit();
    folder.removeFile('a.yaml');
    folder.removeFile('b.yaml');
    symlinkSync('/etc/hostname', path.join(folder.path, 'a.yaml'));
    execFileSync('mkfifo', [path.join(folder.path, 'b.yaml')]);
    expect(notRead(await discover({ directory: folder.path }))).toEqual({
      'a.yaml': 'symbolic-link',
      'b.yaml': 'special-file',
    });
  });

  it('lists files whose names are not UTF-8', async () => {
    const folder = gitFolder();
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder.path}/b`), Buffer.from([0xff]), Buffer.from('.yaml')]),
      'a: 1\n',
    );
    folder.commit();
    expect(notRead(await discover({ directory: folder.path }))).toEqual({ 'b\ufffd.yaml': 'name-not-utf8' });
  });

  it('reads a commit without changing the work tree', async () => {
    const folder = gitFolder().write('a.yaml', 'a: 1\n').write('same.yaml', 'a: 1\n').write('sub/b.yaml', 'b: 1\n');
    const commit = folder.commit();
    folder.write('a.yaml', 'a: 2\n').removeFile('sub/b.yaml');
    folder.commit();
    const discovery = await discover({ directory: folder.path, commit });
    expect(Object.fromEntries(discovery.files.map(({ file }) => [file.path, file.text]))).toEqual({
      'a.yaml': 'a: 1\n',
      'same.yaml': 'a: 1\n',
      'sub/b.yaml': 'b: 1\n',
    });
    expect(selected(await discover({ directory: folder.path, commit, paths: ['sub', 'gone.yaml'] }))).toEqual([
      'sub/b.yaml',
    ]);
  });
});

describe('outside Git', () => {
  it('reads only the given paths, unless globs select more', async () => {
    const folder = plainFolder().write('apps/a.yaml').write('policies/b.yaml').write('c.yaml');
    const from = { directory: folder.path, context: DEFAULT_INCLUDE };
    expect((await discover({ ...from, paths: ['apps'] })).files.map(({ file }) => file.path)).toEqual(['apps/a.yaml']);
    expect((await discover({ ...from, paths: ['c.yaml'] })).files.map(({ file }) => file.path)).toEqual(['c.yaml']);
    const named = await discover({ ...from, paths: ['apps'], context: ['policies/**'] });
    expect([selected(named), context(named)]).toEqual([['apps/a.yaml'], ['policies/b.yaml']]);
  });

  it('does not start at the root of the file system', async () => {
    await expect(discover({ directory: '/' })).rejects.toMatchObject({ code: 'file-system-root' });
    await expect(discover({ directory: '/', paths: ['..'] })).rejects.toMatchObject({ code: 'file-system-root' });
    const folder = plainFolder().write('a.yaml');
    const { files } = await discover({ directory: '/', paths: [folder.path.slice(1)] });
    expect(files.map(({ file }) => `/${file.path}`)).toEqual([`${folder.path}/a.yaml`]);
  });

  it('reads a folder without entering links or `.git`', async () => {
    const outside = plainFolder().write('secret.yaml');
    const folder = plainFolder().write('a.yaml').write('sub/deep/b.json').write('sub/.git/c.yaml').write('d.txt');
    symlinkSync(outside.path, path.join(folder.path, 'link'));
    symlinkSync(path.join(outside.path, 'secret.yaml'), path.join(folder.path, 'secret.yaml'));
    const discovery = await discover({ directory: folder.path });
    expect(discovery.repository).toBeUndefined();
    expect(selected(discovery)).toEqual(['a.yaml', 'sub/deep/b.json']);
    expect(notRead(discovery)).toEqual({ link: 'symbolic-link', 'secret.yaml': 'symbolic-link' });
  });

  needs('unprivileged').it('names folders it may not enter', async () => {
    const folder = plainFolder().write('closed/a.yaml');
    chmodSync(path.join(folder.path, 'closed'), 0);
    expect(notRead(await discover({ directory: folder.path }))).toEqual({ closed: 'unreadable-file' });
    chmodSync(path.join(folder.path, 'closed'), 0o755);
  });

  it('lists folders beyond the depth limit', async () => {
    const folder = plainFolder().write('a.yaml');
    const deep = Array.from({ length: 101 }, () => 'd').join('/');
    mkdirSync(path.join(folder.path, deep), { recursive: true });
    expect(notRead(await discover({ directory: folder.path }))).toEqual({ [deep]: 'folder-too-deep' });
  });

  it('cannot read a commit', async () => {
    const options = { directory: plainFolder().path, commit: 'f'.repeat(40) };
    await expect(discover(options)).rejects.toMatchObject({ code: 'bad-revision' });
  });
});

describe('selection', () => {
  const files = [
    'apps/a.yaml',
    'apps/b.json',
    'apps/kustomization.yaml',
    'apps/Kustomization',
    'apps/notes.txt',
    'policies/p.yaml',
  ];
  const cases: readonly [
    name: string,
    options: Partial<DiscoverOptions>,
    selected: string[],
    context: string[],
    notRead: Record<string, string>,
  ][] = [
    [
      'nothing',
      {},
      ['apps/a.yaml', 'apps/b.json', 'apps/kustomization.yaml', 'policies/p.yaml'],
      ['apps/Kustomization'],
      {},
    ],
    ['a folder', { paths: ['policies'] }, ['policies/p.yaml'], ['apps/Kustomization', 'apps/kustomization.yaml'], {}],
    [
      'a folder with a slash',
      { paths: ['./policies/'] },
      ['policies/p.yaml'],
      ['apps/Kustomization', 'apps/kustomization.yaml'],
      {},
    ],
    [
      'a file of another type',
      { paths: ['apps/notes.txt'] },
      ['apps/notes.txt'],
      ['apps/Kustomization', 'apps/kustomization.yaml'],
      {},
    ],
    [
      'an excluded file',
      { paths: ['apps/a.yaml'], exclude: ['apps'] },
      ['apps/a.yaml'],
      ['apps/Kustomization', 'apps/kustomization.yaml'],
      {},
    ],
    ['include', { include: ['apps/*.json'] }, ['apps/b.json'], ['apps/Kustomization', 'apps/kustomization.yaml'], {}],
    [
      'exclude',
      { exclude: ['apps/**'] },
      ['policies/p.yaml'],
      ['apps/Kustomization', 'apps/kustomization.yaml'],
      { 'apps/a.yaml': 'excluded', 'apps/b.json': 'excluded' },
    ],
    [
      'context',
      { paths: ['apps/a.yaml'], context: ['policies/'] },
      ['apps/a.yaml'],
      ['apps/Kustomization', 'apps/kustomization.yaml', 'policies/p.yaml'],
      {},
    ],
  ];

  it.each(cases)('%s in Git', async (_, options, wantSelected, wantContext, wantNotRead) => {
    const folder = gitFolder();
    for (const file of files) folder.write(file);
    folder.commit();
    const discovery = await discover({ directory: folder.path, ...options });
    expect(selected(discovery)).toEqual(wantSelected);
    expect(context(discovery)).toEqual(wantContext);
    expect(notRead(discovery)).toEqual(wantNotRead);
  });

  it.each(cases)('%s outside Git', async (_, options, wantSelected, _context, wantNotRead) => {
    const folder = plainFolder();
    for (const file of files) folder.write(file);
    const discovery = await discover({ directory: folder.path, ...options });
    expect(selected(discovery)).toEqual(wantSelected);
    expect(notRead(discovery)).toEqual(wantNotRead);
  });

  it('reads files named on the command line even if Git does not track them', async () => {
    const folder = gitFolder().write('.gitignore', 'rendered/\n').write('a.yaml');
    folder.commit();
    folder.write('rendered/x.yaml').write('rendered/deep/y.yaml').write('one.yaml');
    expect(selected(await discover({ directory: folder.path, paths: ['rendered'] }))).toEqual([
      'rendered/deep/y.yaml',
      'rendered/x.yaml',
    ]);
    expect(selected(await discover({ directory: folder.path, paths: ['one.yaml'] }))).toEqual(['one.yaml']);
  });

  it.each([
    ['missing.yaml', 'path-not-found'],
    ['a.yaml/b', 'path-not-found'],
    ['../x.yaml', 'path-outside-root'],
    ['/etc/hostname', 'path-outside-root'],
  ])('rejects %s', async (given, code) => {
    const folder = gitFolder().write('a.yaml');
    folder.commit();
    await expect(discover({ directory: folder.path, paths: [given] })).rejects.toMatchObject({ code });
  });

  it('rejects a missing folder', async () => {
    await expect(discover({ directory: '/nonexistent/folder' })).rejects.toMatchObject({ code: 'path-not-found' });
  });

  it('rejects invalid globs', async () => {
    await expect(discover({ directory: plainFolder().path, include: ['../**'] })).rejects.toMatchObject({
      code: 'bad-glob',
    });
  });
});

describe('contents', () => {
  const contents: readonly [name: string, bytes: Uint8Array, result: string][] = [
    ['UTF-8', Buffer.from('ä: 1\n'), 'ä: 1\n'],
    ['UTF-8 with a mark', Buffer.from('\ufeffa: 1\n'), '\ufeffa: 1\n'],
    ['UTF-16, little end first', Buffer.from('\ufeffa: ü\n', 'utf16le'), '\ufeffa: ü\n'],
    ['UTF-16, big end first', Buffer.from('\ufeffa: ü\n', 'utf16le').swap16(), '\ufeffa: ü\n'],
    ['nothing', Buffer.alloc(0), ''],
    ['Latin-1', Buffer.from('ä: 1\n', 'latin1'), 'not-utf8'],
    ['UTF-16 without a mark is text with NULs', Buffer.from('a: 1\n', 'utf16le'), 'a\0:\0 \x001\0\n\0'],
    ['half a UTF-16 unit', Buffer.from([0xff, 0xfe, 0x61]), 'not-utf8'],
    ['half a UTF-16 unit, big end first', Buffer.from([0xfe, 0xff, 0x61]), 'not-utf8'],
    ['half a surrogate pair', Buffer.from('\ufeff\ud800', 'utf16le'), 'not-utf8'],
    ['an encrypted file', Buffer.from([0, 0x47, 0x49, 0x54, 0x43, 0x52, 0x59, 0x50, 0x54, 0, 0xff]), 'not-utf8'],
    [
      'an LFS pointer',
      Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'),
      'git-lfs-pointer',
    ],
    ['too much', Buffer.alloc(5 * 1024 * 1024 + 1, 0x20), 'file-too-large'],
    ['as much as may be', Buffer.alloc(5 * 1024 * 1024, 0x20), ' '.repeat(5 * 1024 * 1024)],
    ['too many documents', Buffer.from('---\n'.repeat(10_001)), 'too-many-documents'],
    ['as many documents as may be', Buffer.from('---\n'.repeat(10_000)), '---\n'.repeat(10_000)],
  ];

  it.each(contents)('%s', async (_, bytes, result) => {
    const folder = gitFolder().write('x.yaml', bytes);
    const commit = folder.commit();
    for (const options of [{}, { commit }]) {
      const { files, notRead } = await discover({ directory: folder.path, ...options });
      expect(files[0]?.file.text ?? notRead[0]?.reason).toBe(result);
    }
  });
});
