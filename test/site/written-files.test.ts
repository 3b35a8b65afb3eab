// Splits a text into files: start lines, valid paths, and no lost lines.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filesIn, isRendered, PLAYGROUND } from '../../site/client/written-files.ts';
import { tries } from '../support/tries.ts';

test('a line starts a file, and the lines before it are counted', () => {
  expect(filesIn('---\n# all of it\n\n# file: a/kustomization.yaml\nx: 1\n# file:b.yaml \n\ny: 2\n')).toEqual({
    files: [
      { path: 'a/kustomization.yaml', text: 'x: 1', before: 4 },
      { path: 'b.yaml', text: '\ny: 2\n', before: 6 },
    ],
  });
});

test.each([
  ['# file: kustomization.yaml', true],
  ['a: 1\n# file: a/b/kustomization.yml\n', true],
  ['# file: a/Kustomization', true],
  ['# file: a/my-kustomization.yaml', false],
  ['  # file: kustomization.yaml', false],
  ['#file: kustomization.yaml', false],
  ['kind: Kustomization', false],
])('%j is built: %s', (text, is) => {
  expect(isRendered(text)).toBe(is);
});

test.each([
  ['a: 1\n# file: kustomization.yaml\n', 'Line 1 is outside all files: write `# file: ` and a path above it'],
  ['# file: a.yaml\n# file: a.yaml\n', 'Line 2: there are two files `a.yaml`'],
  ...['', '/etc/passwd', '../a', 'a/./b', 'a//b', 'a/', `${PLAYGROUND}/policies.yaml`].map((path): [string, string] => [
    `# file: ${path}\n`,
    `Line 1: \`${path}\` is not a file path from the top of a repository`,
  ]),
])('%j is rejected', (text, mistake) => {
  expect(filesIn(text)).toEqual({ mistake });
});

test('every line of a text with files belongs to a file or starts one', () => {
  const line = fc.constantFrom('', 'a: 1', '- b', '---', '# file', '  # file: c', '# files: d');
  const files = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,8}(?:\/[a-z]{1,8}){0,2}$/), fc.array(line)), {
    minLength: 1,
    selector: ([path]) => path,
  });
  fc.assert(
    fc.property(files, (all) => {
      const text = all.map(([path, lines]) => [`# file: ${path}`, ...lines].join('\n')).join('\n');
      const found = filesIn(text);
      if ('mistake' in found) throw new Error(found.mistake);
      expect(found.files.map(({ path, text: own }) => [path, own])).toEqual(
        all.map(([path, lines]) => [path, lines.join('\n')]),
      );
      for (const { text: own, before } of found.files) {
        expect(
          text
            .split('\n')
            .slice(before, before + own.split('\n').length)
            .join('\n'),
        ).toContain(own);
      }
    }),
    tries(200, 20261122),
  );
});
