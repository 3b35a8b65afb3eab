// Runs one command of the product in a process of its own and tells on standard output, in one line of JSON, what that took.
import { runCommandLine } from '../src/door/command-line.ts';

export interface CommandRun {
  readonly exitCode: number;
  /** Milliseconds by stage, as `--debug` tells them. */
  readonly stages: Readonly<Record<string, number>>;
  readonly peakMiB: number;
}

let log = '';
const exitCode = await runCommandLine([...process.argv.slice(2), '--debug'], {
  directory: process.cwd(),
  color: false,
  width: 100,
  interactive: false,
  out: () => {},
  err: (text) => {
    log += text;
  },
  now: () => performance.now(),
  today: '2026-11-21',
  input: () => process.stdin.setEncoding('utf8'),
  lines: () => process.stdin.setEncoding('utf8'),
});
const run: CommandRun = {
  exitCode,
  stages: Object.fromEntries([...log.matchAll(/^(\w+): (\d+) ms/gm)].map(([, stage, spent]) => [stage, Number(spent)])),
  peakMiB: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(run));
