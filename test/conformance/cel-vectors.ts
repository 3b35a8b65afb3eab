// Evaluates recorded CEL expressions with Preadmit, in the format of the recording (cel-vectors-1.36.jsonl).
import { DYN } from '../../src/cel/check/type.ts';
import type { Environment } from '../../src/cel/environment.ts';
import type { Value } from '../../src/cel/value/value.ts';
import { answerExpression } from '../../src/kubernetes/cel/answer.ts';
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

export function recordedEnvironment(): Environment {
  const variables = ['object', 'oldObject', 'params'].map((name) => ({ name, type: DYN }));
  return kubernetesEnvironment(VERSION, 'stored').extend({ variables });
}

/** The value of `object` in the recording; `oldObject` and `params` were null. */
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
  const bindings = new Map<string, Value>([
    ['object', OBJECT],
    ['oldObject', null],
    ['params', null],
  ]);
  const activation = { resolve: (name: string) => bindings.get(name) };
  return { expr, src, ...answerExpression(expr, environment, activation, callCosts(VERSION)) };
}

/** Sorts entries for comparison, because Go maps have no order. */
export function sortEntries(
  entries: readonly (readonly [unknown, unknown])[],
): readonly (readonly [unknown, unknown])[] {
  return [...entries].sort(([left], [right]) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}
