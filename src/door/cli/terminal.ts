// What a command may use of the process it runs in.
import type { Readable } from 'node:stream';
import { sanitizeLine } from '../../diagnostic/sanitize.ts';
import type { Transport } from '../../workspace/network/transport.ts';
import { EXIT } from '../run/exit-code.ts';

/** What somebody who types is helped with. */
export interface PromptOptions {
  readonly text: string;
  /** What can be written at the end of a line: the whole words, and the part of the line that they replace. */
  readonly complete: (line: string) => readonly [words: readonly string[], replaced: string];
}

export interface Terminal {
  readonly directory: string;
  /** True for a terminal that understands colours. */
  readonly color: boolean;
  readonly width: number;
  /** True if standard error is a terminal. */
  readonly interactive: boolean;
  readonly out: (text: string) => void;
  /** For who gives much to `out`: when more may be given, and false once nobody reads it. Absent: at once. */
  readonly taken?: () => Promise<boolean>;
  readonly err: (text: string) => void;
  readonly now: () => number;
  /** Variables of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** As `2026-11-21`, in UTC. */
  readonly today: string;
  /** Tokens for the hosts of policy sources, a line each. */
  readonly policySourceTokens?: string | undefined;
  /** What policy sources are fetched with; absent: the network. */
  readonly transport?: Transport;
  /** Lines of standard input, without their ends. */
  readonly lines: () => AsyncIterable<string>;
  /** Lines that somebody types, with completion and history; absent where nobody does. */
  readonly prompt?: (options: PromptOptions) => AsyncIterable<string>;
  /** One round for each time that files of a folder change; the process's own if absent. */
  readonly changes?: (folder: string) => AsyncIterable<void>;
  /** Standard input as it comes in, undecoded. */
  readonly bytes?: () => Readable;
  /** Standard input as it comes in; characters are never cut in two. */
  readonly input: () => AsyncIterable<string>;
}

/** Says what is wrong with the arguments; the exit status. */
export function usageError(problems: readonly string[], terminal: Terminal): number {
  for (const problem of problems) terminal.err(`preadmit: ${sanitizeLine(problem)}\n`);
  return EXIT.usage;
}
