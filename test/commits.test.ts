// Holds the subjects of recent commits to the rule of CONTRIBUTING.md.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { subjectProblems } from './architecture/commit-subject.ts';
import { needs } from './support/evidence.ts';

/** Only commits after this one are read. */
const AFTER = 'ea6b899b82c48d74a8d66fb7921d80cf48cb8578';
const ROOT = join(import.meta.dirname, '..');
const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });

/** A shallow clone, and a copy without Git, cannot name the commits in between. */
const hasHistory = git('merge-base', '--is-ancestor', AFTER, 'HEAD').status === 0;

needs('history', hasHistory).it('each commit has a subject in the imperative', () => {
  const lines = git('log', '--format=%h%x09%P%x09%s', `${AFTER}..HEAD`)
    .stdout.split('\n')
    .filter((line) => line !== '');
  const wrong = lines.flatMap((line) => {
    const [hash = '', parents = '', subject = ''] = line.split('\t');
    return subjectProblems(subject, parents.includes(' ')).map((problem) => `${hash} ${subject}: ${problem}`);
  });
  expect(wrong).toEqual([]);
});

describe('a subject', () => {
  it.each([
    ['Fail in CI when evidence is absent', false],
    ['Speed up the reader of quoted scalars', false],
    ['Merge pull request #12 from a/branch', true],
    ['Merge: threads that evaluate', true],
  ])('%s', (subject, isMerge) => expect(subjectProblems(subject, isMerge)).toEqual([]));

  it.each([
    ['Added a test', '"Added" is not imperative'],
    ['Fixing: the reader', '"Fixing" is not imperative'],
    ['Removes a cache', '"Removes" is not imperative'],
    ['add a test', 'starts without a capital'],
    ['Add a test.', 'ends with a full stop'],
    [`Add ${'a'.repeat(69)}`, 'has 73 characters, at most 72 are allowed'],
  ])('%s: %s', (subject, problem) => expect(subjectProblems(subject)).toEqual([problem]));
});
