// Texts at the edges of what the ports read. `texts.jsonl` has one list per line.
import { readFileSync } from 'node:fs';

const LISTS = new Map(
  readFileSync(new URL('texts.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { name, texts } = JSON.parse(line) as { name: string; texts: readonly string[] };
      return [name, texts];
    }),
);

function list(name: string): readonly string[] {
  const texts = LISTS.get(name);
  if (texts === undefined) throw new Error(`texts.jsonl has no list ${name}`);
  return texts;
}

export const TEXTS = list('TEXTS');
export const PATTERNS = list('PATTERNS');
export const REPLACEMENTS = list('REPLACEMENTS');
export const NUMBERS = list('NUMBERS');
export const QUANTITIES = list('QUANTITIES');
export const SEMVERS = list('SEMVERS');
export const DURATIONS = list('DURATIONS');
export const TIMESTAMPS = list('TIMESTAMPS');
export const ZONES = list('ZONES');
export const URLS = list('URLS');
export const IPS = list('IPS');
export const CIDRS = list('CIDRS');
export const BASE64 = list('BASE64');
export const CERTIFICATES = list('CERTIFICATES');
export const IMAGES = list('IMAGES');
export const JSONS = list('JSONS');
export const YAMLS = list('YAMLS');
export const WILDCARDS = list('WILDCARDS');
