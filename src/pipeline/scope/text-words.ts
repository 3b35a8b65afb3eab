// Decides without parsing whether a text may contain a value. Sometimes a wrong yes, never a wrong no.
import { maySay, searchableText } from '../../source/text/searchable-text.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { type AskText, TextAnswers } from '../../source/text/text-answers.ts';
import { hasComposed, hasComposedKind, hasComposedNamespace } from './composed-text.ts';

/** Anchors are valid in one document only. */
const DOCUMENT_START = /[\r\n]---/;
/** Text before a plain or quoted scalar: the start of a line, an indicator, then an anchor, a tag and a quote. */
const START_OF_VALUE = '(?:^|[\\r\\n\\u0085\\u2028\\u2029:,[{?-])[ \\t]*(?:[&!]\\S{0,100}[ \\t]+){0,2}["\']?';
/** Text after a scalar: the end of the line, a comment, or the end of an item in a flow collection. */
const END_OF_VALUE = '["\']?[ \\t]*(?:[#,}\\]\\r\\n\\u0085\\u2028\\u2029]|$)';

/** A List may contain Lists. */
const LISTS = '(?:List){0,8}';

/** How a text may contain a word: `hidden` if it may contain any word, as written, or continued on the next line. */
type Way = 'hidden' | 'written' | 'continued';

/** Caches the answers for each text. Created for one run. */
export class TextWords {
  /** Keyed by file, and does not keep the texts: those of a large repository are compressed. */
  readonly #ways = new Map<SourceFile, Way>();
  readonly #patterns = new Map<string, RegExp>();
  readonly #answers: TextAnswers;
  readonly #composesKind: AskText;
  readonly #composesNamespace: AskText;
  readonly #composesVersion: AskText;

  constructor(answers = new TextAnswers()) {
    this.#answers = answers;
    this.#composesKind = answers.to('composes kind');
    this.#composesNamespace = answers.to('composes namespace');
    this.#composesVersion = answers.to('composes apiVersion');
  }

  /** For questions that depend only on the text. */
  asked(question: string): AskText {
    return this.#answers.to(question);
  }

  /** False only if no value or key of the text contains the word. */
  mayMention(file: SourceFile, word: string): boolean {
    return this.#answers.to(`mentions ${word}`)(file, () => this.#search(file, (text) => text.includes(word)));
  }

  /** False only if the text has no object of the kind, nor a List of them. */
  mayHaveKind(file: SourceFile, kind: string): boolean {
    return this.#answers.to(`kind ${kind}`)(file, () => {
      const pattern = this.#pattern(kind, LISTS);
      return this.#search(file, (text) => text.includes(kind) && pattern.test(text));
    });
  }

  mayComposeKind(file: SourceFile): boolean {
    return this.#composesKind(file, hasComposedKind);
  }

  mayComposeNamespace(file: SourceFile): boolean {
    return this.#composesNamespace(file, hasComposedNamespace);
  }

  mayComposeVersion(file: SourceFile): boolean {
    return this.#composesVersion(file, (text) => hasComposed(text, 'apiVersion'));
  }

  /**
   * False only if no document contains both an object of the kind, or a List of them, and the value. The empty value is in every document.
   */
  mayHaveObject(file: SourceFile, kind: string, value: string): boolean {
    if (value === '') return this.mayHaveKind(file, kind);
    return this.#answers.to(`object ${kind}\0${value}`)(file, () => {
      const [ofKind, ofValue] = [this.#pattern(kind, LISTS), this.#pattern(value, '')];
      return this.#search(file, (text) => {
        if (!text.includes(kind) || !text.includes(value) || !ofKind.test(text)) return false;
        return text.split(DOCUMENT_START).some((part) => ofKind.test(part) && ofValue.test(part));
      });
    });
  }

  /** False only if no document contains an object of the kind, or a List of them, for which `isIn` is true. */
  mayHaveObjectWith(file: SourceFile, kind: string, isIn: (document: string) => boolean): boolean {
    const ofKind = this.#pattern(kind, LISTS);
    return this.#search(file, (text) => {
      if (!text.includes(kind) || !isIn(text)) return false;
      return text.split(DOCUMENT_START).some((part) => ofKind.test(part) && isIn(part));
    });
  }

  /** False only if the text has no such value. */
  mayHaveValue(file: SourceFile, value: string): boolean {
    const pattern = this.#pattern(value, '');
    return this.#search(file, (text) => text.includes(value) && pattern.test(text));
  }

  #search(file: SourceFile, isIn: (text: string) => boolean): boolean {
    let way = this.#ways.get(file);
    if (way === undefined) {
      const { hides, joined } = searchableText(file.text);
      way = hides ? 'hidden' : joined === undefined ? 'written' : 'continued';
      this.#ways.set(file, way);
    }
    if (way === 'hidden') return true;
    return way === 'written' ? isIn(file.text) : maySay(searchableText(file.text), isIn);
  }

  #pattern(word: string, suffix: string): RegExp {
    const key = word + suffix;
    let pattern = this.#patterns.get(key);
    if (pattern === undefined) {
      const literal = word.replace(/[^A-Za-z0-9]/g, '\\$&');
      // The lookbehind runs only at matches of the word.
      pattern = new RegExp(`${literal}(?<=${START_OF_VALUE}${literal})${suffix}${END_OF_VALUE}`);
      this.#patterns.set(key, pattern);
    }
    return pattern;
  }
}
