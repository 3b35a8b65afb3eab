// Runs the CEL specification's conformance tests (cel-spec `tests/simple/testdata`) with their libraries and options.
import { tests as suite } from '@bufbuild/cel-spec/testdata/conformance.js';
import type { CheckedAst, Reference } from '../../src/cel/check/checked-ast.ts';
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
  opaque,
  STRING,
  struct,
  TIMESTAMP,
  type Type,
  typeParameter,
  typeTypeOf,
  UINT,
} from '../../src/cel/check/type.ts';
import type { FunctionDeclaration } from '../../src/cel/declaration/library.ts';
import { Environment } from '../../src/cel/environment.ts';
import { plan } from '../../src/cel/eval/plan.ts';
import { ProgramError } from '../../src/cel/eval/program.ts';
import { OPTIONAL_LIBRARY } from '../../src/cel/library/optional.ts';
import { standardLibrary } from '../../src/cel/library/standard.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../../src/cel/library/two-variable-comprehensions.ts';
import type { Expr } from '../../src/cel/syntax/ast.ts';
import { forEachChild } from '../../src/cel/syntax/children.ts';
import { parseDuration } from '../../src/cel/value/duration.ts';
import { equals } from '../../src/cel/value/equality.ts';
import { KeyedMap } from '../../src/cel/value/keyed-map.ts';
import { Bytes, Uint } from '../../src/cel/value/scalar.ts';
import { parseTimestamp } from '../../src/cel/value/timestamp.ts';
import { typeOf as runtimeTypeOf } from '../../src/cel/value/type-of.ts';
import { ErrorValue, TypeValue, type Value } from '../../src/cel/value/value.ts';
import { BINDINGS } from '../support/cel-extensions/bindings.ts';
import { ENCODERS } from '../support/cel-extensions/encoders.ts';
import { MATH } from '../support/cel-extensions/math.ts';
import { STRINGS_4 } from '../support/cel-extensions/strings-4.ts';

/**
 * Number of tests per file. Omits files about protobuf messages, their enums and wrappers (`dynamic enums proto2
 * proto2_ext proto3 wrappers`), and `block_ext`, about expressions that only an optimizer writes.
 */
export const FILES: Readonly<Record<string, number>> = {
  basic: 43,
  bindings_ext: 5,
  comparisons: 334,
  conversions: 109,
  encoders_ext: 4,
  fields: 56,
  fp_math: 30,
  integer_math: 64,
  lists: 39,
  logic: 30,
  macros: 44,
  macros2: 46,
  math_ext: 199,
  namespace: 3,
  optionals: 59,
  parse: 193,
  plumbing: 5,
  string: 51,
  string_ext: 204,
  timestamps: 75,
  type_deductions: 26,
};

/** Tests in those files that need the suite's messages, enums or wrappers in expressions, declarations or values. */
const PROTOBUF = /TestAllTypes|NestedEnum|GlobalEnum|google\.protobuf\.(?!Timestamp|Duration)/;

/** Tests that cel-go itself skips, because its answers differ (`conformance/BUILD.bazel`). */
const NOT_IN_CEL_GO: ReadonlySet<string> = new Set([
  'fields/qualified_identifier_resolution/map_key_float',
  'fields/qualified_identifier_resolution/map_key_null',
  'fields/qualified_identifier_resolution/map_value_repeat_key',
  'fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous',
  'string_ext/value_errors/indexof_out_of_range',
  'string_ext/value_errors/lastindexof_out_of_range',
  'timestamps/duration_converters/get_milliseconds',
]);

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

export function specTests(): SpecTest[] {
  const found: SpecTest[] = [];
  const visit = (node: Node, path: readonly string[]): void => {
    for (const child of node.suites ?? []) visit(child, [...path, child.name]);
    for (const { original } of node.tests ?? []) {
      const test = original as Json;
      const id = [...path, test['name']].join('/');
      if (!NOT_IN_CEL_GO.has(id) && !PROTOBUF.test(textOf(test))) found.push({ id, original: test });
    }
  };
  for (const child of (suite as Node).suites ?? []) if (child.name in FILES) visit(child, [child.name]);
  return found;
}

