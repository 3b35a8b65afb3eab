// Holds the YAML reader against what sigs.k8s.io/yaml and apimachinery answered; needs the recordings beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answerYaml, type YamlLine } from './yaml.ts';

const shared = process.env['PREADMIT_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const recording = `${shared}/conformance/yaml-1.36.jsonl`;

describe.skipIf(!existsSync(recording))('yaml-1.36.jsonl (skipped where the recordings are absent)', () => {
  const lines = existsSync(recording) ? readFileSync(recording, 'utf8').trim().split('\n') : [];

  it('is answered alike, line by line', () => {
    expect(lines).toHaveLength(600);
    for (const text of lines) {
      const line = JSON.parse(text) as YamlLine;
      const answer = answerYaml(line);
      if (line.jsonAnyOf === undefined) expect(answer).toEqual(line);
      else expect(line.jsonAnyOf).toContainEqual(answer.json);
    }
  });
});
