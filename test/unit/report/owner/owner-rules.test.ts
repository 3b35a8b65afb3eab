// CODEOWNERS as GitHub and GitLab read it.
import { describe, expect, it } from 'vitest';
import { OwnerRules } from '../../../../src/report/owner/owner-rules.ts';

function owners(text: string, path: string, file = 'CODEOWNERS'): string {
  return new OwnerRules({ path: file, text }).ownersOf(path).join(' ');
}

describe('on GitHub', () => {
  it.each([
    ['* @acme/platform', 'apps/shop/web.yaml', true],
    ['*.yaml @acme/platform', 'apps/shop/web.yaml', true],
    ['*.yml @acme/platform', 'apps/shop/web.yaml', false],
    ['/apps/ @acme/platform', 'apps/shop/web.yaml', true],
    ['/apps @acme/platform', 'apps/shop/web.yaml', true],
    ['shop/ @acme/platform', 'apps/shop/web.yaml', true],
    ['shop @acme/platform', 'apps/shop/web.yaml', true],
    ['/shop @acme/platform', 'apps/shop/web.yaml', false],
    ['apps/* @acme/platform', 'apps/shop/web.yaml', false],
    ['apps/* @acme/platform', 'apps/web.yaml', true],
    ['shop/* @acme/platform', 'apps/shop/web.yaml', false],
    ['apps/** @acme/platform', 'apps/shop/web.yaml', true],
    ['apps/** @acme/platform', 'apps', false],
    ['**/shop @acme/platform', 'apps/shop/web.yaml', true],
    ['apps/**/web.yaml @acme/platform', 'apps/web.yaml', true],
    ['apps/**/web.yaml @acme/platform', 'apps/a/b/web.yaml', true],
    ['/apps/*/web.yaml @acme/platform', 'apps/a/b/web.yaml', false],
    ['/apps/sh?p/ @acme/platform', 'apps/shop/web.yaml', true],
    ['/Apps/ @acme/platform', 'apps/shop/web.yaml', false],
    ['/my\\ apps/ @acme/platform', 'my apps/web.yaml', true],
    ['/apps/🚢?.yaml @acme/platform', 'apps/🚢🚢.yaml', true],
    ['/ @acme/platform', 'apps/shop/web.yaml', false],
  ])('%s: %s', (text, path, isOwned) => {
    expect(owners(text, path)).toBe(isOwned ? '@acme/platform' : '');
  });

  it('lets the last match decide, also a line without owners', () => {
    const text = '* @acme/platform\n/apps/ @acme/shop jane@example.com # the shop\n/apps/vendor/\n';
    expect(owners(text, 'apps/web.yaml')).toBe('@acme/shop jane@example.com');
    expect(owners(text, 'apps/vendor/web.yaml')).toBe('');
    expect(owners(text, 'README.md')).toBe('@acme/platform');
  });

  it('skips lines that it cannot read, and says why', () => {
    const text = '* @acme/platform\n!apps/ @a\n/[ab]/ @a\n/apps/ acme\n\\#x @a\n';
    const rules = new OwnerRules({ path: '.github/CODEOWNERS', text });
    expect(rules.ownersOf('apps/web.yaml')).toEqual(['@acme/platform']);
    expect(rules.codeowners.ignored).toEqual([
      { line: 2, reason: 'GitHub does not support `!`' },
      { line: 3, reason: 'GitHub does not support `[ ]`' },
      { line: 4, reason: 'an owner is neither `@name` nor an email address' },
      { line: 5, reason: 'GitHub does not support `\\#`' },
    ]);
  });

  it('does not load a file above 3 MB', () => {
    const rules = new OwnerRules({ path: 'CODEOWNERS', text: `* @acme/platform\n${'#'.repeat(3 * 1024 * 1024)}` });
    expect(rules.ownersOf('web.yaml')).toEqual([]);
    expect(rules.problem).toBe('it is larger than 3 MB, which GitHub does not load');
  });
});

describe('on GitLab', () => {
  const text = `* @acme/platform
[Shop][2] @acme/shop
apps/
/apps/checkout/ @acme/checkout # @commented
!/apps/generated/
^[Documents] @acme/writers
*.md @jane @@maintainer no-owner
[SHOP]
docs
`;
  it.each([
    ['main.tf', '@acme/platform'],
    ['apps/web.yaml', '@acme/platform @acme/shop'],
    ['old/apps/web.yaml', '@acme/platform @acme/shop'],
    ['apps/checkout/web.yaml', '@acme/platform @acme/checkout @commented'],
    ['apps/generated/web.yaml', '@acme/platform'],
    ['docs/a.md', '@acme/platform @jane @@maintainer'],
    ['docs', '@acme/platform @acme/shop'],
  ])('%s', (path, expected) => expect(owners(text, path)).toBe(expected));

  it.each([
    ['/[a-c]pp/', 'app/web.yaml', true],
    ['/[!a-c]pp/', 'app/web.yaml', false],
    ['/apps/*', 'apps/web.yaml', true],
    ['/apps/**', 'apps/shop/web.yaml', false],
    ['/apps/**/*.yaml', 'apps/shop/web.yaml', true],
    ['web.yaml', 'apps/web.yaml', true],
    ['apps', 'apps/web.yaml', false],
  ])('%s: %s', (pattern, path, isOwned) => {
    expect(owners(`${pattern} @acme`, path, '.gitlab/CODEOWNERS')).toBe(isOwned ? '@acme' : '');
  });
});

it('stops at hostile patterns and says so', () => {
  const stars = `${'*a'.repeat(1000)}b @acme/platform\n`;
  const rules = new OwnerRules({ path: 'CODEOWNERS', text: stars.repeat(1000) });
  const path = `${'a'.repeat(250)}/`.repeat(16);
  for (let file = 0; file < 100 && rules.problem === undefined; file++) rules.ownersOf(`${path}${file}`);
  expect(rules.problem).toBe('matching its patterns takes too long');
  expect(rules.ownersOf('web.yaml')).toEqual([]);
});
