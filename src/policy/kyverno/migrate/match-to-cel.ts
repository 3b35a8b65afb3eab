// Translates a rule's match and exclude: kinds and operations become matchConstraints, everything else becomes conditions.

import type { GroupVersionKind, GroupVersionResource } from '../../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { type BuiltinResources, builtinResources } from '../../../kubernetes/schema/resources.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import { type KindSelector, kindMatches, parseKindSelector } from '../matching/kind-selector.ts';
import {
  ALWAYS,
  allOf,
  anyOf,
  atom,
  type CelText,
  NEVER,
  notCel,
  oneOfTexts,
  optionalMember,
  quoted,
  relation,
  wildcardText,
} from './cel-text.ts';
import { Untranslatable } from './untranslatable.ts';

export interface MatchedResource extends GroupVersionResource {
  /** `*` for any. */
  readonly kind: string;
  readonly isNamespaced: boolean;
}

export interface MatchText {
  readonly resources: readonly MatchedResource[];
  readonly kinds: readonly GroupVersionKind[];
  /** Undefined if the policy sets none. */
  readonly operations: readonly string[] | undefined;
  /** The other criteria of the match block. */
  readonly matches: CelText;
}

/** All served kinds: built-in kinds and those of the repository. */
export class ServedKinds {
  readonly #cluster: Cluster;
  readonly #builtin: BuiltinResources;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#builtin = builtinResources(cluster.version.minor);
  }

  get minor(): number {
    return this.#cluster.version.minor;
  }

  find(text: string): readonly MatchedResource[] {
    const selector = parseKindSelector(text);
    if (selector.kind === '*' && selector.subresource === '') return [EVERYTHING];
    if (/[*?]/.test(selector.kind + selector.subresource))
      throw new Untranslatable(`the wildcard in the kind \`${text}\``);
    const found = [...this.#all()].filter((kind) =>
      kindMatches([{ ...selector, subresource: '' }], { ...kind, subresource: '' }),
    );
    if (found.length === 0) {
      throw new Untranslatable(
        `the kind \`${text}\`, which is neither built in nor defined by a CustomResourceDefinition in the repository`,
      );
    }
    return firstVersions(found, selector).map((kind) => withSubresource(kind, selector.subresource));
  }

  *#all(): Iterable<MatchedResource> {
    for (const { group, version, kind, resource, namespaced, servedByDefault } of this.#builtin.all()) {
      if (servedByDefault) yield { group, version, kind, resource, isNamespaced: namespaced };
    }
    for (const { group, version, kind, resource, namespaced } of this.#cluster.customKinds()) {
      yield { group, version, kind, resource, isNamespaced: namespaced };
    }
  }
}

const EVERYTHING: MatchedResource = { group: '*', version: '*', kind: '*', resource: '*', isNamespaced: true };

/** One version is enough: the server also matches the others (matchPolicy Equivalent). */
function firstVersions(found: readonly MatchedResource[], { version }: KindSelector): readonly MatchedResource[] {
  if (version !== '*') return found;
  const first = new Map<string, MatchedResource>();
  for (const kind of found) {
    const key = `${kind.group}/${kind.resource}`;
    if (!first.has(key)) first.set(key, kind);
  }
  return [...first.values()];
}

function withSubresource(kind: MatchedResource, subresource: string): MatchedResource {
  return subresource === '' ? kind : { ...kind, resource: `${kind.resource}/${subresource}` };
}

/** `more`: kinds of controllers for which Kyverno generates rules. */
export function matchToCel(match: JsonObject, more: readonly string[], served: ServedKinds, object: string): MatchText {
  const { form, filters } = filtersOf(match);
  const kindsOf = (filter: JsonObject): readonly string[] => {
    const kinds = textItems(objectOrEmpty(filter.get('resources')).get('kinds'));
    const isAboutPods = kinds.some((kind) => parseKindSelector(kind).kind === 'Pod');
    return isAboutPods ? [...new Set([...kinds, ...more])] : kinds;
  };
  const named = filters.map(kindsOf);
  if (named.some((kinds) => kinds.length === 0)) throw new Untranslatable('a filter without kinds');
  const found = named.map((kinds) => kinds.flatMap((kind) => served.find(kind)));
  const resources = distinctResources(form === 'all' ? (found[0] ?? []) : found.flat());
  const operations = filters.map((filter) => textItems(objectOrEmpty(filter.get('resources')).get('operations')));
  const areAlike = new Set(named.map((kinds) => kinds.join())).size === 1 && new Set(operations.map(String)).size === 1;
  const texts = filters.map((filter, index) => {
    const own = areAlike ? [] : [kindsText(found[index] ?? []), operationsText(operations[index] ?? [])];
    return allOf(...own, filterText(filter, object));
  });
  const all = operations.flat();
  return {
    resources,
    kinds: resources.filter(({ resource }) => !resource.includes('/')),
    operations: operations.some((each) => each.length === 0) ? undefined : [...new Set(all)],
    matches: form === 'any' ? anyOf(...texts) : allOf(...texts),
  };
}

/** True if the object is excluded. False if there is no exclude block. */
export function excludeToCel(exclude: JsonObject | undefined, more: readonly string[], object: string): CelText {
  if (exclude === undefined) return NEVER;
  const { form, filters } = filtersOf(exclude);
  const texts = filters.map((filter) => {
    const resources = objectOrEmpty(filter.get('resources'));
    const written = textItems(resources.get('kinds'));
    const kinds = written.some((kind) => parseKindSelector(kind).kind === 'Pod') ? [...written, ...more] : written;
    const own = kinds.map((kind) => kindText(parseKindSelector(kind)));
    const asked = [
      own.length === 0 ? ALWAYS : anyOf(...own),
      operationsText(textItems(resources.get('operations'))),
      filterText(filter, object),
    ];
    // A filter without criteria excludes nothing.
    return asked.every(({ text }) => text === ALWAYS.text) && kinds.length === 0 ? NEVER : allOf(...asked);
  });
  return form === 'all' ? allOf(...texts) : anyOf(...texts);
}

