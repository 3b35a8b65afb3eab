// Runs cel-go's own parser and checker tests, as cel-spec publishes them: trees, types, references and messages.
import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import type {
  SerializedIncrementalTestSuite as GoldenSuite,
  SerializedIncrementalTest as GoldenTest,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { describe, expect, it } from 'vitest';
import type { CheckedAst } from '../../src/cel/check/checked-ast.ts';
import { formatType } from '../../src/cel/check/format-type.ts';
import {
  ANY,
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
  TIMESTAMP,
  type Type,
  typeParameter,
  typeTypeOf,
  UINT,
  wrapperOf,
} from '../../src/cel/check/type.ts';
import type { FunctionDeclaration, Library } from '../../src/cel/declaration/library.ts';
import { Environment, type Variable } from '../../src/cel/environment.ts';
import { displayIssues } from '../../src/cel/issue/display-issues.ts';
import { OPTIONAL_LIBRARY } from '../../src/cel/library/optional.ts';
import { standardLibrary } from '../../src/cel/library/standard.ts';
import { STRINGS_2 } from '../../src/cel/library/strings.ts';
import { STANDARD_MACROS } from '../../src/cel/syntax/standard-macros.ts';
import { type Adorn, debugString, kindRemark } from '../support/cel-debug-string.ts';
import { messageType, testMessages } from '../support/protobuf-types.ts';

interface ProtoType {
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly wellKnown?: string;
  readonly null?: unknown;
  readonly dyn?: unknown;
  readonly messageType?: string;
  readonly typeParam?: string;
  readonly type?: ProtoType;
  readonly listType?: { readonly elemType: ProtoType };
  readonly mapType?: { readonly keyType: ProtoType; readonly valueType: ProtoType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly ProtoType[] };
}

interface ProtoOverload {
  readonly overloadId: string;
  readonly params?: readonly ProtoType[];
  readonly resultType: ProtoType;
  readonly isInstanceFunction?: boolean;
}

interface ProtoDeclaration {
  readonly name: string;
  readonly ident?: { readonly type: ProtoType };
  readonly function?: { readonly overloads: readonly ProtoOverload[] };
}

const PRIMITIVES: Readonly<Record<string, Type>> = {
  BOOL,
  BYTES,
  DOUBLE,
  INT64: INT,
  STRING,
  UINT64: UINT,
};

const WELL_KNOWN: Readonly<Record<string, Type>> = { ANY, DURATION, TIMESTAMP };

function toType(proto: ProtoType): Type {
  if (proto.primitive) return PRIMITIVES[proto.primitive] as Type;
  if (proto.wrapper) return wrapperOf(PRIMITIVES[proto.wrapper] as Type);
  if (proto.wellKnown) return WELL_KNOWN[proto.wellKnown] as Type;
  if (proto.messageType) return messageType(proto.messageType);
  if (proto.typeParam) return typeParameter(proto.typeParam);
  if (proto.type) return typeTypeOf(toType(proto.type));
  if (proto.listType) return listOf(toType(proto.listType.elemType));
  if (proto.mapType) return mapOf(toType(proto.mapType.keyType), toType(proto.mapType.valueType));
  if (proto.abstractType) {
    return opaque(proto.abstractType.name, ...(proto.abstractType.parameterTypes ?? []).map(toType));
  }
  return proto.null === undefined ? DYN : NULL;
}

function toFunction({ name, function: declared }: ProtoDeclaration): FunctionDeclaration[] {
  if (declared === undefined) return [];
  const overloads = declared.overloads.map(({ overloadId, params = [], resultType, isInstanceFunction }) => {
    const types = params.map((param) => signatureType(toType(param)));
    const receiver = isInstanceFunction ? `${types.shift()}.` : '';
    const signature = `${receiver}${name}(${types.join(', ')}) -> ${signatureType(toType(resultType))}`;
    return { id: overloadId, signature, evaluate: () => null };
  });
  return [{ name, overloads }];
}

function signatureType(type: Type): string {
  if (type.kind === 'param') return `<${type.name}>`;
  return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(signatureType).join(', ')})`;
}

/** Declarations of cel-go's checker tests beyond the standard library. */
const DEFAULT_VARIABLES: readonly Variable[] = Object.entries({
  is: STRING,
  ii: INT,
  iu: UINT,
  iz: BOOL,
  ib: BYTES,
  id: DOUBLE,
  ix: NULL,
}).map(([name, type]) => ({ name, type }));

const DEFAULT_FUNCTIONS: Library = {
  name: 'test',
  functions: [
    { name: 'fg_s', overloads: [{ id: 'fg_s_0', signature: 'fg_s() -> string', evaluate: () => null }] },
    { name: 'fi_s_s', overloads: [{ id: 'fi_s_s_0', signature: 'string.fi_s_s() -> string', evaluate: () => null }] },
  ],
};

/** The tests ran without the optional syntax and its macros. */
const OPTIONAL_FUNCTIONS: Library = { ...OPTIONAL_LIBRARY, macros: [] };

const existsOne = STANDARD_MACROS.filter(({ name }) => name === 'exists_one').map((macro) => ({
  ...macro,
  name: 'existsOne',
}));

/** Part of cel-go's parser tests, but not of the environment that checked the same expressions. */
const EXISTS_ONE: Library = { name: 'existsOne', functions: [], macros: existsOne };

const LIMITS = { recursionDepth: 32, codePoints: 100_000, errors: 100, recoveries: 4, recoveryTokens: 4 };

function environmentOf({ original }: GoldenTest): Environment {
  const declarations = (original['typeEnv'] ?? []) as unknown as ProtoDeclaration[];
  const functions = declarations.flatMap(toFunction);
  const variables = declarations.flatMap(({ name, ident }) => (ident ? [{ name, type: toType(ident.type) }] : []));
  return new Environment({
    libraries: [standardLibrary(), STRINGS_2, OPTIONAL_FUNCTIONS, DEFAULT_FUNCTIONS, { name: 'declared', functions }],
    variables: [...DEFAULT_VARIABLES, ...variables],
    types: [testMessages()],
    container: (original['container'] as string | undefined) ?? '',
    limits: LIMITS,
  });
}

function semanticRemark(ast: CheckedAst): Adorn {
  return (node) => {
    if (node === 'entry') return '';
    const type = ast.types.get(node.id);
    const reference = ast.references.get(node.id);
    const meaning = reference && (reference.overloadIds.toSorted().join('|') || reference.name);
    return `${type ? `~${formatType(type)}` : ''}${meaning === undefined ? '' : `^${meaning}`}`;
  };
}

function flatten(suite: GoldenSuite): GoldenTest[] {
  return [...(suite.tests ?? []), ...(suite.suites ?? []).flatMap(flatten)];
}

/** The recording of parser errors has no source name. */
function withInput(error: string | undefined): string | undefined {
  return error?.replaceAll('ERROR: :', 'ERROR: <input>:');
}

/** These were checked with libraries that Kubernetes does not have. */
const PARSED_ONLY = comprehension.name;

describe.each([parsing, comprehension, checking])('$name', (suite) => {
  it.each(flatten(suite).map((test): [string, GoldenTest] => [test.original.expr, test]))('%s', (expr, test) => {
    const environment = environmentOf(test);
    const parsed = environment.extend({ libraries: [EXISTS_ONE] }).parse(expr);
    expect(parsed.ast && debugString(parsed.ast.expr, kindRemark)).toBe(test.ast);
    if (parsed.ast === undefined) {
      expect(displayIssues(expr, parsed.issues)).toBe(withInput(test.error));
    } else if (suite.name !== PARSED_ONLY) {
      const { ast, issues } = environment.compile(expr);
      expect(issues.length > 0 ? displayIssues(expr, issues) : undefined).toBe(test.error);
      expect(ast && formatType(ast.outputType)).toBe(test.type);
      expect(ast && debugString(ast.expr, semanticRemark(ast))).toBe(test.checkedAst);
    }
  });
});
