// The words of a denial: the object, and YAML of what every rule said (`pkg/webhooks/utils/block.go`, go.yaml.in/yaml/v3).
import { compareUtf8, type JsonObject } from '../../../source/json.ts';
import { objectOrEmpty, textField } from '../../../source/json-field.ts';

/** By policy, then by rule. */
export type FailedRules = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function denialText(object: JsonObject, failures: FailedRules): string {
  const metadata = objectOrEmpty(object.get('metadata'));
  const names = [textField(object, 'kind'), textField(metadata, 'namespace'), textField(metadata, 'name')];
  return `\n\nresource ${names.join('/')} was blocked due to the following policies \n\n${failuresText(failures)}`;
}

function failuresText(failures: FailedRules): string {
  return sorted(failures)
    .map(([policy, rules]) => {
      const lines = sorted(rules).map(([rule, message]) => `  ${scalar(rule, 2, true)}:${valueText(message, 4)}\n`);
      return `${scalar(policy, 0, true)}:\n${lines.join('')}`;
    })
    .join('');
}

/** As yaml.v3 sorts keys: numbers in names count as numbers, letters go behind other characters. */
function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([one], [other]) => compareKeys(one, other));
}

function compareKeys(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  let inDigits = false;
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [a, b] = [left[index] as string, right[index] as string];
    if (a === b) {
      inDigits = /\d/.test(a);
      continue;
    }
    const [isLeftLetter, isRightLetter] = [/\p{L}/u.test(a), /\p{L}/u.test(b)];
    if (isLeftLetter && isRightLetter) return compareUtf8(a, b);
    if (isLeftLetter || isRightLetter) {
      if (inDigits) return isLeftLetter ? -1 : 1;
      return isLeftLetter ? 1 : -1;
    }
    const order = compareNumbers(left, right, index);
    return order !== 0 ? order : compareUtf8(a, b);
  }
  return left.length - right.length;
}

function compareNumbers(left: readonly string[], right: readonly string[], start: number): number {
  let begin = start;
  if (left[start] === '0' || right[start] === '0') {
    while (begin > 0 && /\d/.test(left[begin - 1] ?? '')) begin--;
    if (left.slice(begin, start).some((digit) => digit !== '0'))
      return numberAt(left, start).length - numberAt(right, start).length;
  }
  const [a, b] = [numberAt(left, start), numberAt(right, start)];
  const [x, y] = [BigInt(a || '0'), BigInt(b || '0')];
  if (x !== y) return x < y ? -1 : 1;
  return a.length - b.length;
}

function numberAt(characters: readonly string[], start: number): string {
  let end = start;
  while (/^\d$/.test(characters[end] ?? '')) end++;
  return characters.slice(start, end).join('');
}

function valueText(text: string, indent: number): string {
  if (text.includes('\n') && canBeBlock(text)) return ` ${literal(text, indent)}`;
  return ` ${scalar(text, indent, false)}`;
}

/** What the emitter refuses to write as a block: a blank before a line break, or characters that are not printable. */
function canBeBlock(text: string): boolean {
  return !/ \n| $|^\n* /.test(text) && isPrintable(text.replaceAll('\n', ''));
}

function literal(text: string, indent: number): string {
  const chomping = text.endsWith('\n\n') || text === '\n' ? '+' : text.endsWith('\n') ? '' : '-';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const hint = /^[ \n]/.test(text) ? '2' : '';
  return `|${hint}${chomping}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')}`;
}

/** Plain where that reads back as the same text, else in single quotes, else in double quotes. */
function scalar(text: string, _indent: number, _isKey: boolean): string {
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

/** Texts that YAML would read as something else, or that readers of YAML 1.1 would. */
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
