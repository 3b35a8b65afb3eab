// Runs the language's own conformance tests (cel-spec `tests/simple/testdata`) with the libraries that Kubernetes has of cel-go.
import { tests as suite } from '@bufbuild/cel-spec/testdata/conformance.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  struct,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from '../../src/cel/check/type.ts';
import { Environment } from '../../src/cel/environment.ts';
import { plan } from '../../src/cel/eval/plan.ts';
import { ProgramError } from '../../src/cel/eval/program.ts';
import { OPTIONAL_LIBRARY } from '../../src/cel/library/optional.ts';
import { standardLibrary } from '../../src/cel/library/standard.ts';
import { STRINGS_2 } from '../../src/cel/library/strings.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../../src/cel/library/two-variable-comprehensions.ts';
import { parseDuration } from '../../src/cel/value/duration.ts';
import { equals } from '../../src/cel/value/equality.ts';
import { KeyedMap } from '../../src/cel/value/keyed-map.ts';
import { Bytes, Uint } from '../../src/cel/value/scalar.ts';
import { parseTimestamp } from '../../src/cel/value/timestamp.ts';
import { typeOf as runtimeTypeOf } from '../../src/cel/value/type-of.ts';
import { ErrorValue, TypeValue, type Value } from '../../src/cel/value/value.ts';

/** Suites about protobuf messages or about libraries that Kubernetes does not have are left out. */
const SUITES: ReadonlySet<string> = new Set(
  (
    'basic comparisons conversions fields fp_math integer_math lists logic macros macros2 namespace optionals parse plumbing ' +
    'string string_ext timestamps type_deduction'
  ).split(' '),
);

type Json = { readonly [key: string]: Json } & string;

export interface SpecTest {
  /** Suite, section and name. */
  readonly id: string;
  readonly original: Json;
}

interface Node {
  readonly name: string;
  readonly suites?: readonly Node[];
  readonly tests?: readonly { readonly original: unknown }[];
}

/** Messages of the suite's own; Kubernetes registers none. */
const PROTOBUF_MESSAGE = /TestAllTypes/;

export function specTests(): SpecTest[] {
  const found = new Map<string, SpecTest>();
  const visit = (node: Node, path: readonly string[]): void => {
    for (const child of node.suites ?? []) visit(child, [...path, child.name]);
    for (const { original } of node.tests ?? []) {
      const test = original as Json;
      if (PROTOBUF_MESSAGE.test((test['expr'] as string).replace(/\s|\/\/.*$/gm, ''))) continue;
      let id = [...path, test['name']].join('/');
      while (found.has(id)) id = `${id}+`;
      found.set(id, { id, original: test });
    }
  };
  for (const child of (suite as Node).suites ?? []) if (SUITES.has(child.name)) visit(child, [child.name]);
  return [...found.values()];
}

/** Kubernetes' libraries without its stricter rules for literals. */
export function specEnvironment(): Environment {
  return new Environment({
    libraries: [standardLibrary(), OPTIONAL_LIBRARY, TWO_VARIABLE_COMPREHENSIONS, STRINGS_2],
    optionalSyntax: true,
    crossTypeNumericComparisons: true,
  });
}

/** Undefined if the test passes, else what is wrong. */
export function runSpecTest({ original }: SpecTest, base: Environment): string | undefined {
  try {
    return judge(original, base);
  } catch (error) {
    if (error instanceof NotSupported) return error.message;
    throw error;
  }
}

class NotSupported extends Error {}

