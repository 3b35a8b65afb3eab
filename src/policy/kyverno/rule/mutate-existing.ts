// Rules that patch objects other than the request's: selects the targets and applies the patch (`handlers/mutation/mutate_existing.go`).
import { labelsOf, readLabelSelector, selectorMatches } from '../../../kubernetes/selector/label-selector.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { readConditions } from '../conditions/condition.ts';
import { type ContextSource, loadContextEntries } from '../context/context-entries.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import { type KindSelector, parseKindSelector } from '../matching/kind-selector.ts';
import { mutatedMessage, mutateResource } from '../mutate/mutate-resource.ts';
import { joinNonEmpty, preconditionsMet } from '../validate/validate-resource.ts';
import { matchesWildcard } from '../value/wildcard.ts';
import { substituteAll } from '../variables/substitute.ts';
import { VariableError, variableFailure } from '../variables/variable-error.ts';
import type { PolicyContext } from './policy-context.ts';
import { answered, type RuleResponse, type RuleStatus } from './rule-response.ts';

/** One entry of `mutate.targets`, with variables substituted. */
export interface TargetSelection {
  readonly kind: KindSelector;
  /** Wildcards. Empty matches any. */
  readonly namespace: string;
  readonly name: string;
}

/** The known objects of the selected kind; only the named one if the selection has a plain name. Callers filter the result. */
export type TargetSource = (selection: TargetSelection) => readonly JsonObject[] | VariableError;

export interface TargetRule {
  readonly name: string;
  /** The complete rule. */
  readonly value: JsonObject;
  /** Namespace of a Policy. All its targets must be in it. */
  readonly policyNamespace: string | undefined;
}

/**
 * Call after loading the rule's context and checking its preconditions. Returns one response per target, and per target
 * that cannot be resolved.
 */
export function mutateExisting(
  rule: TargetRule,
  context: PolicyContext,
  source: ContextSource,
  targets: TargetSource,
): readonly RuleResponse[] {
  const response = (status: RuleStatus, message: string): RuleResponse => {
    return { rule: rule.name, type: 'Mutation', status, message };
  };
  const entries = objectItems(objectOrEmpty(rule.value.get('mutate')).get('targets'));
  const problems: string[] = [];
  const found: { readonly object: JsonObject; readonly entry: JsonObject }[] = [];
  for (const [index, entry] of entries.entries()) {
    const objects = targetsOf(rule, entry, index, context, targets);
    if (objects instanceof VariableError) problems.push(answered(objects).message);
    else for (const object of objects) found.push({ object, entry });
  }
  const responses = problems.length === 0 ? [] : [response('error', `: ${problems.join('; ')}`)];
  for (const { object, entry } of found) {
    responses.push({ ...mutateTarget(rule, object, entry, context, source, response) });
  }
  return responses;
}

function targetsOf(
  { policyNamespace }: TargetRule,
  entry: JsonObject,
  index: number,
  { json }: PolicyContext,
  targets: TargetSource,
): readonly JsonObject[] | VariableError {
  const written = new Map([...entry].filter(([key]) => key !== 'context' && key !== 'preconditions'));
  const substituted = substituteAll(json, written);
  if (substituted instanceof VariableError) {
    return substituted.within((text) => `failed to substitute variables in target[${index}]: ${text}`);
  }
  const fields = objectOrEmpty(substituted);
  const mistyped = ['apiVersion', 'kind', 'name', 'namespace'].find((name) => !isText(fields.get(name)));
  if (mistyped !== undefined) {
    const type = jsonTypeOf(fields.get(mistyped) ?? null);
    const field = `Go struct field TargetSelector.ResourceSpec.${mistyped} of type string`;
    return variableFailure(`json: cannot unmarshal ${type} into ${field}`);
  }
  const kind = parseKindSelector(`${textField(fields, 'apiVersion')}/${textField(fields, 'kind')}`);
  const selection = {
    kind,
    namespace: policyNamespace ?? textField(fields, 'namespace'),
    name: textField(fields, 'name'),
  };
  const objects = targets(selection);
  if (objects instanceof VariableError) return objects;
  const selector = objectField(fields, 'selector');
  const read = selector && readLabelSelector(selector);
  if (read !== undefined && 'error' in read) return variableFailure(read.error);
  return objects.filter((object) => {
    if (!isSelected(object, selection)) return false;
    // Kyverno gets a named object by name, without the selector.
    return read === undefined || namesOne(selection) || selectorMatches(read, labelsOf(object));
  });
}

function isText(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

/** As Go's decoder names it. */
function jsonTypeOf(value: JsonValue): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return isJsonArray(value) ? 'array' : 'object';
}

/** True if Kyverno gets a single object instead of listing. */
export function namesOne({ namespace, name }: TargetSelection): boolean {
  return namespace !== '' && name !== '' && !/[*?]/.test(namespace + name);
}

function isSelected(object: JsonObject, { namespace, name }: TargetSelection): boolean {
  const metadata = objectOrEmpty(object.get('metadata'));
  const isIn = (pattern: string, field: string): boolean => {
    return pattern === '' || matchesWildcard(pattern, textField(metadata, field));
  };
  return isIn(namespace, 'namespace') && isIn(name, 'name');
}

function mutateTarget(
  rule: TargetRule,
  object: JsonObject,
  entry: JsonObject,
  context: PolicyContext,
  source: ContextSource,
  response: (status: RuleStatus, message: string) => RuleResponse,
): RuleResponse {
  const { json } = context;
  json.setTargetResource(objectOrEmpty(asDoubles(object)));
  const loaded = loadContextEntries(objectItems(entry.get('context')), json, source, rule.name);
  if (loaded !== undefined) return response('error', `failed to load context: ${answered(loaded).message}`);
  const met = preconditionsMet(readConditions(entry.get('preconditions') ?? undefined), json);
  if ('error' in met) return response('error', `failed to evaluate preconditions: ${met.error}`);
  if (!met.holds) return response('skip', joinNonEmpty('preconditions not met', met.message));
  const outcome = mutateResource(rule.value, object, context, source);
  if (outcome.status !== 'pass') return response(outcome.status, outcome.message);
  return { ...response('pass', mutatedMessage(outcome.resource)), patchedTarget: outcome.resource };
}
