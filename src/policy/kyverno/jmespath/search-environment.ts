// What a search may use besides the document.
import type { RegexCache } from '../../../go/regexp/regex-cache.ts';
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import type { Origin } from './origin.ts';

/** Why a field was looked at: it is the query's value, it was given to a function or compared, or it is not there. */
export type ReadUse = 'result' | 'operand' | 'missing';

/** Told what a search reads; a search without one does not keep track. */
export interface SearchObserver {
  read(origin: Origin, use: ReadUse): void;
  /** The members of an object were listed, whose order Go leaves to chance. */
  unordered(): void;
}

/** A moment and the offset of the clock that shows it, in seconds east of UTC. */
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
  /** Undefined: functions that ask for the time have no answer. */
  readonly now?: Moment | undefined;
  readonly observer?: SearchObserver | undefined;
  /** Pays for every step of every search; absent where nobody counts. */
  readonly work?: RunBudget;
}
