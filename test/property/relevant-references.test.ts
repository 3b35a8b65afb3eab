// No file that refers to another is passed over, however it is written: held against the parser.
import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainValues } from '../../src/pipeline/scope/plain-values.ts';
import { relevantReferences } from '../../src/pipeline/scope/relevant-references.ts';
import { TextWords } from '../../src/pipeline/scope/text-words.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../src/source/json.ts';
import { readManifests } from '../../src/source/read-manifests.ts';
import { SourceFile } from '../../src/source/source-file.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(5000, 3, 5000);
const INLINE = 'patch';
const FOLDER = 'apps/base';

const reference = fc.constantFrom(
  'web.yaml',
  './web.yaml',
  '../base/web.yaml',
  '../other',
  '../other/',
  '..',
  '../..',
  '.',
  'a b/../web.yaml',
  '- ../../web.yaml',
  'x#y/web.yaml',
  'x: y',
  'key=web.yaml',
  'https://example.com/a//b?ref=1',
  '(web.yaml)',
  '-web.yaml',
  "it's.yaml",
  'wéb.yaml',
);
const scalar = fc.tuple(reference, fc.nat({ max: 10 })).map(([text, style]) => {
  const plain = [
    text,
    `"${text}"`,
    `'${text.replaceAll("'", "''")}'`,
    `${text} # web.yaml`,
    `"${text.replace('e', '\\x65')}"`,
  ];
  const broken = [
    `|\n      ${text}`,
    `|-\n      ${text}\n      web.yaml`,
    `>-\n      ${text}`,
    `${text}\n      /../web.yaml`,
    `&a ${text}`,
    `${text}\n      - ../../base/web.yaml`,
  ];
  return [...plain, ...broken][style] ?? '';
});
const line = fc.oneof(
  { weight: 3, arbitrary: scalar.map((value) => `  - ${value}`) },
  scalar.map((value) => `  - path: ${value}`),
  scalar.map((value) => `    target: ${value}`),
  scalar.map((value) => `  - ${INLINE}: ${value}`),
  fc.constantFrom(
    'resources:',
    'patches:',
    `  - ${INLINE}: |-\n      - op: add\n        path: /web.yaml`,
    '    path: web.yaml',
    '',
    '  # web.yaml',
    '---',
  ),
  fc.array(reference, { maxLength: 3 }).map((list) => `components: [${list.join(', ')}]`),
  fc.string({ unit: fc.constantFrom(...'- :#\n"\'ab./|>{}'), maxLength: 12 }),
);
const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));

function stringsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (isJsonArray(value)) return value.flatMap(stringsOf);
  if (!isJsonObject(value)) return [];
  return [...value].flatMap(([key, entry]) => (key === INLINE ? [] : stringsOf(entry)));
}

test('every reference the parser finds is found', () => {
  let plain = 0;
  fc.assert(
    fc.property(text, (content) => {
      const file = new SourceFile(`${FOLDER}/kustomization.yaml`, content);
      const words = new TextWords();
      if (plainValues(content, INLINE) !== undefined) plain += 1;
      for (const value of readManifests(file).manifests.flatMap((manifest) => stringsOf(manifest.value))) {
        for (const path of [value, value.slice(value.indexOf('=') + 1)]) {
          const target = posix.join(FOLDER, path).replace(/\/$/, '');
          if (target === FOLDER) continue;
          const mention = (of: SourceFile, word: string): boolean => words.mayMention(of, word);
          expect([target, relevantReferences([file], [new SourceFile(target, '')], [], mention)]).toEqual([
            target,
            [file],
          ]);
        }
      }
    }),
    RUNS,
  );
  expect(plain).toBeGreaterThan(RUNS.numRuns / 25);
});
