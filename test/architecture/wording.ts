// Phrases that comments, messages, documents and test titles must not use, and what to write instead.
import type { Sources } from './source-graph.ts';

interface Phrase {
  readonly phrase: RegExp;
  readonly instead: string;
}

function row(phrase: string, instead: string): Phrase {
  // A comment may break a phrase: the next line starts with `*` or `//`.
  const text = phrase.replaceAll(' ', '(?:[ \\t]+|[ \\t]*\\n[ \\t]*(?:\\*|//)?[ \\t]*)');
  return { phrase: new RegExp(`\\b(?:${text})\\b`, 'gi'), instead };
}

export const PHRASES: readonly Phrase[] = [
  row('(?:is|are|was|were|be|been|being) told', '"gets", "receives"; of messages "is reported"'),
  row('(?:tell|tells|told|telling) of', '"describes", "reports"'),
  row('(?:has|have|had) to tell', '"reports", "has"'),
  row('speaks? of', '"names", "refers to"'),
  row('knows? of', '"knows", "has"'),
  row('it is said', 'who says it: "the server reports"'),
  row('somebody', 'who it is: "a user", "another process"'),
  row('nobody', 'who it is: "no user", "no caller"'),
  row('whoever', 'who it is: "callers that", "users who"'),
  row('whatever', '"any", "every", "regardless of"'),
  row('of ours', '"our", "Preadmit\'s"'),
  row('of theirs', '"their"'),
  row('mistakes? of ours', '"internal error"'),
  row('anew', '"again": "rebuilt", "written again"'),
  row('(?:the|a) way out', '"how to fix it", "help"'),
  row('of before', '"previous", "earlier"'),
  row('the other way round', '"vice versa", "in reverse"'),
  row('mildest', '"lowest"'),
  row('sees? to', '"owns", "handles"'),
  row('(?:is|are|be) taken for', '"is treated as"'),
  row('(?:becomes?|became) of', '"happens to"'),
  row('(?:makes?|made) of (?:it|them|this|that)', '"turns into", "does with"'),
  row('by which', '"that … by", or a new sentence'),
  row('to the last word', '"exactly"'),
  row('so that none', '"so that no …"'),
  row('(?:goes|gone|going|go) through', '"reads", "visits", "passes"'),
  row('a thing', 'the name of the thing'),
  row('(?:mend|mends|mended|mending)', '"fix", "fixes"'),
  row('for want of', '"because there is no", "without"'),
  row('(?:is|are) asked about', '"evaluates", "judges"'),
];

/** Rooms whose English is not rewritten yet: their phrases are not reported. Remove a room when its English is done. */
export const NOT_REWRITTEN: readonly string[] = [];

/** Each as `file:line: "phrase": write ...`. Files that are generated are not read; of tests only the titles. */
export function wordingProblems(sources: Sources, notRewritten: readonly string[]): readonly string[] {
  return [...sources].flatMap(([path, text]) => {
    const isLeftOut = notRewritten.some((room) => path === room || path.startsWith(`${room}/`));
    return isLeftOut || path.includes('.generated.') ? [] : problemsOf(path, text);
  });
}

function problemsOf(path: string, text: string): readonly string[] {
  const isTest = path.startsWith('test/');
  const read = path.endsWith('.ts') ? onlyTexts(text, isTest ? TITLE : COMMENT_OR_STRING) : text;
  return PHRASES.flatMap(({ phrase, instead }) =>
    [...read.matchAll(phrase)].map((match) => {
      const line = read.slice(0, match.index).split('\n').length;
      return `${path}:${line}: "${match[0].replace(/\s*\n\s*(?:\*|\/\/)?\s*/, ' ')}": write ${instead}`;
    }),
  );
}

const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//;
/** Regular expressions are matched, too, as they may hold quotes and slashes. */
const REGEXP = /(?<=[=(,:[!&|?{};]\s*)\/(?![*/])(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//;
const COMMENT_OR_STRING = new RegExp(`(${COMMENT.source}|${STRING.source})|${REGEXP.source}`, 'g');
const TITLE = new RegExp(`\\b(?:describe|it|test)(?:\\.\\w+)*(?:\\([^\\n]*\\))?\\(\\s*(${STRING.source})`, 'g');

/** The text with everything but the first group of each match blanked out, so that lines keep their numbers. */
function onlyTexts(text: string, pattern: RegExp): string {
  const blank = text.replace(/[^\n]/g, ' ');
  let kept = '';
  for (const match of text.matchAll(pattern)) {
    const part = match[1] ?? '';
    const start = match.index + match[0].length - part.length;
    kept += blank.slice(kept.length, start) + part;
  }
  return kept + blank.slice(kept.length);
}
