// CleanupPolicy and ClusterCleanupPolicy: the objects that they delete on schedule (`cmd/cleanup-controller`, `pkg/controllers/cleanup`).
import type { GroupVersionKind } from '../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { type AnyAllConditions, readAnyAll } from '../conditions/condition.ts';
import { evaluateCondition } from '../conditions/evaluate-conditions.ts';
import { type ContextSource, loadContextEntries } from '../context/context-entries.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import { SearchError } from '../jmespath/search-error.ts';
import { type KindSelector, kindMatches, type SelectedKind } from '../matching/kind-selector.ts';
import {
  allMatch,
  anyMatches,
  both,
  isOpenMatch,
  type MatchAnswer,
  type NamespaceLabels,
  openReason,
  unless,
} from '../matching/match-answer.ts';
import { compileFilter, descriptionMatches, type ResourceFilter } from '../matching/resource-filter.ts';
import { containsWildcard } from '../value/wildcard.ts';
import { type ContextOptions, EvaluationContext } from '../variables/evaluation-context.ts';
import { VariableError } from '../variables/variable-error.ts';
import { liveObject } from './live-object.ts';

/** An object of the cluster, with its Namespace's labels. */
export interface CleanupSubject extends NamespaceLabels {
  readonly object: JsonObject;
  readonly kind: GroupVersionKind;
}

export type CleanupAnswer = 'deletes' | 'keeps' | { readonly open: string };

interface CleanupBlock {
  readonly form: 'any' | 'all' | 'none';
  readonly filters: readonly ResourceFilter[];
}

/** Variables that depend on the object. Kyverno loads such a context entry only once, with the first object. */
const OF_THE_OBJECT = /\b(?:target|request|images)\b/;
const IMAGES = /\bimages\b/;

export class CleanupPolicy {
  readonly schedule: string;
  /** Undefined for a ClusterCleanupPolicy. */
  readonly namespace: string | undefined;
  readonly #spec: JsonObject;
  readonly #match: CleanupBlock;
  readonly #exclude: CleanupBlock | undefined;
  readonly #kinds: readonly KindSelector[];
  readonly #conditions: AnyAllConditions | undefined;

