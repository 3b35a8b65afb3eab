// The CEL engines to compare with.
import {
  type CelInput,
  celEnv,
  celUint,
  isCelError,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
  parse,
  plan,
} from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { Environment, Optional } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { formatDuration } from '../../src/cel/value/duration.ts';
import * as scalar from '../../src/cel/value/scalar.ts';
import { formatTimestamp } from '../../src/cel/value/timestamp.ts';
import { doubleValue, type Engine, listValue, mapValue, type Outcome, value } from './outcome.ts';
import { type Plain, PlainUint, VARIABLES } from './variables.ts';

type ValueOutcome = Outcome & { kind: 'value' };

export function bufbuildEngine(): Engine {
  const environment = celEnv({ funcs: strings });
  const bindings = Object.fromEntries(VARIABLES.map(({ name, value: plain }) => [name, toBufbuild(plain)]));
  return {
    name: 'bufbuild',
    evaluate(text) {
      try {
        const result = plan(environment, parse(text))(bindings);
        return isCelError(result) ? { kind: 'error', message: result.message } : describe(result);
      } catch (error) {
        return { kind: 'error', message: messageOf(error) };
      }
    },
  };
}

export function marcbachmannEngine(): Engine {
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: true });
  for (const { name, type } of VARIABLES) environment.registerVariable(name, type);
  const bindings = Object.fromEntries(VARIABLES.map(({ name, value: plain }) => [name, toMarcbachmann(plain)]));
  return {
    name: 'marcbachmann',
    evaluate(text) {
      try {
        return describe(environment.evaluate(text, bindings));
      } catch (error) {
        return { kind: 'error', message: messageOf(error) };
      }
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toBufbuild(plain: Plain): CelInput {
  if (plain instanceof PlainUint) return celUint(plain.value);
  if (Array.isArray(plain)) return plain.map(toBufbuild);
  if (typeof plain !== 'object' || plain === null || plain instanceof Uint8Array) return plain;
  return Object.fromEntries(Object.entries(plain).map(([key, content]) => [key, toBufbuild(content)]));
}

function toMarcbachmann(plain: Plain): unknown {
  return plain instanceof PlainUint ? new UnsignedInt(plain.value) : plain;
}

/** Describes a result of either engine: they share scalars and differ in other types. */
function describe(result: unknown): ValueOutcome {
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
  if (result === null || result === undefined) return value('null');
  if (isCelUint(result) || result instanceof UnsignedInt) return value('uint', String(result.value));
  if (result instanceof Uint8Array) return value('bytes', String(result));
  if (isCelType(result)) return value('type', result.name);
  if (Array.isArray(result)) return listValue(result.map(describe));
  if (isCelList(result)) return listValue([...result].map(describe));
  if (isCelMap(result) || result instanceof Map) return describeEntries(result.entries());
  if (result instanceof Date)
    return describeTime(BigInt(Math.floor(result.getTime() / 1000)), (result.getTime() % 1000) * 1e6);
  if (result instanceof Duration) return describeDuration(result.seconds, result.nanos);
  if (result instanceof Optional) return value('optional', result.hasValue() ? describe(result.value()).text : '');
  return describeObject(result);
}

/** Protobuf messages, plain objects as maps, and types. */
function describeObject(result: object): ValueOutcome {
  if ('message' in result && typeof result.message === 'object' && result.message !== null) {
    return describeObject(result.message);
  }
  const { $typeName, seconds, nanos } = result as { $typeName?: string; seconds?: bigint; nanos?: number };
  if ($typeName === 'google.protobuf.Timestamp') return describeTime(seconds ?? 0n, nanos ?? 0);
  if ($typeName === 'google.protobuf.Duration') return describeDuration(seconds ?? 0n, nanos ?? 0);
  if (result.constructor === Object || Object.getPrototypeOf(result) === null)
    return describeEntries(Object.entries(result));
  const name = 'name' in result ? String(result.name) : '';
  return result.constructor.name === 'Type' ? value('type', name) : value('other', result.constructor.name);
}

function describeEntries(entries: Iterable<readonly [unknown, unknown]>): ValueOutcome {
  return mapValue([...entries].map(([key, content]) => [describe(key), describe(content)] as const));
}

function describeTime(seconds: bigint, nanos: number): ValueOutcome {
  return value('timestamp', formatTimestamp(new scalar.Timestamp(seconds, nanos < 0 ? nanos + 1e9 : nanos)));
}

function describeDuration(seconds: bigint, nanos: number): ValueOutcome {
  return value('duration', formatDuration(new scalar.Duration(seconds * 1_000_000_000n + BigInt(nanos))));
}
