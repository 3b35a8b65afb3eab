// Answers recorded CEL expressions with our own engine, in the recording's own shape (cel-vectors-1.36.jsonl).
import type { CheckedAst } from '../../src/cel/check/checked-ast.ts';
import { DYN } from '../../src/cel/check/type.ts';
import { displayIssues } from '../../src/cel/display-issues.ts';
import type { Environment } from '../../src/cel/environment.ts';
import { plan } from '../../src/cel/eval/plan.ts';
import { ProgramError } from '../../src/cel/eval/program.ts';
import { formatDouble } from '../../src/cel/value/double-text.ts';
import { isMap } from '../../src/cel/value/equality.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../src/cel/value/scalar.ts';
import { formatTimestamp } from '../../src/cel/value/timestamp.ts';
import { ErrorValue, OpaqueValue, Optional, TypeValue, type Value } from '../../src/cel/value/value.ts';
import { callCosts } from '../../src/kubernetes/cel/cost.ts';
import { kubernetesEnvironment } from '../../src/kubernetes/cel/environment.ts';

export interface CelLine {
  readonly expr: string;
  readonly src: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: number;
  readonly compileError?: string;
  readonly programError?: string;
}

const VERSION = { major: 1, minor: 36 };
const COST_LIMIT = 1_000_000;

export function recordedEnvironment(): Environment {
  const variables = ['object', 'oldObject', 'params'].map((name) => ({ name, type: DYN }));
  return kubernetesEnvironment(VERSION, 'stored').extend({ variables });
}

/** The object that the recording bound to `object`; `oldObject` and `params` were null. */
const OBJECT = toValue({
  metadata: { name: 'n', labels: { a: 'b', 'app.kubernetes.io/name': 'x' } },
  spec: {
    replicas: 3,
    list: [1, 2, 3],
    none: null,
    objs: [{ name: 'c', image: 'i' }],
    ratio: 1.5,
    paused: true,
    strs: ['a', 'b'],
  },
});

function toValue(json: unknown): Value {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
  if (Array.isArray(json)) return json.map(toValue);
  if (typeof json !== 'object' || json === null) return json as Value;
  return new Map(Object.entries(json).map(([key, value]) => [key, toValue(value)]));
}

export function answerCel({ expr, src }: CelLine, environment: Environment): CelLine {
  const { ast, issues } = environment.compile(expr);
  if (ast === undefined) return { expr, src, compileError: displayIssues(expr, issues) };
  return { expr, src, type: String(ast.outputType), ...run(ast, environment) };
}

function run(ast: CheckedAst, environment: Environment): Partial<CelLine> {
  const program = plan(environment, ast, { costLimit: COST_LIMIT, ...callCosts(VERSION) });
  if (program instanceof ProgramError) return { programError: program.message };
  const bindings = new Map<string, Value>([
    ['object', OBJECT],
    ['oldObject', null],
    ['params', null],
  ]);
  const activation = { resolve: (name: string) => bindings.get(name) };
  const { value, cost } = program.evaluate(activation);
  return value instanceof ErrorValue ? { error: value.message, cost } : { value: tag(value), cost };
}

/** Values as the recording writes them. */
function tag(value: Value): unknown {
  switch (typeof value) {
    case 'string':
      return { string: value };
    case 'bigint':
      return { int: String(value) };
    case 'boolean':
      return { bool: value };
    case 'number':
      return { double: formatDouble(value) };
  }
  if (value === null) return { null: null };
  if (Array.isArray(value)) return { list: value.map(tag) };
  if (isMap(value)) return { map: sortEntries([...value.entries()].map(([key, entry]) => [tag(key), tag(entry)])) };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Bytes) return { bytes: Buffer.from(value.data).toString('base64') };
  if (value instanceof Timestamp) return { timestamp: formatTimestamp(new Timestamp(value.seconds, value.nanos)) };
  if (value instanceof Duration) return { duration: goDuration(value.nanoseconds) };
  if (value instanceof Optional) return { optional: value.value === undefined ? null : [tag(value.value)] };
  if (value instanceof TypeValue) return { type: String(value.type) };
  return value instanceof OpaqueValue ? tagOpaque(value) : { struct: value };
}

/** `{"quantity": "12Mi"}`: the last word of the type and Go's text. */
function tagOpaque(value: OpaqueValue): unknown {
  const name = value.type.name.split('.').at(-1)?.toLowerCase() ?? '';
  return { [name]: value.unadaptable?.replace(/^\([^)]*\)/, '') };
}

/** Go maps have no order, so neither has a comparison. */
export function sortEntries(
  entries: readonly (readonly [unknown, unknown])[],
): readonly (readonly [unknown, unknown])[] {
  return [...entries].sort(([left], [right]) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}

/** Go `Duration.String` of a second or more, or none. */
function goDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const seconds = magnitude / 1_000_000_000n;
  const fraction = String(magnitude % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const hours = seconds >= 3600n ? `${seconds / 3600n}h` : '';
  const minutes = seconds >= 60n ? `${(seconds / 60n) % 60n}m` : '';
  return `${nanoseconds < 0n ? '-' : ''}${hours}${minutes}${seconds % 60n}${fraction && `.${fraction}`}s`;
}
