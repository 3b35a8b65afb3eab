// A module's memory gets a maximum; the rest of the module is unchanged.
import { expect, test } from 'vitest';
import { limitMemory } from '../../../src/sandbox/memory-limit.ts';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const CUSTOM = [0, 3, 1, 0x61, 0x62];

test('a memory without a maximum gets one', () => {
  const module = Uint8Array.from([...HEADER, ...CUSTOM, 5, 3, 1, 0, 2, ...CUSTOM]);
  const limited = [...HEADER, ...CUSTOM, 5, 5, 1, 1, 2, 0x80, 0x02, ...CUSTOM];
  expect([...limitMemory(module, 256)]).toEqual(limited);
});

test('an existing maximum is replaced', () => {
  const module = Uint8Array.from([...HEADER, 5, 4, 1, 1, 2, 9]);
  expect([...limitMemory(module, 3)]).toEqual([...HEADER, 5, 4, 1, 1, 2, 3]);
});

test("the requested initial size stays between the module's minimum and the maximum", () => {
  const module = Uint8Array.from([...HEADER, 5, 3, 1, 0, 2]);
  const starting = (initial: number): number[] => [...HEADER, 5, 4, 1, 1, initial, 9];
  expect([...limitMemory(module, 9, 5)]).toEqual(starting(5));
  expect([...limitMemory(module, 9, 20)]).toEqual(starting(9));
  expect([...limitMemory(module, 9, 1)]).toEqual(starting(2));
});

test('a module with spare bytes behind it is edited in place', () => {
  const bytes = [...HEADER, ...CUSTOM, 5, 3, 1, 0, 2, ...CUSTOM];
  const expected = [...limitMemory(Uint8Array.from(bytes), 256)];
  const held = Uint8Array.from([...bytes, 0, 0, 0]);
  const limited = limitMemory(held.subarray(0, bytes.length), 256, 0, 3);
  expect([...limited]).toEqual(expected);
  expect(limited.buffer).toBe(held.buffer);
  // One spare byte is too few.
  const tight = Uint8Array.from([...bytes, 0]);
  expect([...limitMemory(tight.subarray(0, bytes.length), 256, 0, 1)]).toEqual(expected);
  expect([...tight]).toEqual([...bytes, 0]);
});

test.each([
  ['no memory', [...HEADER, ...CUSTOM], 'no memory of its own'],
  ['a memory that starts larger', [...HEADER, 5, 3, 1, 0, 9], 'needs 9 pages to start'],
  ['two memories', [...HEADER, 5, 5, 2, 0, 1, 0, 1], 'several memories'],
])('rejects a module with %s', (_, bytes, words) => {
  expect(() => limitMemory(Uint8Array.from(bytes), 8)).toThrow(words);
});
