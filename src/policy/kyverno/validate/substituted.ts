// Part of a policy that may contain variables. Without variables it is compiled once, otherwise on every use.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { answered } from '../rule/rule-response.ts';
import type { EvaluationContext } from '../variables/evaluation-context.ts';
import { substituteAll } from '../variables/substitute.ts';
import { VariableError } from '../variables/variable-error.ts';

export class SubstitutedValue<Compiled> {
  readonly value: JsonValue;
  readonly #compile: (value: JsonValue) => Compiled;
  #fixed: Compiled | undefined;

  constructor(value: JsonValue, compile: (value: JsonValue) => Compiled) {
    this.value = value;
    this.#compile = compile;
    if (!mentionsVariables(value)) this.#fixed = compile(value);
  }

  resolve(context: EvaluationContext): { readonly compiled: Compiled } | { readonly error: VariableError } {
    if (this.#fixed !== undefined) return { compiled: this.#fixed };
    const substituted = substituteAll(context, this.value);
    if (substituted instanceof VariableError) return { error: answered(substituted) };
    return { compiled: this.#compile(substituted) };
  }
}

/** Includes escaped variables, because substitution removes the escape. */
export function mentionsVariables(value: JsonValue): boolean {
  if (typeof value === 'string') return value.includes('{{') || value.includes('$(');
  if (isJsonArray(value)) return value.some(mentionsVariables);
  if (!isJsonObject(value)) return false;
  for (const [key, item] of value) if (mentionsVariables(key) || mentionsVariables(item)) return true;
  return false;
}
