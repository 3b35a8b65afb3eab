// Times the regular expressions of policies, warm, on typical texts; prints the slowest.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileRegex } from '../src/go/regexp/regex.ts';

const SHOWN = 10;
const ROUNDS = 5;
const RUNS = 3000;

/** Typical patterns of public collections and of Preadmit's own policies. */
const PATTERNS: readonly string[] = [
  '^(registry.example.com|docker.io|quay.io)/.+:v?[0-9]+(\\.[0-9]+)*$',
  '^registry[.]example[.]com/[a-z0-9/-]+:[a-z0-9.-]+$',
  '^.+@sha256:[a-f0-9]{64}$',
  '^(.+)@(sha256:[a-f0-9]{64})$',
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
  '^([^/]+/)?[^/]+:[^:]+$',
  '.*:latest$',
];

const TEXTS: readonly string[] = [
  'registry.example.com/team/app-name:v1.2.3',
  'web-frontend',
  `docker.io/library/nginx:1.27.3-alpine@sha256:${'a'.repeat(64)}`,
  'runtime/default',
];

/** With folders: also the patterns of `matches` calls in their YAML files. */
export async function run(folders: readonly string[]): Promise<void> {
  const patterns = new Set([...PATTERNS, ...folders.flatMap(patternsIn)]);
  const rows = [...patterns].flatMap((pattern) => {
    const regex = compileRegex(pattern);
    return 'error' in regex ? [] : [{ pattern, microseconds: timeOf((text) => regex.matches(text)) }];
  });
  rows.sort((a, b) => b.microseconds - a.microseconds);
  console.log('| regular expression | µs |\n|---|--:|');
  for (const { pattern, microseconds } of rows.slice(0, SHOWN)) {
    console.log(`| \`${pattern.replaceAll('|', '\\|')}\` | ${microseconds.toFixed(2)} |`);
  }
  console.log(`\nthe slowest ${Math.min(SHOWN, rows.length)} of ${rows.length}, Node ${process.version}`);
}

function timeOf(matches: (text: string) => boolean): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= ROUNDS; round++) {
    const started = performance.now();
    for (let index = 0; index < RUNS; index++) for (const text of TEXTS) matches(text);
    // The first round warms up.
    if (round > 0) least = Math.min(least, performance.now() - started);
  }
  return (least / (RUNS * TEXTS.length)) * 1000;
}

function patternsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .flatMap((entry) => {
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      const found = text.matchAll(/matches\(\s*(?:'([^'\n]+)'|"([^"\n]+)")\s*\)/g);
      return [...found].map(([, single, double]) => (single ?? double ?? '').replaceAll('\\\\', '\\'));
    });
}
