// `npm run conformance -- port-mutants [COUNT] [SEED] [PORT]`: changes the ports at random places, and counts the changes that the sample notices.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build, type Metafile } from 'esbuild';
import { Chance } from './chance.ts';
import { equivalenceOf } from './equivalent-mutants.ts';
import { describeSite, mutated, type Site, sitesOf } from './mutant-sites.ts';
import type { Port } from './port.ts';
import { PORTS } from './ports.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PROJECT = join(FOLDER, '../../..');
const TRIAL = 'test/conformance/ports/mutant-trial.ts';

/** A mutant that is still running after this has an endless loop. */
const MOST_SECONDS = 60;

/** Returns the share of the mutants that the sample notices; equivalent ones do not count. */
export async function tryPortMutants(count = 200, seed = 1, wanted = ''): Promise<number> {
  const { bundle, graph } = await bundled();
  const ports = PORTS.filter(({ name }) => wanted === '' || name === wanted);
  const all = sitesOf(bundle, (file) => ports.some((port) => isPartOf(port, file)));
  const chance = new Chance(seed);
  const survivors: string[] = [];
  const equivalent: string[] = [];
  let noticed = 0;
  const unchanged = await trial(
    bundle,
    PORTS.map(({ name }) => name),
  );
  if (unchanged !== undefined) throw new Error(`without a change, the sample differs: ${unchanged}`);
  for (let index = 0; index < count; index++) {
    const site = chance.pick(all);
    const difference = await trial(mutated(bundle, site), portsOf(graph, site));
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

/** What the sample notices; undefined if nothing. */
async function trial(code: string, ports: readonly string[]): Promise<string | undefined> {
  const worker = new Worker(code, {
    eval: true,
    workerData: ports,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  return await new Promise((resolve) => {
    const timer = setTimeout(() => finish('an endless loop'), MOST_SECONDS * 1000);
    const finish = (difference: string | undefined): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(difference);
    };
    worker.on('message', finish);
    worker.on('error', (error) => finish(String(error)));
  });
}
