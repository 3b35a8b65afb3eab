// Environment of a search besides the document.
import type { RegexCache } from '../../../go/regexp/regex-cache.ts';
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import type { Origin } from './origin.ts';

/** Why a field was read: it is the query's result, an argument or operand, or it is missing. */
export type ReadUse = 'result' | 'operand' | 'missing';

/** Receives the reads of a search. Without an observer, nothing is tracked. */
export interface SearchObserver {
  read(origin: Origin, use: ReadUse): void;
  /** The members of an object were listed. Go does not define their order. */
  unordered(): void;
}

/** A point in time with a UTC offset in seconds east. */
export interface Moment {
  readonly seconds: number;
  readonly nanos: number;
  readonly offset: number;
}

export interface SearchEnvironment {
  readonly regexes: RegexCache;
  /** Kyverno's `defaultRegistry`, usually `docker.io`. */
  readonly defaultRegistry: string;
  /** Kyverno's `enableDefaultRegistryMutation`, usually true. */
  readonly enableDefaultRegistryMutation: boolean;
  /** Undefined: functions that need the time return unknown. */
  readonly now?: Moment | undefined;
  readonly observer?: SearchObserver | undefined;
  /** Budget for every step of every search. Absent: no limit. */
  readonly work?: RunBudget;
}
