// The parts of the process that a command may use.
import type { Readable } from 'node:stream';
import { sanitizeLine } from '../../diagnostic/sanitize.ts';
import type { Transport } from '../../workspace/network/transport.ts';
import { EXIT } from '../run/exit-code.ts';

/** Prompt and completion for interactive input. */
export interface PromptOptions {
  readonly text: string;
  /** Completions for the end of a line: whole words, and the part of the line that they replace. */
  readonly complete: (line: string) => readonly [words: readonly string[], replaced: string];
}

export interface Terminal {
  readonly directory: string;
  /** True for a terminal that supports colours. */
  readonly color: boolean;
  readonly width: number;
  /** True if standard error is a terminal. */
  readonly interactive: boolean;
  readonly out: (text: string) => void;
  /** For large output: resolves when more can be written, to false once the reader has gone. Absent: write at once. */
  readonly taken?: () => Promise<boolean>;
  readonly err: (text: string) => void;
  readonly now: () => number;
  /** Environment variables of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Format `2026-11-21`, in UTC. */
  readonly today: string;
  /** The moment of the start in UTC, `2026-11-21T05:17:00Z`; absent: midnight of `today`. */
  readonly moment?: string;
  /** Tokens for the hosts of policy sources, one per line. */
  readonly policySourceTokens?: string | undefined;
  /** Transport for policy sources; absent means the network. */
  readonly transport?: Transport;
  /** Lines of standard input, without line endings. */
  readonly lines: () => AsyncIterable<string>;
  /** Interactive input lines, with completion and history; absent without a terminal. */
  readonly prompt?: (options: PromptOptions) => AsyncIterable<string>;
  /** Yields once per change in a folder; absent: the file watcher of the process. */
  readonly changes?: (folder: string) => AsyncIterable<void>;
  /** Raw bytes of standard input. */
  readonly bytes?: () => Readable;
  /** Decoded standard input in chunks; multi-byte characters are never split. */
  readonly input: () => AsyncIterable<string>;
}

/** Prints the errors of the arguments and returns the exit status. */
export function usageError(problems: readonly string[], terminal: Terminal): number {
  for (const problem of problems) terminal.err(`preadmit: ${sanitizeLine(problem)}\n`);
  return EXIT.usage;
}
