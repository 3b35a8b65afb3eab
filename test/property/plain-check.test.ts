// The plain check is sound: what it proves, the engine accepts with the same warnings.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { provenWarnings } from '../../src/validation/plain/proven-warnings.ts';
import { lazyRegistry } from '../../src/workspace/validation/load-validation.ts';
import { plainTrials } from '../conformance/plain-check.ts';
import { readLines, SHARED } from '../conformance/recordings.ts';
import { needs } from '../support/evidence.ts';
import { tries } from '../support/tries.ts';

const RECORDED = join(SHARED, 'conformance/validation-1.36.jsonl');

describe('plain check', () => {
  test.each([31, 36, 37])('proves no changed object that the engine refuses for 1.%i', (minor) => {
    const trial = plainTrials(lazyRegistry());
    let proven = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { isProven, mistake } = trial(seed, minor);
        if (isProven) proven++;
        expect(mistake).toBeUndefined();
      }),
      tries(600, 29 + minor),
    );
    expect(proven).toBeGreaterThan(0);
  });

  needs('recordings', existsSync(RECORDED)).it(
    'proves no recorded request that the registry refuses or warns of',
    () => {
      for (const line of readLines(RECORDED)) {
        const recorded = objectOf(parsed(line));
        const request = objectOf(recorded.get('request'));
        const old = request.get('oldObject');
        const warnings = provenWarnings(objectOf(request.get('object')), isJsonObject(old) ? old : undefined, {
          minor: 36,
        });
        if (warnings === undefined) continue;
        const answer = objectOf(recorded.get('answer'));
        expect([recorded.get('id'), answer.get('reason'), answer.get('warnings') ?? []]).toEqual([
          recorded.get('id'),
          undefined,
          warnings,
        ]);
      }
    },
  );
});

function parsed(line: string): JsonValue | undefined {
  const result = parseJson(line);
  return 'value' in result ? result.value : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : new Map();
}
