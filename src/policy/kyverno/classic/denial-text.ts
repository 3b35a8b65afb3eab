// The text of a denial: the object, and YAML with the message of every rule (`pkg/webhooks/utils/block.go`, go.yaml.in/yaml/v3).
import { compareUtf8, type JsonObject } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';

export interface FailedRule {
  readonly policy: string;
  readonly rule: string;
  readonly message: string;
}

const MAX_KEPT = 10_000;

/** Lives for one run, because rules repeat the same messages for many objects. */
export class DenialWriter {
  readonly #policies: readonly string[];
  readonly #scalars = new Map<string, string>();
  readonly #values = new Map<string, string>();
  #ranks: Map<string, number> | undefined;

  /** `policies`: names of all policies that may fail. Others follow them in the output. */
  constructor(policies: readonly string[]) {
    this.#policies = policies;
  }

  /** If policies and rules share names, only the last failure is kept: Kyverno stores them in maps. */
  write(object: JsonObject, failures: readonly FailedRule[]): string {
    const metadata = objectOrEmpty(object.get('metadata'));
    const names = [textField(object, 'kind'), textField(metadata, 'namespace'), textField(metadata, 'name')];
    return `\n\nresource ${names.join('/')} was blocked due to the following policies \n\n${this.#failures(failures)}`;
  }

  #failures(failures: readonly FailedRule[]): string {
    let text = '';
    let before: string | undefined;
    const sorted = this.#sorted(failures);
    for (let index = 0; index < sorted.length; index++) {
      const { policy, rule, message } = sorted[index] as FailedRule;
      const next = sorted[index + 1];
      if (next?.policy === policy && next.rule === rule) continue;
      if (policy !== before) text += `${this.#scalar(policy)}:\n`;
      text += `  ${this.#scalar(rule)}:${this.#value(message)}\n`;
      before = policy;
    }
    return text;
  }

  #sorted(failures: readonly FailedRule[]): readonly FailedRule[] {
    let last = -1;
    for (const { policy } of failures) {
      const rank = this.#rank(policy);
      if (rank <= last) return [...failures].sort((one, other) => this.#compare(one, other));
      last = rank;
    }
    return failures;
  }

  #compare(one: FailedRule, other: FailedRule): number {
    return this.#rank(one.policy) - this.#rank(other.policy) || compareKeys(one.rule, other.rule);
  }

  /** Sorts the names once, not for every object. */
  #rank(policy: string): number {
    this.#ranks ??= new Map([...new Set(this.#policies)].sort(compareKeys).map((name, rank) => [name, rank]));
    const rank = this.#ranks.get(policy) ?? this.#ranks.size;
    if (rank === this.#ranks.size) this.#ranks.set(policy, rank);
    return rank;
  }

  #value(text: string): string {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const written = text.includes('\n') && canBeBlock(text) ? ` ${literal(text, 4)}` : ` ${scalar(text)}`;
    return keep(this.#values, text, written);
  }

  #scalar(text: string): string {
    return this.#scalars.get(text) ?? keep(this.#scalars, text, scalar(text));
  }
}

function keep(kept: Map<string, string>, text: string, written: string): string {
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(text, written);
  return written;
}

/** Order of keys in yaml.v3: digits in names compare as numbers, letters follow other characters. */
function compareKeys(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let index = 0;
  while (index < end && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  if (index === end) return left.length - right.length;
  if (index > 0 && isLowSurrogate(left.charCodeAt(index)) && isLowSurrogate(right.charCodeAt(index))) index--;
  const [a, b] = [characterAt(left, index), characterAt(right, index)];
  const [isLeftLetter, isRightLetter] = [isLetter(a), isLetter(b)];
  if (isLeftLetter && isRightLetter) return compareUtf8(a, b);
  if (isLeftLetter || isRightLetter) {
    if (index > 0 && isDigit(left, index - 1)) return isLeftLetter ? -1 : 1;
    return isLeftLetter ? 1 : -1;
  }
  const order = compareNumbers(left, right, index);
  return order !== 0 ? order : compareUtf8(a, b);
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

function characterAt(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) as number);
}

function isLetter(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return /\p{L}/u.test(character);
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

/** Both texts are equal up to `start`. */
function compareNumbers(left: string, right: string, start: number): number {
  const [a, b] = [numberAt(left, start), numberAt(right, start)];
  if (left.charAt(start) === '0' || right.charAt(start) === '0') {
    let begin = start;
    while (begin > 0 && isDigit(left, begin - 1)) begin--;
    if (/[^0]/.test(left.slice(begin, start))) return a.length - b.length;
  }
  const [x, y] = [BigInt(a || '0'), BigInt(b || '0')];
  if (x !== y) return x < y ? -1 : 1;
  return a.length - b.length;
}

function numberAt(text: string, start: number): string {
  let end = start;
  while (end < text.length && isDigit(text, end)) end++;
  return text.slice(start, end);
}

/** True if the emitter can write the text as a block: no blank before a line break, only printable characters. */
function canBeBlock(text: string): boolean {
  return !/ \n| $|^\n* /.test(text) && isPrintable(text.replaceAll('\n', ''));
}

function literal(text: string, indent: number): string {
  const chomping = text.endsWith('\n\n') || text === '\n' ? '+' : text.endsWith('\n') ? '' : '-';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const hint = /^[ \n]/.test(text) ? '2' : '';
  return `|${hint}${chomping}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')}`;
}

/** Plain if that parses as the same text, otherwise single quotes, otherwise double quotes. */
function scalar(text: string): string {
  if (text === '') return '""';
  if (!isPrintable(text) || text.includes('\n')) return doubleQuoted(text);
  if (isOtherType(text)) return doubleQuoted(text);
  return isPlain(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

function isPrintable(text: string): boolean {
  return /^[\t\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u.test(text);
}

function isPlain(text: string): boolean {
  if (/^[ \t]|[ \t]$|\t/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text)) return false;
  if (/^[-?:](?= |$)/.test(text) || /^(---|\.\.\.)/.test(text)) return false;
  return !/: |:$| #/.test(text);
}

/** Texts that YAML, or a YAML 1.1 parser, would read as another type. */
function isOtherType(text: string): boolean {
  if (
    /^(y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|true|True|TRUE|false|False|FALSE|null|Null|NULL|~)$/.test(text)
  ) {
    return true;
  }
  if (
    /^[-+]?(\.\d+|\d[\d_]*(\.[\d_]*)?)([eE][-+]?\d+)?$/.test(text) ||
    /^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$/.test(text)
  ) {
    return true;
  }
  if (/^[-+]?0(b[01_]+|o[0-7_]+|x[\da-fA-F_]+)$/.test(text) || /^<<$|^=$/.test(text)) return true;
  if (/^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/.test(text)) return true;
  return /^\d{4}-\d{1,2}-\d{1,2}([Tt ]\d.*)?$/.test(text);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\u001b', '\\e'],
  ['\u0085', '\\N'],
  ['\u00a0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

function doubleQuoted(text: string): string {
  let quoted = '';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const short = ESCAPES.get(character);
    if (short !== undefined) quoted += short;
    else if (isPrintable(character) && code !== 0xfeff) quoted += character;
    else if (code <= 0xff) quoted += `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
    else quoted += `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return `"${quoted}"`;
}
