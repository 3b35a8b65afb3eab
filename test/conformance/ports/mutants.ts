// `npm run conformance -- port-mutants [COUNT] [SEED] [PORT] [grow]`: changes the ports at random places, and counts the changes that the sample
// notices. With `grow`, it searches random calls that notice the others, and adds them to the sample; this needs Go.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build, type Metafile } from 'esbuild';
import { Chance } from './chance.ts';
import { callsOf } from './differences.ts';
import { equivalenceOf } from './equivalent-mutants.ts';
import { describeSite, mutated, type Site, sitesOf } from './mutant-sites.ts';
import type { RandomAnswers, Trial } from './mutant-trial.ts';
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
  const { bundle, graph } = await bundled();
  const ports = PORTS.filter(({ name }) => wanted === '' || name === wanted);
  const all = sitesOf(bundle, (file) => ports.some((port) => isPartOf(port, file)));
  const chance = new Chance(seed);
  const survivors: string[] = [];
  const equivalent: string[] = [];
  const search = new CallSearch(bundle, seed);
  let noticed = 0;
  const unchanged = await trial<string | undefined>(bundle, { ports: PORTS.map(({ name }) => name) });
  if (unchanged !== undefined) throw new Error(`without a change, the sample differs: ${unchanged}`);
  for (let index = 0; index < count; index++) {
    const site = chance.pick(all);
    const difference = await trial<string | undefined>(mutated(bundle, site), { ports: portsOf(graph, site) });
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
    const [port] = portsOf(graph, site);
    const found = grows && port !== undefined ? await search.find(mutated(bundle, site), port) : undefined;
    console.log(
      `not noticed: ${description}${found === undefined ? '' : `, but by ${JSON.stringify(found).slice(0, 200)}`}`,
    );
  }
  if (grows) await search.addToSamples();
  const share = noticed / Math.max(1, count - equivalent.length);
  console.log(
    `${count} of ${all.length} mutants: ${noticed} noticed, ${equivalent.length} equivalent, ${survivors.length} not noticed (${Math.floor(share * 100)} % noticed)`,
  );
  return share;
}

async function bundled(): Promise<{ readonly bundle: string; readonly graph: Metafile['inputs'] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: PROJECT,
    entryPoints: [TRIAL],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['esbuild'],
    // The modules that read files are in one folder.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(FOLDER, 'ports.ts')).href) },
    logLevel: 'error',
  });
  return { bundle: outputFiles[0]?.text ?? '', graph: metafile.inputs };
}

/** Ports that use the module of the site, those of which it is a part first. */
function portsOf(graph: Metafile['inputs'], { file }: Site): readonly string[] {
  const own = PORTS.filter((port) => isPartOf(port, file)).map(({ name }) => name);
  const users = PORTS.filter(({ name }) => reaches(graph, `test/conformance/ports/${fileOf(name)}`, file)).map(
    ({ name }) => name,
  );
  return [...new Set([...own, ...users])];
}

function isPartOf({ sources = [] }: Port, file: string): boolean {
  const listed = (source: string): boolean => file === `src/${source}` || file.startsWith(`src/${source}/`);
  return sources.some(listed) && !sources.some((source) => source.startsWith('!') && listed(source.slice(1)));
}

function fileOf(port: string): string {
  return `${port === 'cel' ? 'kubernetes-cel' : port}.ts`;
}

function reaches(graph: Metafile['inputs'], from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const file of seen) for (const { path } of graph[file]?.imports ?? []) seen.add(path);
  return seen.has(to);
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

  async find(code: string, name: string): Promise<Call | undefined> {
    const port = PORTS.find((each) => each.name === name);
    const given = { ports: [name], calls: { count: SEARCHED, seed: this.#seed } };
    const unchanged = this.#unchanged.get(name) ?? (await trial<RandomAnswers>(this.#bundle, given));
    if (port === undefined || typeof unchanged === 'string') return undefined;
    this.#unchanged.set(name, unchanged);
    const changed = await trial<RandomAnswers>(code, given);
    if (typeof changed === 'string') return undefined;
    for (const each of port.functions()) {
      const answers = changed[each.name] ?? [];
      const at = answers.findIndex((answer, index) => answer !== unchanged[each.name]?.[index]);
      const call = at < 0 ? undefined : callsOf(name, each, at + 1, this.#seed)[at];
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

/** The worker's message; a text for an error or an endless loop. */
async function trial<Message>(code: string, given: Trial): Promise<Message | string> {
  const worker = new Worker(code, {
    eval: true,
    workerData: given,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  return await new Promise((resolve) => {
    const timer = setTimeout(() => finish('an endless loop'), MOST_SECONDS * 1000);
    const finish = (message: Message | string): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(message);
    };
    worker.on('message', finish);
    worker.on('error', (error) => finish(String(error)));
  });
}
