// Decides which files of two states must be read to evaluate a change. All other files are never parsed.
import { Classifier } from '../../inventory/classify.ts';
import type { DiscoveredFile, NotRead } from '../../inventory/discovered-file.ts';
import { isKustomization, type Kustomization } from '../../inventory/kustomize-references.ts';
import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { type LookedUpKind, lookedUpKinds } from '../../kubernetes/schema/plugins/looked-up-kinds.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import { kustomizationGraph } from '../../render/sources/kustomization/kustomization-graph.ts';
import type { PlannedRoot } from '../../render/sources/root/planned-root.ts';
import type { Configuration } from '../../settings/configuration.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { TextAnswers } from '../../source/text/text-answers.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { haveDeclaredClusters } from '../clusters/clusters.ts';
import type { PolicySourceState } from '../state/policy-sources.ts';
import type { DocumentReader, RepositoryContent } from '../state/read-repository.ts';
import { isNamespace, RBAC_GROUP, RuleResources, requiredValue } from '../state/rule-resources.ts';
import { changedRoots } from './changed-roots.ts';
import { affectedWord, clusterKeys, differingRules } from './changed-rules.ts';
import { FoundNeeds } from './needs.ts';
import { policiesAbout } from './policy-subjects.ts';
import { RootScope } from './root-scope.ts';
import { RootTexts, TEMPLATE } from './root-texts.ts';
import { DECLARATIONS, TextSigns } from './text-signs.ts';
import { TextWords } from './text-words.ts';

/** A file that did not change is the same SourceFile in both states. */
export interface RepositoryState {
  readonly files: readonly DiscoveredFile[];
  readonly paths: ReadonlySet<string>;
  readonly notRead: readonly NotRead[];
  /** All files of the state, for rendering engines. Absent: nothing is rendered. */
  readonly tree?: FileTree;
  /** The policy sources of the state's configuration. A source with the same version is the same object in both states. */
  readonly policySources?: readonly PolicySourceState[];
}

export interface ReadingScope {
  /** `repository`: everything is read. */
  readonly extent: 'changes' | 'repository';
  /** Paths of files that differ in either state, and of files that another file now gives a different meaning. */
  readonly changed: ReadonlySet<string>;
  /** Paths of files whose objects are evaluated: changed files, and files that a changed rule may affect. */
  readonly examined: ReadonlySet<string>;
  readonly base: readonly DiscoveredFile[];
  readonly head: readonly DiscoveredFile[];
  /** Undefined if all files are read. Reading then creates the classifiers. */
  readonly classifiers: { readonly base: Classifier; readonly head: Classifier } | undefined;
  /** All kustomizations of a state, including those outside `files`. */
  kustomizationsOf(state: 'base' | 'head'): readonly Kustomization[];
  /** What rendering needs in addition. Absent if everything is rendered. */
  readonly rendering?: {
    /** Files that are read only for references from declarations of controllers. */
    known(state: 'base' | 'head'): readonly DiscoveredFile[];
    isWanted(root: PlannedRoot): boolean;
  };
  /** True if a changed rule may affect the object, in any root. */
  isConcerned(resource: Resource): boolean;
  /** The scope that includes what the content read so far needs in addition. Undefined if nothing is missing. */
  widened(base: ScopedContent, head: ScopedContent): ReadingScope | undefined;
}

/** The content of a state that was read and rendered so far. */
export type ScopedContent = Pick<RepositoryContent, 'resources' | 'roots' | 'inputs'>;

export interface ScopeOptions {
  readonly base: RepositoryState;
  readonly head: RepositoryState;
  readonly configuration: Configuration;
  readonly languages: readonly PolicyLanguage[];
  readonly reader: DocumentReader;
  /** Cached answers about file texts. */
  readonly answers?: TextAnswers;
  /** Resources of the policy sources of both states. */
  readonly given?: { readonly base: readonly Resource[]; readonly head: readonly Resource[] };
  /** Read everything, independent of the change. */
  readonly everything: boolean;
  /** Paths of all changed files, of any type. */
  readonly touched?: readonly string[];
  /** True for kinds without a CustomResourceDefinition. */
  isBuiltin(gvk: GroupVersionKind): boolean;
}

export function readingScope(options: ScopeOptions): ReadingScope {
  return new ScopeFinder(options).find();
}

