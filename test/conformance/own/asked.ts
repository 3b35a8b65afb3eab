// The questions of each of the project's recordings, line by line, in file order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedExpressions } from './cel.ts';
import { askedManifests } from './decode.ts';
import { askedTypeChecks } from './typecheck.ts';
import { askedDecisions } from './vap.ts';
import { askedYaml } from './yaml.ts';

export const OWN_SUITES = ['cel', 'crd', 'decode', 'typecheck', 'vap', 'yaml'] as const;

export type OwnSuite = (typeof OWN_SUITES)[number];

/** JSON objects; a recorded line is one of them, followed by the fields of the answer. */
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

/** Kept as text, which distinguishes 1 from 1.0. */
function definitions(): readonly string[] {
  return readFileSync(join(import.meta.dirname, 'crd.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
}
