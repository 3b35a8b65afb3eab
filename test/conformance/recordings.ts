// Locations of recorded answers: the project's own, which always exist, and the larger ones beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SHARED } from '../support/evidence-table.ts';
import type { OwnSuite } from './own/asked.ts';

export { SHARED };

export interface Recording {
  readonly title: string;
  readonly suite: OwnSuite;
  readonly path: string;
  readonly isOwn: boolean;
  readonly isPresent: boolean;
  /** Expected number of lines. */
  readonly count: number;
}

interface Counts {
  readonly own: number;
  readonly shared?: readonly [file: string, count: number];
}

const COUNTS: Readonly<Record<OwnSuite, Counts>> = {
  cel: { own: 2248, shared: ['cel-vectors-1.36.jsonl', 2966] },
  crd: { own: 635 },
  decode: { own: 1610, shared: ['decode-1.36.jsonl', 2979] },
  typecheck: { own: 224, shared: ['typecheck-1.36.jsonl', 270] },
  vap: { own: 757, shared: ['vap-decisions-1.36.jsonl', 2972] },
  yaml: { own: 643, shared: ['yaml-1.36.jsonl', 600] },
};

export const RECORDINGS: readonly Recording[] = (Object.keys(COUNTS) as OwnSuite[]).flatMap(recordingsOf);

/** The project's own recording comes first. */
export function recordingsOf(suite: OwnSuite): readonly Recording[] {
  const { own, shared } = COUNTS[suite];
  const recordings: Recording[] = [
    {
      title: `own/${suite}-1.36.jsonl.gz`,
      suite,
      path: ownPath(suite),
      isOwn: true,
      isPresent: true,
      count: own,
    },
  ];
  if (shared === undefined) return recordings;
  const [file, count] = shared;
  const path = join(SHARED, 'conformance', file);
  const isPresent = existsSync(path);
  return [...recordings, { title: file, suite, path, isOwn: false, isPresent, count }];
}

export function ownPath(suite: OwnSuite): string {
  return join(import.meta.dirname, 'own', `${suite}-1.36.jsonl.gz`);
}

/** Throws if the file is missing. */
export function readLines(path: string): readonly string[] {
  const octets = readFileSync(path);
  const text = path.endsWith('.gz') ? gunzipSync(octets) : octets;
  return text
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** The schemas for type-checking the policies of the recording. */
export function openApiFolder({ isOwn }: Pick<Recording, 'isOwn'>): string {
  return isOwn ? join(import.meta.dirname, 'own', 'openapi') : join(SHARED, 'facts', 'openapi-typecheck');
}
