// Answers the committed sample of a port.
import { MISSING, OWN } from './ledger.ts';
import type { Answer, Arguments, Port } from './port.ts';
import { compare } from './same-answer.ts';
import { readSample } from './sample.ts';

export interface Difference {
  readonly name: string;
  readonly args: Arguments;
  readonly theirs: Answer;
  readonly ours: Answer;
}

/** The calls whose answers differ from those of the original. Reports the end of the start, as `''`, and of each function. */
export function* answersSample(
  port: Port,
  functions?: readonly string[],
  afterFunction: (name: string) => void = () => undefined,
): Generator<Difference, undefined> {
  const answer = port.start();
  afterFunction('');
  for (const { name, calls } of readSample(port).functions) {
    if (functions?.includes(name) === false) continue;
    for (const [args, theirs] of calls) {
      const ours = answered(() => answer(name, args));
      if (compare(port, { function: name, arguments: args }, theirs, ours) === 'different')
        yield { name, args, theirs, ours };
    }
    afterFunction(name);
  }
}

/** Functions that the original registers and this project does not declare, and the other way round. */
export function surfaceDifferences(port: Port): readonly string[] {
  const missing = MISSING[port.name] ?? [];
  const own = OWN[port.name] ?? [];
  const ours = new Set(port.surface());
  const theirs = new Set(readSample(port).surface);
  return [
    ...[...theirs].filter((name) => !ours.has(name) && !covers(missing, name)).map((name) => `missing: ${name}`),
    ...[...ours].filter((name) => !theirs.has(name) && !covers(own, name)).map((name) => `unknown: ${name}`),
  ];
}

function covers(listed: readonly string[], name: string): boolean {
  return listed.some((each) => each === name || name.startsWith(`${each}: `));
}

export function answered(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    return { thrown: String(error) };
  }
}
