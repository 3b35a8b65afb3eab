// Parses selectors written as text: `app in (a, b),!beta` for labels, `metadata.name=x` for fields (apimachinery `pkg/labels`, `pkg/fields`).
import { goQuote } from '../../go/strconv/quote.ts';
import { compareStrings } from '../../go/strings/string-order.ts';
import { aggregateErrors } from '../validation/aggregate-errors.ts';
import { labelKey, labelValue } from '../validation/name-format.ts';

export interface SelectorRequirement {
  readonly key: string;
  readonly operator: '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';
  readonly values: readonly string[];
}

interface ParseError {
  readonly error: string;
}

type TokenKind = 'identifier' | 'end' | ')' | '(' | ',' | '!' | '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const OPERATORS: ReadonlyMap<TokenKind, SelectorRequirement['operator']> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

/** `labels.ParseToRequirements`: sorted by key, with sorted and distinct values. */
export function parseLabelSelector(text: string): readonly SelectorRequirement[] | ParseError {
  const tokens = tokenize(text);
  const requirements: SelectorRequirement[] = [];
  for (;;) {
    const { kind, text: found } = tokens.next('value');
    if (kind === 'end') break;
    tokens.back();
    if (kind !== 'identifier' && kind !== '!') {
      return { error: `found '${found}', expected: !, identifier, or 'end of string'` };
    }
    const requirement = parseRequirement(tokens);
    if ('error' in requirement) return { error: `unable to parse requirement: ${requirement.error}` };
    requirements.push(requirement);
    const separator = tokens.next('value');
    if (separator.kind === 'end') break;
    if (separator.kind !== ',') return { error: `found '${separator.text}', expected: ',' or 'end of string'` };
    const following = tokens.next('value');
    tokens.back();
    if (following.kind !== 'identifier' && following.kind !== '!') {
      return { error: `found '${following.text}', expected: identifier after ','` };
    }
  }
  return requirements.sort((a, b) => compareStrings(a.key, b.key));
}

class Tokens {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** `in` and `notin` are identifiers where a key or value is expected. */
  next(context: 'value' | 'operator'): Token {
    const token = this.#tokens[this.#position++] ?? { kind: 'end', text: '' };
    const keyword = token.kind === 'in' || token.kind === 'notin';
    return keyword && context === 'value' ? { ...token, kind: 'identifier' } : token;
  }

  back(): void {
    this.#position--;
  }
}

function tokenize(text: string): Tokens {
  const tokens: Token[] = [];
  // A NUL ends the preceding token; at the start of a token it ends the input.
  const pattern = /[ \t\r\n]*(?:(==|!=|[=!(),><])|([^ \t\r\n=!(),><\0]+))\0?/y;
  for (;;) {
    const [match, symbol, word] = pattern.exec(text) ?? [];
    if (match === undefined) return new Tokens(tokens);
    if (symbol !== undefined) tokens.push({ kind: symbol as TokenKind, text: symbol });
    else if (word !== undefined)
      tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word });
  }
}

function parseRequirement(tokens: Tokens): SelectorRequirement | ParseError {
  let token = tokens.next('value');
  const negated = token.kind === '!';
  if (negated) token = tokens.next('value');
  if (token.kind !== 'identifier') return { error: `found '${token.text}', expected: identifier` };
  const key = token.text;
  const keyProblems = labelKey(key);
  if (keyProblems.length > 0) return { error: `<nil>: Invalid value: ${goQuote(key)}: ${keyProblems.join('; ')}` };
  const next = tokens.next('value');
  tokens.back();
  const bare = next.kind === 'end' || next.kind === ',';
  if (negated || bare) return { key, operator: negated ? '!' : 'exists', values: [] };
  const symbol = tokens.next('operator');
  const operator = OPERATORS.get(symbol.kind);
  if (operator === undefined) return { error: `found '${symbol.text}', expected: in, notin, =, ==, !=, gt, lt` };
  const values = operator === 'in' || operator === 'notin' ? parseValues(tokens) : parseExactValue(tokens);
  return 'error' in values ? values : checkedRequirement(key, operator, values);
}

function checkedRequirement(
  key: string,
  operator: SelectorRequirement['operator'],
  found: readonly string[],
): SelectorRequirement | ParseError {
  const values = [...new Set(found)].sort(compareStrings);
  const errors: string[] = [];
  for (const [index, value] of values.entries()) {
    if ((operator === 'gt' || operator === 'lt') && !isInt64(value)) {
      const text = "for 'Gt', 'Lt' operators, the value must be an integer";
      errors.push(`values[${index}]: Invalid value: ${goQuote(value)}: ${text}`);
    }
  }
  for (const [index, value] of values.entries()) {
    const problems = labelValue(value);
    if (problems.length > 0) {
      errors.push(`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${problems.join('; ')}`);
    }
  }
  return errors.length > 0 ? { error: aggregateErrors(errors) } : { key, operator, values };
}

function isInt64(text: string): boolean {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return false;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value;
}

/** An empty entry in `(x,,y)` is the empty value. */
function parseValues(tokens: Tokens): string[] | ParseError {
  const open = tokens.next('value');
  if (open.kind !== '(') return { error: `found '${open.text}' expected: '('` };
  const values: string[] = [];
  let afterComma = true;
  for (let first = true; ; first = false) {
    const token = tokens.next('value');
    if (token.kind === ')') {
      if (afterComma) values.push('');
      return values;
    }
    if (token.kind === ',') {
      if (afterComma) values.push('');
      afterComma = true;
    } else if (token.kind === 'identifier' && afterComma) {
      values.push(token.text);
      afterComma = false;
    } else if (token.kind === 'identifier' || !afterComma) {
      return { error: `found '${token.text}', expected: ',' or ')'` };
    } else {
      return { error: `found '${token.text}', expected: ${first ? "',', ')' or identifier" : "',', or identifier"}` };
    }
  }
}

function parseExactValue(tokens: Tokens): string[] | ParseError {
  const token = tokens.next('value');
  if (token.kind === 'identifier') return [token.text];
  if (token.kind !== 'end' && token.kind !== ',') return { error: `found '${token.text}', expected: identifier` };
  tokens.back();
  return [''];
}

/** `fields.ParseSelector`: terms in sorted order; `\` escapes `\`, `,` and `=` in values. */
export function parseFieldSelector(text: string): readonly SelectorRequirement[] | ParseError {
  const requirements: SelectorRequirement[] = [];
  const terms = (text.match(/(?:\\.|[^\\,]|\\$)+/gs) ?? []).sort(compareStrings);
  for (const term of terms) {
    const [, key, symbol, written] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
    if (key === undefined || written === undefined)
      return { error: `invalid selector: '${text}'; can't understand '${term}'` };
    const value = unescapeFieldValue(written);
    if (typeof value !== 'string') return value;
    // Upstream drops empty terms.
    if (key !== '' || value !== '') requirements.push({ key, operator: symbol === '!=' ? '!=' : '=', values: [value] });
  }
  return requirements;
}

function unescapeFieldValue(written: string): string | ParseError {
  let value = '';
  const characters = [...written];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] as string;
    if (character === '=' || character === ',') {
      return { error: `invalid field selector: unescaped character in value: ${character.charCodeAt(0)}` };
    }
    if (character !== '\\') {
      value += character;
      continue;
    }
    const escaped = characters[++index];
    if (escaped === undefined || !'\\,='.includes(escaped)) {
      return { error: `invalid field selector: invalid escape sequence: \\${escaped ?? ''}` };
    }
    value += escaped;
  }
  return value;
}
