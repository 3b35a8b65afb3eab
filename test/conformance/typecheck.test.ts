// Compares type checking of policies with apiserver's TypeChecker.
import { expect, it } from 'vitest';
import { needs } from '../support/evidence.ts';
import { expectAlike } from './expect-alike.ts';
import { openApiFolder, readLines, recordingsOf } from './recordings.ts';
import { answerTypecheck, readOpenApiKinds, type TypeCheckAnswer } from './typecheck.ts';

for (const recording of recordingsOf('typecheck')) {
  needs('recordings', recording.isPresent).describe(recording.title, () => {
    it('matches the recording, line by line', () => {
      const lines = readLines(recording.path);
      expect(lines).toHaveLength(recording.count);
      const compare = expectAlike(recording);
      const kinds = readOpenApiKinds(openApiFolder(recording));
      for (const text of lines) {
        const { id, expressionWarnings } = JSON.parse(text) as TypeCheckAnswer;
        compare(id, answerTypecheck(text, kinds), { id, expressionWarnings });
      }
    });
  });
}
