// One filter of a match or exclude block: criteria for the object, its Namespace, the operation and the user (`pkg/engine/utils/match.go`).
import {
  type LabelSelector,
  type Labels,
  readLabelSelector,
  selectorMatches,
} from '../../../kubernetes/selector/label-selector.ts';
import { openLabelKeys } from '../../../kubernetes/selector/open-labels.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import { orUndecided, Undecided } from '../rule/rule-response.ts';
import { anyWildcardMatches, containsWildcard, matchesWildcard } from '../value/wildcard.ts';
import { type KindSelector, kindMatches, parseKindSelector, type SelectedKind } from './kind-selector.ts';
import {
  allMatch,
  anyMatches,
  both,
  isOpenMatch,
  type MatchAnswer,
  type NamespaceLabels,
  OPEN_NAME,
  OPEN_USER,
  type OpenMatch,
  openLabels,
} from './match-answer.ts';

/** The user, with roles from RBAC. */
export interface RequestInfo {
  readonly username: string;
  readonly groups: readonly string[];
  /** `namespace:name`. */
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
  /** Nothing is known about the user. Match blocks then ignore criteria for users. */
  readonly isEmpty: boolean;
  /** The user is only the most likely one. */
  readonly isAssumed?: boolean;
  /** The roles of this list that the user may have although no file says so. Absent: `roles` and `clusterRoles` are complete. */
  readonly openRoles?: (kind: 'Role' | 'ClusterRole', names: readonly string[]) => readonly string[];
}

export interface MatchSubject extends NamespaceLabels {
  readonly object: JsonObject;
  readonly kind: SelectedKind;
  readonly requestInfo: RequestInfo;
  readonly operation: string;
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

export interface UserFilter {
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
  readonly subjects: readonly Subject[];
}

export interface ResourceFilter {
  readonly operations: readonly string[];
  readonly kinds: readonly KindSelector[];
  readonly name: string;
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
  readonly annotations: readonly (readonly [string, string])[];
  readonly selector: WildcardSelector | undefined;
  readonly namespaceSelector: WildcardSelector | undefined;
  readonly user: UserFilter;
  /** The only criteria for the object are kinds and operations. */
  readonly isOfKindsAlone: boolean;
  /** No criteria for the object. */
  readonly hasNoDescription: boolean;
  readonly hasNoUser: boolean;
}

/** `block` contains `resources` beside `subjects`, `roles` and `clusterRoles`. */
export function compileFilter(block: JsonObject): ResourceFilter {
  const resources = objectOrEmpty(block.get('resources'));
  const selector = objectField(resources, 'selector');
  const namespaceSelector = objectField(resources, 'namespaceSelector');
  const user = readUserFilter(block);
  const filter = {
    operations: textItems(resources.get('operations')),
    kinds: textItems(resources.get('kinds')).map(parseKindSelector),
    name: textField(resources, 'name'),
    names: textItems(resources.get('names')),
    namespaces: textItems(resources.get('namespaces')),
    annotations: textEntries(resources.get('annotations')),
    selector: selector && new WildcardSelector(selector),
    namespaceSelector: namespaceSelector && new WildcardSelector(namespaceSelector),
    user,
  };
  const { operations, kinds, name, names, namespaces, annotations } = filter;
  const isOfKindsAlone =
    [names, namespaces, annotations].every((list) => list.length === 0) &&
    name === '' &&
    selector === undefined &&
    namespaceSelector === undefined;
  const hasNoDescription = isOfKindsAlone && operations.length === 0 && kinds.length === 0;
  return { ...filter, isOfKindsAlone, hasNoDescription, hasNoUser: isEmptyUser(user) };
}

function readUserFilter(block: JsonObject): UserFilter {
  return {
    roles: textItems(block.get('roles')),
    clusterRoles: textItems(block.get('clusterRoles')),
    subjects: objectItems(block.get('subjects')).map((subject) => ({
      kind: textField(subject, 'kind'),
      name: textField(subject, 'name'),
      namespace: textField(subject, 'namespace'),
    })),
  };
}

function isEmptyUser({ roles, clusterRoles, subjects }: UserFilter): boolean {
  return roles.length === 0 && clusterRoles.length === 0 && subjects.length === 0;
}

function textEntries(value: JsonValue | undefined): readonly (readonly [string, string])[] {
  return [...objectOrEmpty(value)].map(([key, item]) => [key, typeof item === 'string' ? item : ''] as const);
}

/** A label selector whose matchLabels may contain wildcards. Wildcards are resolved against the object's labels. */
export class WildcardSelector {
  readonly #value: JsonObject;
  readonly #fixed: LabelSelector | { readonly error: string } | undefined;

  constructor(value: JsonObject) {
    this.#value = value;
    const labels = textEntries(value.get('matchLabels'));
    const isWild = labels.some(([key, label]) => containsWildcard(key) || containsWildcard(label));
    this.#fixed = isWild ? undefined : readLabelSelector(value);
  }

