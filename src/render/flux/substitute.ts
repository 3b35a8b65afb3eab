// Replaces `${name}` in a text like Flux (fluxcd/pkg/envsubst), and leaves expressions that depend on unknown variables unchanged.
import { fromByteString, toByteString } from '../../go/strings/byte-string.ts';
import { shellPattern } from '../../go/strings/path-match.ts';

export interface Variables {
  /** Empty for an undefined variable; undefined if only the cluster has the value. */
  valueOf(name: string): string | undefined;
}

/** `failure`: envsubst's message. */
export type Substituted = { readonly text: string } | { readonly failure: string };

/** Work limit shared by all substitutions of one build: written characters plus matching steps. */
export interface SubstitutionBudget {
  left: number;
}

export const SUBSTITUTION_BUDGET = 64 * 1024 * 1024;

const MAXIMUM_DEPTH = 200;
const NAME_CHARACTER = /[\p{L}\p{Nd}_]/u;

class BadSubstitution extends Error {}

/** Never throws. */
export function substitute(
  text: string,
  variables: Variables,
  budget: SubstitutionBudget = { left: SUBSTITUTION_BUDGET },
): Substituted {
  if (!text.includes('$')) return { text };
  try {
    return { text: new Substitution(text, variables, budget).run() };
  } catch (error) {
    if (error instanceof BadSubstitution) return { failure: `variable substitution failed: ${error.message}` };
    throw error;
  }
}

/** `known` is false if the text depends on an unknown variable. */
interface Part {
  readonly text: string;
  readonly known: boolean;
}

class Substitution {
  readonly #text: string;
  readonly #variables: Variables;
  readonly #budget: SubstitutionBudget;
  #at = 0;
  #depth = 0;

  constructor(text: string, variables: Variables, budget: SubstitutionBudget) {
    this.#text = text;
    this.#variables = variables;
    this.#budget = budget;
  }

