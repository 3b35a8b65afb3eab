// Which files of two states of a repository have to be read to know what the change between them does; the rest is never parsed.
import { matchObjects } from '../../engine/match-objects.ts';
import { OTHER_POLICIES, type OtherPolicies } from '../../engine/other-policies.ts';
import { Classifier } from '../../inventory/classify.ts';
import type { DiscoveredFile, NotRead } from '../../inventory/discovered-file.ts';
import { isKustomization, type Kustomization } from '../../inventory/kustomize-references.ts';
import { isCustomResourceDefinition } from '../../kubernetes/custom-resource-definition.ts';
import type { GroupVersionKind } from '../../kubernetes/group-version.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { PolicyLanguage } from '../../policy/policy-language.ts';
import type { FileTree } from '../../render/file-tree.ts';
import { KustomizationGraph, reaches } from '../../render/sources/kustomization-graph.ts';
import type { Configuration } from '../../settings/configuration.ts';
import { KUSTOMIZATION_NAMES } from '../../settings/selection.ts';
import { objectOrEmpty, textField } from '../../source/json-field.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { PolicySourceState } from '../policy-sources.ts';
import type { DocumentReader } from '../read-repository.ts';
import { isNamespace, type ParamReference, RBAC_GROUP, RuleResources } from './rule-resources.ts';
import { TextWords } from './text-words.ts';

/** Files that did not change between two states are the same SourceFile in both. */
export interface RepositoryState {
  readonly files: readonly DiscoveredFile[];
  readonly paths: ReadonlySet<string>;
  readonly notRead: readonly NotRead[];
  /** The files of the state, whatever their type, for engines; absent: nothing is rendered. */
  readonly tree?: FileTree;
  /** What the configuration of the state names, read; the same objects where two states name the same. */
  readonly policySources?: readonly PolicySourceState[];
}

export interface ReadingScope {
  /** `repository`: everything is read. */
  readonly extent: 'changes' | 'repository';
  /** Paths of files that differ, or are something else now because another file says so; in either state. */
  readonly changed: ReadonlySet<string>;
  /** Paths of files whose objects are looked at: the changed ones and those a changed rule may concern. */
  readonly examined: ReadonlySet<string>;
  readonly base: readonly DiscoveredFile[];
  readonly head: readonly DiscoveredFile[];
  /** Undefined where all files are read: they make their own. */
  readonly classifiers: { readonly base: Classifier; readonly head: Classifier } | undefined;
  /** Every kustomization of a state, whether it is among the files or not. */
  kustomizationsOf(state: 'base' | 'head'): readonly Kustomization[];
}

export interface ScopeOptions {
  readonly base: RepositoryState;
  readonly head: RepositoryState;
  readonly configuration: Configuration;
  readonly languages: readonly PolicyLanguage[];
  readonly reader: DocumentReader;
  /** What policy sources hold, in base and in head. */
  readonly given?: { readonly base: readonly Resource[]; readonly head: readonly Resource[] };
  /** Read everything whatever the change is. */
  readonly everything: boolean;
  /** Paths that differ, whatever their names. */
  readonly touched?: readonly string[];
  /** True for kinds that need no CustomResourceDefinition. */
  isBuiltin(gvk: GroupVersionKind): boolean;
}

export function readingScope(options: ScopeOptions): ReadingScope {
  return new ScopeFinder(options).find();
}

/** Files that say what other files are. */
const REFERRING_WORDS = ['kustomize.config.k8s.io', 'chainsaw.kyverno.io', 'cli.kyverno.io'];
/** Groups whose objects make controllers apply others. */
const DECLARING_GROUPS = ['toolkit.fluxcd.io', 'argoproj.io'];
const VALUE_FIELDS = ['substituteFrom', 'valuesFrom'];

class ScopeFinder {
  readonly #options: ScopeOptions;
  readonly #words = new TextWords();
  readonly #all: ReadonlySet<SourceFile>;
  readonly #read = new Set<SourceFile>();
  readonly #examined = new Set<SourceFile>();
  readonly #policyFiles: readonly SourceFile[];
  readonly #rules: RuleResources;
  #made: { readonly base: Classifier; readonly head: Classifier } | undefined;

  constructor(options: ScopeOptions) {
    this.#options = options;
    this.#all = new Set([...options.head.files, ...options.base.files].map(({ file }) => file));
    this.#policyFiles = [...this.#all].filter((file) => this.#mayHavePolicy(file));
    const given = new Set([...(options.given?.head ?? []), ...(options.given?.base ?? [])]);
    this.#rules = new RuleResources(options.languages, [...this.#resourcesOf(this.#policyFiles), ...given]);
  }

