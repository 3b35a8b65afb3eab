// Patterns of github.com/bmatcuk/doublestar/v4, as regular expressions (`match.go`, `validate.go`).

/** A pattern with more combinations of its braces matches nothing. */
const MAX_COMBINATIONS = 1000;

/** Undefined if the pattern is invalid. */
export function doublestarExpression(pattern: string): string | undefined {
  const characters = [...pattern];
  if (!isValid(characters)) return undefined;
  const translation = new Translation();
  translation.translate('', characters, true);
  return translation.isTooLong ? undefined : translation.expressions.map((each) => `(?:${each})`).join('|');
}

/** `doValidatePattern`. */
function isValid(characters: readonly string[]): boolean {
  let depth = 0;
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at];
    if (character === '\\') {
      if (++at >= characters.length) return false;
    } else if (character === '[') {
      const end = classEnd(characters, at);
      if (end === undefined) return false;
      at = end;
    } else if (character === '{') depth++;
    else if (character === '}' && --depth < 0) return false;
  }
  return depth === 0;
}

/** The closing bracket. Undefined for an empty class, and for one without an end. */
function classEnd(characters: readonly string[], open: number): number | undefined {
  const first = open + (isNegation(characters[open + 1]) ? 2 : 1);
  if (characters[first] === ']') return undefined;
  for (let at = first; at < characters.length; at++) {
    if (characters[at] === '\\') at++;
    else if (characters[at] === ']') return at;
  }
  return undefined;
}

function isNegation(character: string | undefined): boolean {
  return character === '^' || character === '!';
}

class Translation {
  readonly expressions: string[] = [];
  isTooLong = false;

  /** `rest` follows what `before` matches. The alternatives of a brace are pasted into the pattern, where `**` is special at their start. */
  translate(before: string, rest: readonly string[], isAtSegment: boolean): void {
    let expression = before;
    let startsSegment = isAtSegment;
    for (let at = 0; at < rest.length; at++) {
      const tail = rest.slice(at).join('');
      // These also match nothing at the end of the name.
      if (tail === '/**' || tail === '/**/') {
        expression += tail === '/**' ? '(?:/.*)?' : '(?:/(?:.*/)?)?';
        break;
      }
      const character = rest[at] as string;
      if (character === '{') {
        this.#branch(expression, rest.slice(at + 1));
        return;
      }
      if (character === '*') {
        const isDouble = rest[at + 1] === '*';
        if (isDouble) at++;
        if (isDouble && startsSegment && at + 1 === rest.length) expression += '.*';
        else if (isDouble && startsSegment && rest[at + 1] === '/') {
          at++;
          expression += '(?:.*/)?';
          continue;
        } else expression += '[^/]*';
        startsSegment = false;
      } else if (character === '[') {
        const end = classEnd(rest, at) ?? rest.length;
        expression += classExpression(rest.slice(at + 1, end));
        at = end;
        startsSegment = false;
      } else {
        const literal = character === '\\' ? (rest[++at] ?? '') : character;
        expression += character === '?' ? '[^/]' : quoted(literal);
        startsSegment = literal === '/';
      }
    }
    this.expressions.push(expression);
    this.isTooLong ||= this.expressions.length > MAX_COMBINATIONS;
  }

  #branch(before: string, rest: readonly string[]): void {
    let depth = 1;
    let start = 0;
    const alternatives: (readonly string[])[] = [];
    let at = 0;
    for (; at < rest.length && depth > 0; at++) {
      const character = rest[at];
      if (character === '\\') at++;
      else if (character === '{') depth++;
      else if (character === '}') depth--;
      if ((character === ',' && depth === 1) || depth === 0) {
        alternatives.push(rest.slice(start, at));
        start = at + 1;
      }
    }
    for (const alternative of alternatives) {
      if (this.isTooLong) return;
      this.translate(before, [...alternative, ...rest.slice(at)], true);
    }
  }
}

function classExpression(content: readonly string[]): string {
  const isNegated = isNegation(content[0]);
  const characters = isNegated ? content.slice(1) : content;
  const parts: string[] = [];
  let last: string | undefined;
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    if (last !== undefined && character === '-' && at + 1 < characters.length) {
      const high = characters[++at] === '\\' ? (characters[++at] ?? '') : (characters[at] as string);
      // A range that ends before it starts matches nothing.
      if ((last.codePointAt(0) ?? 0) <= (high.codePointAt(0) ?? 0)) parts.push(`${quoted(last)}-${quoted(high)}`);
      last = undefined;
      continue;
    }
    last = character === '\\' ? (characters[++at] ?? '') : character;
    parts.push(quoted(last));
  }
  if (parts.length > 0) return `[${isNegated ? '^' : ''}${parts.join('')}]`;
  return isNegated ? '.' : '[^\\x00-\\x{10FFFF}]';
}

function quoted(character: string): string {
  return /[\\.+*?()|[\]{}^$&~-]/.test(character) ? `\\${character}` : character;
}
