// Objects that exist once in a cluster and in several versions in the repository. The order of files must not decide between versions.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Target } from '../../engine/target/target.ts';
import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { Unknown } from '../../policy/evaluation/unknown.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import { leavesExistingObject } from '../../render/sources/declaration/apply-setting.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import { contentOf, sortedText } from '../state/object-content.ts';
import { isNamespace, isPolicyOf, RBAC_GROUP, RuleResources } from '../state/rule-resources.ts';
import { LookedUpFacts } from './looked-up-facts.ts';
import { repeatedObjects } from './repeated-objects.ts';
import { separatingTargets } from './separating-targets.ts';

export interface Contradiction {
  /** The later version. */
  readonly resource: Resource;
  /** Equal in both states if the object has the same versions in the same roots. */
  readonly key: string;
  /** Equal if the object has the same versions, in any root or file. */
  readonly contentKey: string;
  /** Not suppressible, so it names no object. Created on demand, because locating a rendered object takes a second build. */
  diagnostic(): Diagnostic;
}

export interface Contradictions {
  readonly found: readonly Contradiction[];
  /** One version of each object whose versions may or may not belong to the same cluster. */
  readonly undecided: readonly Resource[];
}

interface TargetContent {
  /** With all its resources, not only those of a shard. */
  readonly target: Target;
  readonly languages: readonly PolicyLanguage[];
  /** True if the object was exported from the cluster. Exports do not contradict each other. */
  isExported(resource: Resource): boolean;
  rootOf(resource: Resource): RenderedRoot | undefined;
  /** Objects of different roots with one answer are never in one cluster; undefined if they may be. */
  alternativeOf(resource: Resource): string | undefined;
  /** False for an object that only something unknown may apply. */
  isCertain(resource: Resource): boolean;
  /** Group, kind, namespace and name; undefined if the server generates the name. */
  identityOf(resource: Resource): string | undefined;
}

/** Further versions of one object that are reported. */
const MAXIMUM_VERSIONS = 5;
/** Locating a rendered object takes a second build. */
const MAXIMUM_PLACES = 50;

/**
 * Reports an error if a verdict may depend on the version: for policies, bindings, params, Namespaces with objects, definitions of used
 * kinds, and RBAC if policies read it. Also if one controller applies an object twice. Versions of other objects are evaluated one by one,
 * because it is unknown whether they belong to one cluster.
 */
export function contradictions(content: TargetContent): Contradictions {
  const { target, identityOf, isExported } = content;
  const repeated = repeatedObjects(target, (resource) => (isExported(resource) ? undefined : identityOf(resource)));
  if (repeated.length === 0) return { found: [], undecided: [] };
  const decisions = new Decisions(content);
  const found: Contradiction[] = [];
  const undecided: Resource[] = [];
  let located = 0;
  for (const [identity, same] of repeated) {
    const deciding = decisions.versions(same);
    const decides = deciding.length > 1;
    const different = decides ? deciding : distinct(same, (resource) => contentOf(resource));
    const [first, ...others] = different;
    if (first === undefined || others.length === 0) continue;
    const declaration = excludedBy(same, content);
    if (!decides && !isAppliedTwice(different, content)) undecided.push(first);
    else if (declaration !== undefined) {
      found.push(alternativesOf(identity, different, ofClusters(declaration), () => located++));
    } else if (distinct(same.filter(content.isCertain), (resource) => contentOf(resource)).length < 2) {
      found.push(alternativesOf(identity, different, OF_UNKNOWN_ROOTS, () => located++));
    } else {
      for (const other of others.slice(0, MAXIMUM_VERSIONS)) {
        const versions = { first, other, count: different.length, decides };
        const rootNames = [first, other].map((resource) => content.rootOf(resource)?.name ?? pathOf(resource));
        const texts = [contentOf(first), contentOf(other)];
        const about = [identity, different.length, decides];
        found.push({
          resource: other,
          key: [...about, ...rootNames, ...texts].join('\0'),
          contentKey: [...about, ...texts.sort()].join('\0'),
          diagnostic: () => diagnosticOf(versions, content, located++),
        });
      }
    }
  }
  return { found, undecided };
}

export function undecidedVersions(count: number): readonly Unknown[] {
  if (count === 0) return [];
  const before = `${count} ${count === 1 ? 'object has' : 'objects have'} several versions; it is unknown whether these belong to one cluster, so each version is evaluated as an object of its own`;
  return [{ before, after: '' }];
}

