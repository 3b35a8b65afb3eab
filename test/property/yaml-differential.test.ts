// Compares the YAML reader with the npm package `yaml` on documents that the package wrote: same values, same locations.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parse,
  parseDocument,
  stringify,
  type ToStringOptions,
} from 'yaml';
import { type JsonValue, stringifyJson } from '../../src/source/json/json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import type { FieldPath } from '../../src/source/node/field-path.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(200, 20261121, 200);

const word = fc.constantFrom(
  'web',
  'a b',
  'app.kubernetes.io/name',
  'x: y',
  '# no',
  '- item',
  "it's",
  'say "hi"',
  '値段',
  '😀 ok',
);
/** Omits texts that go-yaml reads differently: `<<`, tabs, lines of white space only. */
const text = fc.oneof(
  word,
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '0x1F',
    '1_000',
    '12:30',
    '1e3',
    '.inf',
    '',
    'two\nlines',
    'end\n',
    '\nfirst',
    'a\n\n b\n',
  ),
  fc
    .string({ unit: fc.constantFrom(...'abc :-#\'"{}[],&*!|>%@`\\/?=\né字😀'), maxLength: 30 })
    .filter((value) => !/^ +$/m.test(value)),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.boolean(),
  fc.constant(null),
);
const tree = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(fc.oneof(word, text), tie('value'), { maxKeys: 4, noNullPrototype: true }),
})).map;

const blockStyle = fc.record({
  defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
  defaultKeyType: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE'),
  indent: fc.integer({ min: 1, max: 5 }),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 40, 80),
});
/** Quoted only: in flow style, go-yaml allows other characters in plain scalars. */
const flowStyle = fc.record({
  collectionStyle: fc.constant('flow'),
  defaultStringType: fc.constantFrom('QUOTE_SINGLE', 'QUOTE_DOUBLE'),
  indent: fc.integer({ min: 1, max: 5 }),
  lineWidth: fc.constantFrom(0, 20, 40, 80),
});
const style = fc.oneof(blockStyle, flowStyle) as fc.Arbitrary<ToStringOptions>;

describe('documents written by the yaml package', () => {
  test('have the values that the package reads', () => {
    fc.assert(
      fc.property(tree, style, (value, options) => {
        const written = stringify({ root: value }, { version: '1.1', aliasDuplicateObjects: false, ...options });
        const { manifests, problems } = readManifests(new SourceFile('a.yaml', `---\n${written}`));
        expect(problems).toEqual([]);
        expect(canonical(manifests[0]?.value as JsonValue)).toBe(canonical(asJson(parse(written, { version: '1.1' }))));
      }),
      RUNS,
    );
  });

  test('have the locations that the package reports', () => {
    fc.assert(
      fc.property(tree, style, (value, options) => {
        const written = stringify({ root: value }, { version: '1.1', aliasDuplicateObjects: false, ...options });
        const [manifest] = readManifests(new SourceFile('a.yaml', written)).manifests;
        for (const place of placesOf(parseDocument(written, { version: '1.1' }))) {
          const found = manifest?.locate(place.path, place.part);
          expect({ ...place, start: found?.start, end: place.end && found?.end }).toEqual(place);
        }
      }),
      RUNS,
    );
  });
});

interface Place {
  readonly path: FieldPath;
  readonly part: 'key' | 'value';
  readonly start: number | undefined;
  /** Not compared for block styles, where the packages disagree about the end. */
  readonly end: number | undefined;
}

function placesOf(document: Document): Place[] {
  const places: Place[] = [];
  const visit = (node: unknown, path: FieldPath): void => {
    if (isMap(node)) {
      for (const pair of node.items) {
        const key = pair.key as Node;
        if (!isScalar(key) || typeof key.value !== 'string') continue;
        const inner = [...path, key.value];
        places.push({ path: inner, part: 'key', ...rangeOf(key) });
        visit(pair.value, inner);
      }
    } else if (isSeq(node)) for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
    if (isAlias(node) || node === null || node === undefined) return;
    places.push({ path, part: 'value', ...rangeOf(node as Node) });
  };
  visit(document.contents, []);
  return places;
}

function rangeOf(node: Node): { start: number | undefined; end: number | undefined } {
  const isWhole = isScalar(node) ? !node.type?.startsWith('BLOCK') : (isMap(node) || isSeq(node)) && node.flow === true;
  return { start: node.range?.[0], end: isWhole ? node.range?.[1] : undefined };
}

function canonical(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: true, escapeHtml: false });
}

function asJson(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  return new Map(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]));
}
