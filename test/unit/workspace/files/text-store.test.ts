// Stored texts of a large repository are returned unchanged, compressed or not.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SourceFile } from '../../../../src/source/text/source-file.ts';
import { TextStore } from '../../../../src/workspace/files/text-store.ts';

const NOTHING = { all: 0, recent: 0, block: 0 };

const TEXTS = [
  '',
  'a: 1\n',
  '\ufeffa: 1\r\nb: "ü"\r\n',
  'half a pair: \ud83d\nthe other: \ude00\nboth: \u{1f600}\n',
  'Latin: \xe9\xff\0\n',
  'above it: \u0100\uffff\n',
  'name: value\n'.repeat(20_000),
  'name: ключ\n'.repeat(20_000),
];

/** Reads every text more than once and out of order. */
function readBack(texts: readonly string[], store: TextStore): readonly string[] {
  const kept = texts.map((text) => store.add(text));
  const order = [...kept.keys(), ...[...kept.keys()].reverse()];
  for (const index of order) kept[index]?.read();
  return kept.map((text) => text.read().text);
}

describe('a stored text', () => {
  test.each([
    { all: 0, recent: 0, block: 0 },
    { all: 0, recent: 0, block: 100 },
    { all: 20, recent: 10, block: 100 },
    { all: 300_000, recent: 100, block: 64 },
    { all: 10_000_000, recent: 0, block: 0 },
  ])('is returned unchanged with limits of $all, $recent and $block', (limits) => {
    expect(readBack(TEXTS, new TextStore(limits))).toEqual(TEXTS);
  });

  test('is returned unchanged with any characters', () => {
    const unit = fc.string({ unit: 'binary' });
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code));
    const text = fc.array(fc.oneof(unit, half, fc.constant('\r\n'))).map((parts) => parts.join(''));
    const limit = fc.integer({ min: 0, max: 50 });
    fc.assert(
      fc.property(fc.array(text), limit, limit, limit, (texts, all, recent, block) => {
        expect(readBack(texts, new TextStore({ all, recent, block }))).toEqual(texts);
      }),
    );
  });

  test('has a length and lines while it is compressed', () => {
    const store = new TextStore(NOTHING);
    const files = TEXTS.map((text, index) => new SourceFile(`${index}.yaml`, store.add(text)));
    expect(files.map(({ length }) => length)).toEqual(TEXTS.map(({ length }) => length));
    for (const [index, file] of files.entries()) {
      const plain = new SourceFile('plain.yaml', TEXTS[index] as string);
      expect(file.lineStarts).toEqual(plain.lineStarts);
      expect([file.lineText(1), file.lineText(2)]).toEqual([plain.lineText(1), plain.lineText(2)]);
      expect(file.positionAt(9)).toEqual(plain.positionAt(9));
    }
  });

  test('stays uncompressed up to the limit, and then only if it was used recently', () => {
    const few = new TextStore({ all: 10, recent: 4, block: 0 });
    const first = few.add('12345');
    const second = few.add('67890');
    const atHand = [first.read(), second.read()];
    expect([few.isLarge, first.read(), second.read()]).toEqual([false, ...atHand]);
    expect(first.read()).toBe(atHand[0]);
    few.add('1');
    expect(few.isLarge).toBe(true);
    expect(first.read()).not.toBe(atHand[0]);
    expect([first.read().text, second.read().text]).toEqual(['12345', '67890']);
    const last = second.read();
    expect(second.read()).toBe(last);
  });
});
