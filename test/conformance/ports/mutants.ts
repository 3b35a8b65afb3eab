// `npm run conformance -- port-mutants [COUNT] [SEED] [PORT]`: changes the ports at random places, and counts the changes that the sample notices.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { Chance } from './chance.ts';
import { equivalenceOf } from './equivalent-mutants.ts';
import { isExecuted, type Ranges } from './executed-code.ts';
import { describeSite, mutated, type Site, sitesOf } from './mutant-sites.ts';
import type { Trial } from './mutant-trial.ts';
import type { Port } from './port.ts';
import { PORTS } from './ports.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PROJECT = join(FOLDER, '../../..');
const TRIAL = 'test/conformance/ports/mutant-trial.ts';

/** A mutant that is still running after this has an endless loop. */
const MOST_SECONDS = 60;

/** Returns the share of the mutants that the sample notices; equivalent ones do not count. */
export async function tryPortMutants(count = 200, seed = 1, wanted = ''): Promise<number> {
  const bundle = await bundled();
  const ports = PORTS.filter(({ name }) => wanted === '' || name === wanted);
  const all = sitesOf(bundle, (file) => ports.some((port) => isPartOf(port, file)));
  const chance = new Chance(seed);
  const survivors: string[] = [];
  const equivalent: string[] = [];
  let noticed = 0;
  const executed = new Map<string, Ranges>();
  const unchanged = await trial(
    bundle,
    { asked: PORTS.map(({ name }) => [name, undefined]), isCounted: true },
    executed,
  );
  if (unchanged !== undefined) throw new Error(`without a change, the sample differs: ${unchanged}`);
  for (let index = 0; index < count; index++) {
    const site = chance.pick(all);
    const difference = await trial(mutated(bundle, site), { asked: askedOf(executed, site), isCounted: false });
    const description = describeSite(bundle, site);
    if (difference !== undefined) {
      noticed++;
      continue;
    }
    const reason = equivalenceOf(site.file, description);
    if (reason === undefined) survivors.push(description);
    else equivalent.push(`${description} (${reason})`);
    console.log(
      `${reason === undefined ? 'not noticed' : 'equivalent'}: ${description}${reason === undefined ? '' : ` (${reason})`}`,
    );
  }
  const share = noticed / Math.max(1, count - equivalent.length);
  console.log(
    `${count} of ${all.length} mutants: ${noticed} noticed, ${equivalent.length} equivalent, ${survivors.length} not noticed (${Math.floor(share * 100)} % noticed)`,
  );
  return share;
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: PROJECT,
    entryPoints: [TRIAL],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['esbuild'],
    // The modules that read files are in one folder.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(FOLDER, 'ports.ts')).href) },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** The functions that execute the site, those of its own ports first. Code that none executes may run while modules are loaded: all functions. */
function askedOf(executed: ReadonlyMap<string, Ranges>, { file, start }: Site): Trial['asked'] {
  const names = [...executed].filter(([, ranges]) => isExecuted(ranges, start)).map(([name]) => name);
  const own = PORTS.filter((port) => isPartOf(port, file));
  const asked = PORTS.map(({ name: port }) => {
    const functions = names.filter((name) => name.startsWith(`${port} `)).map((name) => name.slice(port.length + 1));
    // What a port executes when it starts matters for all its functions.
    return [port, names.length === 0 || functions.includes('') ? undefined : functions] as const;
  });
  const used = asked.filter(([, functions]) => functions === undefined || functions.length > 0);
  const isOwn = ([name]: (typeof asked)[number]): boolean => own.some((port) => port.name === name);
  return [...used.filter(isOwn), ...used.filter((each) => !isOwn(each))];
}

function isPartOf({ sources = [] }: Port, file: string): boolean {
  const listed = (source: string): boolean => file === `src/${source}` || file.startsWith(`src/${source}/`);
  return sources.some(listed) && !sources.some((source) => source.startsWith('!') && listed(source.slice(1)));
}

/** What the sample notices; undefined if nothing. */
async function trial(code: string, asked: Trial, executed = new Map<string, Ranges>()): Promise<string | undefined> {
  const worker = new Worker(code, {
    eval: true,
    workerData: asked,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  return await new Promise((resolve) => {
    const timer = setTimeout(() => finish('an endless loop'), (asked.isCounted ? 10 : 1) * MOST_SECONDS * 1000);
    const finish = (difference: string | undefined): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(difference);
    };
    worker.on('message', (message: { name: string; executed: Ranges } | { difference: string | undefined }) => {
      if ('name' in message) executed.set(message.name, message.executed);
      else finish(message.difference);
    });
    worker.on('error', (error) => finish(String(error)));
  });
}
