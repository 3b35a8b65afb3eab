// Evaluates a mutate rule: one patch, or one for each element of a list (`pkg/engine/mutate`, `handlers/mutation`).
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { readConditions } from '../conditions/condition.ts';
import { type ContextSource, loadContextEntries } from '../context/context-entries.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import type { PolicyContext } from '../rule/policy-context.ts';
import { answered } from '../rule/rule-response.ts';
import { mentionsVariables } from '../validate/substituted.ts';
import { evaluateList, preconditionsMet } from '../validate/validate-resource.ts';
import { substituteAll } from '../variables/substitute.ts';
import { VariableError } from '../variables/variable-error.ts';
import { applyPatch, JsonPatchFailure, readPatch } from './json-patch.ts';
import { isMutableMap, type Mutable, mutableCopy } from './mutable-json.ts';
import { preprocessPatch } from './preprocess-patch.ts';
import { MergeFailure, strategicMerge } from './strategic-merge.ts';

export type MutateOutcome =
  | { readonly status: 'pass' | 'skip'; readonly resource: JsonObject; readonly message: string }
  | { readonly status: 'error'; readonly message: string };

/** `rule` is the complete rule: all variables in it must resolve. */
export function mutateResource(
  rule: JsonObject,
  resource: JsonObject,
  context: PolicyContext,
  source: ContextSource,
): MutateOutcome {
  const mutation = objectOrEmpty(rule.get('mutate'));
  if (isJsonArray(mutation.get('foreach'))) {
    return new ForEachMutator(context, source, textField(rule, 'name'), 0).mutate(
      objectItems(mutation.get('foreach')),
      resource,
    );
  }
  const substituted = substitutedFields(context, rule);
  if ('error' in substituted) return failed('variable substitution failed', substituted.error);
  return patchResource(objectOrEmpty(substituted.fields.get('mutate')), resource);
}

function failed(message: string, problem: string | undefined): MutateOutcome {
  return { status: 'error', message: problem === undefined ? message : `${message}: ${problem}` };
}

function substitutedFields(
  { json }: PolicyContext,
  fields: JsonObject,
): { readonly fields: JsonObject } | { readonly error: string } {
  if (!mentionsVariables(fields)) return { fields };
  const substituted = substituteAll(json, fields);
  if (substituted instanceof VariableError) return { error: answered(substituted).message };
  return { fields: objectOrEmpty(substituted) };
}

function patchResource(mutation: JsonObject, resource: JsonObject): MutateOutcome {
  const patch = mutation.get('patchStrategicMerge') ?? null;
  const operations = mutation.get('patchesJson6902');
  let patched: Mutable | undefined;
  try {
    if (patch !== null) patched = mergePatch(patch, resource);
    else if (typeof operations === 'string' && operations !== '') {
      const read = readPatch(operations);
      if ('error' in read) return failed('failed to patch resource', read.error);
      patched = applyPatch(resource, read);
    } else return failed('empty mutate rule', undefined);
  } catch (failure) {
    if (!(failure instanceof MergeFailure || failure instanceof JsonPatchFailure)) throw failure;
    return failed('failed to patch resource', failure.message);
  }
  if (!isMutableMap(patched)) return failed('failed to unmarshal patched resource', 'unexpected end of JSON input');
  const result = reread(patched as JsonObject) as JsonObject;
  // Without an object (DELETE), Kyverno cannot read the unchanged result.
  if (resource.size === 0 && result.size === 0 && patch === null) return failed('failed to patch resource', NO_OBJECT);
  if (resource.size > 0 && isSame(result, resource)) return { status: 'skip', resource, message: 'no patches applied' };
  if (textField(result, 'kind') === '') {
    const shown = stringifyJson(result, { sortKeys: true, escapeHtml: true });
    return failed('failed to unmarshal patched resource', `Object 'Kind' is missing in '${shown}'`);
  }
  return { status: 'pass', resource: result, message: 'resource patched' };
}

const NO_OBJECT = 'json: error calling MarshalJSON for type *jsonpatch.partialDoc: invalid value, expected object';

/** The result passes through JSON text, where a double without a fraction becomes an integer. */
function reread(value: JsonValue): JsonValue {
  if (typeof value === 'number') return isWhole(value) ? BigInt(value) : value;
  if (isJsonArray(value)) return value.map(reread);
  if (!isJsonObject(value)) return value;
  return new Map([...value].map(([key, item]): [string, JsonValue] => [key, reread(item)]));
}

/** Within int64, and without an exponent in Go's JSON. */
function isWhole(value: number): boolean {
  return Number.isInteger(value) && value < 2 ** 63 && value >= -(2 ** 63);
}

