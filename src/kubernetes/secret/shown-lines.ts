// Lines of a file as reports may show them: without values of Secrets and without passwords in URLs.
import { Derivation, type SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import { secretLines } from './secret-lines.ts';
import { HIDDEN, withoutSecrets } from './secret-object.ts';

/** User and password in a URL; bounded, so that a long line takes linear time. */
const PASSWORD = /\/\/[^/@\s:]{0,200}:[^/@\s]{1,500}@/g;
const DOTENV = /(?:^|\/)\.env(?:\.[^/]*)?$|\.env$/;
const ASSIGNMENT = /^(\s*(?:export\s+)?[\w.-]+\s*=).*$/;
/** Shorter words are too common to hide. */
const WORD = 6;

/** Lines of a file that other files declare as content of a Secret. */
interface SecretMarks {
  isWhole: boolean;
  readonly lines: Set<number>;
}

const MARKS = new Derivation(marksOf);
const SECRET_LINES = new Derivation(secretLines);
const SECRET_TEXTS = new Derivation(secretTexts);

/** Text of a line (from 1), without its secret values. */
export function shownLine(file: SourceFile, line: number): string {
  const { isWhole, lines } = file.derived(MARKS);
  const text = file.lineText(line);
  if (isWhole || lines.has(line)) return withoutValue(text);
  return file.derived(SECRET_LINES).get(line)?.shown ?? withoutPasswords(text);
}

/** True if parts of the file are content of a Secret because another file says so. */
export function isSecretElsewhere(file: SourceFile): boolean {
  const { isWhole, lines } = file.derived(MARKS);
  return isWhole || lines.size > 0;
}

/** The whole file is content of a Secret. */
export function markSecretFile(file: SourceFile): void {
  file.derived(MARKS).isWhole = true;
}

/** The lines of the location feed a Secret. */
export function markSecretLocation({ file, range }: SourceLocation): void {
  const { lines } = file.derived(MARKS);
  const last = file.positionAt(range.end).line;
  for (let line = file.positionAt(range.start).line; line <= last; line++) lines.add(line);
}

function marksOf(file: SourceFile): SecretMarks {
  return { isWhole: DOTENV.test(file.path), lines: new Set() };
}

/** A message about a location in the file, without the file's secret values. */
export function shownMessage(message: string, file: SourceFile | undefined): string {
  return file === undefined ? message : withoutPasswords(withoutSecrets(message, secretTextsOf(file)));
}

/** The secret values of a file as its text spells them. */
function secretTextsOf(file: SourceFile): ReadonlySet<string> {
  const { isWhole, lines } = file.derived(MARKS);
  const known = file.derived(SECRET_TEXTS);
  if (!isWhole && lines.size === 0) return known;
  const texts = new Set(known);
  const marked = isWhole ? file.lineStarts.map((_, index) => index + 1) : lines;
  for (const line of marked) addTexts(texts, file.lineText(line));
  return texts;
}

function secretTexts(file: SourceFile): ReadonlySet<string> {
  const lines = file.derived(SECRET_LINES);
  const texts = new Set<string>();
  for (const { hidden } of lines.values()) addTexts(texts, hidden);
  if (texts.size === 0) return texts;
  // A name that other lines show is no secret, e.g. the kind inside a copy of the object.
  for (let line = 1; line <= file.lineStarts.length; line++) {
    for (const word of wordsOf(lines.get(line)?.shown ?? file.lineText(line))) texts.delete(word);
  }
  return texts;
}

/** The whole text, and its words: a flow mapping or an assignment holds more than the value. */
function addTexts(texts: Set<string>, hidden: string): void {
  const whole = hidden.trim().replace(/^(["'])(.*)\1$/, '$2');
  if (whole !== '') texts.add(whole);
  for (const word of wordsOf(hidden)) {
    if (word.length >= WORD) texts.add(word);
    const value = word.slice(word.indexOf('=') + 1);
    if (value.length >= WORD) texts.add(value);
  }
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[^\s"',:{}[\]\\]+/g) ?? [];
}

function withoutValue(line: string): string {
  if (line.trim() === '') return line;
  const assigned = ASSIGNMENT.exec(line)?.[1] ?? /^(\s*(?:-\s+)*[\w."'-]+\s*:\s).*$/.exec(line)?.[1];
  return (assigned ?? line.slice(0, line.length - line.trimStart().length)) + HIDDEN;
}

/** Keeps the length, so that markers below the line still point to the right columns. */
function withoutPasswords(line: string): string {
  return line.replace(PASSWORD, (found) => `//${'*'.repeat(found.length - 3)}@`);
}
