// Valid queries of JMESPath in Kyverno's dialect, for each part of the language, and queries of certificates.
import type { Chance } from './chance.ts';
import type { Arguments, PortFunction } from './port.ts';
import * as texts from './texts.ts';

const NAMES = ['a', 'b', 'c', 'name', 'items', 'missing', '"a b"', '"é"'];
const KEYS = ['a', 'b', 'c', 'name', 'items', 'a b', 'é'];
const SCALARS = [
  'null',
  'true',
  'false',
  '0',
  '1',
  '2',
  '-1',
  '1.5',
  '10',
  '"1"',
  '""',
  '"x"',
  '"web"',
  '"b"',
  '"10Mi"',
  '"1h"',
  '"30m"',
  '"5"',
  '1e3',
];

/** JSON with empty values of all types. */
function document(chance: Chance, depth = 3): string {
  if (depth === 0 || chance.in(30)) return chance.pick(SCALARS);
  if (chance.in(45)) return `[${chance.several(0, 4, () => document(chance, depth - 1)).join(',')}]`;
  const keys = new Set(chance.several(0, 4, () => chance.pick(KEYS)));
  return `{${[...keys].map((key) => `${JSON.stringify(key)}:${document(chance, depth - 1)}`).join(',')}}`;
}

/** A list of objects with the same names. */
function table(chance: Chance): string {
  const row = (): string => `{"a":${document(chance, 1)},"b":${document(chance, 1)},"items":${document(chance, 2)}}`;
  return `{"items":[${chance.several(0, 4, row).join(',')}],"a":${document(chance, 2)},"b":${document(chance, 1)}}`;
}

function path(chance: Chance): string {
  return chance.in(20)
    ? '@'
    : chance.several(1, 3, () => chance.pick(chance.in(70) ? NAMES.slice(0, 5) : NAMES)).join('.');
}

function literal(chance: Chance): string {
  return chance.in(70)
    ? `\`${chance.pick(SCALARS)}\``
    : chance.pick(['`[]`', '`{}`', '`[1, 2]`', '`{"a": 1}`', "'x'", "''", "'1'", "'10Mi'", "'it\\'s'", '`"\\u00e9"`']);
}

function operand(chance: Chance, depth: number): string {
  if (depth > 0 && chance.in(35)) return query(chance, depth - 1);
  return chance.in(50) ? path(chance) : literal(chance);
}

function slice(chance: Chance): string {
  const bound = (): string => (chance.in(40) ? '' : String(chance.below(9) - 4));
  const step = chance.in(50) ? '' : `:${chance.in(80) ? chance.pick(['', '1', '2', '-1', '-2', '3']) : '0'}`;
  return `[${bound()}:${bound()}${step}]`;
}

function comparison(chance: Chance, depth: number): string {
  return `${operand(chance, depth)} ${chance.pick(['==', '!=', '<', '<=', '>', '>='])} ${operand(chance, depth)}`;
}

function logic(chance: Chance, depth: number): string {
  const part = (): string =>
    `${chance.in(25) ? '!' : ''}${chance.in(30) ? `(${comparison(chance, 0)})` : operand(chance, depth)}`;
  return chance.several(1, 3, part).join(chance.pick([' && ', ' || ']));
}

function projection(chance: Chance, depth: number): string {
  const start = chance.in(60) ? path(chance) : '@';
  const kind = chance.pick([
    '[*]',
    '[]',
    '.*',
    `[?${logic(chance, 0)}]`,
    `[?${comparison(chance, 0)}]`,
    slice(chance),
    '[0]',
    '[-1]',
    '[-9]',
    '[3]',
  ]);
  const rest = chance.pick([
    '',
    '',
    `.${path(chance).replace('@', 'a')}`,
    '[0]',
    '[]',
    '[*].a',
    slice(chance),
    '.[a, b]',
    '.{x: a, "y z": b}',
    ' | [0]',
    ' | length(@)',
    `.{x: ${operand(chance, Math.max(0, depth - 1))}}`,
  ]);
  return `${start}${kind}${rest}`;
}

function arithmetic(chance: Chance, depth: number): string {
  const part = (): string => (chance.in(20) ? `(${operand(chance, depth)})` : operand(chance, depth));
  return `${part()} ${chance.pick(['+', '-', '*', '/', '%'])} ${part()}${chance.in(25) ? ` ${chance.pick(['+', '*', '-'])} ${part()}` : ''}`;
}

function selection(chance: Chance, depth: number): string {
  const members = chance.several(1, 3, () => operand(chance, depth));
  return chance.in(50)
    ? `[${members.join(', ')}]`
    : `{${members.map((member, index) => `${NAMES[index]}: ${member}`).join(', ')}}`;
}

const CALLS = [
  'length',
  'type',
  'to_string',
  'keys',
  'values',
  'sort',
  'reverse',
  'sum',
  'max',
  'min',
  'not_null',
  'to_array',
  'abs',
  'to_number',
];

function call(chance: Chance, depth: number): string {
  if (chance.in(30)) {
    const list = chance.pick(['items', '@', 'items[*]', 'a']);
    const by = `&${chance.pick([path(chance), operand(chance, 0), 'a', 'b'])}`;
    return chance.in(30) ? `map(${by}, ${list})` : `${chance.pick(['sort_by', 'max_by', 'min_by'])}(${list}, ${by})`;
  }
  return `${chance.pick(CALLS)}(${chance.in(92) ? operand(chance, depth) : chance.several(0, 2, () => operand(chance, 0)).join(', ')})`;
}

const KINDS = [comparison, logic, projection, arithmetic, selection, call];

function query(chance: Chance, depth: number): string {
  return chance.pick(KINDS)(chance, depth);
}

function queries(name: string, write: (chance: Chance, depth: number) => string): PortFunction {
  return {
    name: `syntax: ${name}`,
    generate: (chance): Arguments => {
      const written = write(chance, chance.below(3));
      const spaced = chance.in(5) ? chance.text([written]) : written;
      return [spaced, chance.in(60) ? table(chance) : document(chance), chance.in(10)];
    },
  };
}

const FIELDS = [
  'Subject',
  'Issuer',
  'PublicKey',
  'Version',
  'SerialNumber',
  'NotBefore',
  'NotAfter',
  'PublicKeyAlgorithm',
  'Subject.Names[].Value',
  'Subject.CommonName',
  'Issuer.Names[0].Type',
  'PublicKey.E',
  'Foo',
];

/** The other fields of a certificate are unsupported, and therefore unknown. */
const CERTIFICATES: PortFunction = {
  name: 'x509_decode fields',
  generate: (chance) => {
    const written = chance.in(85) ? chance.pick(texts.CERTIFICATES) : chance.text(texts.CERTIFICATES);
    return [`x509_decode(@).${chance.pick(FIELDS)}`, JSON.stringify(written), false];
  },
};

export const QUERIES: readonly PortFunction[] = [
  queries('comparisons', comparison),
  queries('logic', logic),
  queries('projections', projection),
  queries('slices', (chance) => `${path(chance)}${slice(chance)}${chance.in(30) ? slice(chance) : ''}`),
  queries('arithmetic', arithmetic),
  queries('selections', selection),
  queries('calls', call),
  CERTIFICATES,
];