interface Filters {
  readonly form: 'any' | 'all' | 'direct';
  readonly filters: readonly JsonObject[];
}

function filtersOf(block: JsonObject): Filters {
  for (const form of ['any', 'all'] as const) {
    const filters = block.get(form);
    if (isJsonArray(filters) && filters.length > 0) return { form, filters: objectItems(filters) };
  }
  return { form: 'direct', filters: [block] };
}

function distinctResources(resources: readonly MatchedResource[]): readonly MatchedResource[] {
  const distinct = new Map(resources.map((each) => [`${each.group}/${each.version}/${each.resource}`, each]));
  const all = [...distinct.values()];
  return all.some(({ resource, group }) => resource === '*' && group === '*') ? [EVERYTHING] : all;
}

function kindsText(kinds: readonly MatchedResource[]): CelText {
  const names = [...new Set(kinds.map(({ kind }) => kind))];
  return names.includes('*') ? ALWAYS : oneOfTexts('request.kind.kind', names);
}

function kindText({ group, version, kind, subresource }: KindSelector): CelText {
  const of = (field: string, pattern: string): CelText => wildcardText(`request.kind.${field}`, pattern);
  if (subresource !== '') throw new Untranslatable('a subresource under exclude');
  return allOf(of('kind', kind), of('group', group), of('version', version));
}

function operationsText(operations: readonly string[]): CelText {
  return operations.length === 0 ? ALWAYS : oneOfTexts('request.operation', operations);
}

/** The criteria of a filter besides kinds and operations. */
function filterText(filter: JsonObject, object: string): CelText {
  const resources = objectOrEmpty(filter.get('resources'));
  const metadata = `${object}.metadata`;
  const name = `${metadata}.?name.orValue('')`;
  const names = [textField(resources, 'name'), ...textItems(resources.get('names'))].filter((each) => each !== '');
  const namespaces = textItems(resources.get('namespaces'));
  for (const field of ['roles', 'clusterRoles']) {
    if (textItems(filter.get(field)).length > 0)
      throw new Untranslatable(`${field}, which CEL expressions cannot read`);
  }
  const labels = `${metadata}.?labels.orValue({})`;
  const annotations = `${metadata}.?annotations.orValue({})`;
  const namespaceLabels =
    '(namespaceObject != null && has(namespaceObject.metadata) ? namespaceObject.metadata.?labels.orValue({}) : {})';
  const subjects = objectItems(filter.get('subjects'));
  const namespaceSelector = resources.get('namespaceSelector');
  return allOf(
    names.length === 0 ? ALWAYS : oneOfTexts(name, names),
    namespaces.length === 0 ? ALWAYS : oneOfTexts("request.?namespace.orValue('')", namespaces),
    ...[...objectOrEmpty(resources.get('annotations'))].map(([key, value]) => entryText(annotations, key, value)),
    selectorText(resources.get('selector'), labels),
    isJsonObject(namespaceSelector) && namespaceSelector.size > 0
      ? allOf(relation("request.kind.kind != 'Namespace'"), selectorText(namespaceSelector, namespaceLabels))
      : ALWAYS,
    subjects.length === 0 ? ALWAYS : anyOf(...subjects.map(subjectText)),
  );
}

function entryText(map: string, key: string, value: JsonValue): CelText {
  const wanted = typeof value === 'string' ? value : '';
  if (!/[*?]/.test(key)) {
    const text = `${map.replace(/\.orValue\(\{\}\)$/, '')}[?${quoted(key)}]`;
    const isOptional = map.endsWith('.orValue({})');
    const found = isOptional ? text : optionalMember(map, key);
    if (!/[*?]/.test(wanted)) return relation(`${found} == optional.of(${quoted(wanted)})`);
    return allOf(atom(`${found}.hasValue()`), wildcardText(`${found}.value()`, wanted));
  }
  const holds = allOf(wildcardText('key', key), wildcardText(`${map}[key]`, wanted));
  return atom(`${map}.exists(key, ${holds.text})`);
}

export function selectorText(selector: JsonValue | undefined, labels: string): CelText {
  if (!isJsonObject(selector)) return ALWAYS;
  const fixed = [...objectOrEmpty(selector.get('matchLabels'))].map(([key, value]) => entryText(labels, key, value));
  const expressions = objectItems(selector.get('matchExpressions')).map((expression) => {
    const key = quoted(textField(expression, 'key'));
    const values = `[${textItems(expression.get('values')).map(quoted).join(', ')}]`;
    const isThere = relation(`${key} in ${labels}`);
    const isIn = relation(`${labels}[${key}] in ${values}`);
    switch (textField(expression, 'operator')) {
      case 'In':
        return allOf(isThere, isIn);
      case 'NotIn':
        return notCel(allOf(isThere, isIn));
      case 'Exists':
        return isThere;
      default:
        return notCel(isThere);
    }
  });
  return allOf(...fixed, ...expressions);
}

function subjectText(subject: JsonObject): CelText {
  const name = textField(subject, 'name');
  const username = "request.userInfo.?username.orValue('')";
  switch (textField(subject, 'kind')) {
    case 'ServiceAccount':
      return wildcardText(username, `system:serviceaccount:${textField(subject, 'namespace')}:${name}`);
    case 'Group':
      return atom(`request.userInfo.?groups.orValue([]).exists(group, ${wildcardText('group', name).text})`);
    default:
      return wildcardText(username, name);
  }
}