/** Identical copies of a policy are one policy. */
export function withoutCopies(
  policies: readonly Resource[],
  languages: readonly PolicyLanguage[],
): readonly Resource[] {
  const known = new Set<string>();
  return policies.filter((resource) => {
    if (resource.name === '' || !isPolicyOf(languages, resource)) return true;
    const { gvk, namespace, name } = resource;
    const text = [
      gvk.group,
      gvk.version,
      gvk.kind,
      namespace,
      name,
      isAdmissionPolicy(resource) ? specText(resource) : contentOf(resource, true),
    ].join('\0');
    return !known.has(text) && known.add(text) !== undefined;
  });
}

/** The server ignores the metadata of these policies. */
function isAdmissionPolicy({ gvk }: Resource): boolean {
  return gvk.group === 'admissionregistration.k8s.io';
}

function specText({ apiVersion, value }: Resource): string {
  return `${apiVersion}\0${sortedText(value.get('spec') ?? null)}`;
}

/** Cached, because every cluster that has the policy needs the text. */
const BARE_TEXTS = new WeakMap<JsonObject, string>();

/** The policy without its metadata. */
function bareText(policy: JsonObject): string {
  const text = BARE_TEXTS.get(policy) ?? sortedText(new Map([...policy].filter(([key]) => key !== 'metadata')));
  BARE_TEXTS.set(policy, text);
  return text;
}

