#!/usr/bin/env node
// Entry point of the command line: passes arguments, streams and clock to the command line, and sets the exit status.
import * as nodeModule from 'node:module';
import { runCommandLine } from './door/cli/command-line.ts';
import { standardOutput } from './door/cli/standard-output.ts';
import type { PromptOptions } from './door/cli/terminal.ts';
import { EXIT } from './door/run/exit-code.ts';
import { reasonOf } from './workspace/workspace-error.ts';

const { stdout, stderr, env } = process;

// Uses Node's compile cache from Node 22 on; NODE_DISABLE_COMPILE_CACHE=1 turns it off.
(nodeModule as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();

const output = standardOutput(stdout, (error) => {
  stderr.write(`preadmit: cannot write standard output: ${reasonOf(error)}\n`);
  process.exit(EXIT.usage);
});
stderr.on('error', () => {});

/** History lasts for the session; nothing is written to disk. */
async function* prompt({ text, complete }: PromptOptions): AsyncIterable<string> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({
    input: process.stdin,
    output: stdout,
    prompt: text,
    completer: (line: string) => complete(line) as [string[], string],
    historySize: 1000,
    removeHistoryDuplicates: true,
  });
  lines.prompt();
  for await (const line of lines) {
    yield line;
    lines.prompt();
  }
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  directory: process.cwd(),
  color: stdout.isTTY === true && stdout.hasColors() && env['NO_COLOR'] === undefined,
  width: stdout.columns ?? 100,
  interactive: stderr.isTTY === true,
  ...output,
  err: (text) => stderr.write(text),
  // `performance` would be an extra module to load.
  now: () => Number(process.hrtime.bigint()) / 1e6,
  environment: env,
  // Reading `isTTY` opens standard input, so check standard output first.
  ...(stdout.isTTY === true && process.stdin.isTTY === true && { prompt }),
  bytes: () => process.stdin,
  input: () => process.stdin.setEncoding('utf8'),
  policySourceTokens: env['PREADMIT_POLICY_SOURCE_TOKENS'],
  today: new Date().toISOString().slice(0, 10),
  moment: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  lines,
});

async function* lines(): AsyncGenerator<string> {
  const { createInterface } = await import('node:readline');
  yield* createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
}