  constructor({ value, gvk, namespace }: Resource) {
    this.#spec = objectOrEmpty(value.get('spec'));
    this.schedule = textField(this.#spec, 'schedule');
    this.namespace = gvk.kind === 'CleanupPolicy' ? namespace || 'default' : undefined;
    this.#match = readBlock(objectOrEmpty(this.#spec.get('match')));
    const exclude = objectField(this.#spec, 'exclude');
    this.#exclude = exclude && readBlock(exclude);
    this.#kinds = this.#match.filters.flatMap(({ kinds }) => kinds);
    const conditions = objectField(this.#spec, 'conditions');
    this.#conditions = conditions && readAnyAll(conditions);
  }

  /** False if the policy checks no objects of this kind. */
  isAbout(kind: GroupVersionKind): boolean {
    return kindMatches(this.#kinds, { ...kind, subresource: '' });
  }

  /** `options`: settings of the document for queries. */
  evaluate(subject: CleanupSubject, source: ContextSource, options: ContextOptions): CleanupAnswer {
    const { object, kind } = subject;
    const namespace = textField(objectOrEmpty(object.get('metadata')), 'namespace');
    if (!this.isAbout(kind) || (this.namespace !== undefined && namespace !== this.namespace)) return 'keeps';
    const isExcluded = this.#exclude !== undefined && blockHolds(this.#exclude, subject);
    const match = both(blockHolds(this.#match, subject), unless(isExcluded));
    if (match === false) return 'keeps';
    const answer = this.#conditions === undefined ? true : this.#asked(subject, source, options, this.#conditions);
    if (answer === false) return 'keeps';
    if (answer !== true) return answer;
    if (isOpenMatch(match)) return { open: openReason(match) };
    const selected: SelectedKind = { ...kind, subresource: '' };
    const isListed = this.#kinds.some((each) => kindMatches([each], selected) && !isOpenKind(each));
    return isListed ? 'deletes' : { open: 'whether Kyverno lists objects for kinds with wildcards' };
  }

  #asked(
    { object }: CleanupSubject,
    source: ContextSource,
    options: ContextOptions,
    conditions: AnyAllConditions,
  ): boolean | { readonly open: string } {
    const entries = objectItems(this.#spec.get('context'));
    const shared = entries.find((entry) => mentions(entry, OF_THE_OBJECT));
    if (shared !== undefined) {
      return { open: `the context entry ${textField(shared, 'name')}, which Kyverno reads once for all objects` };
    }
    if (mentions(objectOrEmpty(this.#spec.get('conditions')), IMAGES)) {
      return { open: '`images`, which Kyverno keeps from one object to the next' };
    }
    const json = new EvaluationContext(options);
    try {
      const failed = loadContextEntries(entries, json, source, '');
      if (failed !== undefined) return failed.isAnswer ? false : { open: failed.message };
      const unknown = (what: string): SearchError => new SearchError('unknown', what);
      json.setTargetResource(liveObject(objectOrEmpty(asDoubles(object)), unknown));
      json.addNamespace(textField(objectOrEmpty(object.get('metadata')), 'namespace'));
      const holds = conditionsHold(conditions, json);
      if (!(holds instanceof VariableError)) return holds;
      // Kyverno reports an error and keeps the object.
      return holds.isAnswer || holds.kind === 'panic' ? false : { open: holds.message };
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      return { open: error.message };
    }
  }
}

function isOpenKind({ group, version, kind, subresource }: KindSelector): boolean {
  return (
    [group, version].some((part) => part !== '*' && containsWildcard(part)) || containsWildcard(kind + subresource)
  );
}

function readBlock(block: JsonObject): CleanupBlock {
  for (const form of ['any', 'all'] as const) {
    const filters = block.get(form);
    if (isJsonArray(filters) && filters.length > 0) {
      return { form, filters: objectItems(filters).map(compileFilter) };
    }
  }
  return { form: 'none', filters: [] };
}

/** `CheckMatchesResources` (`pkg/utils/match`), which matches objects, not requests. An empty block matches all. */
function blockHolds({ form, filters }: CleanupBlock, subject: CleanupSubject): MatchAnswer {
  const holds = (filter: ResourceFilter): MatchAnswer => filterHolds(filter, subject);
  return form === 'any' ? anyMatches(filters, holds) : allMatch(filters, holds);
}

function filterHolds(filter: ResourceFilter, subject: CleanupSubject): MatchAnswer {
  const { kind } = subject;
  if (!filter.hasNoUser || filter.hasNoDescription) return false;
  const asked = { ...filter, operations: [], ...(kind.kind === 'Namespace' && { namespaceSelector: undefined }) };
  return descriptionMatches(asked, { ...subject, kind: { ...kind, subresource: '' }, operation: '' });
}

/** All of `all` must hold, and one of `any` if it is not empty. Stops as soon as the result is known (`pkg/utils/conditions`). */
function conditionsHold({ any = [], all }: AnyAllConditions, json: EvaluationContext): boolean | VariableError {
  for (const condition of all) {
    const holds = evaluateCondition(json, condition);
    if (holds !== true) return holds;
  }
  for (const condition of any) {
    const holds: boolean | VariableError = evaluateCondition(json, condition);
    if (holds !== false) return holds;
  }
  return any.length === 0;
}

function mentions(value: JsonValue, word: RegExp): boolean {
  if (typeof value === 'string') return word.test(value);
  if (isJsonArray(value)) return value.some((item) => mentions(item, word));
  return isJsonObject(value) && [...value].some(([key, item]) => word.test(key) || mentions(item, word));
}
