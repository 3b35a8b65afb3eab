// Git addresses of kustomizations, as in kustomize's own tests (api/internal/git/repospec_test.go).
import { expect, test } from 'vitest';
import { parseRepositorySpec } from '../../../src/render/sources/remote/repository-spec.ts';

test.each<[string, string, string, string]>([
  ['https://github.com/org/repo', 'https://github.com/org/repo', '', ''],
  ['https://github.com/org/repo/a/b?ref=v1', 'https://github.com/org/repo', 'a/b', 'v1'],
  ['https://github.com/org/repo//a/b?ref=v1', 'https://github.com/org/repo', 'a/b', 'v1'],
  ['https://github.com/org/repo.git//a', 'https://github.com/org/repo.git', 'a', ''],
  ['https://github.com/org/repo.git/a', 'https://github.com/org/repo.git', 'a', ''],
  ['github.com/org/repo/a?ref=main', 'https://github.com/org/repo', 'a', 'main'],
  ['GitHub.com/org/repo', 'https://github.com/org/repo', '', ''],
  ['git::https://github.com/org/repo//a', 'https://github.com/org/repo', 'a', ''],
  ['http://github.com/org/repo', 'https://github.com/org/repo', '', ''],
  ['https://me@github.com/org/repo', 'me@github.com:org/repo', '', ''],
  ['git@github.com:org/repo.git//a', 'git@github.com:org/repo.git', 'a', ''],
  ['ssh://git@git.example.com/org/repo//a', 'ssh://git@git.example.com/org/repo', 'a', ''],
  ['https://git.example.com/a/b/c//d', 'https://git.example.com/a/b/c', 'd', ''],
  ['https://dev.azure.com/o/p/_git/repo/a?version=GBmain', 'https://dev.azure.com/o/p/_git/repo', 'a', 'GBmain'],
  ['https://git.example.com/org/repo?version=a&ref=b', 'https://git.example.com/org/repo', '', 'b'],
  ['https://git.example.com/org/repo?ref=a;b', 'https://git.example.com/org/repo', '', ''],
  ['https://git.example.com/org/repo?ref=%zz', 'https://git.example.com/org/repo', '', ''],
  ['file:///srv/repo//a', 'file:///srv/repo', 'a', ''],
  ['user@host.xz:org/repo', 'user@host.xz:org/repo', '', ''],
])('%s', (text, url, path, ref) => {
  expect(parseRepositorySpec(text)).toEqual({ url, path, ref });
});

test.each([
  '../base',
  'base.yaml',
  './a@b',
  '/abs/path',
  'https://example.com',
  'https://example.com/one',
  'htxxtp://github.com/',
  'ext::sh -c x',
  '--upload-pack=x',
  'https://github.com/org/repo//../../x',
  'https://github.com/org/repo//a/../../x',
  '',
])('%s is no repository', (text) => {
  expect(parseRepositorySpec(text)).toBeUndefined();
});
