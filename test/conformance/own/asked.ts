// What each recording of our own asks, line by line, in the order of the file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedExpressions } from './cel.ts';
import { askedManifests } from './decode.ts';
import { askedTypeChecks } from './typecheck.ts';
import { askedDecisions } from './vap.ts';
import { askedYaml } from './yaml.ts';

export const OWN_SUITES = ['cel', 'crd', 'decode', 'typecheck', 'vap', 'yaml'] as const;

export type OwnSuite = (typeof OWN_SUITES)[number];

/** JSON objects; a recorded line is one of them with the answer's fields behind. */
export function askedLines(suite: OwnSuite): readonly string[] {
  return suite === 'crd' ? definitions() : TABLES[suite]().map((line) => JSON.stringify(line));
}

const TABLES: Readonly<Record<Exclude<OwnSuite, 'crd'>, () => readonly object[]>> = {
  cel: askedExpressions,
  decode: askedManifests,
  typecheck: askedTypeChecks,
  vap: askedDecisions,
  yaml: askedYaml,
};

/** Kept as text, as only that tells 1 from 1.0. */
function definitions(): readonly string[] {
  return readFileSync(join(import.meta.dirname, 'crd.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
}
