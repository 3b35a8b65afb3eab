// Replaces `${name}` in a text like Flux (fluxcd/pkg/envsubst), and leaves expressions that depend on unknown variables unchanged.
import { fromByteString, toByteString } from '../../go/strings/byte-string.ts';
import { changedCase, replaced, SubstitutionPanic, substring, trimmed } from './substitution-functions.ts';
import { type Accept, SubstitutionScanner } from './substitution-scanner.ts';

export interface Variables {
  /** Empty for an undefined variable; undefined if only the cluster has the value. */
  valueOf(name: string): string | undefined;
}

/** `failure`: envsubst's message, or its panic. */
export type Substituted = { readonly text: string } | { readonly failure: string };

/** Work limit shared by all substitutions of one build: written characters plus matching steps. */
export interface SubstitutionBudget {
  left: number;
}

export const SUBSTITUTION_BUDGET = 64 * 1024 * 1024;

const MAXIMUM_DEPTH = 200;

class BadSubstitution extends Error {}

/** Never throws. */
export function substitute(
  text: string,
  variables: Variables,
  budget: SubstitutionBudget = { left: SUBSTITUTION_BUDGET },
): Substituted {
  if (!text.includes('$')) return { text };
  try {
    const nodes = new Parser(toByteString(text)).parse();
    return { text: fromByteString(new Evaluation(variables, budget).text(nodes)) };
  } catch (error) {
    if (error instanceof BadSubstitution) return { failure: `variable substitution failed: ${error.message}` };
    if (error instanceof SubstitutionPanic) return { failure: `panic: ${error.message}` };
    throw error;
  }
}

/** Text, or an expression; `source` is its text with `${` and `}`. */
type Node =
  | string
  | { readonly name: string; readonly operator: string; readonly args: Node[]; readonly source: string };

const NAME_CHARACTER = /^[\p{L}\p{Nd}_]$/u;
const isNameCharacter: Accept = (character) => NAME_CHARACTER.test(fromByteString(character));
const isAny: Accept = () => true;
const isNotClosing: Accept = (character) => character !== '}';

/** envsubst `parse/parse.go`. */
class Parser {
  readonly #scanner: SubstitutionScanner;
  #depth = 0;

  constructor(bytes: string) {
    this.#scanner = new SubstitutionScanner(bytes);
  }

  parse(): readonly Node[] {
    const nodes: Node[] = [];
    for (;;) {
      this.#scanner.hasBackslashes = false;
      const token = this.#scanner.scan({ word: true, open: true, escapes: true }, isAny);
      if (token === 'end') return nodes;
      nodes.push(token === 'open' ? this.#expression() : this.#scanner.word);
    }
  }

  /** From after `${` to the closing brace. */
  #expression(): Node {
    const scanner = this.#scanner;
    const start = scanner.position - 2;
    if (++this.#depth > MAXIMUM_DEPTH) throw new BadSubstitution('variables nest too deeply');
    scanner.hasBackslashes = true;
    const { name, operator, args } = scanner.peek() === '#' ? this.#length() : this.#operation();
    this.#depth--;
    return { name, operator, args, source: scanner.bytes.slice(start, scanner.position) };
  }

  #length(): Expression {
    this.#word((character, index) => character === '#' && index === 1, 'bad substitution');
    const name = this.#word(isNameCharacter, 'bad substitution');
    this.#close();
    return { name, operator: '#', args: [] };
  }

