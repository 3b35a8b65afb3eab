// The meaning of globs, and their resistance to hostile patterns.
import { Minimatch } from 'minimatch';
import { describe, expect, it } from 'vitest';
import { compileGlobs, globProblem } from '../../../src/settings/path-filter.ts';

describe('compileGlobs', () => {
  it.each([
    [
      '**/*.{yaml,yml,json}',
      ['a.yaml', 'a/b.yml', '.a/.b.json', 'a/line\nbreak.yaml', '.yaml'],
      ['a.yamlx', 'a/b', 'YAML', 'a.YAML'],
    ],
    [
      '**/node_modules/**',
      ['node_modules/a', 'a/node_modules/b/c'],
      ['node_modules', 'a/node_modules', 'xnode_modules/a'],
    ],
    ['*.yaml', ['a.yaml'], ['a/b.yaml']],
    ['apps', ['apps', 'apps/a', 'apps/b/c'], ['app', 'appsx', 'x/apps']],
    ['apps/', ['apps/a', 'apps/b/c'], ['apps', 'appsx/a']],
    ['./apps', ['apps/a'], ['x/apps/a']],
    ['/apps', ['apps/a'], ['x/apps/a']],
    ['.', ['a', 'a/b'], []],
    ['/', ['a', 'a/b'], []],
    ['clusters/*/apps/**', ['clusters/a/apps/b', 'clusters/a/apps/b/c'], ['clusters/a/b/apps/c']],
    ['!a', ['!a'], ['a', 'b']],
    ['#a', ['#a'], ['a']],
    ['a?[bc]', ['axb', 'a.c'], ['ab', 'a/b']],
    ['[', ['['], ['a']],
  ])('%s', (pattern, matching, other) => {
    const filter = compileGlobs([pattern]);
    expect(matching.filter((path) => !filter(path))).toEqual([]);
    expect(other.filter(filter)).toEqual([]);
  });

  it.each(['**', '**/*.{yaml,yml,json}', '**/*.yaml', '**/node_modules/**'])(
    '%s has the same meaning as in minimatch',
    (pattern) => {
      const steps = [
        'a',
        '.yaml',
        'x.yaml',
        'b.yml',
        'c.json',
        '..yaml',
        '\n.yaml',
        'x.yaml.bak',
        'x.YAML',
        '{a}.json',
        '*.json',
      ];
      const folders = [
        '',
        'node_modules/',
        '.node_modules/',
        'node_modules\n/',
        'node_modules.yaml/',
        'a b/',
        'node_modules/node_modules/',
      ];
      const paths = [...steps, 'node_modules'].flatMap((step) =>
        folders.flatMap((one) => folders.map((two) => one + two + step)),
      );
      const reference = new Minimatch(pattern, { dot: true, nonegate: true, nocomment: true, platform: 'linux' });
      expect(paths.filter(compileGlobs([pattern]))).toEqual(paths.filter((path) => reference.match(path)));
    },
  );

  it('matches if one of several patterns matches', () => {
    expect(['a', 'b', 'c'].filter(compileGlobs(['a', 'b']))).toEqual(['a', 'b']);
    expect(['a'].filter(compileGlobs([]))).toEqual([]);
  });
});

describe('globProblem', () => {
  it.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['../a', 'leaves the repository'],
    ['a/../../b', 'leaves the repository'],
    ['a'.repeat(1001), 'is longer than 1000 characters'],
    ['{a,b}'.repeat(12), 'has too many `{…}` alternatives'],
    [`${'+('.repeat(300)}a${')'.repeat(300)}`, 'is nested too deeply'],
    ['a..b', undefined],
    ['**', undefined],
  ])('%s', (pattern, problem) => {
    expect(globProblem(pattern)).toBe(problem);
  });
});
