// `npm run conformance -- port-mutants [COUNT] [SEED] [PORT] [grow]`: changes the ports at random places, and counts the changes that the sample
// notices. With `grow`, it searches random calls that notice the others, and adds them to the sample; this needs Go.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { Chance } from './chance.ts';
import { callsOf } from './differences.ts';
import { equivalenceOf } from './equivalent-mutants.ts';
import { isExecuted, type Ranges } from './executed-code.ts';
import { describeSite, mutated, type Site, sitesOf } from './mutant-sites.ts';
import type { Message, RandomAnswers, Trial } from './mutant-trial.ts';
import type { Call, Port } from './port.ts';
import { PORTS } from './ports.ts';
import { addToSample } from './sample.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PROJECT = join(FOLDER, '../../..');
const TRIAL = 'test/conformance/ports/mutant-trial.ts';

/** A mutant that is still running after this has an endless loop. */
const MOST_SECONDS = 60;

/** Random calls of each function that may notice a mutant. */
const SEARCHED = 400;

/** Returns the share of the mutants that the sample notices; equivalent ones do not count. */
export async function tryPortMutants(count = 200, seed = 1, wanted = '', grows = false): Promise<number> {
  const bundle = await bundled();
  const ports = PORTS.filter(({ name }) => wanted === '' || name === wanted);
  const all = sitesOf(bundle, (file) => ports.some((port) => isPartOf(port, file)));
  const chance = new Chance(seed);
  const survivors: string[] = [];
  const equivalent: string[] = [];
  const search = new CallSearch(bundle, seed);
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
    const code = mutated(bundle, site);
    const asked = askedOf(executed, site);
    const difference = await trial(code, { asked, isCounted: false });
    const description = describeSite(bundle, site);
    if (difference !== undefined) {
      noticed++;
      continue;
    }
    const reason = equivalenceOf(site.file, description);
    if (reason !== undefined) {
      equivalent.push(description);
      console.log(`equivalent: ${description} (${reason})`);
      continue;
    }
    survivors.push(description);
    const found = grows && asked.length > 0 ? await search.find(code, asked.slice(0, 1)) : undefined;
    console.log(`not noticed: ${description}${found === undefined ? '' : `, but by ${found.function}`}`);
  }
  if (grows) await search.addToSamples();
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

/** Finds random calls that a mutant answers differently. */
class CallSearch {
  readonly #bundle: string;
  readonly #seed: number;
  readonly #unchanged = new Map<string, RandomAnswers>();
  readonly #found = new Map<string, Call[]>();

  constructor(bundle: string, seed: number) {
    this.#bundle = bundle;
    this.#seed = 1_000 + seed;
  }

  /** `asked`: the functions of one port. */
  async find(code: string, asked: Trial['asked']): Promise<Call | undefined> {
    const [name = ''] = asked[0] ?? [];
    const given = { asked, isCounted: false, random: { count: SEARCHED, seed: this.#seed } };
    const key = JSON.stringify(asked);
    const unchanged = this.#unchanged.get(key) ?? (await answers(this.#bundle, given));
    this.#unchanged.set(key, unchanged);
    const port = PORTS.find((each) => each.name === name);
    for (const [functionName, changed] of Object.entries(await answers(code, given))) {
      const at = changed.findIndex((answer, index) => answer !== unchanged[functionName]?.[index]);
      const each = port?.functions().find((one) => one.name === functionName);
      const call = at < 0 || each === undefined ? undefined : callsOf(name, each, at + 1, this.#seed)[at];
      if (call === undefined) continue;
      this.#found.set(name, [...(this.#found.get(name) ?? []), call]);
      return call;
    }
    return undefined;
  }

  async addToSamples(): Promise<void> {
    for (const [name, calls] of this.#found) {
      const port = PORTS.find((each) => each.name === name);
      if (port !== undefined) console.log(`${name}: ${await addToSample(port, calls)} calls added to the sample`);
    }
  }
}

/** Empty if the mutant throws or does not end. */
async function answers(code: string, given: Trial): Promise<RandomAnswers> {
  let found: RandomAnswers = {};
  await run(code, given, (message) => {
    if ('answers' in message) found = message.answers;
    return 'answers' in message ? { end: undefined } : undefined;
  });
  return found;
}

/** What the sample notices; undefined if nothing. */
function trial(code: string, asked: Trial, executed = new Map<string, Ranges>()): Promise<string | undefined> {
  return run(code, asked, (message) => {
    if ('name' in message) executed.set(message.name, message.executed);
    return 'difference' in message ? { end: message.difference } : undefined;
  });
}

/** Runs the bundle in a worker until `take` returns the result. An error or an endless loop is a result too. */
async function run(
  code: string,
  asked: Trial,
  take: (message: Message) => { readonly end: string | undefined } | undefined,
): Promise<string | undefined> {
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
    worker.on('message', (message: Message) => {
      const result = take(message);
      if (result !== undefined) finish(result.end);
    });
    worker.on('error', (error) => finish(String(error)));
  });
}
