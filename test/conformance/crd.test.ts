// Compares custom resources with the answers of the server's own packages; own/README.md describes the recording.
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { answerCrd } from './crd.ts';
import { expectAlike } from './expect-alike.ts';
import { readLines, recordingsOf } from './recordings.ts';

/** The fields of the question; all other fields are the answer. */
const ASKED = ['definition', 'before', 'object', 'anyOrder'];

for (const recording of recordingsOf('crd')) {
  describe(recording.title, () => {
    it('matches the recording, line by line', () => {
      const lines = readLines(recording.path);
      const compare = expectAlike(recording);
      expect(lines).toHaveLength(recording.count);
      for (const text of lines) {
        const { id, ...answer } = answerCrd(text);
        compare(id, answer, recordedAnswer(text));
      }
    });
  });
}

/** Texts and errors become plain objects. Stored objects become Preadmit's JSON, which distinguishes 1 from 1.0. */
function recordedAnswer(text: string): Record<string, unknown> {
  const parsed = parseJson(text);
  if (!('value' in parsed) || !isJsonObject(parsed.value)) throw new Error(`no JSON object: ${text}`);
  const fields = [...parsed.value].filter(([key]) => key !== 'id' && !ASKED.includes(key));
  return Object.fromEntries(fields.map(([key, value]) => [key, key === 'stored' ? value : plain(value)]));
}

function plain(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return isJsonObject(value) ? Object.fromEntries(value as JsonObject) : value;
}