/** The test without its name, comments and white space. */
function textOf(test: Json): string {
  const expr = (test['expr'] as string).replace(/\/\/.*$/gm, '').replace(/\s/g, '');
  return JSON.stringify({ ...(test as object), name: '', description: '', expr });
}

export function specEnvironment(container = ''): Environment {
  const libraries = [
    standardLibrary(),
    OPTIONAL_LIBRARY,
    TWO_VARIABLE_COMPREHENSIONS,
    STRINGS_4,
    MATH,
    ENCODERS,
    BINDINGS,
  ];
  return new Environment({
    libraries,
    container,
    optionalSyntax: true,
    escapedIdentifiers: true,
    crossTypeNumericComparisons: true,
  });
}

/** Undefined if the test passes, else the failure. */
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
  const declarations = list(test['typeEnv']);
  const variables = declarations
    .filter(({ ident }) => ident !== undefined)
    .map(({ name, ident }) => ({ name: name as string, type: typeFrom(ident?.['type']) }));
  const functions = declarations.filter((declaration) => declaration['function'] !== undefined).map(functionFrom);
  const environment = (test['container'] ? specEnvironment(test['container']) : base).extend({
    variables,
    libraries: [{ name: 'declared by the test', functions }],
  });
  const { ast = uncheckedAst(test, environment), issues } = environment.compile(test['expr'] as string);
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

/** For tests without type checking: every call refers to all overloads of its name. */
function uncheckedAst(test: Json, environment: Environment): CheckedAst | undefined {
  if (!test['disableCheck']) return undefined;
  const { ast } = environment.parse(test['expr'] as string);
  if (ast === undefined) return undefined;
  const references = new Map<number, Reference>();
  const visit = (expr: Expr): void => {
    if (expr.kind === 'call') {
      const overloads = environment.findFunction(expr.function)?.overloads ?? [];
      references.set(expr.id, { name: '', overloadIds: overloads.map(({ id }) => id) });
    }
    forEachChild(expr, visit);
  };
  visit(ast.expr);
  return { ...ast, outputType: DYN, types: new Map(), references };
}

function show(value: Value): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'bigint' ? `${part}n` : part instanceof Map ? [...part] : part,
  );
}

/** Equal and of the same type; NaN equals NaN. */
function isSame(value: Value, wanted: Value): boolean {
  if (typeof value === 'number' && Number.isNaN(value)) return Number.isNaN(wanted);
  return equals(value, wanted) && runtimeTypeOf(value).name === runtimeTypeOf(wanted).name;
}

function list(json: Json | undefined): readonly Json[] {
  return (json ?? []) as unknown as readonly Json[];
}

/** Tests with their own functions are only type-checked. */
function functionFrom({ name, function: declared }: Json): FunctionDeclaration {
  const overloads = list(declared?.['overloads']).map(({ overloadId, params, resultType }) => {
    const parameters = list(params).map((type) => signatureOf(typeFrom(type)));
    const signature = `${name}(${parameters.join(', ')}) -> ${signatureOf(typeFrom(resultType))}`;
    return { id: overloadId as string, signature, evaluate: () => unsupported(`function ${name}`) };
  });
  return { name: name as string, overloads };
}

function signatureOf({ kind, name, parameters }: Type): string {
  if (kind === 'param') return `<${name}>`;
  return parameters.length === 0 ? name : `${name}(${parameters.map(signatureOf).join(', ')})`;
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
      return typeTypeOf(typeFrom(content));
    case 'abstractType':
      return opaque(content['name'] as string, ...list(content['parameterTypes']).map(typeFrom));
    case 'typeParam':
      return typeParameter(String(content));
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
