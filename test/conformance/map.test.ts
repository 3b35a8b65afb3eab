// Compares mutations with apiserver's results for the same objects. Needs the recordings beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answerMap } from './map.ts';
import { recordedLine } from './recorded-json.ts';

const shared = process.env['PREADMIT_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const recording = `${shared}/conformance/map-patches-1.36.jsonl`;

const COMPARED: readonly string[] = ['matchConditions', 'steps', 'aborted', 'final', 'reinvoked'];

describe.skipIf(!existsSync(recording))('map-patches-1.36.jsonl (skipped without the recordings)', () => {
  it('matches the recording, line by line', () => {
    const lines = readFileSync(recording, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(382);
    for (const line of lines) {
      const recorded = JSON.parse(line) as Record<string, unknown>;
      const answer = JSON.parse(recordedLine(answerMap(line))) as Record<string, unknown>;
      for (const field of COMPARED) expect(answer[field], `${recorded['id']} ${field}`).toEqual(recorded[field]);
    }
  });
});
