// Kubernetes' values: written values are read back unchanged, comparisons are consistent, and no text causes an exception.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatIpAddress,
  formatIpPrefix,
  maskedPrefix,
  parseIpAddress,
  parseIpPrefix,
  prefixContains,
} from '../../src/go/net/ip-address.ts';
import { parseRequestUri, parseUrl } from '../../src/go/net/url.ts';
import {
  compareSemanticVersions,
  normalizeSemanticVersion,
  parseSemanticVersion,
} from '../../src/go/semver/semantic-version.ts';
import { fromByteString, toByteString } from '../../src/go/strings/byte-string.ts';
import { NAMED_FORMATS } from '../../src/kubernetes/cel/named-format.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../src/kubernetes/quantity/quantity.ts';
import { parseFieldSelector, parseLabelSelector } from '../../src/kubernetes/selector/selector-text.ts';
import { tries } from '../support/tries.ts';

const SEED = 20_261;

function check<T>(property: fc.IProperty<T>, full = 300): void {
  fc.assert(property, tries(full, SEED, full));
}

/** Texts close to the grammar, and arbitrary ones. */
function near(characters: string): fc.Arbitrary<string> {
  const close = fc.string({ unit: fc.constantFrom(...characters), maxLength: 24 });
  return fc.oneof(close, fc.string({ unit: 'grapheme', maxLength: 24 }));
}

const quantityText = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.bigInt({ min: 0n, max: 10n ** 24n }),
    fc.option(fc.stringMatching(/^[0-9]{0,12}$/), { nil: undefined }),
    fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'e3', 'E-2'),
  )
  .map(
    ([sign, integer, fraction, suffix]) => `${sign}${integer}${fraction === undefined ? '' : `.${fraction}`}${suffix}`,
  );

function read(text: string): Quantity {
  const quantity = parseQuantity(text);
  if ('error' in quantity) throw new Error(`${text}: ${quantity.error}`);
  return quantity;
}

describe('quantities', () => {
  it('keep their value when formatted and parsed', () => {
    check(
      fc.property(quantityText, (text) => {
        const quantity = read(text);
        const { text: _, ...uncached } = quantity;
        const written = formatQuantity(uncached);
        // Values from 1000E on have no suffix.
        fc.pre(quantity.format !== 'DecimalSI' || compareQuantities(quantity, read('1000E')) < 0);
        fc.pre(quantity.format !== 'DecimalSI' || compareQuantities(quantity, read('-1000E')) > 0);
        expect(compareQuantities(read(written), quantity)).toBe(0);
        expect(formatQuantity(read(written))).toBe(written);
      }),
    );
  });

  it('have consistent sums and order', () => {
    check(
      fc.property(quantityText, quantityText, (left, right) => {
        const [a, b] = [read(left), read(right)];
        const sum = addQuantities(a, b) as Quantity;
        expect(compareQuantities(sum, addQuantities(b, a) as Quantity)).toBe(0);
        expect(compareQuantities(subtractQuantities(sum, b) as Quantity, a)).toBe(0);
        expect(compareQuantities(a, b)).toBe(0 - compareQuantities(b, a));
      }),
    );
  });
});

describe('addresses', () => {
  const bytes = (count: number): fc.Arbitrary<number[]> =>
    fc.array(fc.oneof(fc.constant(0), fc.nat(255)), { minLength: count, maxLength: count });
  const address = fc.oneof(
    bytes(4).map((value) => ({ family: 4, bytes: value, zone: '' }) as const),
    bytes(16).map((value) => ({ family: 6, bytes: value, zone: '' }) as const),
  );

  it('are parsed back unchanged', () => {
    check(
      fc.property(address, (ip) => {
        expect(parseIpAddress(formatIpAddress(ip))).toEqual(ip);
      }),
    );
  });

  it('belong to their own networks', () => {
    check(
      fc.property(address, fc.nat(128), (ip, wanted) => {
        const prefix = { address: ip, bits: Math.min(wanted, ip.bytes.length * 8) };
        expect(parseIpPrefix(formatIpPrefix(prefix))).toEqual(prefix);
        expect(prefixContains(maskedPrefix(prefix), ip)).toBe(true);
        expect(maskedPrefix(maskedPrefix(prefix))).toEqual(maskedPrefix(prefix));
      }),
    );
  });
});

describe('URLs', () => {
  it('keep their meaning when formatted and parsed', () => {
    check(
      fc.property(near("aZ09:/?#[]@!$&'()*+,;=%41 é"), (text) => {
        const url = parseUrl(text);
        fc.pre(!('error' in url) && url.host === '');
        if ('error' in url) return;
        const again = parseUrl(String(url));
        expect('error' in again ? again : [again.scheme, again.escapedPath, String(again)]).toEqual([
          url.scheme,
          url.escapedPath,
          String(url),
        ]);
      }),
      1000,
    );
  });
});

it('normalized versions are stable', () => {
  check(
    fc.property(near('v0123456789.-+a'), (text) => {
      const normalized = normalizeSemanticVersion(text);
      const version = typeof normalized === 'string' ? parseSemanticVersion(normalized) : normalized;
      if ('error' in version) return;
      expect(normalizeSemanticVersion(normalized as string)).toBe(normalized);
      expect(compareSemanticVersions(version, version)).toBe(0);
    }),
    1000,
  );
});

it('texts are preserved as byte strings', () => {
  check(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(fromByteString(toByteString(text))).toBe(text);
    }),
  );
});

it('parsers never throw', () => {
  const readers: readonly ((text: string) => unknown)[] = [
    parseQuantity,
    parseIpAddress,
    parseIpPrefix,
    parseRequestUri,
    (text) => String(parseUrl(text)),
    parseSemanticVersion,
    parseLabelSelector,
    parseFieldSelector,
    ...[...NAMED_FORMATS.values()].map(({ validate }) => validate),
  ];
  const text = fc.oneof(
    near('0123456789.+-eEinumkKMGTP'),
    near('0123456789abcdef:.%/'),
    near("aZ09:/?#[]@!$&'()*+,;=%"),
    near('a0.-_/ ,!=<>()in'),
  );
  check(
    fc.property(text, (value) => {
      for (const reader of readers) expect(() => reader(value)).not.toThrow();
    }),
  );
});
