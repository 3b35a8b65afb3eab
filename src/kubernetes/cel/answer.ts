// The result of an expression as plain JSON: type, value, cost, or the error of the stage that failed.
import type { CheckedAst } from '../../cel/check/checked-ast.ts';
import type { Environment } from '../../cel/environment.ts';
import { plan } from '../../cel/eval/plan.ts';
import { type Activation, type PlanOptions, ProgramError } from '../../cel/eval/program.ts';
import { displayIssues } from '../../cel/issue/display-issues.ts';
import { isMap } from '../../cel/value/equality.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../cel/value/scalar.ts';
import { formatTimestamp } from '../../cel/value/timestamp.ts';
import type { TraceEvent } from '../../cel/value/trace.ts';
import { ErrorValue, OpaqueValue, Optional, StructValue, TypeValue, type Value } from '../../cel/value/value.ts';
import { formatDouble } from '../../go/strconv/float-text.ts';
import { trimRight } from '../../go/strings/trim.ts';
import { JsonPatchValue } from './mutation-types.ts';

/** One of: `compileError`; `type` and `programError`; `type`, `error` and `cost`; `type`, `value` and `cost`. */
export interface ExpressionAnswer {
  readonly type?: string;
  /** Tagged with its type, numbers as strings: `{"int": "1"}`, `{"list": [{"string": "a"}]}`, `{"map": [[key, value]]}`. */
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: number;
  /** In cel-go's format. */
  readonly compileError?: string;
  readonly programError?: string;
}

/** The answer with the AST and the trace that led to it. */
export interface ObservedAnswer extends ExpressionAnswer {
  readonly ast?: CheckedAst;
  readonly trace?: TraceEvent;
}

/** The API server's limit for one evaluation. */
const COST_LIMIT = 1_000_000;

export function answerExpression(
  text: string,
  environment: Environment,
  activation: Activation,
  costs: Pick<PlanOptions, 'callCost' | 'callCostFunctions' | 'costLimit'>,
  trace = false,
): ObservedAnswer {
  const { ast, issues } = environment.compile(text);
  if (ast === undefined) return { compileError: displayIssues(text, issues) };
  const type = String(ast.outputType);
  const program = plan(environment, ast, { costLimit: COST_LIMIT, ...costs });
  if (program instanceof ProgramError) return { type, programError: program.message };
  const evaluation = program.evaluate(activation, { trace });
  const { value, cost } = evaluation;
  const answer =
    value instanceof ErrorValue ? { type, error: value.message, cost } : { type, value: tagValue(value), cost };
  return evaluation.trace === undefined ? answer : { ...answer, ast, trace: evaluation.trace };
}

export function tagValue(value: Value): unknown {
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
  if (Array.isArray(value)) return { list: value.map(tagValue) };
  if (isMap(value)) return { map: tagEntries(value.entries()) };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Bytes)
    return { bytes: btoa(value.data.reduce((text, byte) => text + String.fromCharCode(byte), '')) };
  if (value instanceof Timestamp) return { timestamp: formatTimestamp(inUtc(value)) };
  if (value instanceof Duration) return { duration: goDuration(value.nanoseconds) };
  if (value instanceof Optional) return { optional: value.value === undefined ? null : [tagValue(value.value)] };
  if (value instanceof TypeValue) return { type: String(value.type) };
  if (value instanceof JsonPatchValue) return { jsonpatch: tagPatch(value) };
  if (value instanceof StructValue) return { [value.type.name]: tagEntries(value.fields.entries()) };
  return value instanceof OpaqueValue ? tagOpaque(value) : { struct: value };
}

/** Drops the source's UTC offset, which is not part of the value. */
function inUtc({ seconds, nanos }: Timestamp): Timestamp {
  return new Timestamp(seconds, nanos);
}

/** Sorts entries by the text of their keys, because maps have no order. */
function tagEntries(entries: Iterable<readonly [Value, Value]>): readonly (readonly [unknown, unknown])[] {
  const tagged = [...entries].map(([key, value]): readonly [unknown, unknown] => [tagValue(key), tagValue(value)]);
  return tagged.sort(([left], [right]) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}

/** Omits fields that were not set. */
function tagPatch({ op, path, from, value }: JsonPatchValue): unknown {
  return {
    op,
    path,
    ...(from !== '' && { from }),
    ...(value !== undefined && { value: tagValue(value) }),
  };
}

/** `{"quantity": "12Mi"}`: the last part of the type name, and Go's text. */
function tagOpaque(value: OpaqueValue): unknown {
  const name = value.type.name.split('.').at(-1)?.toLowerCase() ?? '';
  return { [name]: value.unadaptable?.replace(/^\([^)]*\)/, '') };
}

/** Go `Duration.String`. */
function goDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const unit = SMALL_UNITS.find(({ below }) => magnitude < below);
  if (unit !== undefined) return `${sign}${decimal(magnitude, unit.digits)}${unit.name}`;
  const minutes = magnitude / 60_000_000_000n;
  const hours = minutes >= 60n ? `${minutes / 60n}h` : '';
  const rest = minutes >= 1n ? `${minutes % 60n}m` : '';
  return `${sign}${hours}${rest}${decimal(magnitude % 60_000_000_000n, 9)}s`;
}

/** Go's units for durations below a second; each unit is 10^`digits` nanoseconds. */
const SMALL_UNITS: readonly { readonly name: string; readonly digits: number; readonly below: bigint }[] = [
  { name: 'ns', digits: 0, below: 1_000n },
  { name: 'µs', digits: 3, below: 1_000_000n },
  { name: 'ms', digits: 6, below: 1_000_000_000n },
];

/** An integer divided by 10^`digits`, without trailing zeros. */
function decimal(value: bigint, digits: number): string {
  const text = String(value).padStart(digits + 1, '0');
  const fraction = trimRight(text.slice(text.length - digits), '0');
  return text.slice(0, text.length - digits) + (digits > 0 && fraction !== '' ? `.${fraction}` : '');
}
