// PolicyExceptions: the rules that they name, and the objects that they match (`pkg/engine/utils/exceptions.go`).
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { isJsonArray, isJsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import { type AnyAllConditions, readAnyAll } from '../conditions/condition.ts';
import { evaluateAnyAll } from '../conditions/evaluate-conditions.ts';
import { allMatch, anyMatches, type MatchAnswer, type OpenMatch } from '../matching/match-answer.ts';
import { compileFilter, filterExcludes, type MatchSubject, type ResourceFilter } from '../matching/resource-filter.ts';
import type { PolicyContext } from '../rule/policy-context.ts';
import { anyWildcardMatches } from '../value/wildcard.ts';
import { VariableError } from '../variables/variable-error.ts';

export interface PolicyException {
  /** `namespace/name`. */
  readonly key: string;
  readonly entries: readonly { readonly policyName: string; readonly ruleNames: readonly string[] }[];
  readonly form: 'any' | 'all' | 'none';
  readonly filters: readonly ResourceFilter[];
  readonly conditions: AnyAllConditions | undefined;
  /** Pod Security controls that the exception allows. If there are any, the rule is not skipped as a whole. */
  readonly podSecurity: readonly JsonObject[];
}

export function compileException(document: JsonObject): PolicyException {
  const metadata = objectOrEmpty(document.get('metadata'));
  const spec = objectOrEmpty(document.get('spec'));
  const match = objectOrEmpty(spec.get('match'));
  const namespace = textField(metadata, 'namespace');
  const name = textField(metadata, 'name');
  const form = (['any', 'all'] as const).find((each) => {
    const filters = match.get(each);
    return isJsonArray(filters) && filters.length > 0;
  });
  return {
    key: namespace === '' ? name : `${namespace}/${name}`,
    entries: objectItems(spec.get('exceptions')).map((entry) => ({
      policyName: textField(entry, 'policyName'),
      ruleNames: textItems(entry.get('ruleNames')),
    })),
    form: form ?? 'none',
    filters: form === undefined ? [] : objectItems(match.get(form)).map(compileFilter),
    conditions: readExceptionConditions(spec.get('conditions')),
    podSecurity: objectItems(spec.get('podSecurity')),
  };
}

/** Unlike in rules, an empty `any` sets no condition. */
function readExceptionConditions(value: JsonValue | undefined): AnyAllConditions | undefined {
  if (!isJsonObject(value)) return undefined;
  const { any, all } = readAnyAll(value);
  return { any: any?.length === 0 ? undefined : any, all };
}

/** `policyKey`: the name of a ClusterPolicy, or `namespace/name`. Wildcards are allowed in rule names only. */
export function exceptionsFor(
  exceptions: readonly PolicyException[],
  policyKey: string,
  rule: string,
): readonly PolicyException[] {
  if (exceptions.length === 0) return exceptions;
  return exceptions.filter(({ entries }) =>
    entries.some(({ policyName, ruleNames }) => policyName === policyKey && anyWildcardMatches(ruleNames, rule)),
  );
}

export interface MatchingExceptions {
  readonly exceptions: readonly PolicyException[];
  /** Set if a further exception may match. */
  readonly open?: OpenMatch;
}

/** An exception does not apply if its conditions cannot be evaluated. */
export function matchingExceptions(candidates: readonly PolicyException[], context: PolicyContext): MatchingExceptions {
  const object = context.object ?? context.oldObject;
  if (candidates.length === 0 || object === undefined) return { exceptions: [] };
  const subject: MatchSubject = { ...context, object };
  const exceptions: PolicyException[] = [];
  const open = new Set<string>();
  for (const exception of candidates) {
    const answer = covers(exception, subject);
    if (answer === false || !conditionsHold(exception, context)) continue;
    if (answer === true) exceptions.push(exception);
    else for (const fact of answer.open) open.add(fact);
  }
  return { exceptions, ...(open.size > 0 && { open: { open: [...open] } }) };
}

function conditionsHold({ conditions }: PolicyException, { json }: PolicyContext): boolean {
  if (conditions === undefined) return true;
  const outcome = evaluateAnyAll(json, conditions);
  return !(outcome instanceof VariableError) && outcome.holds;
}

function covers({ form, filters }: PolicyException, subject: MatchSubject): MatchAnswer {
  const fits = (filter: ResourceFilter): MatchAnswer => {
    // Exceptions ignore operations, and namespaceSelector for Namespaces.
    const isNamespace = subject.object.get('kind') === 'Namespace';
    const namespaceSelector = isNamespace ? undefined : filter.namespaceSelector;
    return filterExcludes({ ...filter, operations: [], namespaceSelector }, subject);
  };
  if (form === 'none') return false;
  return form === 'any' ? anyMatches(filters, fits) : allMatch(filters, fits);
}
