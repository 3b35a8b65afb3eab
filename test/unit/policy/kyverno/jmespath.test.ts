// Kyverno's JMESPath: results and error messages of queries.
import { describe, expect, it } from 'vitest';
import { RegexCache } from '../../../../src/go/regexp/regex-cache.ts';
import { asDoubles } from '../../../../src/policy/kyverno/jmespath/as-doubles.ts';
import { fieldsOf, type Origin } from '../../../../src/policy/kyverno/jmespath/origin.ts';
import { compileQuery, Query } from '../../../../src/policy/kyverno/jmespath/search.ts';
import type { SearchEnvironment } from '../../../../src/policy/kyverno/jmespath/search-environment.ts';
import { SearchError } from '../../../../src/policy/kyverno/jmespath/search-error.ts';
import { stringifyJson } from '../../../../src/source/json/json.ts';
import { formatFieldPath } from '../../../../src/source/node/field-path.ts';
import { jsonOf } from './json-of.ts';

const environment: SearchEnvironment = {
  regexes: new RegexCache(),
  defaultRegistry: 'docker.io',
  enableDefaultRegistryMutation: true,
};

const DOCUMENT = asDoubles(
  jsonOf(`{
    "name": "checkout", "replicas": 3, "ratio": 0.5, "nothing": null, "on": true,
    "labels": {"team": "shop", "app.kubernetes.io/part-of": "web"},
    "containers": [
      {"name": "server", "image": "ghcr.io/shop/server:v2", "ports": [{"port": 80}, {"port": 443}]},
      {"name": "proxy", "image": "envoy", "ports": []},
      {"name": "log", "image": "fluent/bit:2"}
    ],
    "matrix": [[1, 2], [3]]
  }`),
);

