// Port: JMESPath in Kyverno's dialect, with the functions of Kyverno 1.19.
import { RegexCache } from '../../../src/go/regexp/regex-cache.ts';
import { asDoubles } from '../../../src/policy/kyverno/jmespath/as-doubles.ts';
import type { ArgumentType } from '../../../src/policy/kyverno/jmespath/functions/function-table.ts';
import { FUNCTIONS } from '../../../src/policy/kyverno/jmespath/functions/functions.ts';
import { QueryError } from '../../../src/policy/kyverno/jmespath/query-error.ts';
import { compileQuery } from '../../../src/policy/kyverno/jmespath/search.ts';
import { SearchError } from '../../../src/policy/kyverno/jmespath/search-error.ts';
import type { JsonValue } from '../../../src/source/json/json.ts';
import { parseJson } from '../../../src/source/json/parse-json.ts';
import type { Chance } from './chance.ts';
import type { Answer, Arguments, Port, PortFunction } from './port.ts';
import * as texts from './texts.ts';

const CONFIGURATION = { regexes: new RegexCache(), defaultRegistry: 'docker.io', enableDefaultRegistryMutation: true };

/** Parts of layouts of Go's package `time`, and whole layouts. */
const LAYOUTS = [
  '2006-01-02T15:04:05Z07:00',
  'Mon Jan _2 15:04:05 2006',
  'Mon, 02 Jan 2006 15:04:05 MST',
  '02 Jan 06 15:04 -0700',
  '3:04PM',
  'Monday, 02-Jan-06 15:04:05 MST',
  '2006-01-02',
  '01/02/2006',
  'Jan _2 15:04:05.000000',
  '2006-002',
  '15h04',
  '2006',
  '05.999',
  '.000',
  ',999',
  'Z0700',
  'Z07',
  '-07:00:00',
  'pm',
  'january',
  '',
  'x',
  '_2006',
  '__2',
  '2 Jan 3PM',
  '06',
  '1',
  '2',
  '4',
  '5',
  '2006-01-02 15:04:05.999999999 -0700 MST',
];
const TIMES = [
  ...texts.TIMESTAMPS,
  'Mon Jan  2 15:04:05 2006',
  'Mon, 02 Jan 2006 15:04:05 MST',
  '02 Jan 06 15:04 -0700',
  '3:04PM',
  '12:30am',
  '2006-01-02',
  '01/02/2006',
  '2024-366',
  '1704067200',
  '-1',
  '31 Feb 2024',
  'Mon, 31 Jun 2024 10:00:00 CET',
];
const RANGES = [
  '>1.0.0',
  '>=1.2.3 <2.0.0',
  '1.2.x',
  '1.x',
  '*',
  'x',
  '',
  '=1.2.3',
  '==1.2.3',
  '!=1.2.3',
  '!1.2.3',
  '>1.2 || <1',
  '1.2.3 || 2.0.0',
  '>=1.2.3-rc',
  '~1.2',
  '^1',
  '>',
  '> 1.2.3',
  '>1.2.3, <2.0.0',
  '1.2.3 1.2.3',
  '>1.x',
  '<=1.2.x',
  '!=1.x',
  '>=x',
  '||',
  '1.0.0||',
  '<1.2.3+b',
  'v1.2.3',
  '1.2.3.4',
  '01.2.3',
  '=>1',
  '=<1.0.0',
  '>18446744073709551616.0.0',
  '>1.2.3 ',
  ' >1.2.3',
  '>1.2.3\t<2.0.0',
];
const MIXED = [...texts.QUANTITIES.slice(0, 45), ...texts.DURATIONS.slice(0, 30), ...texts.NUMBERS.slice(0, 40)];
const LABELS = [
  '{"a":"b"}',
  '{"a":"b","c":"d"}',
  '{}',
  '{"a":1}',
  '{"a":"b*"}',
  '{"a":null}',
  '{"":""}',
  '{"c":"d","a":"b"}',
];

