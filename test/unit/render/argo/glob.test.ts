// Globs of Argo CD, compared with gobwas/glob 0.2.3, Go's path.Match and doublestar 4.10.
import { expect, test } from 'vitest';
import { type GlobStyle, pathMatcher } from '../../../../src/render/argo/glob.ts';

const ROWS: readonly (readonly [style: GlobStyle, pattern: string, path: string, answer: boolean])[] = [
  ['glob', '*.yaml', 'apps/web.yaml', true],
  ['path', '*.yaml', 'apps/web.yaml', false],
  ['doublestar', '*.yaml', 'apps/web.yaml', false],
  ['doublestar', '**/*.yaml', 'apps/web.yaml', true],
  ['doublestar', '**/*.yaml', 'web.yaml', true],
  ['glob', '{apps,infra}/*', 'infra/web.yaml', true],
  ['path', '{apps,infra}/*', 'infra/web.yaml', false],
  ['glob', '{a,{b,c}}.yaml', 'c.yaml', true],
  ['glob', '[!ab].yaml', 'c.yaml', true],
  ['glob', '[!ab].yaml', 'a.yaml', false],
  // Negation: only `!` in `glob`, only `^` in `path`, both in `doublestar`.
  ['glob', '[^a].yaml', 'a.yaml', true],
  ['glob', '[^a].yaml', '^.yaml', true],
  ['glob', '[^a].yaml', 'c.yaml', false],
  ['path', '[^a].yaml', 'c.yaml', true],
  ['path', '[^a].yaml', 'a.yaml', false],
  ['path', '[!a].yaml', '!.yaml', true],
  ['path', '[!a].yaml', 'c.yaml', false],
  ['doublestar', '[!a].yaml', 'c.yaml', true],
  ['doublestar', '[^a].yaml', 'c.yaml', true],
  ['glob', '\\*.yaml', '*.yaml', true],
  ['glob', '\\*.yaml', 'a.yaml', false],
];

test.each(ROWS)('%s %s matches %s: %s', (style, pattern, path, answer) => {
  expect(pathMatcher(pattern, style)?.(path)).toBe(answer);
});
