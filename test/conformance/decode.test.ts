// Compares typed decoding with apimachinery's answers.
import { expect, it } from 'vitest';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { needs } from '../support/evidence.ts';
import { answerDecode, decodeLineOf } from './decode.ts';
import { expectAlike } from './expect-alike.ts';
import { readLines, recordingsOf } from './recordings.ts';

for (const recording of recordingsOf('decode')) {
  needs('recordings', recording.isPresent).describe(recording.title, () => {
    it('matches the recording, line by line', () => {
      const lines = readLines(recording.path);
      const compare = expectAlike(recording);
      expect(lines).toHaveLength(recording.count);
      const catalog = new SchemaCatalog(36);
      for (const text of lines) {
        const parsed = parseJson(text);
        const line = decodeLineOf('value' in parsed ? parsed.value : null);
        compare(line.id, answerDecode(line, catalog), line);
      }
    });
  });
}
