import { describe, expect, it } from 'vitest';
import {
  ANY_PART,
  combinedPaths,
  namedFolders,
  openPath,
  PossiblePaths,
} from '../../../../src/render/sources/declaration/possible-paths.ts';
import { haveOneName, repositoryKey } from '../../../../src/render/sources/remote/repository-address.ts';
import type { JsonValue } from '../../../../src/source/json/json.ts';
import { treeOf } from '../../../../src/source/tree/file-tree.ts';

describe('possible paths', () => {
  it.each([
    ['apps/{{name}}', 'apps/web', true],
    ['apps/{{name}}', 'apps/web/base', true],
    ['apps/{{name}}', 'apps', false],
    ['apps/{{ .team }}/live', 'apps/a/live', true],
    ['apps/{{ .team }}/live', 'apps/a/test', false],
    [`$\{CLUSTER}/apps`, 'one/apps', true],
    ['a.b/{{x}}', 'aXb/c', false],
    ['{{path}}', 'anything/at/all', true],
    ['', '.', true],
    ['./web/', 'web', true],
    ['web', 'web/base', false],
  ])('%s and %s', (path, folder, is) => {
    const possible = new PossiblePaths();
    possible.add([openPath(path)]);
    expect(possible.has(folder)).toBe(is);
  });

  it('combines known values, and leaves other placeholders open', () => {
    const values = new Map([['{{dir}}', new Set(['a', 'b', '{{name}}'])]]);
    const paths = combinedPaths('x/{{dir}}/{{name}}', (placeholder) => values.get(placeholder));
    expect(paths).toEqual([`x/a/${ANY_PART}`, `x/b/${ANY_PART}`, `x/${ANY_PART}/${ANY_PART}`]);
  });

  it('does not combine without limit', () => {
    const many = new Set(Array.from({ length: 40 }, (_, index) => `v${index}`));
    expect(combinedPaths('{{a}}/{{b}}', () => many)).toEqual([`${ANY_PART}/${ANY_PART}`]);
  });

  it('finds folders in values and in texts', () => {
    const tree = treeOf({
      files: new Map([
        ['web/a.yaml', ''],
        ['tools/b.yaml', ''],
      ]),
    });
    const value = new Map<string, JsonValue>([
      ['sync', new Map([['path', './web']])],
      ['text', 'source:\n  path: tools\n  path: absent\n'],
    ]);
    expect(namedFolders(value, tree)).toEqual(['web', 'tools']);
  });
});

describe('addresses of repositories', () => {
  it.each([
    ['https://github.com/acme/platform.git', 'git@github.com:acme/platform'],
    ['ssh://git@github.com:22/Acme/Platform', 'https://user:token@github.com/acme/platform/'],
  ])('%s is %s', (one, other) => {
    expect(repositoryKey(one)).toBe(repositoryKey(other));
  });

  it('compares the names of forks', () => {
    expect(haveOneName('https://github.com/me/platform', 'git@gitlab.com:acme/platform.git')).toBe(true);
    expect(haveOneName('https://github.com/acme/apps', 'https://github.com/acme/platform')).toBe(false);
  });
});