function judge(test: Json, base: Environment): string | undefined {
  const variables = list(test['typeEnv']).map(({ name, ident }) => ({
    name: name as string,
    type: typeFrom(ident?.['type']),
  }));
  const environment = base.extend({ variables });
  const { ast, issues } = environment.compile(test['expr'] as string);
  const expectsError = test['evalError'] !== undefined;
  if (ast === undefined) {
    const message = issues[0]?.message ?? '';
    return expectsError && !message.startsWith('undeclared reference') ? undefined : `does not compile: ${message}`;
  }
  const deduced = test['typedResult']?.['deducedType'];
  if (deduced && !ast.outputType.equals(typeFrom(deduced))) return `is of type ${ast.outputType}`;
  if (test['checkOnly']) return undefined;
  const program = plan(environment, ast, {});
  if (program instanceof ProgramError) return expectsError ? undefined : program.message;
  const bindings = new Map(
    Object.entries<Json>(test['bindings'] ?? {}).map(([name, bound]) => [name, valueFrom(bound['value'])]),
  );
  const { value } = program.evaluate({ resolve: (name) => bindings.get(name) });
  if (expectsError) return value instanceof ErrorValue ? undefined : 'gives a value, not an error';
  const result = test['typedResult']?.['result'] ?? test['value'];
  const wanted = result === undefined ? true : valueFrom(result);
  return isSame(value, wanted) ? undefined : `gives ${value instanceof ErrorValue ? value.message : show(value)}`;
}

function show(value: Value): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'bigint' ? `${part}n` : part instanceof Map ? [...part] : part,
  );
}

/** Equal and of the same type; NaN is the same as NaN. */
function isSame(value: Value, wanted: Value): boolean {
  if (typeof value === 'number' && Number.isNaN(value)) return Number.isNaN(wanted);
  return equals(value, wanted) && runtimeTypeOf(value).name === runtimeTypeOf(wanted).name;
}

function list(json: Json | undefined): readonly Json[] {
  return (json ?? []) as unknown as readonly Json[];
}

function typeFrom(json: Json | undefined): Type {
  if (json === undefined) return DYN;
  const [kind, content] = Object.entries(json)[0] as [string, Json];
  switch (kind) {
    case 'primitive':
      return PRIMITIVES[String(content)] as Type;
    case 'wellKnown':
      return content === 'TIMESTAMP' ? TIMESTAMP : content === 'DURATION' ? DURATION : unsupported(`type ${content}`);
    case 'null':
      return NULL;
    case 'dyn':
      return DYN;
    case 'listType':
      return listOf(typeFrom(content['elemType']));
    case 'mapType':
      return mapOf(typeFrom(content['keyType']), typeFrom(content['valueType']));
    case 'type':
      return typeOf(typeFrom(content));
    case 'abstractType':
      return optionalOf(typeFrom(list(content['parameterTypes'])[0]));
    case 'messageType':
      return MESSAGES[String(content)] ?? unsupported(`message ${content}`);
    default:
      return unsupported(`type ${kind}`);
  }
}

const MESSAGES: Readonly<Record<string, Type>> = {
  'google.protobuf.Duration': DURATION,
  'google.protobuf.Timestamp': TIMESTAMP,
};

const PRIMITIVES: Readonly<Record<string, Type>> = {
  BOOL,
  INT64: INT,
  UINT64: UINT,
  DOUBLE,
  STRING,
  BYTES,
};

function valueFrom(json: Json | undefined): Value {
  if (json === undefined) return null;
  const [kind, content] = Object.entries(json)[0] as [string, Json];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return content;
    case 'int64Value':
      return BigInt(content);
    case 'uint64Value':
      return new Uint(BigInt(content));
    case 'doubleValue':
      return Number(content);
    case 'bytesValue':
      return new Bytes(Buffer.from(content, 'base64'));
    case 'listValue':
      return list(content['values']).map(valueFrom);
    case 'mapValue':
      return mapFrom(list(content['entries']));
    case 'objectValue':
      return timeFrom(content);
    case 'typeValue':
      return new TypeValue(content === 'list' ? listOf(DYN) : content === 'map' ? mapOf(DYN, DYN) : struct(content));
    default:
      return unsupported(`value ${kind}`);
  }
}

function timeFrom(json: Json): Value {
  const text = json['value'] as string;
  return parseDuration(text) ?? parseTimestamp(text) ?? unsupported(`value ${json['@type']}`);
}

function mapFrom(entries: readonly Json[]): Value {
  const map = new KeyedMap();
  for (const { key, value } of entries) map.set(valueFrom(key), valueFrom(value));
  return map.toMapValue();
}

function unsupported(what: string): never {
  throw new NotSupported(`needs ${what}`);
}
