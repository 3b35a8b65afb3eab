// Compares an answer with the recorded one, but for the lines that are known to differ.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { DIFFERENCES } from './own/differences.ts';
import type { Recording } from './recordings.ts';

/** `id` is the line's, or its expression. What is undefined counts as absent. */
export type ExpectAlike = (id: string, answer: unknown, recorded: unknown) => void;

export function expectAlike({ suite, isOwn }: Recording): ExpectAlike {
  const differences = isOwn ? (DIFFERENCES[suite] ?? {}) : {};
  return (id, answer, recorded) => {
    const difference = differences[id];
    if (difference !== undefined) expect(answer, `no longer different (${difference}): ${id}`).not.toEqual(recorded);
    // The usual case, at a fraction of what vitest's comparison takes.
    else if (!isDeepStrictEqual(answer, recorded)) expect(answer, id).toEqual(recorded);
  };
}
