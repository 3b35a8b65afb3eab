// A port: functions of this project whose results must equal those of an original Go package.
import type { Chance } from './chance.ts';

/** `undecided`: this project knows that it cannot know the result. The other fields are those of the Go programs in `scripts/ports`. */
export type Answer = Readonly<Record<string, unknown>>;

export type Arguments = readonly unknown[];

export interface PortFunction {
  readonly name: string;
  readonly generate: (chance: Chance) => Arguments;
}

export interface Port {
  readonly name: string;
  /** Folder of the Go program below `scripts/ports`. */
  readonly program: string;
  /** The original packages, for coverage: patterns of `go build -coverpkg`. */
  readonly originals: readonly string[];
  /** Files and folders of this project that are the port, below `src`. Absent: no mutant is made of them. */
  readonly sources?: readonly string[];
  /** Calls of each function in the committed sample, at most. */
  readonly sampled: number;
  readonly functions: () => readonly PortFunction[];
  /** Returns the function that answers calls; it may keep state for one run. */
  readonly start: () => (functionName: string, args: Arguments) => Answer;
  /** What this project declares, in the form of the program's surface. */
  readonly surface: () => readonly string[];
  /** Fields of the original's answer that are compared. Absent: all. */
  readonly compared?: readonly string[];
}

export interface Call {
  readonly function: string;
  readonly arguments: Arguments;
}