/** In a Kyverno policy: a ConfigMap with a computed name. */
const COMPUTED_CONFIG_MAP = /"configMap":\{"name":"[^"]*(?:\{\{|\$\()/;
/** In Kyverno's CEL: any lookup of objects, and lookups of one object by literal names. */
const LOOKUP = /\bresource\s*\.\s*(?:get|list|toGVR)\b/gi;
const LITERAL = `(?:\\\\"[^"\\\\]{0,500}\\\\"|'[^'\\\\]{0,500}')`;
const LOOKUP_BY_NAME = new RegExp(`\\bresource\\.Get\\(${LITERAL}, ?(${LITERAL}), ?${LITERAL}, ?${LITERAL}\\)`, 'g');

/** True if a policy reads objects whose names it does not contain. API calls and global contexts are unknown in any case. */
function readsByComputedName(text: string): boolean {
  const lookups = text.match(LOOKUP)?.length ?? 0;
  return COMPUTED_CONFIG_MAP.test(text) || lookups > (text.match(LOOKUP_BY_NAME)?.length ?? 0);
}

function looksUpNamespaces(text: string): boolean {
  if (!text.includes('namespaces') || text.match(LOOKUP) === null) return false;
  const plurals = [...text.matchAll(LOOKUP_BY_NAME)].map(([, plural = '']) => plural);
  return readsByComputedName(text) || plurals.some((plural) => plural.includes('namespaces'));
}

/** Namespace selectors with label names that are patterns or contain variables. */
function selectsByPattern(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some(selectsByPattern);
  if (!isJsonObject(value)) return false;
  return [...value].some(([key, field]) =>
    key === 'namespaceSelector' ? labelsIn(field).some((label) => /[*?${]/.test(label)) : selectsByPattern(field),
  );
}

function labelsIn(selector: JsonValue): readonly string[] {
  if (!isJsonObject(selector)) return [];
  const expressions = objectItems(selector.get('matchExpressions')).map((each) => textField(each, 'key'));
  return [...objectOrEmpty(selector.get('matchLabels')).keys(), ...expressions];
}

/** Pod Security labels, which the server reads itself. */
const POD_SECURITY = 'pod-security.kubernetes.io/';

/** A binding has no effect if its policy does not exist. */
function withoutDangling(policies: readonly Resource[]): readonly Resource[] {
  const names = new Set(policies.map(({ gvk, name }) => `${gvk.kind}Binding\0${name}`));
  return policies.filter(({ gvk, value }) => {
    if (gvk.group !== 'admissionregistration.k8s.io' || !gvk.kind.endsWith('PolicyBinding')) return true;
    return names.has(`${gvk.kind}\0${textField(objectOrEmpty(value.get('spec')), 'policyName')}`);
  });
}

class Decisions {
  readonly #rules: RuleResources;
  readonly #languages: readonly PolicyLanguage[];
  readonly #namespaces = new Set<string>();
  readonly #kinds = new Set<string>();
  readonly #effective: ReadonlySet<Resource>;
  /** Policies without their metadata, because controllers add labels there. */
  readonly #texts: readonly string[];
  readonly #readsNamespaces: boolean;
  /** True if a policy reads labels or annotations that identify the Flux object. */
  readonly #asksFlux: boolean;
  /** What policies of the API server refer to. These references are exact. */
  readonly #references: RuleResources;
  readonly #readsByComputedName: boolean;
  /** True if a policy may read any label of a Namespace. */
  readonly #selectsByPattern: boolean;
  readonly #lookedUp: LookedUpFacts;

  constructor({ target, languages }: TargetContent) {
    this.#languages = languages;
    const effective = withoutDangling(target.policies);
    this.#effective = new Set(effective);
    this.#rules = new RuleResources(languages, effective);
    const policies = effective.filter((resource) => this.#isPolicy(resource));
    this.#texts = policies.map(({ value }) => bareText(value));
    this.#references = new RuleResources(languages, effective.filter(isAdmissionPolicy));
    this.#readsNamespaces = this.#texts.some((text) => text.includes('namespaceObject') || looksUpNamespaces(text));
    this.#asksFlux = this.#texts.some((text) => text.includes('toolkit.fluxcd.io'));
    this.#readsByComputedName = this.#texts.some(readsByComputedName);
    this.#selectsByPattern = policies.some(({ value }) => selectsByPattern(value));
    const namespaceOf = ({ namespace, manifest }: Resource): string =>
      namespace || manifest.defaultNamespace || target.defaultNamespace;
    this.#lookedUp = new LookedUpFacts(target.manifests, namespaceOf, (name) => this.#isNamed(name));
    for (const resource of target.manifests) {
      this.#namespaces.add(namespaceOf(resource));
      this.#kinds.add(`${resource.gvk.group}/${resource.gvk.kind}`);
    }
  }

  #isPolicy(resource: Resource): boolean {
    return isPolicyOf(this.#languages, resource);
  }

  /** The versions that can change the verdict on other objects. */
  versions(written: readonly Resource[]): readonly Resource[] {
    const [first] = written;
    if (first === undefined || !this.#decides(first)) return [];
    return distinct(written, (resource) => this.#contentOf(resource));
  }

  #decides(resource: Resource): boolean {
    const { gvk, name } = resource;
    if (this.#isPolicy(resource)) return this.#effective.has(resource);
    if (isCustomResourceDefinition(resource)) {
      return this.#kinds.has(definedKind(resource));
    }
    if (!this.#rules.hasPolicies) return false;
    if (isNamespace(resource)) return this.#namespaces.has(name);
    if (this.#lookedUp.has(resource)) return true;
    if (this.#references.isRule(resource)) return true;
    if (!this.#rules.isRule(resource)) return false;
    return gvk.group === RBAC_GROUP || this.#readsByComputedName || this.#isNamed(name);
  }

  #isNamed(name: string): boolean {
    return this.#texts.some((text) => text.includes(name));
  }

  /** Equal for versions that have the same effect on other objects. */
  #contentOf(resource: Resource): string {
    const { value } = resource;
    if (isCustomResourceDefinition(resource) || (this.#isPolicy(resource) && isAdmissionPolicy(resource))) {
      return specText(resource);
    }
    if (!isNamespace(resource) || this.#readsNamespaces) return contentOf(resource, this.#asksFlux);
    const labels = objectOrEmpty(objectOrEmpty(value.get('metadata')).get('labels'));
    return sortedText(new Map([...labels].filter(([key]) => this.#isSelected(key))));
  }

  /** True if some policy may read this label of Namespaces. */
  #isSelected(label: string): boolean {
    return label.startsWith(POD_SECURITY) || this.#selectsByPattern || this.#isNamed(label);
  }
}

/**
 * True if two roots with one entry and destination apply the object. Of two sources of one Application, Argo CD uses the last. Flux leaves
 * an existing object as it is if the object says so.
 */
function isAppliedTwice(versions: readonly Resource[], { rootOf }: TargetContent): boolean {
  const seen = new Map<string, string>();
  return versions.some((resource) => {
    const { entry, destination = '', name } = rootOf(resource) ?? {};
    if (entry === undefined || name === undefined || leavesExistingObject(resource.value)) return false;
    const key = `${entry}\0${destination}`;
    const other = seen.get(key);
    seen.set(key, name);
    return other !== undefined && other !== name;
  });
}

/** The declaration that applies each version to other clusters; undefined if two versions may be in one. */
function excludedBy(same: readonly Resource[], { rootOf, alternativeOf }: TargetContent): string | undefined {
  const [first] = same;
  const declaration = first && alternativeOf(first);
  if (declaration === undefined) return undefined;
  const roots = new Set(same.map(rootOf));
  return roots.size === same.length && same.every((resource) => alternativeOf(resource) === declaration)
    ? declaration
    : undefined;
}

/** `what` follows "has 2 different definitions". */
interface OpenVersions {
  readonly what: string;
  readonly help: string;
}

function ofClusters(declaration: string): OpenVersions {
  return {
    what: `for different clusters of ${declaration}: it is unknown which cluster has which, and it decides what is allowed`,
    help: 'list the clusters in `rendering.argo.clusters` in `.preadmit.yaml`',
  };
}

const OF_UNKNOWN_ROOTS: OpenVersions = {
  what: 'because something that cannot be rendered may apply one of them: it is unknown which the cluster has, and it decides what is allowed',
  help: 'see `not-rendered` for what is unknown, or exclude files that nothing applies with `exclude` in `.preadmit.yaml`',
};

/** Which version a cluster has is unknown, so nothing that depends on it is certain. */
function alternativesOf(
  identity: string,
  versions: readonly Resource[],
  { what, help }: OpenVersions,
  nextNumber: () => number,
): Contradiction {
  const [first, ...others] = versions as readonly [Resource, ...Resource[]];
  const { gvk, namespace, name } = first;
  const texts = versions.map((resource) => contentOf(resource)).sort();
  const about = [identity, versions.length, what, ...texts].join('\0');
  return {
    resource: first,
    key: about,
    contentKey: about,
    diagnostic: () => ({
      code: 'undecided-object',
      severity: 'warning',
      message: `${gvk.kind} \`${namespace === '' ? '' : `${namespace}/`}${name}\` has ${versions.length} different definitions ${what}`,
      primary: placeOf(first, nextNumber()),
      related: others
        .slice(0, MAXIMUM_VERSIONS)
        .map((resource) => ({ message: 'another definition', location: placeOf(resource, MAXIMUM_PLACES) })),
      help,
    }),
  };
}

function distinct(resources: readonly Resource[], contentOf: (resource: Resource) => string): readonly Resource[] {
  const byContent = new Map<string, Resource>();
  // Several roots often contain the identical value. Comparing by reference is cheap.
  const seen = new Set<JsonObject>();
  for (const resource of resources) {
    if (seen.has(resource.value)) continue;
    seen.add(resource.value);
    if (seen.size === 1 && resources.every(({ value }) => value === resource.value)) return [resource];
    const content = contentOf(resource);
    if (!byContent.has(content)) byContent.set(content, resource);
  }
  return [...byContent.values()];
}

function diagnosticOf(
  {
    first,
    other,
    count,
    decides,
  }: { readonly first: Resource; readonly other: Resource; readonly count: number; readonly decides: boolean },
  { target, languages, rootOf }: TargetContent,
  located: number,
): Diagnostic {
  const { gvk, namespace } = other;
  const [one, two] = [rootOf(first)?.name, rootOf(other)?.name];
  const consequence = decides
    ? 'a cluster has only one of them, and it decides what is allowed'
    : `${one} and ${two} both apply it, and the last applied version wins`;
  const policies = target.policies.filter((resource) => isPolicyOf(languages, resource));
  const name = `${namespace === '' ? '' : `${namespace}/`}${other.name}`;
  const proposal = separatingTargets(pathOf(first), pathOf(other), policies.map(pathOf));
  return {
    code: 'defined-twice',
    severity: 'error',
    // Both versions are judged, so a baseline may accept that there are two. Where the versions decide, nothing is judged for certain.
    ...(!decides && { subject: `${gvk.kind} ${name}` }),
    message: `${gvk.kind} \`${name}\` has ${count} different definitions for one cluster: ${consequence}`,
    primary: placeOf(other, located),
    related: [{ message: 'another definition', location: placeOf(first, located) }],
    help:
      proposal === undefined
        ? 'keep one of them'
        : `keep one of them; if they are for different clusters, add to \`.preadmit.yaml\`: \`${proposal}\``,
  };
}

/** `located`: the number of objects that were located before. */
function placeOf(resource: Resource, located: number): SourceLocation {
  const declared = located < MAXIMUM_PLACES ? undefined : resource.manifest.declaredAt;
  return declared ?? resource.locate(['metadata', 'name'], 'value');
}

function pathOf({ manifest }: Resource): string {
  return manifest.file.path;
}

/** `group/Kind` of a CustomResourceDefinition. */
export function definedKind({ value }: Resource): string {
  const spec = objectOrEmpty(value.get('spec'));
  return `${textField(spec, 'group')}/${textField(objectOrEmpty(spec.get('names')), 'kind')}`;
}
