// Random texts built from parts of commands, markup and terminal escapes.
import fc from 'fast-check';
import { HOSTILE_TEXTS } from '../report/rich-report.ts';

const PIECES = [
  ...['::', '##[', '##', '[', ']', ':', '#', 'error', 'set-output', 'add-mask', 'group', 'stop-commands', ' name=x'],
  ...['\n', '\r', '\r\n', '\u2028', '\u0085', '\t', ' ', '\u00a0', '\u200b', '\ufeff', '\u00ad', '%0A', '%', ',', ';'],
  ...['`', '|', '<', '>', '"', "'", '\\', '&', '@octocat', '#1', '\u001b[31m', '\u202e', '\ud800', '\u0000', 'x'],
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Valid as a file name: no slash, no NUL, no lone surrogates, at most 120 bytes, not empty. */
export const hostileFileName: fc.Arbitrary<string> = hostileText
  .map((text) => text.replace(/[/\u0000]|\p{Surrogate}/gu, '_'))
  .filter((name) => name !== '' && Buffer.byteLength(name) <= 120);
