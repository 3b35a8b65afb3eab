// Runs one command of the product in a separate process and prints its measurements as one line of JSON.
import { runCommandLine } from '../src/door/cli/command-line.ts';

export interface CommandRun {
  readonly exitCode: number;
  /** Milliseconds by stage, as printed by `--debug`. */
  readonly stages: Readonly<Record<string, number>>;
  readonly peakMiB: number;
  /** User and system CPU time of all threads. */
  readonly cpuMilliseconds: number;
}

let log = '';
const args = process.argv.slice(2);
/** Only commands that evaluate have stages. */
const hasStages = args[0] !== 'merge';
const exitCode = await runCommandLine(hasStages ? [...args, '--debug'] : args, {
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
