// Runs one command of the product in a process of its own and tells on standard output, in one line of JSON, what that took.
import { runCommandLine } from '../src/door/cli/command-line.ts';

export interface CommandRun {
  readonly exitCode: number;
  /** Milliseconds by stage, as `--debug` tells them. */
  readonly stages: Readonly<Record<string, number>>;
  readonly peakMiB: number;
  /** Of the processor, in user and system mode, all threads. */
  readonly cpuMilliseconds: number;
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
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const run: CommandRun = {
  exitCode,
  stages: Object.fromEntries([...log.matchAll(/^(\w+): (\d+) ms/gm)].map(([, stage, spent]) => [stage, Number(spent)])),
  peakMiB: maxRSS / 1024,
  cpuMilliseconds: (userCPUTime + systemCPUTime) / 1000,
};
console.log(JSON.stringify(run));