/** If the anchors do not hold, the patch becomes empty. Merging it still normalizes the object's lists. */
function mergePatch(patch: JsonValue, resource: JsonObject): Mutable | undefined {
  const overlay = mutableCopy(patch);
  const holds = preprocessPatch(overlay, mutableCopy(resource));
  return strategicMerge(resource, holds ? overlay : new Map());
}

export function isSame(one: JsonValue, other: JsonValue): boolean {
  const options = { sortKeys: true, escapeHtml: false };
  return one === other || stringifyJson(one, options) === stringifyJson(other, options);
}

class ForEachMutator {
  readonly #context: PolicyContext;
  readonly #source: ContextSource;
  readonly #rule: string;
  readonly #nesting: number;

  constructor(context: PolicyContext, source: ContextSource, rule: string, nesting: number) {
    this.#rule = rule;
    this.#context = context;
    this.#source = source;
    this.#nesting = nesting;
  }

  mutate(loops: readonly JsonObject[], resource: JsonObject): MutateOutcome {
    let current = resource;
    let applied = 0;
    for (const loop of loops) {
      const list = textField(loop, 'list');
      const elements = evaluateList(list, this.#context);
      if ('error' in elements) {
        return failed(`failed to evaluate list ${list}: ${elements.error}`, elements.error);
      }
      const outcome = this.#elements(loop, elements.values, current);
      if (outcome.status === 'error') return failed('failed to mutate elements', outcome.message);
      if (outcome.status === 'skip') continue;
      applied++;
      current = outcome.resource;
      this.#context.json.addResource(objectOrEmpty(asDoubles(current)));
    }
    const message = `${applied} elements processed`;
    return { status: applied === 0 ? 'skip' : 'pass', resource: current, message };
  }

  /** Strategic merges process elements in reverse, because each one is inserted at the front. */
  #elements(loop: JsonObject, elements: readonly JsonValue[], resource: JsonObject): MutateOutcome {
    const { json } = this.#context;
    const order = loop.get('order');
    const isReversed =
      typeof order === 'string' ? order === 'Descending' : (loop.get('patchStrategicMerge') ?? null) !== null;
    const ordered = isReversed ? [...elements].reverse() : elements;
    let current = resource;
    let failure: MutateOutcome | undefined;
    json.checkpoint();
    for (const [at, element] of ordered.entries()) {
      if (element === null) continue;
      const index = isReversed ? ordered.length - 1 - at : at;
      json.reset();
      json.addElement(element, index, this.#nesting);
      const outcome = this.#element(loop, index, current);
      if (outcome?.status === 'error') {
        failure = outcome;
        break;
      }
      if (outcome?.status === 'pass') current = outcome.resource;
    }
    json.restore();
    if (failure !== undefined) return failure;
    if (isSame(current, resource)) return { status: 'skip', resource, message: 'no patches applied' };
    return { status: 'pass', resource: current, message: '' };
  }

  /** Undefined if the preconditions are not met. */
  #element(loop: JsonObject, index: number, resource: JsonObject): MutateOutcome | undefined {
    const { json } = this.#context;
    const loaded = loadContextEntries(objectItems(loop.get('context')), json, this.#source, this.#rule);
    if (loaded !== undefined)
      return failed(`failed to load to mutate.foreach[${index}].context`, answered(loaded).message);
    const met = preconditionsMet(readConditions(loop.get('preconditions') ?? undefined), json);
    if ('error' in met) return failed(`failed to evaluate mutate.foreach[${index}].preconditions`, met.error);
    if (!met.holds) return undefined;
    const inner = loop.get('foreach');
    if (isJsonArray(inner) && inner.length > 0) {
      return new ForEachMutator(this.#context, this.#source, this.#rule, this.#nesting + 1).mutate(
        objectItems(inner),
        resource,
      );
    }
    const fields = new Map<string, JsonValue>([
      ['patchStrategicMerge', loop.get('patchStrategicMerge') ?? null],
      ['patchesJson6902', loop.get('patchesJson6902') ?? ''],
    ]);
    const substituted = substitutedFields(this.#context, fields);
    if ('error' in substituted) return failed('variable substitution failed', substituted.error);
    return patchResource(substituted.fields, resource);
  }
}

export function mutatedMessage(resource: JsonObject): string {
  const metadata = resource.get('metadata');
  const fields = isJsonObject(metadata) ? metadata : objectOrEmpty(undefined);
  const object = `${textField(resource, 'kind')}/${textField(fields, 'name')}`;
  const namespace = textField(fields, 'namespace');
  return namespace === '' ? `mutated ${object}` : `mutated ${object} in namespace ${namespace}`;
}
