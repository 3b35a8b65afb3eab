// This project's engine, configured like the API server of one release.
import { BOOL, BYTES, DOUBLE, DYN, INT, listOf, mapOf, STRING, type Type, UINT } from '../../src/cel/check/type.ts';
import { plan } from '../../src/cel/eval/plan.ts';
import { ProgramError } from '../../src/cel/eval/program.ts';
import { displayIssues } from '../../src/cel/issue/display-issues.ts';
import { forEachChild, visitPostOrder } from '../../src/cel/syntax/children.ts';
import { formatDuration } from '../../src/cel/value/duration.ts';
import { isMap } from '../../src/cel/value/equality.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../src/cel/value/scalar.ts';
import { formatTimestamp } from '../../src/cel/value/timestamp.ts';
import { ErrorValue, Optional, TypeValue, type Value } from '../../src/cel/value/value.ts';
import { type KubernetesVersion, parseKubernetesVersion } from '../../src/kubernetes/api/version.ts';
import { callCosts } from '../../src/kubernetes/cel/cost.ts';
import { kubernetesEnvironment } from '../../src/kubernetes/cel/environment.ts';
import { doubleValue, type Engine, listValue, mapValue, type Outcome, value } from './outcome.ts';
import { type Plain, PlainUint, VARIABLES, type VariableType } from './variables.ts';

const TYPES: Readonly<Record<VariableType, Type>> = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  'list<int>': listOf(INT),
  'list<string>': listOf(STRING),
  'map<string, int>': mapOf(STRING, INT),
  dyn: DYN,
};

/** Parsed like variables, but they are prefixes of function names. */
const NAMESPACES: readonly string[] = ['optional', 'strings'];

export interface OwnEngine extends Engine {
  /** The texts of all subexpressions, shortest first. */
  parts(text: string): readonly string[];
}

export function preadmitEngine(): OwnEngine {
  const version = parseKubernetesVersion('1.36') as KubernetesVersion;
  const environment = kubernetesEnvironment(version, 'stored').extend({
    variables: VARIABLES.map(({ name, type }) => ({ name, type: TYPES[type] })),
  });
  const bindings = new Map(VARIABLES.map((variable) => [variable.name, toValue(variable.value)]));
  const options = { costLimit: 1_000_000, ...callCosts(version) };
  const activation = { resolve: (name: string) => bindings.get(name) };
  return {
    name: 'preadmit',
    evaluate(text) {
      try {
        const { ast, issues } = environment.compile(text);
        if (ast === undefined) return { kind: 'error', message: displayIssues(text, issues) };
        const program = plan(environment, ast, options);
        if (program instanceof ProgramError) return { kind: 'error', message: program.message };
        const { value: result } = program.evaluate(activation);
        return result instanceof ErrorValue ? { kind: 'error', message: result.message } : describe(result);
      } catch (error) {
        return { kind: 'crash', message: String(error) };
      }
    },
    parts(text) {
      const { ast } = environment.parse(text);
      if (ast === undefined) return [];
      const characters = [...text];
      const texts = new Set<string>();
      visitPostOrder(ast.expr, ({ start, end }) => texts.add(characters.slice(start, end).join('')));
      for (const call of ast.macroCalls.values()) {
        forEachChild(call, ({ start, end }) => texts.add(characters.slice(start, end).join('')));
      }
      for (const namespace of NAMESPACES) texts.delete(namespace);
      return [...texts].sort((a, b) => a.length - b.length);
    },
  };
}

function toValue(plain: Plain): Value {
  if (plain instanceof PlainUint) return new Uint(plain.value);
  if (plain instanceof Uint8Array) return new Bytes(plain);
  if (Array.isArray(plain)) return plain.map(toValue);
  if (typeof plain !== 'object' || plain === null) return plain;
  return new Map(Object.entries(plain).map(([key, content]) => [key, toValue(content)]));
}

function describe(result: Value): Outcome & { kind: 'value' } {
  switch (typeof result) {
    case 'boolean':
      return value('bool', String(result));
    case 'bigint':
      return value('int', String(result));
    case 'number':
      return doubleValue(result);
    case 'string':
      return value('string', JSON.stringify(result));
  }
  if (result === null) return value('null');
  if (result instanceof Uint) return value('uint', String(result.value));
  if (result instanceof Bytes) return value('bytes', String(result.data));
  if (result instanceof Timestamp)
    return value('timestamp', formatTimestamp(new Timestamp(result.seconds, result.nanos)));
  if (result instanceof Duration) return value('duration', formatDuration(result));
  if (result instanceof TypeValue) return value('type', result.type.name);
  if (result instanceof Optional)
    return result.value === undefined ? value('optional') : value('optional', describe(result.value).text);
  if (Array.isArray(result)) return listValue(result.map(describe));
  if (isMap(result))
    return mapValue([...result.entries()].map(([key, content]) => [describe(key), describe(content)] as const));
  return value('other');
}
