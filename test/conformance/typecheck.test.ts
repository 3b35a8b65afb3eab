// Holds the type checking of policies against what apiserver's TypeChecker answered; needs the recordings beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answerTypecheck, readOpenApiKinds, type TypeCheckAnswer } from './typecheck.ts';

const shared = process.env['PREADMIT_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const recording = `${shared}/conformance/typecheck-1.36.jsonl`;

describe.skipIf(!existsSync(recording))('typecheck-1.36.jsonl (skipped where the recordings are absent)', () => {
  it('is answered alike, line by line', () => {
    const lines = readFileSync(recording, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(270);
    const kinds = readOpenApiKinds(`${shared}/facts/openapi-typecheck`);
    for (const text of lines) {
      const { id, expressionWarnings } = JSON.parse(text) as TypeCheckAnswer;
      expect(answerTypecheck(text, kinds), id).toEqual({ id, expressionWarnings });
    }
  });
});
