// Holds the YAML reader against what sigs.k8s.io/yaml and apimachinery answered.
import { describe, expect, it } from 'vitest';
import { differencesOf, readLines, recordingsOf } from './recordings.ts';
import { answerYaml, type YamlLine } from './yaml.ts';

for (const recording of recordingsOf('yaml')) {
  describe.skipIf(!recording.isPresent)(recording.title, () => {
    it('is answered alike, line by line', () => {
      const lines = readLines(recording.path);
      const differences = differencesOf(recording);
      expect(lines).toHaveLength(recording.count);
      for (const text of lines) {
        const line = JSON.parse(text) as YamlLine;
        const answer = answerYaml(line);
        const difference = differences.get(line.id);
        if (difference !== undefined)
          expect(answer, `no longer different (${difference}): ${line.id}`).not.toEqual(line);
        else if (line.jsonAnyOf === undefined) expect(answer, line.id).toEqual(line);
        else expect(line.jsonAnyOf).toContainEqual(answer.json);
      }
    });
  });
}
