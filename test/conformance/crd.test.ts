// Holds custom resources against what the server's own packages answered; how that was recorded is in crd/README.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json.ts';
import { parseJson } from '../../src/source/parse-json.ts';
import { answerCrd } from './crd.ts';

/** What a line asks; all else is the answer. */
const ASKED = ['definition', 'before', 'object', 'anyOrder'];

const lines = readFileSync(join(import.meta.dirname, 'crd/crd-1.36.jsonl'), 'utf8')
  .trim()
  .split('\n');

describe('crd-1.36.jsonl', () => {
  it('is answered alike, line by line', () => {
    expect(lines).toHaveLength(635);
    for (const text of lines) {
      const { id, ...answer } = answerCrd(text);
      expect(answer, id).toEqual(recordedAnswer(text));
    }
  });

  it('has each id once', () => {
    const ids = lines.map((text) => (JSON.parse(text) as { id: string }).id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** Texts and errors as plain objects; what is stored as JSON of ours, which tells 1 from 1.0. */
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
