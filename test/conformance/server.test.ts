// Compares whole requests with the answers of a kube-apiserver. Needs the recordings beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { needs } from '../support/evidence.ts';
import { SHARED } from './recordings.ts';
import { RecordedServer } from './server.ts';
import { comparedAnswers, isSameAnswer, type RecordedLine } from './server-comparison.ts';
import ledger from './server-ledger.json' with { type: 'json' };

/** Reasons by request; every entry must be needed. */
const LEDGER: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(ledger));

describe.each([
  ['server-1.36.jsonl', 288, false],
  ['server-map-1.36.jsonl', 184, true],
] as const)('%s', (name, requests, withObjects) => {
  const recording = `${SHARED}/conformance/${name}`;
  needs('recordings', existsSync(recording)).it('matches the recording, except for differences in the ledger', () => {
    const server = new RecordedServer(withObjects);
    const different: string[] = [];
    let count = 0;
    for (const text of readFileSync(recording, 'utf8').trim().split('\n')) {
      const line = JSON.parse(text) as RecordedLine;
      const answer = JSON.parse(server.answerLine(text)) as Record<string, unknown>;
      if (line.answer === undefined) {
        expect(answer, line.world).toEqual({});
        continue;
      }
      count += 1;
      const key = `${line.world} ${line.id}`;
      const { expected, actual } = comparedAnswers(line, answer, withObjects);
      if (LEDGER[key] === undefined) expect(actual, key).toEqual(expected);
      else if (isSameAnswer(line, answer, withObjects)) different.push(key);
    }
    expect(count).toBe(requests);
    expect(different, 'no longer different: take them out of server-ledger.json').toEqual([]);
  });
});