const VALUE_FIELDS = ['substituteFrom', 'valuesFrom'];
const RBAC_KINDS = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];
/** The suffix that kustomize adds to the name of a generated object. */
const GENERATED_HASH = /-[bcdfghkmt2456789]{10}$/;
const DATA_KINDS = ['ConfigMap', 'Secret'] as const;

class ScopeFinder {
  readonly #options: ScopeOptions;
  readonly #words: TextWords;
  readonly #signs: TextSigns;
  readonly #all: ReadonlySet<SourceFile>;
  readonly #read = new Set<SourceFile>();
  readonly #examined = new Set<SourceFile>();
  readonly #policyFiles: readonly SourceFile[];
  readonly #rules: RuleResources;
  readonly #referring: readonly SourceFile[];
  #changed: ReadonlySet<SourceFile> = new Set();
  #made: { readonly base: Classifier; readonly head: Classifier } | undefined;
  /** Files that are not manifests but that something may be rendered from. */
  #rendered: readonly SourceFile[] | undefined;
  /** Those that may render policies or declare roots. */
  #counted: readonly SourceFile[] | undefined;
  #texts: RootTexts | undefined;
  readonly #kustomizations = new Map<'base' | 'head', readonly Kustomization[]>();
  readonly #needs = new FoundNeeds();

  constructor(options: ScopeOptions) {
    this.#options = options;
    this.#words = new TextWords(options.answers);
    this.#signs = new TextSigns(this.#words, options.languages);
    this.#all = new Set([...options.head.files, ...options.base.files].map(({ file }) => file));
    this.#policyFiles = [...this.#all].filter((file) => this.#signs.mayHavePolicy(file));
    this.#referring = [...this.#all].filter((file) => this.#signs.isReferring(file));
    this.#rules = new RuleResources(options.languages, [...this.#resourcesOf(this.#policyFiles), ...this.#given()]);
  }