  /** An invalid selector matches nothing. */
  matches(labels: Labels): boolean {
    const selector = this.#selector(labels);
    return !('error' in selector) && selectorMatches(selector, labels);
  }

  /** Compares each label alone. `open`: the answer if the selector reads all of them. */
  matchesEach(metadata: JsonObject, open: OpenMatch): MatchAnswer {
    if (this.#fixed === undefined) return open;
    if ('error' in this.#fixed) return false;
    return allMatch(this.#fixed.requirements, (requirement) =>
      openMatch(() => {
        const label = objectOrEmpty(metadata.get('labels')).get(requirement.key);
        const labels = new Map(typeof label === 'string' ? [[requirement.key, label]] : []);
        return selectorMatches({ requirements: [requirement] }, labels);
      }),
    );
  }

  /** Like `matches`, for labels that may be unknown. */
  matchesNamespace({ namespaceLabels, openNamespace }: NamespaceLabels, use: 'match' | 'exclude'): MatchAnswer {
    const selector = this.#selector(namespaceLabels);
    if ('error' in selector) return false;
    if (openNamespace !== undefined) {
      const keys = openLabelKeys(selector, namespaceLabels, openNamespace, use);
      if (keys.length > 0) return openLabels(keys, openNamespace);
    }
    return selectorMatches(selector, namespaceLabels);
  }

  #selector(labels: Labels): LabelSelector | { readonly error: string } {
    return this.#fixed ?? readLabelSelector(this.#replaced(labels));
  }

  /** `wildcards.ReplaceInSelector`. If several labels match, Kyverno picks a random one. */
  #replaced(labels: Labels): JsonObject {
    const replaced = new Map<string, JsonValue>();
    for (const [key, label] of textEntries(this.#value.get('matchLabels'))) {
      if (!containsWildcard(key) && !containsWildcard(label)) {
        replaced.set(key, label);
        continue;
      }
      const found = [...labels].find(([name, value]) => matchesWildcard(key, name) && matchesWildcard(label, value));
      replaced.set(found?.[0] ?? withoutWildcards(key), found?.[1] ?? withoutWildcards(label));
    }
    return new Map(this.#value).set('matchLabels', replaced);
  }
}

function withoutWildcards(text: string): string {
  return text.replace(/[*?]/g, '0');
}

/** For match blocks. A filter without criteria never matches. */
function filterMatches(filter: ResourceFilter, subject: MatchSubject): MatchAnswer {
  const hasNoUser = filter.hasNoUser || subject.requestInfo.isEmpty;
  if (filter.hasNoDescription && hasNoUser) return false;
  const described = descriptionMatches(filter, subject);
  return described === false || hasNoUser ? described : both(described, userMatches(filter.user, subject.requestInfo));
}

/** For exclude blocks, which never ignore criteria for users. */
export function filterExcludes(filter: ResourceFilter, subject: MatchSubject): MatchAnswer {
  if (filter.hasNoDescription && filter.hasNoUser) return false;
  const described = descriptionMatches(filter, subject, 'exclude');
  return described === false ? false : both(described, userMatches(filter.user, subject.requestInfo));
}

/** Ignores the criteria for users. */
export function descriptionMatches(
  filter: ResourceFilter,
  subject: Omit<MatchSubject, 'requestInfo'>,
  use: 'match' | 'exclude' = 'match',
): MatchAnswer {
  const { object, kind } = subject;
  if (filter.operations.length > 0 && !filter.operations.includes(subject.operation)) return false;
  if (filter.kinds.length > 0 && !kindMatches(filter.kinds, kind)) return false;
  if (filter.isOfKindsAlone) return true;
  const metadata = objectOrEmpty(object.get('metadata'));
  const name = textField(metadata, 'name') || textField(metadata, 'generateName');
  if (filter.name !== '' && !matchesWildcard(filter.name, name)) return false;
  if (filter.names.length > 0 && !anyWildcardMatches(filter.names, name)) return false;
  const isNamespace = object.get('kind') === 'Namespace';
  const isUnnamed = subject.openNamespace?.reason === 'unnamed';
  let named: MatchAnswer = true;
  if (filter.namespaces.length > 0) {
    const namespace = textField(metadata, isNamespace ? 'name' : 'namespace');
    if (isUnnamed && !filter.namespaces.includes('*')) named = OPEN_NAME;
    else if (!anyWildcardMatches(filter.namespaces, namespace)) return false;
  }
  const described = both(annotated(filter, metadata), labelled(filter, metadata));
  if (described === false) return false;
  const found = both(named, described);
  if (filter.namespaceSelector === undefined) return found;
  return isNamespace ? false : both(found, filter.namespaceSelector.matchesNamespace(subject, use));
}

function annotated({ annotations: wanted }: ResourceFilter, metadata: JsonObject): MatchAnswer {
  if (wanted.length === 0) return true;
  const answer = openMatch(() => annotationsMatch(wanted, stringMap(metadata, 'annotations')));
  if (!isOpenMatch(answer)) return answer;
  return allMatch(wanted, ([key, value]) => {
    if (containsWildcard(key)) return answer;
    return openMatch(() => {
      const text = objectOrEmpty(metadata.get('annotations')).get(key);
      return typeof text === 'string' && matchesWildcard(value, text);
    });
  });
}

function labelled({ selector }: ResourceFilter, metadata: JsonObject): MatchAnswer {
  if (selector === undefined) return true;
  const answer = openMatch(() => selector.matches(stringMap(metadata, 'labels')));
  return isOpenMatch(answer) ? selector.matchesEach(metadata, answer) : answer;
}

/** Reading an open field of the object throws `Undecided`. */
function openMatch(matches: () => boolean): MatchAnswer {
  const answer = orUndecided(matches);
  return answer instanceof Undecided ? { open: [answer.message] } : answer;
}

function annotationsMatch(wanted: ResourceFilter['annotations'], actual: Labels): boolean {
  return wanted.every(([key, value]) =>
    [...actual].some(([name, text]) => matchesWildcard(key, name) && matchesWildcard(value, text)),
  );
}

/** apimachinery `NestedStringMap`: one value that is not a string makes the whole map unreadable. */
function stringMap(metadata: JsonObject, name: string): Labels {
  const values = metadata.get(name);
  if (!isJsonObject(values)) return EMPTY;
  for (const value of values.values()) if (typeof value !== 'string') return EMPTY;
  return values as ReadonlyMap<string, string>;
}

const EMPTY: Labels = new Map();

/** Roles are compared without wildcards. All criteria must match. */
function userMatches({ roles, clusterRoles, subjects }: UserFilter, info: RequestInfo): MatchAnswer {
  const isSubject = subjects.length === 0 || anyMatches(subjects, (subject) => isSubjectOf(subject, info));
  if (isSubject === false) return false;
  if (roles.length === 0 && clusterRoles.length === 0) return isSubject;
  const hasRoles = both(
    hasOneOf('Role', roles, info.roles, info),
    hasOneOf('ClusterRole', clusterRoles, info.clusterRoles, info),
  );
  return both(isSubject, hasRoles);
}

/** Every authenticated user is in one group, and has a name. */
function isSubjectOf(subject: Subject, info: RequestInfo): MatchAnswer {
  const { kind, name } = subject;
  if (info.isAssumed !== true) return subjectMatches(subject, info);
  const isEverybody = (kind === 'Group' && matchesWildcard(name, EVERYBODY)) || (kind === 'User' && name === '*');
  return isEverybody || (KINDS_OF_SUBJECTS.has(kind) && OPEN_USER);
}

const EVERYBODY = 'system:authenticated';
const KINDS_OF_SUBJECTS: ReadonlySet<string> = new Set(['User', 'Group', 'ServiceAccount']);

function hasOneOf(
  kind: 'Role' | 'ClusterRole',
  wanted: readonly string[],
  held: readonly string[],
  { username, openRoles }: RequestInfo,
): MatchAnswer {
  if (wanted.length === 0 || wanted.some((role) => held.includes(role))) return true;
  const open = openRoles?.(kind, wanted) ?? [];
  if (open.length === 0) return false;
  return { open: [`whether ${username} has the ${kind} ${open.join(' or ')}, which no file binds to this user`] };
}

function subjectMatches({ kind, name, namespace }: Subject, { username, groups }: RequestInfo): boolean {
  switch (kind) {
    case 'ServiceAccount':
      return matchesWildcard(`system:serviceaccount:${namespace}:${name}`, username);
    case 'Group':
      return groups.some((group) => matchesWildcard(name, group));
    case 'User':
      return matchesWildcard(name, username);
    default:
      return false;
  }
}

/** `any`, `all`, or the block itself as a single filter. */
export interface FilterBlock {
  readonly form: 'any' | 'all' | 'direct';
  readonly filters: readonly ResourceFilter[];
}

export function compileBlock(block: JsonObject): FilterBlock {
  for (const form of ['any', 'all'] as const) {
    const filters = block.get(form);
    if (isJsonArray(filters) && filters.length > 0) {
      return { form, filters: objectItems(filters).map(compileFilter) };
    }
  }
  return { form: 'direct', filters: [compileFilter(block)] };
}

export function blockMatches({ form, filters }: FilterBlock, subject: MatchSubject): MatchAnswer {
  const matches = (filter: ResourceFilter): MatchAnswer => filterMatches(filter, subject);
  return form === 'any' || filters.length === 1 ? anyMatches(filters, matches) : allMatch(filters, matches);
}

export function blockExcludes({ form, filters }: FilterBlock, subject: MatchSubject): MatchAnswer {
  const excludes = (filter: ResourceFilter): MatchAnswer => filterExcludes(filter, subject);
  return form === 'all' ? allMatch(filters, excludes) : anyMatches(filters, excludes);
}
