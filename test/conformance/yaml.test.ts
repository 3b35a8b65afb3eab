// Compares the YAML reader with sigs.k8s.io/yaml and apimachinery.
import { expect, it } from 'vitest';
import { needs } from '../support/evidence.ts';
import { expectAlike } from './expect-alike.ts';
import { readLines, recordingsOf } from './recordings.ts';
import { answerYaml, type YamlLine } from './yaml.ts';

for (const recording of recordingsOf('yaml')) {
  needs('recordings', recording.isPresent).describe(recording.title, () => {
    it('matches the recording, line by line', () => {
      const lines = readLines(recording.path);
      const compare = expectAlike(recording);
      expect(lines).toHaveLength(recording.count);
      for (const text of lines) {
        const line = JSON.parse(text) as YamlLine;
        const answer = answerYaml(line);
        if (line.jsonAnyOf === undefined) compare(line.id, answer, line);
        else expect(line.jsonAnyOf).toContainEqual(answer.json);
      }
    });
  });
}
