// Kyverno's functions on strings: letter case, splitting, replacing, patterns (`pkg/engine/jmespath/functions.go`).

import { canonicalBase64, encodeBase64 } from '../../../../go/encoding/base64.ts';
import { cleanPath } from '../../../../go/strings/clean-path.ts';
import { equalFold, toGoLower, toGoUpper } from '../../../../go/strings/letter-case.ts';
import { codePointLength, compareStrings } from '../../../../go/strings/string-order.ts';
import { matchesWildcard } from '../../value/wildcard.ts';
import { searchFailure } from '../search-error.ts';
import type { SearchValue } from '../search-value.ts';
import type { WorkBudget } from '../work-budget.ts';
import { bytesOf, textOfBytes } from './byte-text.ts';
import { argumentText, functionError, integerAt, type QueryFunction, textAt } from './function-table.ts';

const TEXT = ['string'] as const;
const TEXT_OR_NUMBER = ['string', 'number'] as const;

export const TEXT_FUNCTIONS: readonly QueryFunction[] = [
  {
    name: 'compare',
    parameters: [TEXT, TEXT],
    // An int in Go, which no function accepts as a number.
    handler: (values) => BigInt(compareStrings(textAt(values, 0), textAt(values, 1))),
  },
  {
    name: 'equal_fold',
    parameters: [TEXT, TEXT],
    handler: (values) => equalFold(textAt(values, 0), textAt(values, 1)),
  },
  {
    name: 'replace',
    parameters: [TEXT, TEXT, TEXT, ['number']],
    handler: (values, { budget }) => replace(values, integerAt(values, 3), budget),
  },
  {
    name: 'replace_all',
    parameters: [TEXT, TEXT, TEXT],
    handler: (values, { budget }) => replace(values, -1, budget),
  },
  { name: 'to_upper', parameters: [TEXT], handler: (values) => toGoUpper(textAt(values, 0)) },
  { name: 'to_lower', parameters: [TEXT], handler: (values) => toGoLower(textAt(values, 0)) },
  { name: 'trim', parameters: [TEXT, TEXT], handler: trim },
  { name: 'trim_prefix', parameters: [TEXT, TEXT], handler: trimPrefix },
  { name: 'split', parameters: [TEXT, TEXT], handler: (values, { budget }) => split(values, budget) },
  { name: 'truncate', parameters: [TEXT, ['number']], handler: truncate },
  { name: 'pattern_match', parameters: [TEXT, TEXT_OR_NUMBER], handler: matchPattern },
  { name: 'to_boolean', parameters: [TEXT], handler: toBoolean },
  { name: 'base64_decode', parameters: [TEXT], handler: decodeBase64 },
  { name: 'base64_encode', parameters: [TEXT], handler: encodeText },
  { name: 'path_canonicalize', parameters: [TEXT], handler: canonicalPath },
];

/** `strings.Replace`: at most `limit` times; unlimited if negative. */
function replace(values: readonly SearchValue[], limit: number, budget: WorkBudget): string {
  const text = textAt(values, 0);
  const searched = textAt(values, 1);
  const replacement = textAt(values, 2);
  if (searched === replacement || limit === 0) return text;
  const most = limit < 0 ? Number.POSITIVE_INFINITY : limit;
  let replaced = '';
  let from = 0;
  for (let count = 0; count < most; count++) {
    let at: number;
    if (searched === '') {
      // An empty search text matches before each character and at the end.
      at = count === 0 ? 0 : from + characterLength(text, from);
      if (at > text.length || (count > 0 && from === text.length)) break;
    } else {
      at = text.indexOf(searched, from);
      if (at < 0) break;
    }
    replaced += text.slice(from, at) + replacement;
    budget.spend(1 + (at - from + replacement.length) / 16);
    from = at + searched.length;
  }
  return replaced + text.slice(from);
}

function characterLength(text: string, at: number): number {
  return at < text.length && (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

function trim(values: readonly SearchValue[]): string {
  const characters = [...textAt(values, 0)];
  const cutset = new Set(textAt(values, 1));
  let start = 0;
  let end = characters.length;
  while (start < end && cutset.has(characters[start] as string)) start++;
  while (end > start && cutset.has(characters[end - 1] as string)) end--;
  return characters.slice(start, end).join('');
}

function trimPrefix(values: readonly SearchValue[]): string {
  const text = textAt(values, 0);
  const prefix = textAt(values, 1);
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function split(values: readonly SearchValue[], budget: WorkBudget): readonly string[] {
  const separator = textAt(values, 1);
  const parts = separator === '' ? [...textAt(values, 0)] : textAt(values, 0).split(separator);
  budget.spend(parts.length);
  return parts;
}

function truncate(values: readonly SearchValue[]): string {
  const text = textAt(values, 0);
  const length = integerAt(values, 1);
  if (length < 1) return '';
  return length >= codePointLength(text) ? text : [...text].slice(0, length).join('');
}

function matchPattern(values: readonly SearchValue[], call: { readonly budget: WorkBudget }): boolean {
  const pattern = textAt(values, 0);
  const text = argumentText(values[1] as SearchValue);
  if (text === undefined) return functionError('pattern_match', 'argument #2 is not of type String or Real');
  call.budget.spend((pattern.length * text.length) / 16);
  return matchesWildcard(pattern, text);
}

function toBoolean(values: readonly SearchValue[]): boolean {
  const text = textAt(values, 0);
  const lower = toGoLower(text);
  if (lower === 'true' || lower === 'false') return lower === 'true';
  return functionError('to_boolean', `lowercase argument must be 'true' or 'false' (provided: '${text}')`);
}

function decodeBase64(values: readonly SearchValue[]): string {
  const data = canonicalBase64(bytesOf(textAt(values, 0)));
  if (typeof data !== 'string') throw searchFailure(data.error);
  return textOfBytes(atob(data));
}

function encodeText(values: readonly SearchValue[]): string {
  const bytes = bytesOf(textAt(values, 0));
  return encodeBase64(bytes.length, (index) => bytes.charCodeAt(index));
}

/** Go `filepath.Join` of one part, on Linux. */
function canonicalPath(values: readonly SearchValue[]): string {
  const path = textAt(values, 0);
  return path === '' ? '' : cleanPath(path);
}
