// Histories in files and branches: several writers at once, half lines, replaced files, forced pushes, branches in use.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { extendHistoryBranch, readHistoryBranch } from '../../../src/workspace/history/history-branch.ts';
import { extendHistoryFile, readHistoryFile } from '../../../src/workspace/history/history-file.ts';
import type { HistoryText } from '../../../src/workspace/history/history-text.ts';

const NOW = Date.parse('2026-11-24T05:17:00Z');

/** Lines are words; a history of more than `most` lines is compacted to one line with all words. */
function wordsOf(word: string, most = 1_000): HistoryText {
  const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
  return {
    lineFor: (text) => (text.split(/\s/).includes(word) ? undefined : `${word}\n`),
    appended: (text, line) => (text === '' || text.endsWith('\n') ? text + line : `${text}\n${line}`),
    compacted: (text) => (linesOf(text).length <= most ? undefined : `${linesOf(text).join(' ')}\n`),
    joined: (one, other) => [...new Set([...linesOf(one), ...linesOf(other)])].map((line) => `${line}\n`).join(''),
  };
}

const words = (text: string): readonly string[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .sort();
const NAMES = Array.from({ length: 12 }, (_, index) => `audit-${String(index).padStart(2, '0')}`);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-history-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('in a file', () => {
  const path = (): string => join(folder, 'audits/history.jsonl');
  const extend = (word: string, most?: number): Promise<void> => extendHistoryFile(path(), wordsOf(word, most), NOW);

  test('every writer adds its line once', async () => {
    expect(await readHistoryFile(path())).toBe('');
    await Promise.all(NAMES.map((name) => extend(name)));
    await extend('audit-03');
    expect(words(await readHistoryFile(path()))).toEqual(NAMES);
    expect(readFileSync(path(), 'utf8').split('\n')).toHaveLength(NAMES.length + 1);
  });

  test('no line is lost while another writer replaces the file by a compacted one', async () => {
    for (let round = 0; round < 3; round++) {
      const names = NAMES.map((name) => `${name}-${round}`);
      await Promise.all(names.map((name) => extend(name, 3)));
    }
    expect(new Set(words(await readHistoryFile(path())))).toEqual(
      new Set([0, 1, 2].flatMap((round) => NAMES.map((name) => `${name}-${round}`))),
    );
    expect(readdirSync(join(folder, 'audits'))).toEqual(['history.jsonl']);
  });

  test('a line follows half a line that a stopped run left', async () => {
    await extend('first');
    appendFileSync(path(), 'hal');
    await extend('second');
    expect(readFileSync(path(), 'utf8')).toBe('first\nhal\nsecond\n');
  });

  test('a claim of a stopped run delays the compaction for ten minutes only', async () => {
    await extend('first');
    writeFileSync(`${path()}.compacting`, '');
    utimesSync(`${path()}.compacting`, NOW / 1000, NOW / 1000);
    await extend('second', 1);
    expect(readFileSync(path(), 'utf8')).toBe('first\nsecond\n');
    await extendHistoryFile(path(), wordsOf('third', 1), NOW + 700_000);
    expect(readFileSync(path(), 'utf8')).toBe('first second third\n');
  });

  test('must be a regular file', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(readHistoryFile(join(folder, 'pipe'))).rejects.toThrow('is not a regular file');
    await expect(extendHistoryFile(folder, wordsOf('a'), NOW)).rejects.toThrow(/cannot be|not a regular file/);
  });
});

describe('in a branch', () => {
  const git = (args: readonly string[], cwd = join(folder, 'work')): string =>
    execFileSync('git', args, { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: folder } });
  const where = { branch: 'preadmit-audit', file: 'history.jsonl', directory: '' };
  const extend = (word: string, cwd = 'work'): Promise<void> =>
    extendHistoryBranch({ ...where, directory: join(folder, cwd) }, wordsOf(word), NOW);
  const read = (cwd = 'work'): Promise<string> =>
    readHistoryBranch({ ...where, directory: join(folder, cwd) }, wordsOf('').joined);

  beforeEach(() => {
    execFileSync('git', ['init', '-q', '-b', 'main', join(folder, 'work')]);
    git(['config', 'user.name', 'a']);
    git(['config', 'user.email', 'a@example.com']);
    writeFileSync(join(folder, 'work/a.yaml'), 'a: 1\n');
    git(['add', '.']);
    git(['commit', '-q', '-m', 'Start']);
  });

  test('starts without parents and changes neither the work tree nor the index', async () => {
    writeFileSync(join(folder, 'work/a.yaml'), 'a: 2\n');
    const before = git(['status', '--porcelain=v2', '--branch']);
    expect(await read()).toBe('');
    await extend('first');
    await extend('second');
    expect(await read()).toBe('first\nsecond\n');
    expect(
      git(['rev-list', '--parents', 'preadmit-audit'])
        .trim()
        .split('\n')
        .map((line) => line.split(' ').length),
    ).toEqual([2, 1]);
    expect(git(['ls-tree', '--name-only', 'preadmit-audit'])).toBe('history.jsonl\n');
    expect(git(['status', '--porcelain=v2', '--branch'])).toBe(before);
    expect(git(['fsck', '--strict'])).toBe('');
  });

  test('every writer adds its line once', async () => {
    await Promise.all(NAMES.slice(0, 4).map((name) => extend(name)));
    expect(words(await read())).toEqual(NAMES.slice(0, 4));
    expect(git(['rev-list', '--count', 'preadmit-audit']).trim()).toBe('4');
  });

  test('keeps other files of the branch', async () => {
    git(['branch', 'preadmit-audit']);
    await extend('first');
    expect(git(['ls-tree', '--name-only', 'preadmit-audit']).split('\n')).toEqual(['a.yaml', 'history.jsonl', '']);
  });

  test('joins the local branch with the fetched one after a forced push', async () => {
    await extend('first');
    execFileSync('git', ['clone', '-q', '--bare', join(folder, 'work'), join(folder, 'origin.git')]);
    git(['remote', 'add', 'origin', join(folder, 'origin.git')]);
    git(['clone', '-q', join(folder, 'origin.git'), join(folder, 'other')], folder);
    git(['branch', 'preadmit-audit', 'origin/preadmit-audit'], join(folder, 'other'));
    await extend('mine');
    await extend('theirs', 'other');
    git(['push', '-q', '--force', 'origin', 'preadmit-audit'], join(folder, 'other'));
    git(['fetch', '-q', 'origin']);
    await extend('next');
    expect(await read()).toBe('first\nmine\ntheirs\nnext\n');
    // Both states are parents, so that a push needs no force.
    git(['push', '-q', 'origin', 'preadmit-audit']);
  });

  test('continues the fetched branch where there is no local one', async () => {
    await extend('first');
    git(['clone', '-q', join(folder, 'work'), join(folder, 'other')], folder);
    await extend('second', 'other');
    expect(await read('other')).toBe('first\nsecond\n');
  });

  test('is not extended while it is checked out, and not outside Git', async () => {
    await extend('first');
    git(['checkout', '-q', 'preadmit-audit']);
    await expect(extend('second')).rejects.toThrow('is checked out in');
    renameSync(join(folder, 'work/.git'), join(folder, 'gone'));
    await expect(extend('second')).rejects.toThrow('this folder is not in a Git checkout');
  });
});
