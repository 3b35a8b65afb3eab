// Measures what a cache of parsed values can save: reading documents from text against deserializing the same values.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { JsonValue } from '../src/source/json/json.ts';
import { readManifests } from '../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { FULL_SIZE, generateRepository } from './generate-repository.ts';

const ROUNDS = 7;

/** Each way reads all files of a folder; all return the same values. */
const WAYS: Readonly<Record<string, (files: readonly KeptFile[]) => number>> = {
  'preadmit reader': (files) => sum(files.map(({ path, text }) => valuesOf(path, text).length)),
  'v8.deserialize of cached values': (files) =>
    sum(files.map(({ serialized }) => (deserialize(serialized) as JsonValue[]).length)),
};

interface KeptFile {
  readonly path: string;
  readonly text: string;
  readonly serialized: Buffer;
}

/** Reads the YAML files of the given folder; default: the generated repository. `--way` is internal, for the process of each round. */
export async function run(args: readonly string[]): Promise<void> {
  const [first, way, kept] = args;
  if (first === '--way') {
    timeWay(way ?? '', kept ?? '');
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'preadmit-reading-'));
  try {
    const folder = first ?? join(scratch, 'repository');
    if (first === undefined) generateRepository(folder, FULL_SIZE, 1);
    const files = keep(folder);
    const file = join(scratch, 'kept');
    writeFileSync(file, serialize(files));
    const text = sum(files.map((each) => Buffer.byteLength(each.text))) / 1e6;
    console.log(
      `${files.length} files, ${text.toFixed(1)} MB of YAML; one process per round, ${ROUNDS} interleaved rounds\n`,
    );
    console.log('| way | MB cached | minimum CPU, ms | median | MB of YAML per second |\n|---|--:|--:|--:|--:|');
    const sizes = new Map([
      ['preadmit reader', 0],
      ['v8.deserialize of cached values', sum(files.map(({ serialized }) => serialized.length)) / 1e6],
    ]);
    const times = new Map(Object.keys(WAYS).map((name) => [name, [] as number[]]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, taken] of times) taken.push(timeApart(name, file));
    }
    for (const [name, taken] of times) {
      taken.sort((a, b) => a - b);
      const least = taken[0] ?? 0;
      const median = taken[Math.floor(taken.length / 2)] ?? 0;
      console.log(
        `| ${name} | ${(sizes.get(name) ?? 0).toFixed(1)} | ${least.toFixed(0)} | ${median.toFixed(0)} | ${((text / least) * 1000).toFixed(0)} |`,
      );
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Prints milliseconds of CPU time, including threads that compile and collect garbage. */
function timeWay(name: string, file: string): void {
  const files = deserialize(readFileSync(file)) as readonly KeptFile[];
  const started = process.cpuUsage();
  const documents = WAYS[name]?.(files) ?? 0;
  const { user, system } = process.cpuUsage(started);
  console.log(JSON.stringify({ milliseconds: (user + system) / 1000, documents }));
}

function timeApart(name: string, file: string): number {
  const { stdout } = spawnSync(process.execPath, [process.argv[1] ?? '', 'reading', '--way', name, file], {
    encoding: 'utf8',
  });
  return (JSON.parse(stdout) as { milliseconds: number }).milliseconds;
}

function keep(folder: string): readonly KeptFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ya?ml$/.test(path))
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return { path, text, serialized: serialize(valuesOf(path, text)) };
    });
}

function valuesOf(path: string, text: string): readonly JsonValue[] {
  return readManifests(new SourceFile(path, text)).manifests.map(({ value }) => value);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
