// Loads what a rule declares under `context`: variables, ConfigMaps, calls to the API, entries of the global context.
import type { JsonObject } from '../../../source/json.ts';
import type { EvaluationContext } from '../variables/evaluation-context.ts';

export type ContextSource = {};

/** The error that stops the rule before its preconditions; entries themselves are loaded when something asks for them. */
export function loadContextEntries(
  _entries: readonly JsonObject[],
  _json: EvaluationContext,
  _source: ContextSource,
): { readonly message: string } | undefined {
  return undefined;
}
