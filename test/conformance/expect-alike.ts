// Compares an answer with the recorded one, except for lines with a known difference.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { DIFFERENCES } from './own/differences.ts';
import type { Recording } from './recordings.ts';

/** `id` is the line's id, or its expression. Undefined fields are treated as absent. */
export type ExpectAlike = (id: string, answer: unknown, recorded: unknown) => void;

export function expectAlike({ suite, isOwn }: Recording): ExpectAlike {
  const differences = isOwn ? (DIFFERENCES[suite] ?? {}) : {};
  return (id, answer, recorded) => {
    const difference = differences[id];
    if (difference !== undefined) expect(answer, `no longer different (${difference}): ${id}`).not.toEqual(recorded);
    // The usual case, much faster than vitest's comparison.
    else if (!isDeepStrictEqual(answer, recorded)) expect(answer, id).toEqual(recorded);
  };
}