  find(): ReadingScope {
    const { base, head, everything } = this.#options;
    const referring = [...this.#all].filter((file) => this.#isReferring(file));
    const changed = this.#changedFiles(referring);
    const changedPaths = new Set([...changed].map(({ path }) => path));
    for (const file of changed) this.#examined.add(file);
    if (everything || !this.#examineWhatRulesConcern(changed)) {
      const examined = new Set([...this.#all].map(({ path }) => path));
      return {
        extent: 'repository',
        changed: changedPaths,
        examined,
        base: base.files,
        head: head.files,
        classifiers: undefined,
        kustomizationsOf: (state) => this.#kustomizationsOf(state),
      };
    }
    for (const file of [...this.#policyFiles, ...this.#examined]) this.#read.add(file);
    this.#readFacts();
    this.#readDeclarations();
    return {
      extent: 'changes',
      changed: changedPaths,
      examined: new Set([...this.#examined].map(({ path }) => path)),
      base: base.files.filter(({ file }) => this.#read.has(file)),
      head: head.files.filter(({ file }) => this.#read.has(file)),
      classifiers: this.#classifiers(referring),
      kustomizationsOf: (state) => this.#kustomizationsOf(state),
    };
  }

  #mayHavePolicy(file: SourceFile): boolean {
    const words = this.#words;
    const isOf = ({ kinds, word }: Pick<PolicyLanguage, 'kinds' | 'word'>): boolean =>
      (word === undefined || words.mayMention(file, word)) && kinds.some((kind) => words.mayHaveKind(file, kind));
    // Others are told of, and what they may change.
    const isOther = ({ group, kinds }: OtherPolicies): boolean =>
      words.mayMention(file, group) && (kinds === undefined || kinds.some((kind) => words.mayHaveKind(file, kind)));
    return this.#options.languages.some(isOf) || OTHER_POLICIES.some(isOther);
  }

  #isReferring(file: SourceFile): boolean {
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    if (KUSTOMIZATION_NAMES.has(name)) return true;
    return REFERRING_WORDS.some((word) => this.#words.mayMention(file, word));
  }

  /** Unchanged files count too if another file makes something else of them now. */
  #changedFiles(referring: readonly SourceFile[]): Set<SourceFile> {
    const { base, head } = this.#options;
    const inBase = new Set(base.files.map(({ file }) => file));
    const inHead = new Set(head.files.map(({ file }) => file));
    const changed = new Set([...this.#all].filter((file) => !inBase.has(file) || !inHead.has(file)));
    const samePaths =
      base.paths === head.paths ||
      (base.paths.size === head.paths.size && [...head.paths].every((path) => base.paths.has(path)));
    if (samePaths && !referring.some((file) => changed.has(file))) return changed;
    const classifiers = { base: this.#classifier(base, referring), head: this.#classifier(head, referring) };
    this.#made = classifiers;
    for (const file of inHead) {
      const { path } = file;
      if (inBase.has(file) && classifiers.base.placeReason(path) !== classifiers.head.placeReason(path)) {
        changed.add(file);
      }
    }
    return changed;
  }

  /** One for both states if no file that says what others are changed, and no path came or went. */
  #classifiers(referring: readonly SourceFile[]): { readonly base: Classifier; readonly head: Classifier } {
    if (this.#made !== undefined) return this.#made;
    const forBoth = this.#classifier(this.#options.head, referring);
    return { base: forBoth, head: forBoth };
  }

  #classifier({ files, paths }: RepositoryState, referring: readonly SourceFile[]): Classifier {
    const inState = new Set(files.map(({ file }) => file));
    const documents = referring
      .filter((file) => inState.has(file))
      .map((file) => this.#options.reader.documentsOf(file));
    return new Classifier(paths, documents, this.#options.configuration);
  }

  /** False if a changed rule may concern any object, so that everything has to be read. */
  #examineWhatRulesConcern(changed: ReadonlySet<SourceFile>): boolean {
    const rules = this.#rules;
    if (!rules.hasPolicies) return true;
    const changedRules = this.#changedRules(rules, changed);
    for (const rule of changedRules) {
      const word = wordOfConcern(rule);
      if (word === undefined) return false;
      for (const file of this.#all) if (this.#words.mayMention(file, word)) this.#examined.add(file);
    }
    return true;
  }

  /** A Namespace that is new says nothing about objects that were there before. */
  #changedRules(rules: RuleResources, changed: ReadonlySet<SourceFile>): readonly Resource[] {
    const { base, head } = this.#options;
    const { given = { base: [], head: [] } } = this.#options;
    const rulesOf = ({ files }: RepositoryState, fromSources: readonly Resource[]): Resource[] => {
      const written = this.#resourcesOf(files.map(({ file }) => file).filter((file) => changed.has(file)));
      return [...written, ...fromSources].filter((resource) => rules.isRule(resource));
    };
    const [before, now] = [rulesOf(base, given.base), rulesOf(head, given.head)];
    const { created, updated, deleted } = matchObjects(before, now, ({ gvk, namespace, name }) =>
      name === '' ? undefined : [gvk.group, gvk.kind, namespace, name].join('\0'),
    );
    return [
      ...created.filter((resource) => !isNamespace(resource)),
      ...updated.flatMap(({ resource, old }) => [resource, old]),
      ...deleted,
    ];
  }

  /** What policies may want to know when they are asked about the examined objects. */
  #readFacts(): void {
    const rules = this.#rules;
    if (!rules.hasPolicies) return;
    const paramGroups = rules.references.flatMap(({ kinds }) => kinds.map(({ group }) => group));
    const groups = new Set(paramGroups.filter((group) => group !== ''));
    const namespaces = new Set<string>();
    let hasPods = false;
    const built = this.#builtWithExamined();
    for (const { gvk, namespace } of this.#resourcesOf(new Set([...this.#examined, ...built]))) {
      if (!this.#options.isBuiltin(gvk)) groups.add(gvk.group);
      namespaces.add(namespace === '' ? 'default' : namespace);
      hasPods ||= gvk.group === '' && gvk.kind === 'Pod';
    }
    // What is built may land in any Namespace.
    this.#readKind('Namespace', built.size > 0 ? [''] : namespaces);
    this.#readKind('CustomResourceDefinition', groups);
    this.#readKind('APIService', groups);
    for (const { kinds, objects } of rules.references) {
      for (const { kind } of kinds) for (const reference of objects) this.#readKind(kind, [requiredValue(reference)]);
    }
    if (hasPods) {
      this.#readKind('ServiceAccount', namespaces);
      this.#readKind('PriorityClass', ['']);
    }
    if (!rules.asksAuthorizer) return;
    for (const file of this.#all) if (this.#words.mayMention(file, RBAC_GROUP)) this.#read.add(file);
  }

  /** Files of roots that a change reaches: what is built of them is examined, so its kinds matter. */
  #builtWithExamined(): ReadonlySet<SourceFile> {
    const built = new Set<SourceFile>();
    if (this.#options.head.tree === undefined) return built;
    const paths = [...new Set([...[...this.#examined].map(({ path }) => path), ...(this.#options.touched ?? [])])];
    for (const state of ['base', 'head'] as const) {
      const graph = new KustomizationGraph(this.#kustomizationsOf(state));
      for (const folder of graph.roots()) {
        const reach = graph.reachOf(folder);
        if (!paths.some((path) => reaches(reach, path))) continue;
        for (const { file } of this.#options[state].files) if (reaches(reach, file.path)) built.add(file);
      }
    }
    return built;
  }

  /** Files with objects of a kind and at least one of the values; the empty one stands for any. */
  #readKind(kind: string, values: Iterable<string>): void {
    const candidates = [...this.#all].filter((file) => this.#words.mayHaveKind(file, kind));
    for (const value of values) {
      for (const file of candidates) if (this.#words.mayHaveObject(file, kind, value)) this.#read.add(file);
    }
  }

  /** What controllers are told, and what that refers to: it says which files are applied, and how. */
  #readDeclarations(): void {
    if (this.#options.head.tree === undefined) return;
    let refersToValues = false;
    for (const file of this.#all) {
      if (!DECLARING_GROUPS.some((group) => this.#words.mayMention(file, group))) continue;
      this.#read.add(file);
      refersToValues ||= VALUE_FIELDS.some((field) => this.#words.mayMention(file, field));
    }
    if (refersToValues) for (const kind of ['ConfigMap', 'Secret']) this.#readKind(kind, ['']);
  }

  #kustomizationsOf(state: 'base' | 'head'): readonly Kustomization[] {
    return this.#options[state].files
      .filter(({ file }) => this.#isReferring(file))
      .flatMap(({ file }) =>
        this.#options.reader
          .documentsOf(file)
          .documents.flatMap(({ value }) =>
            isKustomization(file.path, value) ? [{ path: file.path, content: value }] : [],
          ),
      );
  }

  /** Before anything is classified, so a template or a patch may be among them. */
  #resourcesOf(files: Iterable<SourceFile>): Resource[] {
    const { reader } = this.#options;
    return [...files].flatMap((file) =>
      reader
        .documentsOf(file)
        .documents.flatMap(({ manifest }) => (manifest === undefined ? [] : reader.resourcesOf(manifest)))
        .flatMap((result) => ('resource' in result ? [result.resource] : [])),
    );
  }
}

/** A value that every param has that a binding refers to; empty if there is none to be sure of. */
function requiredValue({ name, selector }: ParamReference): string {
  if (selector === undefined) return name;
  const [first] = objectOrEmpty(selector.get('matchLabels')).values();
  return typeof first === 'string' ? first : '';
}

/** Objects that a changed rule concerns are in files with this word; undefined: anywhere. */
function wordOfConcern(rule: Resource): string | undefined {
  // Objects without a namespace go to `default`.
  if (isNamespace(rule)) return rule.name === 'default' ? undefined : rule.name;
  if (!isCustomResourceDefinition(rule)) return undefined;
  const group = textField(objectOrEmpty(rule.value.get('spec')), 'group');
  return group === '' ? undefined : group;
}
