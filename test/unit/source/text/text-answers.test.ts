// Each question is computed once per text, and not at all for texts of an earlier run.
import { expect, test } from 'vitest';
import { SourceFile } from '../../../../src/source/text/source-file.ts';
import { type KeptAnswers, TextAnswers } from '../../../../src/source/text/text-answers.ts';

function counting(): { readonly find: (text: string) => boolean; readonly asked: string[] } {
  const asked: string[] = [];
  return { asked, find: (text) => asked.push(text) > 0 && text.includes('yes') };
}

test('each answer is computed once per text', () => {
  const answers = new TextAnswers();
  const files = Array.from(
    { length: 200 },
    (_, index) => new SourceFile(`${index}.yaml`, index % 3 === 0 ? 'yes' : 'no'),
  );
  const { find, asked } = counting();
  const ask = answers.to('says yes');
  for (let round = 0; round < 2; round++) {
    expect(files.map((file) => ask(file, find))).toEqual(files.map(({ text }) => text === 'yes'));
  }
  expect(asked).toHaveLength(200);
});

test('two questions about one text have two answers', () => {
  const answers = new TextAnswers();
  const file = new SourceFile('a.yaml', 'yes');
  expect(answers.to('one')(file, () => true)).toBe(true);
  expect(answers.to('other')(file, () => false)).toBe(false);
  expect(answers.to('one')(file, () => false)).toBe(true);
});

test('answers of an earlier run are reused in any order of texts, and only new answers are reported as found', () => {
  const [a, b, c] = ['a yes', 'b no', 'c yes'].map((text, index) => new SourceFile(`${index}.yaml`, text)) as [
    SourceFile,
    SourceFile,
    SourceFile,
  ];
  const kept: KeptAnswers = {
    count: 3,
    numberOf: ({ text }) => ['b no', 'a yes', 'c yes'].indexOf(text),
    columns: new Map([['says yes', new Uint8Array([1, 2, 0])]]),
  };
  const answers = new TextAnswers(kept);
  const { find, asked } = counting();
  const ask = answers.to('says yes');
  expect([ask(a, find), ask(b, find)]).toEqual([true, false]);
  expect(asked).toEqual([]);
  expect(answers.hasFound).toBe(false);
  expect(ask(c, find)).toBe(true);
  expect(asked).toEqual(['c yes']);
  expect(answers.hasFound).toBe(true);
});

test('questions beyond the limit are answered but not cached', () => {
  const answers = new TextAnswers();
  const file = new SourceFile('a.yaml', 'yes');
  const { find, asked } = counting();
  for (let number = 0; number < 300; number++) answers.to(`question ${number}`)(file, find);
  expect(answers.all.columns.size).toBeLessThan(300);
  expect(answers.to('question 299')(file, find)).toBe(true);
  expect(asked).toHaveLength(301);
});
