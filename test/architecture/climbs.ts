// `npm run climbs -- check examples/shop`: counts calls from a room into a higher room during a run.
//
// The program runs under Node's sampling profiler, 10,000 times per second. Every sampled stack is read from its bottom. A step from a
// frame of one room to a frame of a higher room is a climb, e.g. a call of a callback. Prints the stacks with most climbs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOf, ROOMS, roomOf } from './rooms.ts';

interface Frame {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

const MICROSECONDS = '100';
const SHOWN = 3;

const folder = mkdtempSync(join(tmpdir(), 'preadmit-climbs-'));
try {
  const profiler = ['--cpu-prof', '--cpu-prof-interval', MICROSECONDS, '--cpu-prof-dir', folder];
  const program = ['--import', import.meta.resolve('tsx'), join(import.meta.dirname, '../../src/cli.ts')];
  const run = spawnSync(process.execPath, [...profiler, ...program, ...process.argv.slice(2)], {
    // npm's original folder: `npm --prefix <this project> run climbs -- diff main HEAD` works in another repository.
    cwd: process.env['INIT_CWD'] ?? process.cwd(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stacks = new Map<string, number>();
  for (const file of readdirSync(folder)) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly nodes: readonly Frame[] };
    for (const climbs of climbsOf(profile.nodes)) stacks.set(climbs.join('\n'), climbs.length);
  }
  const most = [...stacks].sort(([, left], [, right]) => right - left).slice(0, SHOWN);
  for (const [climbs, count] of most) if (count > 0) console.log(`${climbs}\n`);
  console.log(`climbs back at most ${most[0]?.[1] ?? 0} times (exit code ${run.status})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The climbs of every stack, as `file function → file function`. */
function climbsOf(frames: readonly Frame[]): readonly (readonly string[])[] {
  const parents = new Map(frames.flatMap((frame) => (frame.children ?? []).map((child) => [child, frame.id] as const)));
  const byId = new Map(frames.map((frame) => [frame.id, frame]));
  return frames.map((top) => {
    const own: { readonly height: number; readonly name: string }[] = [];
    for (let id: number | undefined = top.id; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)?.callFrame;
      const file = /\/(src\/[^?]*\.ts)/.exec(frame?.url ?? '')?.[1];
      const room = file === undefined ? undefined : roomOf(folderOf(file));
      if (room !== undefined) own.push({ height: ROOMS.indexOf(room), name: `${file} ${frame?.functionName}` });
    }
    own.reverse();
    return own.flatMap(({ height, name }, index) => {
      const below = own[index - 1];
      return below !== undefined && height > below.height ? [`${below.name} → ${name}`] : [];
    });
  });
}
