// Answers the committed sample of calls as the original Go packages do, and declares what they register. Needs no Go.
import { describe, expect, it } from 'vitest';
import { PORTS } from './ports/ports.ts';
import { readSample } from './ports/sample.ts';
import { answersSample, surfaceDifferences } from './ports/sample-answers.ts';

describe.each(PORTS)('$name', (port) => {
  const sample = readSample(port);

  it('answers like the original', () => {
    expect([...answersSample(port)]).toEqual([]);
  });

  it('has calls of every function', () => {
    const names = port.functions().flatMap(({ name, isOnlyLive }) => (isOnlyLive === true ? [] : [name]));
    expect(sample.functions.map(({ name }) => name)).toEqual(names);
    const uncalled = sample.functions.filter(({ calls }) => calls.length === 0).map(({ name }) => name);
    // Only the clock has no steady answer.
    expect(uncalled.filter((name) => name !== 'time.now')).toEqual([]);
  });

  it('declares what the original registers', () => {
    expect(surfaceDifferences(port)).toEqual([]);
  });
});