/** Generated for this test. The private key is discarded. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIICIDCCAYmgAwIBAgIUH/ZbenvqST1p4h2VDJxhDNnigQMwDQYJKoZIhvcNAQEL
BQAwIjENMAsGA1UECgwEU2hvcDERMA8GA1UEAwwIY2hlY2tvdXQwHhcNMjYxMTIy
MDkyNDI4WhcNMjYxMjIyMDkyNDI4WjAiMQ0wCwYDVQQKDARTaG9wMREwDwYDVQQD
DAhjaGVja291dDCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEAtW/sBArDosD8
IB1JlIX85cLxdwHkuLIteu4JRBdaaSwORkah1a5UQdW/HoPfY2jQDdKwBIr2M09H
N5vC/QEJHpY26ynU97ZY1n5d+8JXdANrh7faYpAVWsRz9LpY1lBsqaMIj2FmPOb8
E7kKggBZIaYyy6ZYxGVUERpJ61emiHMCAwEAAaNTMFEwHQYDVR0OBBYEFJohPFM/
6aXSz9oiH8VSXJy6pVcpMB8GA1UdIwQYMBaAFJohPFM/6aXSz9oiH8VSXJy6pVcp
MA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADgYEARnEjb9srIBwTggA7
ZsXwI04VNux9BAt7sXKaNBeYszL6QcdQVNSCmTz7wzOaMeYrVjaDYkxaAQaG165c
uXH7CCiC1WJNiNsfdR2ppNAzeo22lgIYK4gYMJYRu/7LebdTNHukBpZxXn4H3HM3
vCH7spAbg8CMl6YaM2eov7aqck4=
-----END CERTIFICATE-----
`;

function answer(query: string, document = DOCUMENT): string {
  const compiled = compileQuery(query);
  if (!(compiled instanceof Query)) return `does not compile: ${compiled.message}`;
  const found = compiled.search(document, environment);
  if (found instanceof SearchError) return `${found.kind}: ${found.message}`;
  return stringifyJson(found, { sortKeys: true, escapeHtml: false });
}

describe('queries', () => {
  it.each([
    ['name', '"checkout"'],
    ['missing', 'not-found: Unknown key "missing" in path'],
    ['labels.missing.further', 'not-found: Unknown key "missing" in path'],
    ['name.further', 'null'],
    ['nothing.further', 'null'],
    ['labels."app.kubernetes.io/part-of"', '"web"'],
    ['containers[0].name', '"server"'],
    ['containers[-1].name', '"log"'],
    ['containers[7]', 'null'],
    ['containers[7].name', 'null'],
    ['containers[].ports[].port', '[80,443]'],
    ['containers[*].ports[*].port', '[[80,443],[]]'],
    ['containers[].missing', '[]'],
    ['containers[1:].name', '["proxy","log"]'],
    ['containers[::-1].name', '["log","proxy","server"]'],
    ['containers[::0]', 'failure: Invalid slice, step cannot be 0'],
    ["containers[?name=='proxy'].image", '["envoy"]'],
    [
      'containers[?length(ports) > `1`].name',
      'failure: Invalid type for: <nil>, expected: []jmespath.JpType{"string", "array", "object"}',
    ],
    ['containers[?!ports].name', '["proxy","log"]'],
    ['matrix[]', '[1,2,3]'],
    ['matrix[] | [0]', '1'],
    ["missing || 'default'", '"default"'],
    ['missing && name', 'null'],
    ['name && missing', 'not-found: Unknown key "missing" in path'],
    ['!missing', 'true'],
    ['missing | name', 'null'],
    ['[name, missing]', '["checkout",null]'],
    ['{a: name, b: missing}', '{"a":"checkout","b":null}'],
    ['replicas > `2`', 'true'],
    ["replicas > 'a'", 'null'],
    ['replicas == `3`', 'true'],
    ['labels == `{"team": "shop"}`', 'false'],
    ['labels.*', '["shop","web"]'],
    // Kyverno also evaluates the right side on as many nulls as there are values.
    ['labels.*.to_string(@)', '["null","null","shop","web"]'],
    ["'it\\'s'", '"it\'s"'],
    ['`{"a": [1, 2.5]}`', '{"a":[1,2.5]}'],
    ['@.name', '"checkout"'],
  ])('%s is %s', (query, expected) => {
    expect(answer(query)).toBe(expected);
  });

  it.each([
    ['', 'SyntaxError: Incomplete expression'],
    ['name.', 'SyntaxError: Expected identifier, lbracket, or lbrace'],
    ['.name', 'SyntaxError: Invalid token: tDot'],
    ['list[?]', 'SyntaxError: Invalid token: tRbracket'],
    ['name name', 'SyntaxError: Unexpected token at the end of the expression: tUnquotedIdentifier'],
    ["'open", "SyntaxError: Unclosed delimiter: '"],
    ['"open', 'SyntaxError: Unclosed delimiter: "'],
    ['`x`', "invalid character 'x' looking for beginning of value"],
    ['a = b', 'SyntaxError: Unexpected token at the end of the expression: tUnknown'],
    ['a # b', "SyntaxError: Unknown char: '#'"],
    ['a\u00e9', "SyntaxError: Unknown char: '\\u00e9'"],
    ['"f"(a)', "SyntaxError: Can't have quoted identifier as function Name."],
    ['a[99999999999999999999]', 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
    ['{a b}', 'SyntaxError: Expected tColon, received: tUnquotedIdentifier'],
    ['a[*]!', 'SyntaxError: Error'],
  ])('%s does not compile', (query, message) => {
    expect(answer(query)).toBe(`does not compile: ${message}`);
  });

  it('accepts what Kyverno’s grammar accepts', () => {
    expect(answer("join('-' ['a' 'b'])")).toContain('does not compile');
    expect(answer('join(\'-\' `["a", "b"]`)')).toBe('"a-b"');
    expect(answer("'length'(name)")).toBe('8');
    expect(answer('@(name)')).toBe('failure: invalid node value type');
    expect(answer('[1')).toBe('failure: Unknown AST node: ASTEmpty');
  });

  it('limits depth and work', () => {
    expect(answer(`${'('.repeat(5000)}a`)).toContain('nested too deeply');
    expect(answer(`a${'.a'.repeat(5000)}`)).toContain('nested too deeply');
    const doubled = Array.from({ length: 60 }, () => '[@, @]').join(' | ');
    expect(answer(`'${'x'.repeat(1000)}' | ${doubled} | to_string(@)`)).toMatch(/^limit: /);
  });
});

describe('functions', () => {
  it.each([
    ['abs(`-5`)', '5'],
    ["abs('x')", 'failure: Invalid type for: x, expected: []jmespath.JpType{"number"}'],
    ['avg(`[1,2,6]`)', '3'],
    ["contains('foobar', 'oba')", 'true'],
    ["contains(containers[].name, 'log')", 'true'],
    [
      'contains(containers, `{"name": "log"}`)',
      'panic: runtime error: comparing uncomparable type map[string]interface {}',
    ],
    ['contains(containers, `["log"]`)', 'false'],
    ["join(',', containers[].name)", '"server,proxy,log"'],
    ['keys(labels)', '["team","app.kubernetes.io/part-of"]'],
    ['length(name)', '8'],
    ["length('\u{1f600}')", '1'],
    ['map(&name, containers)', '["server","proxy","log"]'],
    ['map(&missing, containers)', '[null,null,null]'],
    ['max(`[3, 7, 5]`)', '7'],
    ['max_by(containers, &name).name', '"server"'],
    ['min_by(containers, &missing)', 'failure: invalid type, must be number of string'],
    ['sort_by(containers, &name)[].name', '["log","proxy","server"]'],
    ['merge(labels, `{"team": "x"}`).team', '"x"'],
    ['merge(labels, missing)', 'panic: interface conversion: interface {} is nil, not map[string]interface {}'],
    ['not_null(nothing, missing, name)', '"checkout"'],
    ['not_null()', 'failure: Invalid arity.'],
    ["reverse('abc')", '"cba"'],
    ['to_array(name)', '["checkout"]'],
    ["to_number('1e3')", '1000'],
    ["to_number('x')", 'null'],
    ['to_string(labels)', '"{\\"app.kubernetes.io/part-of\\":\\"web\\",\\"team\\":\\"shop\\"}"'],
    ['type(nothing)', '"null"'],
    ["type(compare('a', 'b'))", 'failure: unknown type'],
    ["unknown('a')", 'failure: unknown function: unknown'],
    ["split('a')", 'failure: incorrect number of args'],
    ["equal_fold('Stra\u00dfe', 'STRA\u00dfE')", 'true'],
    ["replace('a-b-c', '-', '+', `1`)", '"a+b-c"'],
    ["replace_all('abc', '', '.')", '".a.b.c."'],
    ["to_upper('stra\u00dfe')", '"STRA\u00dfE"'],
    ["trim('__x__', '_')", '"x"'],
    ["trim_prefix('v1.2', 'v')", '"1.2"'],
    ["split('a,b', ',')", '["a","b"]'],
    ["split('', ',')", '[""]'],
    ["truncate('checkout', `5`)", '"check"'],
    ["to_boolean('TRUE')", 'true'],
    [
      "to_boolean('on')",
      "failure: JMESPath function 'to_boolean': lowercase argument must be 'true' or 'false' (provided: 'on')",
    ],
    ["pattern_match('ghcr.io/*', containers[0].image)", 'true'],
    ["regex_match('^[a-z]+$', name)", 'true'],
    ["regex_match('(', name)", 'failure: error parsing regexp: missing closing ): `(`'],
    ["regex_replace_all('([a-z]+):(v[0-9])', 'server:v2', '$2/\u0024{1}')", '"v2/server"'],
    ["regex_replace_all('x*', 'abc', '-')", '"-a-b-c-"'],
    ["regex_replace_all_literal('[0-9]', 'a1b2', '$0')", '"a$0b$0"'],
    ['label_match(`{"team": "shop"}`, labels)', 'true'],
    ["base64_encode('h\u00e9')", '"aMOp"'],
    ["base64_decode('aMOp')", '"h\u00e9"'],
    ["base64_decode('?')", 'failure: illegal base64 data at input byte 0'],
    ["path_canonicalize('/a/../b//./c')", '"/b/c"'],
    ["lookup(labels, 'team')", '"shop"'],
    ['lookup(matrix, `1`)', '[3]'],
    [
      'lookup(matrix, `0.5`)',
      "failure: JMESPath function 'lookup': argument #2: expected an integer number but got: 0.5",
    ],
    ["items(labels, 'k', 'v')[0].k", '"app.kubernetes.io/part-of"'],
    ["items(matrix, 'k', 'v')[].k", '[0,1]'],
    [
      "map(&k, items(labels, 'k', 'v'))",
      'panic: interface conversion: interface {} is []map[string]interface {}, not []interface {}',
    ],
    ['object_from_lists(`["a", 2]`, `[1]`)', '{"2":null,"a":1}'],
    ['parse_json(\'{"a": 1}\').a', '1'],
    ["parse_json('{')", 'failure: unexpected end of JSON input'],
    ["parse_yaml('a: yes').a", 'true'],
    ["random('[a-z]{4}')", 'unknown: a random value'],
    ["image_normalize('envoy')", '"docker.io/envoy:latest"'],
    [
      "image_normalize('ghcr.io/a/B')",
      "failure: JMESPath function 'image_normalize': bad image: ghcr.io/a/B, defaultRegistry: docker.io, enableDefaultRegistryMutation: true: repository name must be lowercase",
    ],
    ["is_external_url('http://10.1.2.3/x')", 'false'],
    ["is_external_url('http://8.8.8.8')", 'true'],
    ["is_external_url('http://example.com')", 'unknown: the DNS addresses of the host name'],
    ["sha256('')", '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"'],
    ["sha1('abc')", '"a9993e364706816aba3e25717850c26c9cd0d89d"'],
    ["md5('')", '"d41d8cd98f00b204e9800998ecf8427e"'],
  ])('%s is %s', (query, expected) => {
    expect(answer(query)).toBe(expected);
  });

  it.each([
    ['add(`1`, `2.5`)', '3.5'],
    ["add('500m', '1')", '"1500m"'],
    ["add('1h', '90s')", '"1h1m30s"'],
    // Minutes are first read as thousandths.
    ["add('1h', '30m')", "failure: JMESPath function 'add': Types mismatch"],
    ["add('x', `1`)", "failure: JMESPath function 'add': invalid operand"],
    ["subtract('1Gi', '512Mi')", '"512Mi"'],
    ["multiply('250m', `4`)", '"1"'],
    ["multiply(`2`, '1h')", '"2h0m0s"'],
    ["divide('1Gi', '256Mi')", '4'],
    ["divide('1Gi', `3`)", '"357913941"'],
    ["divide('1h', '45s')", '80'],
    ['divide(`1`, `0`)', "failure: JMESPath function 'divide': Zero divisor passed"],
    ['modulo(`7`, `-3`)', '1'],
    ["modulo('5Gi', '2Gi')", '"1Gi"'],
    ['modulo(`1.5`, `1`)', "failure: JMESPath function 'modulo': Non-integer argument(s) passed for modulo"],
    ['sum(`[1, 2, 3.5]`)', '6.5'],
    ["sum(['1Gi', '1Gi'])", '"2Gi"'],
    ['sum(`[]`)', "failure: JMESPath function 'sum': at least one element in the array is required"],
    ['round(`2.345`, `2`)', '2.35'],
    ['round(`-2.5`, `0`)', '-3'],
  ])('%s is %s', (query, expected) => {
    expect(answer(query)).toBe(expected);
  });

  it.each([
    ["time_diff('2024-01-01T00:00:00Z', '2024-01-02T01:00:00+01:00')", '"24h0m0s"'],
    ["time_since('2006-01-02', '2024-02-01', '2024-03-01')", '"696h0m0s"'],
    ["time_add('2024-02-28T23:30:00-05:00', '45m')", '"2024-02-29T00:15:00-05:00"'],
    ["time_add('2024-02-28T23:30:00Z', '1 h')", 'failure: time: unknown unit " h" in duration "1 h"'],
    ["time_parse('02 Jan 06 15:04 MST', '05 Mar 24 08:09 UTC')", '"2024-03-05T08:09:00Z"'],
    ["time_parse('1', '86400')", '"1970-01-02T00:00:00Z"'],
    ["time_parse('2006-01-02', '2024-13-01')", 'failure: parsing time "2024-13-01": month out of range'],
    ["time_parse('2006-01-02', '2024-02-30')", 'failure: parsing time "2024-02-30": day out of range'],
    ["time_utc('2024-01-01T00:30:00+01:00')", '"2023-12-31T23:30:00Z"'],
    ["time_to_cron('2024-03-05T08:09:10Z')", '"9 8 5 3 2"'],
    ["time_truncate('2024-03-05T08:09:10Z', '1h')", '"2024-03-05T08:00:00Z"'],
    ["time_before('2024-01-01T00:00:00Z', '2024-01-01T00:00:01Z')", 'true'],
    ["time_between('2024-06-01T00:00:00Z', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z')", 'true'],
    [
      "time_utc('today')",
      'failure: parsing time "today" as "2006-01-02T15:04:05Z07:00": cannot parse "today" as "2006"',
    ],
    ['time_now_utc()', 'unknown: the time of the request'],
  ])('%s is %s', (query, expected) => {
    expect(answer(query)).toBe(expected);
  });

  it.each([
    ['1.2.3', '>=1.2.0 <2.0.0', true],
    ['2.0.0', '>=1.2.0 <2.0.0', false],
    ['3.1.0', '<2.0.0 || 3.x', true],
    ['1.2.9', '1.2.x', true],
    ['1.3.0', '>1.2.x', true],
    ['1.0.0', '!=1.0.0', false],
  ])('semver_compare of %s with %s is %s', (version, range, expected) => {
    expect(answer(`semver_compare('${version}', '${range}')`)).toBe(String(expected));
  });

  it('reports errors in a range', () => {
    expect(answer("semver_compare('1.0.0', 'x')")).toBe("failure: Last element in range is '||'");
    expect(answer("semver_compare('1.0.0', '~>1.0.0')")).toBe(
      'failure: Could not parse Range "~>1.0.0": Could not parse comparator "~>" in "~>1.0.0"',
    );
  });

  it('reads names and keys of certificates, and reports unsupported parts', () => {
    const query = (rest: string): string => answer(`x509_decode(@).${rest}`, CERTIFICATE);
    expect(query('Subject.[CommonName, Organization, Country]')).toBe('["checkout",["Shop"],null]');
    expect(query('Issuer.Names[0].Type')).toBe('[2,5,4,10]');
    expect(query('PublicKey.E')).toBe('65537');
    expect(query('NotAfter > NotBefore')).toBe('null');
    expect(query('DNSNames')).toBe('unknown: an unsupported part of a certificate');
    expect(answer('x509_decode(@)', CERTIFICATE)).toBe('unknown: an unsupported part of a certificate');
    expect(answer("x509_decode('x')")).toBe('failure: failed to decode PEM block');
  });

  it('knows the time if it is given', () => {
    const compiled = compileQuery('time_now()') as Query;
    const now = { seconds: 1_700_000_000, nanos: 0, offset: 3600 };
    expect(compiled.search(null, { ...environment, now })).toBe('2023-11-14T23:13:20+01:00');
  });
});

describe('reads', () => {
  function readsOf(query: string): readonly string[] {
    const reads: string[] = [];
    const observer = {
      read: (origin: Origin, use: string) => {
        for (const path of fieldsOf(origin)) reads.push(`${use} ${formatFieldPath(path)}`);
      },
      unordered: () => {
        reads.push('unordered');
      },
    };
    (compileQuery(query) as Query).search(DOCUMENT, { ...environment, observer }, new Map());
    return reads;
  }

  it.each([
    ['name', ['result name']],
    ['labels.missing', ['missing labels.missing']],
    ['containers[1].image', ['result containers[1].image']],
    [
      "containers[?name=='proxy'].image",
      [
        'operand containers[0].name',
        'operand containers[1].name',
        'operand containers[2].name',
        'result containers[1].image',
      ],
    ],
    [
      'containers[].ports[].port',
      ['missing containers[2].ports', 'result containers[0].ports[0].port', 'result containers[0].ports[1].port'],
    ],
    ['length(containers)', ['operand containers']],
    ["lookup(labels, 'team')", ['operand labels', 'result labels.team']],
    ['sort_by(containers, &name)[0].image', ['operand containers', 'result containers[2].image']],
    ['values(labels)[0]', ['operand labels', 'unordered', 'result labels.team']],
    ['missing || name', ['missing missing', 'operand missing', 'result name']],
  ])('%s reads %j', (query, expected) => {
    expect(readsOf(query)).toEqual(expected);
  });
});