/** Texts for the arguments, by the function's name. */
const POOLS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  regex_match: [texts.PATTERNS, texts.TEXTS],
  regex_replace_all: [texts.PATTERNS, texts.TEXTS, texts.REPLACEMENTS],
  regex_replace_all_literal: [texts.PATTERNS, texts.TEXTS, texts.REPLACEMENTS],
  pattern_match: [texts.WILDCARDS, texts.TEXTS],
  to_boolean: [texts.NUMBERS],
  to_number: [texts.NUMBERS],
  add: [MIXED, MIXED],
  subtract: [MIXED, MIXED],
  multiply: [MIXED, MIXED],
  divide: [MIXED, MIXED],
  modulo: [MIXED, MIXED],
  sum: [MIXED],
  base64_decode: [texts.BASE64],
  path_canonicalize: [
    ['/a/b', 'a//b', '../a', '/..', './a/./b', 'a/../..', '', '.', '/', '//a', 'a/', '~/.a', '/a/../../b', 'a/b/../c/'],
  ],
  semver_compare: [texts.SEMVERS, RANGES],
  parse_json: [texts.JSONS],
  parse_yaml: [texts.YAMLS],
  image_normalize: [texts.IMAGES],
  is_external_url: [texts.URLS.filter((url) => /localhost|127|10\.|\[|^[^a-z]|^$|http:$/.test(url))],
  time_since: [LAYOUTS, TIMES, TIMES],
  time_parse: [LAYOUTS, TIMES],
  time_to_cron: [TIMES],
  time_add: [TIMES, texts.DURATIONS],
  time_utc: [TIMES],
  time_diff: [TIMES, TIMES],
  time_before: [TIMES, TIMES],
  time_after: [TIMES, TIMES],
  time_between: [TIMES, TIMES, TIMES],
  time_truncate: [TIMES, texts.DURATIONS],
  x509_decode: [texts.TEXTS],
};

const DOCUMENTS = [
  'null',
  'true',
  'false',
  '0',
  '-0.0',
  '1',
  '-1',
  '1.5',
  '-2.5',
  '1e3',
  '1e21',
  '1e-7',
  '9007199254740993',
  '9223372036854775807',
  '1e308',
  '""',
  '"a"',
  '"😀"',
  '"10"',
  '[]',
  '[1]',
  '[1,2,3]',
  '[3,1,2]',
  '["b","a","c"]',
  '[1,"a"]',
  '[[1],[2,[3]]]',
  '[null,1,null]',
  '{}',
  '{"a":1}',
  '{"a":{"b":"c"}}',
  '{"b":2,"a":1}',
  '[{"a":1},{"a":3},{"a":2}]',
  '[{"a":"x"},{"a":"y"}]',
  '[{"a":1},{"a":"y"}]',
  '[{"b":1}]',
  '[true,false]',
  '{"a":[1,2]}',
  '{"name":"x","value":1}',
  '[{"name":"a","value":1},{"name":"b","value":2}]',
  '["1Mi","2Mi"]',
  '["1h","30m"]',
  '[1.5,2.5]',
  '["a",1]',
  '[[1,2],[3]]',
];
const OBJECTS = [...DOCUMENTS.filter((text) => text.startsWith('{')), ...LABELS];
const LISTS = DOCUMENTS.filter((text) => text.startsWith('['));
const NUMBERS = DOCUMENTS.filter((text) => /^[-0-9]/.test(text)).concat(
  '2',
  '3',
  '5',
  '10',
  '0.5',
  '100',
  '-3',
  '2.675',
  '4.35',
);
const REFERENCES = ['&a', '&@', '&b', '&a.b', '&length(@)', '&to_string(@)', '&[0]', '&name', '&value', '&missing.x'];

export const JMESPATH: Port = {
  name: 'jmespath',
  program: 'kyverno',
  sources: ['policy/kyverno/jmespath'],
  originals: [
    'github.com/kyverno/go-jmespath',
    'github.com/kyverno/kyverno/pkg/engine/jmespath',
    'github.com/kyverno/kyverno/pkg/utils/image',
  ],
  sampled: 150,
  functions: () => [...FUNCTIONS.declared.map(({ name, parameters }) => callOf(name, parameters)), SYNTAX],
  surface: () => FUNCTIONS.declared.map(({ name }) => name).sort(),
  start:
    () =>
    (_, [query, document, hasIntegers]) => {
      const read = parseJson(String(document));
      if ('problem' in read) throw new Error(`a document: ${document}`);
      return answerQuery(String(query), hasIntegers === true ? read.value : asDoubles(read.value));
    },
};

function answerQuery(text: string, document: JsonValue): Answer {
  const query = compileQuery(text);
  if (query instanceof QueryError) return { compileError: query.message };
  const found = query.search(document, CONFIGURATION);
  if (!(found instanceof SearchError)) return { value: tagged(found) };
  if (found.kind === 'panic') return { panic: found.message };
  return found.kind === 'unknown' || found.kind === 'limit' ? { undecided: found.message } : { error: found.message };
}

