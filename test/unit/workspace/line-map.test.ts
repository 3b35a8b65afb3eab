// Maps lines of one version of a file to another: for hunks in git's format, and for versions compared by git.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GitRepository } from '../../../src/workspace/git/git-repository.ts';
import { lineMapOf } from '../../../src/workspace/git/line-map.ts';
import { GitFolder } from '../../support/git-fixture.ts';
import { tries } from '../../support/tries.ts';

describe('lineMapOf', () => {
  it.each([
    ['@@ -3 +3 @@\n-a\n+b', [1, 2, undefined, 4, 5]],
    ['@@ -2,0 +3,2 @@\n+a\n+b', [1, 2, undefined, undefined, 3]],
    ['@@ -1,2 +0,0 @@\n-a\n-b', [3, 4, 5, 6, 7]],
    ['@@ -3,2 +2,0 @@\n-a\n-b', [1, 2, 5, 6, 7]],
    ['@@ -1,0 +2 @@\n+a\n@@ -4 +4,0 @@ section\n-a', [1, undefined, 2, 3, 5]],
    ['diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-@@ -9 +9 @@\n+a\r@@ -3 +3,9 @@', [undefined, 2, 3, 4, 5]],
    ['', [undefined, undefined, undefined, undefined, undefined]],
    ['Binary files a/x and b/x differ\n', [undefined, undefined, undefined, undefined, undefined]],
  ])('%j', (patch, lines) => {
    expect([1, 2, 3, 4, 5].map(lineMapOf(Buffer.from(patch, 'latin1')))).toEqual(lines);
  });
});

const version = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', '', '@@ -1 +1 @@', '+', '-', '\r@@ -1 +1,4 @@', 'ü', '\0'), {
    maxLength: 12,
  })
  .chain((lines) => fc.constantFrom('\n', '').map((end) => lines.join('\n') + end));

/** Splits lines as git does. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

it("maps equal lines of both versions, in order, regardless of the repository's attributes", async (context) => {
  const folder = new GitFolder();
  context.onTestFinished(() => folder.remove());
  folder.write('.gitattributes', '*.yaml -diff\n');
  folder.git('config', 'diff.external', 'false');
  await fc.assert(
    fc.asyncProperty(version, version, async (old, now) => {
      fc.pre(old !== now);
      const name = 'a\n:(glob)*.yaml';
      const from = folder.write(name, old).commit();
      const to = folder.write(name, now).commit();
      const repository = await GitRepository.open(folder.path);
      const map = await repository?.lineMap(from, to, name);
      const [before = [], after = []] = [old, now].map(linesOf);
      const lines = after.map((_, index) => map?.(index + 1));
      for (const [index, line] of lines.entries()) if (line !== undefined) expect(before[line - 1]).toBe(after[index]);
      const found = lines.filter((line) => line !== undefined);
      expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
    }),
    tries(25, 5),
  );
});
