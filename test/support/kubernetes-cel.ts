// Evaluates expressions in a release's environment and returns plain data.
import type { Variable } from '../../src/cel/environment.ts';
import { plan } from '../../src/cel/eval/plan.ts';
import { ProgramError } from '../../src/cel/eval/program.ts';
import { Uint } from '../../src/cel/value/scalar.ts';
import { ErrorValue, OpaqueValue, Optional, type Value } from '../../src/cel/value/value.ts';
import { DEFAULT_VERSION, type KubernetesVersion, parseKubernetesVersion } from '../../src/kubernetes/api/version.ts';
import { callCosts } from '../../src/kubernetes/cel/cost.ts';
import { kubernetesEnvironment } from '../../src/kubernetes/cel/environment.ts';

export interface Outcome {
  readonly value?: unknown;
  /** The error of the run or of the program, or the first compilation issue. */
  readonly error?: string;
  readonly cost?: number;
}

export interface Bound extends Variable {
  readonly value: Value;
}

export function release(text: string): KubernetesVersion {
  const version = parseKubernetesVersion(text);
  if (version === undefined) throw new Error(`not a release: ${text}`);
  return version;
}

export function evaluateKubernetes(
  text: string,
  version: KubernetesVersion = DEFAULT_VERSION,
  bound: readonly Bound[] = [],
): Outcome {
  const environment = kubernetesEnvironment(version, 'stored').extend({ variables: bound });
  const { ast, issues } = environment.compile(text);
  if (ast === undefined) return { error: issues[0]?.message ?? '' };
  const program = plan(environment, ast, callCosts(version));
  if (program instanceof ProgramError) return { error: program.message };
  const { value, cost } = program.evaluate({ resolve: (name) => bound.find((one) => one.name === name)?.value });
  return value instanceof ErrorValue ? { error: value.message, cost } : { value: plain(value), cost };
}

/** The value of an expression, or its error message. */
export function answer(text: string, version: KubernetesVersion = DEFAULT_VERSION): unknown {
  const outcome = evaluateKubernetes(text, version);
  return outcome.error ?? outcome.value;
}

function plain(value: Value): unknown {
  if (value instanceof Uint) return { uint: value.value };
  if (value instanceof Optional) return { optional: value.value === undefined ? undefined : plain(value.value) };
  // Go's text of the value, without its type.
  if (value instanceof OpaqueValue) return value.unadaptable?.replace(/^\([^)]*\)/, '') ?? value.type.name;
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, entry]) => [key, plain(entry)]));
  return Array.isArray(value) ? value.map(plain) : value;
}
