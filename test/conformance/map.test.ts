// Compares mutations with apiserver's results for the same objects. Needs the recordings beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { needs } from '../support/evidence.ts';
import { answerMap } from './map.ts';
import { recordedLine } from './recorded-json.ts';
import { SHARED } from './recordings.ts';

const recording = `${SHARED}/conformance/map-patches-1.36.jsonl`;

const COMPARED: readonly string[] = ['matchConditions', 'steps', 'aborted', 'final', 'reinvoked'];

needs('recordings', existsSync(recording)).describe('map-patches-1.36.jsonl (skipped without the recordings)', () => {
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
