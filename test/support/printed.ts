// Runs the command line in this process, and collects what it prints.
import { runCommandLine } from '../../src/door/cli/command-line.ts';
import type { Terminal } from '../../src/door/cli/terminal.ts';

export interface Printed {
  /** The exit code. */
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

interface Options extends Partial<Omit<Terminal, 'directory' | 'input' | 'lines'>> {
  /** Standard input. Default: empty. */
  readonly input?: string;
}

/** The defaults: no color, 100 columns, and a clock that stands still. */
export async function runPrinted(
  directory: string,
  args: readonly string[],
  { input = '', ...options }: Options = {},
): Promise<Printed> {
  const printed = { out: '', err: '' };
  const status = await runCommandLine(args, {
    directory,
    color: false,
    width: 100,
    interactive: false,
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    now: () => 0,
    today: '2026-11-22',
    lines: async function* () {
      if (input !== '') yield* input.replace(/\n$/, '').split('\n');
    },
    input: async function* () {
      yield input;
    },
    ...options,
  });
  return { status, ...printed };
}

/** The exit code, and both streams in the order of writing. */
export async function runTogether(
  directory: string,
  args: readonly string[],
  options: Options = {},
): Promise<Pick<Printed, 'status' | 'out'>> {
  let out = '';
  const print = (text: string): void => {
    out += text;
  };
  const { status } = await runPrinted(directory, args, { ...options, out: print, err: print });
  return { status, out };
}
