// Patterns of github.com/gobwas/glob 0.2 without separators, as regular expressions (`syntax/lexer`, `syntax/ast`).

/** Undefined if the pattern is invalid. Like the original, ignores missing closing braces. */
export function gobwasExpression(pattern: string): string | undefined {
  // The original reads an invalid character as an error, and NUL as the end.
  const characters = [...pattern];
  if (characters.includes('\ufffd')) return undefined;
  const expression = new GobwasPattern(characters).expression();
  return expression === undefined ? undefined : [expression, ...overlaps(characters)].join('|');
}

/** For one `*` between texts, the original only compares start and end, so that they may overlap: `ab*bc` matches `abc`. */
function overlaps(characters: readonly string[]): readonly string[] {
  const [, start = '', end = ''] = /^([^*?[{\\\0]+)\*+([^*?[{\\\0]+)$/s.exec(characters.join('')) ?? [];
  const [left, right] = [[...start], [...end]];
  const found: string[] = [];
  for (let shared = 1; shared <= Math.min(left.length, right.length); shared++) {
    if (start.endsWith(right.slice(0, shared).join('')))
      found.push([...left, ...right.slice(shared)].map(quoted).join(''));
  }
  return found;
}

class GobwasPattern {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(characters: readonly string[]) {
    const end = characters.indexOf('\0');
    this.#characters = end < 0 ? characters : characters.slice(0, end);
  }

  expression(): string | undefined {
    let expression = '';
    while (this.#at < this.#characters.length) {
      const character = this.#characters[this.#at] as string;
      if (character === '*' || character === '?') {
        this.#at++;
        expression += character === '*' ? '.*' : '.';
      } else if (character === '[') {
        const range = this.#range();
        if (range === undefined) return undefined;
        expression += range;
      } else if (character === '{') {
        this.#at++;
        this.#depth++;
        expression += '(?:';
      } else if (this.#depth > 0 && character === ',') {
        this.#at++;
        expression += '|';
      } else if (this.#depth > 0 && character === '}') {
        this.#at++;
        this.#depth--;
        expression += ')';
      } else
        expression += this.#text(this.#depth > 0 ? '?*[{},' : '?*[{')
          .map(quoted)
          .join('');
    }
    return expression + ')'.repeat(this.#depth);
  }

  /** Until an unescaped character of `breakers`. A trailing backslash is dropped. */
  #text(breakers: string): readonly string[] {
    const text: string[] = [];
    for (; this.#at < this.#characters.length; this.#at++) {
      const character = this.#characters[this.#at] as string;
      if (character === '\\') {
        this.#at++;
        if (this.#at < this.#characters.length) text.push(this.#characters[this.#at] as string);
      } else if (breakers.includes(character)) break;
      else text.push(character);
    }
    return text;
  }

  /** `[abc]` or `[a-c]`, not both; `!` negates. */
  #range(): string | undefined {
    this.#at++;
    const isNegated = this.#characters[this.#at] === '!';
    if (isNegated) this.#at++;
    const [low, dash, high, close] = this.#characters.slice(this.#at, this.#at + 4);
    const mark = isNegated ? '^' : '';
    if (low === undefined) return undefined;
    if (dash === '-') {
      if (high === undefined || close !== ']' || (high.codePointAt(0) ?? 0) < (low.codePointAt(0) ?? 0))
        return undefined;
      this.#at += 4;
      return `[${mark}${quoted(low)}-${quoted(high)}]`;
    }
    const listed = this.#text(']');
    if (listed.length === 0 || this.#characters[this.#at] !== ']') return undefined;
    this.#at++;
    return `[${mark}${listed.map(quoted).join('')}]`;
  }
}

function quoted(character: string): string {
  return /[\\.+*?()|[\]{}^$&~-]/.test(character) ? `\\${character}` : character;
}
