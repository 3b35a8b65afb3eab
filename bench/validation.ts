// Measures the server's own validation in a process per row: start, objects per second and memory, beside the same code as a native
// program and kubeconform.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../src/source/json/json.ts';
import { parseJson } from '../src/source/json/parse-json.ts';
import type { ServerValidation } from '../src/validation/server-validation.ts';
import { cachedValidation } from '../src/workspace/validation/answer-cache.ts';
import { lazyRegistry, lazyValidation } from '../src/workspace/validation/load-validation.ts';

const OBJECTS = 10_000;
const RELEASE = '1.36';
/** A build of `tools/validate` beside the project; absent: no row. */
const NATIVE = process.env['PREADMIT_BENCH_VALIDATE'];
/** Local schemas for kubeconform's `-schema-location`; absent: no row. */
const SCHEMAS = process.env['PREADMIT_BENCH_SCHEMAS'];

type Row = 'plain' | 'engine' | 'empty' | 'full' | 'refused';
const ROWS: readonly { readonly row: Row; readonly title: string }[] = [
  { row: 'plain', title: 'accepted, plain check first' },
  { row: 'engine', title: 'accepted, by the engine' },
  { row: 'empty', title: 'accepted, by the engine, empty cache' },
  { row: 'full', title: 'accepted, by the engine, full cache' },
  { row: 'refused', title: 'refused, by the engine' },
];

interface Figures {
  /** Until the first answer, including the start. */
  readonly first: number;
  readonly all: number;
  /** In MiB. */
  readonly peak: number;
}

/** With a row and a cache folder: measures the row in this process and prints JSON. */
export async function run([row, cache = '']: readonly string[]): Promise<void> {
  if (row !== undefined) {
    console.log(JSON.stringify(figuresOf(row as Row, cache)));
    return;
  }
  console.log(
    '| 10,000 Deployments | first answer, ms | all, ms | per second | peak memory, MiB |\n|---|--:|--:|--:|--:|',
  );
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-validation-'));
  try {
    for (const { row: of, title } of ROWS) {
      const bench = [join(import.meta.dirname, 'bench.mjs'), 'validation', of, join(folder, 'cache')];
      const printed = execFileSync(process.execPath, bench, { encoding: 'utf8' });
      const { first, all, peak } = JSON.parse(printed) as Figures;
      print(title, first.toFixed(0), all, peak.toFixed(0));
    }
    const texts = Array.from({ length: OBJECTS }, (_, index) => deployment(index, true));
    if (NATIVE !== undefined) {
      const input = texts.map((object) => `{"operation":"create","object":${object}}\n`).join('');
      print('accepted, the native program', '', childTime([NATIVE], input), '');
    }
    if (SCHEMAS !== undefined) {
      const manifests = mkdtempSync(join(folder, 'manifests-'));
      for (const [index, text] of texts.entries()) writeFileSync(join(manifests, `${index}.json`), text);
      print(
        'accepted, kubeconform -n 1',
        '',
        childTime(['kubeconform', '-n', '1', '-schema-location', SCHEMAS, manifests]),
        '',
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\nprocessor time, Node ${process.version}`);
}

function print(title: string, first: string, all: number, peak: string): void {
  console.log(`| ${title} | ${first} | ${all.toFixed(0)} | ${(OBJECTS / (all / 1000)).toFixed(0)} | ${peak} |`);
}

function figuresOf(row: Row, cache: string): Figures {
  const objects = Array.from({ length: OBJECTS }, (_, index) => parsed(deployment(index, row !== 'refused')));
  const validation = validationOf(row, cache);
  const started = spent();
  ask(validation, objects.slice(0, 1));
  const first = spent() - started;
  ask(validation, objects.slice(1));
  return { first, all: spent() - started, peak: process.resourceUsage().maxRSS / 1024 };
}

function validationOf(row: Row, folder: string): ServerValidation {
  if (row === 'plain') return lazyValidation();
  if (row === 'engine' || row === 'refused') return lazyRegistry();
  const options = { folder, root: import.meta.dirname, version: 'bench' };
  return cachedValidation(lazyRegistry(), options, () => new Uint8Array());
}

function ask(validation: ServerValidation, objects: readonly JsonObject[]): void {
  for (const object of objects) validation.validate({ object, release: RELEASE });
}

/** Milliseconds of processor time of this process. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of processor time of a program. */
function childTime([program = '', ...args]: readonly string[], input = ''): number {
  const script = '"$@" >/dev/null; times';
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', program, ...args], { input, encoding: 'utf8' });
  const children = stdout.trim().split('\n').at(-1) ?? '';
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}

/** The selector of a refused Deployment does not match its Pods. */
function deployment(index: number, isValid: boolean): string {
  const container = {
    name: 'web',
    image: `registry.example.com/web:1.${index}`,
    ports: [{ containerPort: 8080, name: 'http' }],
    env: [{ name: 'TEAM', value: 'shop' }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
    volumeMounts: [{ name: 'settings', mountPath: '/settings' }],
  };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `web-${index}`, namespace: 'shop', labels: { app: 'web' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: isValid ? 'web' : 'api' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [container], volumes: [{ name: 'settings', configMap: { name: 'web' } }] },
      },
    },
  });
}

function parsed(text: string): JsonObject {
  const result = parseJson(text);
  if (!('value' in result) || !isJsonObject(result.value)) throw new Error('the object is no JSON object');
  return result.value;
}