  /** Resources of the policy sources of both states. */
  #given(): ReadonlySet<Resource> {
    const { given } = this.#options;
    return new Set([...(given?.head ?? []), ...(given?.base ?? [])]);
  }

  find(): ReadingScope {
    const { everything } = this.#options;
    this.#changed = this.#changedFiles(this.#referring);
    for (const file of this.#changed) this.#examined.add(file);
    if (everything || !this.#examineWhatRulesConcern()) return this.#whole();
    return this.#part();
  }

  #whole(): ReadingScope {
    const { base, head } = this.#options;
    return {
      extent: 'repository',
      changed: pathsOf(this.#changed),
      examined: pathsOf(this.#all),
      base: base.files,
      head: head.files,
      classifiers: undefined,
      kustomizationsOf: (state) => this.#kustomizationsOf(state),
      isConcerned: () => true,
      widened: () => undefined,
    };
  }

  #part(): ReadingScope {
    const { base, head, touched = [] } = this.#options;
    for (const file of [...this.#policyFiles, ...this.#examined]) this.#read.add(file);
    for (const { file } of base.files) if (this.#signs.maySetUpServer(file)) this.#read.add(file);
    this.#readFacts();
    for (const file of this.#isRendering ? this.#all : []) if (this.#signs.mayDeclare(file)) this.#read.add(file);
    for (const name of this.#needs.spaces) {
      for (const file of this.#all) if (this.#words.mayMention(file, name)) this.#read.add(file);
    }
    const changed = pathsOf(this.#changed);
    const needs = this.#needs;
    const classifiers = this.#classifiers(this.#referring);
    const isRead = ({ file }: DiscoveredFile): boolean => this.#read.has(file) && !this.#isTemplate(file, classifiers);
    return {
      extent: 'changes',
      changed,
      examined: pathsOf(this.#examined),
      base: base.files.filter(isRead),
      head: head.files.filter(isRead),
      classifiers,
      kustomizationsOf: (state) => this.#kustomizationsOf(state),
      ...(this.#isRendering && {
        rendering: { known: this.#knownFiles(), isWanted: this.#wantedRoots([...changed, ...touched]) },
      }),
      isConcerned: (resource) => needs.concerns(resource),
      widened: (ofBase, ofHead) => this.#widened(ofBase, ofHead),
    };
  }

  /** True for a template of a chart that neither state reads by itself. Encrypted files are always read. */
  #isTemplate(file: SourceFile, { base, head }: NonNullable<ReadingScope['classifiers']>): boolean {
    if (this.#examined.has(file) || base.placeReason(file.path) !== 'helm-template') return false;
    return head.placeReason(file.path) === 'helm-template' && !this.#words.mayMention(file, 'sops');
  }

  get #isRendering(): boolean {
    return this.#options.head.tree !== undefined;
  }

  /** Includes unchanged files that another file now gives a different meaning. */
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

  /** One classifier for both states, if no file that classifies others changed and no path was added or deleted. */
  #classifiers(referring: readonly SourceFile[]): { readonly base: Classifier; readonly head: Classifier } {
    if (this.#made !== undefined) return this.#made;
    const forBoth = this.#classifier(this.#options.head, referring);
    this.#made = { base: forBoth, head: forBoth };
    return this.#made;
  }

  #classifier({ files, paths }: RepositoryState, referring: readonly SourceFile[]): Classifier {
    const inState = new Set(files.map(({ file }) => file));
    const documents = referring
      .filter((file) => inState.has(file))
      .map((file) => this.#options.reader.documentsOf(file));
    return new Classifier(paths, documents, this.#options.configuration);
  }

  /** False if a changed rule may affect any object, so that everything must be read. */
  #examineWhatRulesConcern(): boolean {
    return !this.#rules.hasPolicies || this.#examineConcerned(this.#changedRules(this.#rules, this.#changed));
  }

  #examineConcerned(changedRules: readonly Resource[]): boolean {
    for (const rule of changedRules) {
      const word = affectedWord(rule);
      if (word === undefined) return false;
      this.#needs.words.add(word);
      for (const file of this.#all) if (this.#words.mayMention(file, word)) this.#examined.add(file);
    }
    return true;
  }

  #changedRules(rules: RuleResources, changed: ReadonlySet<SourceFile>): readonly Resource[] {
    const { base, head } = this.#options;
    const { given = { base: [], head: [] } } = this.#options;
    const rulesOf = ({ files }: RepositoryState, fromSources: readonly Resource[]): Resource[] => {
      const written = this.#resourcesOf(files.map(({ file }) => file).filter((file) => changed.has(file)));
      return [...written, ...fromSources].filter((resource) => rules.isRule(resource));
    };
    return differingRules(rulesOf(base, given.base), rulesOf(head, given.head));
  }

  /** Reads objects that policies and admission plugins may use when they evaluate the examined objects. */
  #readFacts(): void {
    this.#readFactsOf(this.#resourcesOf(this.#examined), [...this.#resourcesOf(this.#policyFiles), ...this.#given()]);
  }

  #readFactsOf(objects: readonly Resource[], resources: readonly Resource[]): void {
    const { isBuiltin, languages } = this.#options;
    const policies = resources.filter((resource) => this.#rules.isPolicy(resource));
    const subjects = new Map(objects.map(({ gvk }) => [`${gvk.group}/${gvk.kind}`, gvk]));
    const about = policiesAbout(
      policies,
      [...subjects.values()].map((gvk) => ({ ...gvk, isBuiltin: isBuiltin(gvk) })),
    );
    const rules = new RuleResources(languages, about);
    const paramGroups = rules.references.flatMap(({ kinds }) => kinds.map(({ group }) => group));
    const groups = new Set(paramGroups.filter((group) => group !== ''));
    const namespaces = new Set<string>();
    const lookedUp = new Map<string, LookedUpKind>();
    for (const { gvk, namespace, manifest } of objects) {
      if (!this.#options.isBuiltin(gvk)) groups.add(gvk.group);
      namespaces.add(namespace || manifest.defaultNamespace || 'default');
      for (const each of lookedUpKinds(gvk)) lookedUp.set(each.kind, each);
    }
    this.#readKind('Namespace', namespaces);
    this.#readKind('CustomResourceDefinition', groups);
    this.#readKind('APIService', groups);
    for (const { kinds, objects: references } of rules.references) {
      for (const { kind } of kinds) {
        for (const each of references) {
          this.#readKind(kind, [requiredValue(each)]);
          // Rendering may add labels to any object.
          if (each.selector !== undefined) this.#needs.object(kind, '');
        }
      }
    }
    for (const { kind, namespaced } of lookedUp.values()) this.#readKind(kind, namespaced ? namespaces : ['']);
    if (!rules.asksAuthorizer) return;
    for (const file of this.#all) if (this.#words.mayMention(file, RBAC_GROUP)) this.#read.add(file);
    for (const kind of RBAC_KINDS) this.#needs.object(kind, '');
  }

  /** Reads files that contain the kind and one of the values, and requests roots that may apply them. An empty value matches any. */
  #readKind(kind: string, values: Iterable<string>): void {
    const wanted = [...values].filter((value) => this.#needs.object(kind, value));
    if (wanted.length === 0) return;
    const candidates = [...this.#all].filter((file) => this.#words.mayHaveKind(file, kind));
    for (const value of wanted) {
      for (const file of candidates) if (this.#words.mayHaveObject(file, kind, value)) this.#read.add(file);
    }
  }

  /** Files with objects that declarations refer to or that charts look up in the cluster. */
  #knownFiles(): (state: 'base' | 'head') => readonly DiscoveredFile[] {
    const words = this.#words;
    const known = new Set<SourceFile>();
    let refersToValues = false;
    for (const file of this.#all) {
      const isDeclaring = DECLARATIONS.some(({ group }) => words.mayMention(file, group));
      const isAsked = [...this.#needs.groups].some((group) => words.mayMention(file, group));
      if (isDeclaring || isAsked || words.mayHaveKind(file, 'CustomResourceDefinition')) known.add(file);
      refersToValues ||= isDeclaring && VALUE_FIELDS.some((field) => words.mayMention(file, field));
    }
    const kinds = refersToValues ? DATA_KINDS : [];
    for (const file of this.#all) if (kinds.some((kind) => words.mayHaveKind(file, kind))) known.add(file);
    const read = new Set(this.#read);
    return (state) => this.#options[state].files.filter(({ file }) => known.has(file) && !read.has(file));
  }

  #wantedRoots(touched: readonly string[]): (root: PlannedRoot) => boolean {
    const { base, head } = this.#options;
    const rendered = this.#renderedFiles();
    this.#counted ??= rendered.filter((file) => this.#signs.mayMakePolicy(file) || this.#signs.mayDeclare(file));
    this.#texts ??= new RootTexts(this.#words, [...this.#all, ...rendered]);
    const scope = new RootScope(
      {
        texts: this.#texts,
        touched,
        read: [...this.#read, ...this.#counted].map(({ path }) => path),
        archives: [...base.paths, ...head.paths].filter((path) => path.endsWith('.tgz')),
      },
      this.#needs.copy(),
    );
    return (root) => scope.isWanted(root);
  }

  #renderedFiles(): readonly SourceFile[] {
    this.#rendered ??= (['base', 'head'] as const).flatMap((state) => {
      const { files, paths, tree } = this.#options[state];
      const discovered = new Set(files.map(({ file }) => file.path));
      const graph = kustomizationGraph(this.#kustomizationsOf(state));
      const others = [...paths].filter(
        (path) => !discovered.has(path) && (TEMPLATE.test(path) || graph.isResource(path)),
      );
      return others.flatMap((path) => {
        const bytes = tree?.read(path);
        return bytes === undefined ? [] : [new SourceFile(path, new TextDecoder().decode(bytes))];
      });
    });
    return this.#rendered;
  }

  #widened(base: ScopedContent, head: ScopedContent): ReadingScope | undefined {
    if (!this.#isRendering) return undefined;
    const before = this.#needs.count + this.#examined.size;
    for (const { asksFor = [] } of [...base.roots, ...head.roots])
      for (const group of asksFor) this.#needs.groups.add(group);
    const swallowed = this.#examineSwallowed(base, head);
    const found = [...base.resources, ...head.resources];
    const all = found.map(({ resource }) => resource);
    const rules = new RuleResources(this.#options.languages, all);
    const roots = changedRoots(base.roots, head.roots);
    const changedIn = (content: ScopedContent): readonly Resource[] =>
      content.resources.flatMap(({ resource, root }) => {
        const isChanged = root === undefined ? swallowed.has(resource.manifest.file.path) : roots.has(root.name);
        return isChanged ? [resource] : [];
      });
    const [was, is] = [changedIn(base), changedIn(head)];
    if (rules.hasPolicies) {
      const rulesIn = (resources: readonly Resource[]): readonly Resource[] =>
        resources.filter((resource) => rules.isRule(resource));
      const differing = differingRules(rulesIn(was), rulesIn(is), clusterKeys(found));
      if (!this.#examineConcerned(differing)) return this.#whole();
    }
    const concerned = found.filter(({ resource, root }) => root !== undefined && this.#needs.concerns(resource));
    const rendered = [...was, ...is, ...concerned.map(({ resource }) => resource)];
    if (rules.hasPolicies) this.#readFactsOf([...rendered, ...this.#resourcesOf(this.#examined)], all);
    this.#needChanged(was, is);
    for (const { takes = [], isUnasked } of [...base.roots, ...head.roots]) {
      if (isUnasked !== true) for (const kind of DATA_KINDS) for (const name of takes) this.#needs.object(kind, name);
    }
    if (!haveDeclaredClusters(base.roots) || !haveDeclaredClusters(head.roots)) this.#needOverlays(base, head, rules);
    return this.#needs.count + this.#examined.size === before ? undefined : this.#part();
  }

  /** Unchanged files that a root starts or stops reading, so that they are applied differently. */
  #examineSwallowed(base: ScopedContent, head: ScopedContent): ReadonlySet<string> {
    const paths = new Set(
      [...base.inputs.keys(), ...head.inputs.keys()].filter((path) => base.inputs.get(path) !== head.inputs.get(path)),
    );
    for (const file of paths.size === 0 ? [] : this.#all) if (paths.has(file.path)) this.#examined.add(file);
    return paths;
  }

  /** Needs the other versions of changed objects for the same cluster, and the roots that read values from them. */
  #needChanged(was: readonly Resource[], is: readonly Resource[]): void {
    // An object that was rendered in base and is written in head has changed.
    const textOf = ({ manifest }: Resource): string | undefined =>
      'text' in manifest ? String(manifest.text) : undefined;
    const [before, now] = [was, is].map(
      (resources) => new Set(resources.flatMap((resource) => textOf(resource) ?? [])),
    );
    const isIn = (texts: ReadonlySet<string> | undefined, resource: Resource): boolean =>
      texts?.has(textOf(resource) ?? '') === true;
    const changed = [
      ...was.filter((resource) => !isIn(now, resource)),
      ...is.filter((resource) => !isIn(before, resource)),
      ...this.#resourcesOf(this.#changed),
    ];
    const old = new Set(was.filter(isNamespace).map(({ name }) => name));
    for (const resource of changed) {
      const { gvk, name } = resource;
      if (name === '') continue;
      if (isNamespace(resource) && !old.has(name)) this.#needs.spaces.add(name);
      const isData = gvk.group === '' && (gvk.kind === 'ConfigMap' || gvk.kind === 'Secret');
      if (isData) this.#needs.changedData.add(name);
      this.#readKind(gvk.kind, [isData ? name.replace(GENERATED_HASH, '') : name]);
    }
  }

  #needOverlays(base: ScopedContent, head: ScopedContent, rules: RuleResources): void {
    const params = rules.references.flatMap(({ kinds }) => kinds.map(({ kind }) => kind));
    const shared = new Set<string>();
    for (const { roots } of [base, head]) {
      const seen = new Set<string>();
      for (const { entry, reach } of roots) {
        for (const file of entry === undefined ? reach.files : []) {
          if (seen.has(file)) shared.add(file);
          seen.add(file);
        }
      }
    }
    this.#needs.overlays = { kinds: new Set(['Namespace', 'CustomResourceDefinition', ...params]), shared };
  }

  #kustomizationsOf(state: 'base' | 'head'): readonly Kustomization[] {
    const known = this.#kustomizations.get(state);
    if (known !== undefined) return known;
    const referring = new Set(this.#referring);
    const found = this.#options[state].files
      .filter(({ file }) => referring.has(file))
      .flatMap(({ file }) =>
        this.#options.reader
          .documentsOf(file)
          .documents.flatMap(({ value }) =>
            isKustomization(file.path, value) ? [{ path: file.path, content: value }] : [],
          ),
      );
    this.#kustomizations.set(state, found);
    return found;
  }

  /** Runs before classification, so the result may contain templates and patches. */
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

function pathsOf(files: Iterable<SourceFile>): ReadonlySet<string> {
  return new Set([...files].map(({ path }) => path));
}