  run(): string {
    const parts: string[] = [];
    const write = (part: string): void => {
      this.#spend(part.length);
      parts.push(part);
    };
    while (this.#at < this.#text.length) {
      const dollar = this.#text.indexOf('$', this.#at);
      if (dollar < 0) {
        write(this.#text.slice(this.#at));
        break;
      }
      write(this.#text.slice(this.#at, dollar));
      this.#at = dollar;
      if (this.#startsWith('$$')) {
        // The second dollar sign is literal text, so a brace after it starts no expression.
        write('$');
        this.#at += 2;
      } else if (this.#startsWith('${')) {
        this.#at += 2;
        write(this.#expression().text);
      } else {
        write('$');
        this.#at++;
      }
    }
    return parts.join('');
  }

  /** Parses from after `${` to the closing brace. */
  #expression(): Part {
    const start = this.#at - 2;
    if (++this.#depth > MAXIMUM_DEPTH) throw new BadSubstitution('variables nest too deeply');
    const part = this.#startsWith('#') ? this.#length() : this.#operation(this.#name('unable to parse variable name'));
    this.#depth--;
    return part.known ? part : { text: this.#text.slice(start, this.#at), known: false };
  }

  #operation(name: string): Part {
    switch (this.#text[this.#at]) {
      case ':':
        return '=-?+'.includes(this.#text[this.#at + 1] || ' ') ? this.#default(name, 2) : this.#substring(name);
      case '=':
        return this.#default(name, 1);
      case ',':
      case '^':
        return this.#casing(name);
      case '/':
        return this.#replacement(name);
      case '#':
      case '%':
        return this.#removal(name);
      case '}':
        this.#at++;
        return this.#valueOf(name, (value) => value);
      default:
        throw new BadSubstitution('missing closing brace');
    }
  }

  #length(): Part {
    this.#at++;
    const name = this.#name('bad substitution');
    this.#close();
    return this.#valueOf(name, (value) => String(toByteString(value).length));
  }

  #default(name: string, operator: number): Part {
    this.#at += operator;
    const parts: Part[] = [];
    while (!this.#startsWith('}')) parts.push(this.#parameter(/\}/));
    this.#at++;
    const value = this.#variables.valueOf(name);
    if (value === undefined) return { text: '', known: false };
    return { text: value === '' ? parts.map(({ text }) => text).join('') : value, known: true };
  }

  #substring(name: string): Part {
    this.#at++;
    const position = this.#parameter(/[:}]/);
    let length: Part | undefined;
    if (this.#startsWith(':')) {
      while (this.#startsWith(':')) this.#at++;
      length = this.#parameter(/\}/);
    }
    this.#close();
    return this.#valueOf(name, (value) => substring(value, position.text, length?.text), position, length);
  }

  #casing(name: string): Part {
    const operator = this.#operator(/^[,^]{1,2}/);
    this.#close();
    return this.#valueOf(name, CASINGS[operator] ?? ((value) => value));
  }

  #removal(name: string): Part {
    const operator = this.#operator(this.#startsWith('#') ? /^#{1,2}/ : /^%{1,2}/);
    const pattern = this.#parameter(/\}/);
    this.#close();
    const trim = (value: string): string => {
      // Tries every prefix, each in as many steps as value and pattern are long.
      this.#spend(value.length * value.length * pattern.text.length);
      return trimmed(value, pattern.text, operator);
    };
    return this.#valueOf(name, trim, pattern);
  }

  #replacement(name: string): Part {
    const operator = this.#operator(/^\/[/#%]?/);
    const old = this.#parameter(/\//, true);
    if (!this.#startsWith('/')) throw new BadSubstitution('bad substitution');
    while (this.#startsWith('/')) this.#at++;
    const by = this.#startsWith('}') ? undefined : this.#parameter(/\}/, true);
    this.#close();
    const replace = (value: string): string => {
      this.#spend(value.length * ((by?.text.length ?? 0) + 1));
      return replaced(value, operator, old.text, by?.text);
    };
    return this.#valueOf(name, replace, old, by);
  }

  #valueOf(name: string, change: (value: string) => string, ...parameters: readonly (Part | undefined)[]): Part {
    const value = this.#variables.valueOf(name);
    const known = value !== undefined && parameters.every((part) => part?.known !== false);
    return known ? { text: change(value), known } : { text: '', known };
  }

  /** One nested expression, or non-empty text up to a delimiter or the next expression. */
  #parameter(delimiter: RegExp, escapes = false): Part {
    if (this.#startsWith('${')) {
      this.#at += 2;
      return this.#expression();
    }
    let text = '';
    for (; this.#at < this.#text.length && !this.#startsWith('${'); this.#at++) {
      if (escapes && ['$$', '\\/', '\\\\'].some((pair) => this.#startsWith(pair))) this.#at++;
      else if (delimiter.test(this.#text[this.#at] as string)) break;
      text += this.#text[this.#at];
    }
    if (text === '') throw new BadSubstitution('unable to parse substitution within function');
    return { text, known: true };
  }

  #name(problem: string): string {
    const start = this.#at;
    for (;;) {
      const code = this.#text.codePointAt(this.#at);
      const character = code === undefined ? '' : String.fromCodePoint(code);
      if (!NAME_CHARACTER.test(character)) break;
      this.#at += character.length;
    }
    if (this.#at === start) throw new BadSubstitution(problem);
    return this.#text.slice(start, this.#at);
  }

  #operator(pattern: RegExp): string {
    const operator = pattern.exec(this.#text.slice(this.#at, this.#at + 2))?.[0] ?? '';
    this.#at += operator.length;
    return operator;
  }

  #close(): void {
    if (!this.#startsWith('}')) throw new BadSubstitution('bad substitution');
    this.#at++;
  }

  #startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #spend(work: number): void {
    this.#budget.left -= work;
    if (this.#budget.left < 0) throw new BadSubstitution('it exceeds the work limit of a check');
  }
}

const CASINGS: Readonly<Record<string, (value: string) => string>> = {
  ',': (value) => onFirst(value, (first) => first.toLowerCase()),
  ',,': (value) => value.toLowerCase(),
  '^': (value) => onFirst(value, (first) => first.toUpperCase()),
  '^^': (value) => value.toUpperCase(),
};

function onFirst(value: string, change: (first: string) => string): string {
  const [first = ''] = value;
  return change(first) + value.slice(first.length);
}

/** Positions are byte offsets. Invalid numbers leave the value unchanged. */
function substring(value: string, positionText: string, lengthText: string | undefined): string {
  const position = integer(positionText);
  const length = lengthText === undefined ? undefined : integer(lengthText);
  if (position === undefined || (lengthText !== undefined && length === undefined)) return value;
  const bytes = toByteString(value);
  const start = position < 0 ? Math.max(0, bytes.length + position) : position;
  if (length === undefined) return fromByteString(bytes.slice(start));
  const end = length < 0 ? bytes.length + length : start + length;
  return end < start ? '' : fromByteString(bytes.slice(start, end));
}

function integer(text: string): number | undefined {
  return /^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Removes the shortest or longest match of a pattern at the start or the end. */
function trimmed(value: string, pattern: string, operator: string): string {
  const atEnd = operator.startsWith('%');
  const turned = (text: string): string[] => (atEnd ? [...text].reverse() : [...text]);
  const matches = shellPattern(turned(pattern).join(''), { slash: 'crossed' });
  if (matches === undefined) return value;
  const characters = turned(value);
  const isLongest = operator.length === 2;
  for (let tried = 1; tried <= characters.length; tried++) {
    const length = isLongest ? characters.length + 1 - tried : tried;
    if (!matches(characters.slice(0, length).join(''))) continue;
    const rest = characters.slice(length);
    return (atEnd ? rest.reverse() : rest).join('');
  }
  return value;
}

function replaced(value: string, operator: string, old: string, by: string | undefined): string {
  switch (operator) {
    case '//':
      return (old === '' ? ['', ...value, ''] : value.split(old)).join(by ?? '');
    case '/#':
      return by !== undefined && value.startsWith(old) ? by + value.slice(old.length) : value;
    case '/%':
      return by !== undefined && value.endsWith(old) ? value.slice(0, value.length - old.length) + by : value;
    default:
      return value.replace(old, () => by ?? '');
  }
}
