// Answers the committed sample of calls as the original Go packages do, and declares what they register. Needs no Go.
import { describe, expect, it } from 'vitest';
import { MISSING, OWN } from './ports/ledger.ts';
import type { Answer } from './ports/port.ts';
import { PORTS } from './ports/ports.ts';
import { compare } from './ports/same-answer.ts';
import { readSample } from './ports/sample.ts';

describe.each(PORTS)('$name', (port) => {
  const sample = readSample(port);

  it('answers like the original', () => {
    const answer = port.start();
    const different = sample.functions.flatMap(({ name, calls }) =>
      calls
        .map(([args, theirs]) => ({ args, theirs, ours: answered(() => answer(name, args)) }))
        .filter(
          ({ args, theirs, ours }) => compare(port, { function: name, arguments: args }, theirs, ours) === 'different',
        ),
    );
    expect(different).toEqual([]);
  });

  it('has calls of every function', () => {
    const names = port.functions().flatMap(({ name, isOnlyLive }) => (isOnlyLive === true ? [] : [name]));
    expect(sample.functions.map(({ name }) => name)).toEqual(names);
    const uncalled = sample.functions.filter(({ calls }) => calls.length === 0).map(({ name }) => name);
    // Only the clock has no steady answer.
    expect(uncalled.filter((name) => name !== 'time.now')).toEqual([]);
  });

  it('declares what the original registers', () => {
    const missing = MISSING[port.name] ?? [];
    const own = OWN[port.name] ?? [];
    const ours = new Set(port.surface());
    const theirs = new Set(sample.surface);
    expect([...theirs].filter((name) => !ours.has(name) && !covers(missing, name))).toEqual([]);
    expect([...ours].filter((name) => !theirs.has(name) && !covers(own, name))).toEqual([]);
  });
});

function covers(listed: readonly string[], name: string): boolean {
  return listed.some((each) => each === name || name.startsWith(`${each}: `));
}

function answered(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    return { thrown: String(error) };
  }
}
