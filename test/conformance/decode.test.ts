// Holds typed decoding against what apimachinery answered; needs the recordings beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import { parseJson } from '../../src/source/parse-json.ts';
import { answerDecode, decodeLineOf } from './decode.ts';

const shared = process.env['PREADMIT_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const recording = `${shared}/conformance/decode-1.36.jsonl`;

describe.skipIf(!existsSync(recording))('decode-1.36.jsonl (skipped where the recordings are absent)', () => {
  const lines = existsSync(recording) ? readFileSync(recording, 'utf8').trim().split('\n') : [];

  it('is answered alike, line by line', () => {
    expect(lines).toHaveLength(2979);
    const catalog = new SchemaCatalog(36);
    for (const text of lines) {
      const parsed = parseJson(text);
      const line = decodeLineOf('value' in parsed ? parsed.value : null);
      expect(answerDecode(line, catalog), line.id).toEqual(line);
    }
  });
});