  #operation(): Expression {
    const name = this.#word(isNameCharacter, 'unable to parse variable name');
    switch (this.#scanner.peek()) {
      case ':':
        return this.#defaultOrSubstring(name);
      case '=':
        return this.#default(name);
      case ',':
      case '^':
        return this.#casing(name);
      case '/':
        return this.#replacement(name);
      case '#':
      case '%':
        return this.#removal(name, this.#scanner.peek());
    }
    if (this.#scanner.scan({ close: true }, isNameCharacter) !== 'close') {
      throw new BadSubstitution('missing closing brace');
    }
    return { name, operator: '', args: [] };
  }

  #defaultOrSubstring(name: string): Expression {
    this.#scanner.read();
    const following = this.#scanner.peek();
    // Goes back by the length of the following character, as envsubst does.
    this.#scanner.unread();
    return ['=', '-', '?', '+'].includes(following) ? this.#default(name) : this.#substring(name);
  }

  #default(name: string): Expression {
    const isEqual = this.#scanner.peek() === '=';
    const accept: Accept = isEqual
      ? (character, index) => index === 1 && character === '='
      : (character, index) => (index === 1 ? character === ':' : index === 2 && '=-?+'.includes(character));
    const operator = this.#word(accept, 'unable to parse default function');
    const args: Node[] = [];
    while (this.#scanner.peek() !== '}') args.push(this.#parameter(isNotClosing));
    this.#close();
    return { name, operator, args };
  }

  #substring(name: string): Expression {
    const operator = this.#word((character, index) => index === 1 && character === ':', 'bad substitution');
    const position = this.#parameter((character) => character !== ':' && character !== '}');
    const token = this.#scanner.scan({ word: true, close: true }, (character) => character === ':');
    if (token === 'close') return { name, operator, args: [position] };
    if (token !== 'word') throw new BadSubstitution('bad substitution');
    const length = this.#parameter(isNotClosing);
    this.#close();
    return { name, operator, args: [position, length] };
  }

  #casing(name: string): Expression {
    const accept: Accept = (character, index) => (character === ',' || character === '^') && index < 3;
    const operator = this.#word(accept, 'bad substitution');
    this.#close();
    return { name, operator, args: [] };
  }

  #removal(name: string, mark: string): Expression {
    const operator = this.#word((character, index) => character === mark && index < 3, 'bad substitution');
    const pattern = this.#parameter(isNotClosing);
    this.#close();
    return { name, operator, args: [pattern] };
  }

  #replacement(name: string): Expression {
    const accept: Accept = (character, index) =>
      index === 1 ? character === '/' : index === 2 && '/#%'.includes(character);
    const operator = this.#word(accept, 'bad substitution');
    const args = [this.#parameter((character) => character !== '/', true)];
    this.#word((character) => character === '/', 'bad substitution');
    if (this.#scanner.peek() !== '}') args.push(this.#parameter(isNotClosing, true));
    this.#close();
    return { name, operator, args };
  }

  /** One nested expression, or text. */
  #parameter(accept: Accept, escapes = false): Node {
    const token = this.#scanner.scan({ word: true, open: true, ...(escapes && { escapes }) }, accept);
    if (token === 'open') return this.#expression();
    if (token === 'word') return this.#scanner.word;
    throw new BadSubstitution('unable to parse substitution within function');
  }

  #word(accept: Accept, problem: string): string {
    if (this.#scanner.scan({ word: true }, accept) !== 'word') throw new BadSubstitution(problem);
    return this.#scanner.word;
  }

  #close(): void {
    if (this.#scanner.scan({ close: true }, isAny) !== 'close') throw new BadSubstitution('bad substitution');
  }
}

interface Expression {
  readonly name: string;
  readonly operator: string;
  readonly args: Node[];
}

/** `known` is false if the text depends on an unknown variable. */
interface Part {
  readonly text: string;
  readonly known: boolean;
}

class Evaluation {
  readonly #variables: Variables;
  readonly #budget: SubstitutionBudget;

  constructor(variables: Variables, budget: SubstitutionBudget) {
    this.#variables = variables;
    this.#budget = budget;
  }

  text(nodes: readonly Node[]): string {
    return nodes
      .map((node) => {
        const { text } = this.#evaluate(node);
        this.#spend(text.length);
        return text;
      })
      .join('');
  }

  /** An unknown expression keeps its source. */
  #evaluate(node: Node): Part {
    if (typeof node === 'string') return { text: node, known: true };
    const args = node.args.map((argument) => this.#evaluate(argument));
    const value = this.#variables.valueOf(fromByteString(node.name));
    const isDefault = DEFAULTS.includes(node.operator);
    // A default that is not needed may be unknown.
    if (value === undefined || !(isDefault || args.every(({ known }) => known)))
      return { text: node.source, known: false };
    const bytes = toByteString(value);
    if (isDefault) return { text: bytes === '' ? args.map(({ text }) => text).join('') : bytes, known: true };
    return { text: this.#call(node.operator, bytes, args[0]?.text, args[1]?.text), known: true };
  }

  #call(operator: string, value: string, first: string | undefined, second: string | undefined): string {
    if (operator === '' || (operator === '#' && first === undefined))
      return operator === '' ? value : String(value.length);
    if (operator === ':') return substring(value, first ?? '', second);
    if (operator.startsWith('/')) {
      this.#spend(value.length * ((second?.length ?? 0) + 1));
      return replaced(value, operator, first ?? '', second);
    }
    if (first === undefined) return changedCase(value, operator);
    // Tries every prefix, each in as many steps as value and pattern are long.
    this.#spend(value.length * value.length * first.length);
    return trimmed(value, first, operator);
  }

  #spend(work: number): void {
    this.#budget.left -= work;
    if (this.#budget.left < 0) throw new BadSubstitution('it exceeds the work limit of a check');
  }
}

const DEFAULTS: readonly string[] = ['=', ':=', ':-', ':?', ':+'];