/** Integers are tagged, because most functions reject them. */
function tagged(value: JsonValue): unknown {
  // The original writes invalid UTF-8 as U+FFFD.
  if (typeof value === 'string') return value.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  if (typeof value === 'bigint') return { int: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value))
    return { float: String(value).replace(/^(-?)Infinity/, (_, sign: string) => `${sign || '+'}Inf`) };
  if (Array.isArray(value)) return value.map(tagged);
  if (value instanceof Map) return { map: [...value].map(([key, member]) => [key, tagged(member)]) };
  return value;
}

function callOf(name: string, parameters: readonly (readonly ArgumentType[])[]): PortFunction {
  return {
    name,
    generate: (chance) => {
      const documents: string[] = [];
      const pools = POOLS[name] ?? [];
      const count = parameters.length === 0 ? chance.below(4) : parameters.length;
      const written = Array.from({ length: chance.in(3) ? chance.below(5) : count }, (_, index) => {
        const types = parameters[Math.min(index, parameters.length - 1)] ?? ['any'];
        const pool = pools[index] ?? texts.TEXTS;
        const type = chance.in(5) ? 'any' : chance.pick(types);
        if (type === 'expref') return chance.pick(REFERENCES);
        documents.push(documentOf(chance, type, pool, pools[index] !== undefined));
        return `@[${documents.length - 1}]`;
      });
      const call = `${name}(${written.join(', ')})`;
      const query = chance.in(6) ? `to_string(${call})` : chance.in(4) ? `type(${call})` : call;
      return argumentsOf(query, `[${documents.join(',')}]`, chance);
    },
  };
}

function argumentsOf(query: string, document: string, chance: Chance): Arguments {
  return [query, document, chance.in(10)];
}

function documentOf(chance: Chance, type: ArgumentType, pool: readonly string[], isPooled: boolean): string {
  const text = (): string => JSON.stringify(chance.text(pool));
  switch (type) {
    case 'string':
      return text();
    case 'number':
      return chance.pick(NUMBERS);
    case 'array':
      return chance.in(40) ? `[${chance.several(0, 4, text).join(',')}]` : chance.pick(LISTS);
    case 'array[number]':
      return `[${chance.several(0, 5, () => chance.pick(NUMBERS)).join(',')}]`;
    case 'array[string]':
      return `[${chance.several(0, 5, text).join(',')}]`;
    case 'object':
      return chance.pick(OBJECTS);
    default:
      return isPooled && chance.in(70) ? text() : chance.pick(DOCUMENTS);
  }
}

const PIECES = [
  'a',
  'b',
  '"a b"',
  '@',
  '*',
  '[*]',
  '[]',
  '[0]',
  '[-1]',
  '[1:]',
  '[::-1]',
  '[:2]',
  '[::2]',
  '[5:1:-1]',
  '[::0]',
  '[?a]',
  '[?a > `1`]',
  '[?@ == `1`]',
  "[?name == 'x']",
  '.',
  '.a',
  '.b',
  '.*',
  '.{x: a, y: @}',
  '.[a, b]',
  ' | ',
  ' || ',
  ' && ',
  '!',
  '`1`',
  '`"x"`',
  '`{"a": [1]}`',
  "'raw'",
  "'it\\'s'",
  ' == ',
  ' != ',
  ' < ',
  ' >= ',
  '(',
  ')',
  '&',
  'length(@)',
  'keys(@)',
  'sort_by(@, &a)',
  ' + ',
  ' - ',
  ' * ',
  ' / ',
  ' % ',
  '$',
  '"\\u00e9"',
  '`',
  "'",
  '"',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '?',
  '\\',
  '日',
  '[0',
  '01',
  '-',
  '[?',
  'to_number(`"1"`)',
  '`-1.5`',
  'a.b.c',
  '[a]',
  '@.a',
  'foo(',
  'not_null(a, b)',
];

/** Queries of random pieces, about one half of which are valid. */
const SYNTAX: PortFunction = {
  name: 'syntax',
  generate: (chance) => {
    const query = chance.several(1, 6, () => chance.pick(PIECES)).join('');
    return argumentsOf(query, chance.pick(DOCUMENTS), chance);
  },
};
