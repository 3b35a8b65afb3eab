import { describe, expect, it } from 'vitest';
import { imageGlob } from '../../../../src/policy/kyverno/cel-policy/image-glob.ts';

describe('imageGlob', () => {
  it.each([
    ['shop/*', 'shop/a/b:1', true],
    ['shop/**', 'shop/a/b:1', true],
    ['shop/?', 'shop/a', true],
    ['shop/?', 'shop/ab', false],
    ['shop/*', 'other/shop/a', false],
    ['{shop,mall}/*', 'mall/a', true],
    ['{shop,mall}/*', 'malls/a', false],
    ['shop/{a,b{c,d}}', 'shop/bd', true],
    ['shop/[a-c]', 'shop/b', true],
    ['shop/[!a-c]', 'shop/b', false],
    ['shop/[^a]', 'shop/^', true],
    ['shop/[xyz]', 'shop/y', true],
    ['shop/\\*', 'shop/*', true],
    ['shop/\\*', 'shop/a', false],
    ['shop.example/*', 'shopxexample/a', false],
    ['a,b', 'a,b', true],
    ['a}', 'a}', true],
  ])('%s of %s: %s', (glob, image, matches) => {
    expect(imageGlob(glob)?.(image)).toBe(matches);
  });

  it.each(['shop/[a', 'shop/{a', 'shop/[c-a]', 'shop/[]'])('rejects %s', (glob) => {
    expect(imageGlob(glob)).toBeUndefined();
  });

  it('matches many stars quickly', () => {
    expect(imageGlob(`${'*a'.repeat(60)}b`)?.('a'.repeat(5000))).toBe(false);
  });
});
