// Renders everything that is applied from a repository: kustomizations, charts, and declarations of controllers.
import { append } from '../../go/slices/append.ts';
import { type Resource, type ResourceResult, resourcesOf } from '../../kubernetes/api/resource.ts';
import { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import { folderOf } from '../../source/text/repository-path.ts';
import { locationFoundBy, SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import { below } from '../places/written.ts';
import type { Build, Controller, ControllerPlan, DeclarationFacts, DeclaredObject, UnknownPart } from './controller.ts';
import { Chains, isBelow } from './declaration/chains.ts';
import { chartBuild, foldersOfTemplates, type TopChart, topCharts } from './declaration/chart-folders.ts';
import { ClaimedFolders } from './declaration/claimed-folders.ts';
import {
  applied,
  type Declaration,
  declarationKey,
  declarationName,
  declarationText,
} from './declaration/declaration.ts';
import { FLUX_INSTANCE } from './declaration/declared-kinds.ts';
import { declaredRoots, withoutPresent } from './declaration/declared-root.ts';
import { knownObjects } from './declaration/known-objects.ts';
import { kustomizationBuild } from './declaration/kustomization-build.ts';
import { ANY_PART } from './declaration/possible-paths.ts';
import { RepositoryApis } from './declaration/repository-apis.ts';
import { unknownRoot, withDoubts } from './declaration/unknown-root.ts';
import { type KustomizationGraph, kustomizationGraph, type Reach } from './kustomization/kustomization-graph.ts';
import { type Remote, remoteKey } from './remote/remote.ts';
import { RemoteNeeds } from './remote/remote-needs.ts';
import { RemoteShelf } from './remote/remote-shelf.ts';
import { isBuiltAlone, type PlannedBuild, plannedRoot } from './root/planned-root.ts';
import { RenderedData } from './root/rendered-data.ts';
import type { RenderedManifest } from './root/rendered-manifest.ts';
import { isUnknown, lacksItsBase, OWN_CLUSTER_ADDRESS, type RenderedRoot } from './root/rendered-root.ts';
import { RootBuilder, type RootFacts } from './root/root-builder.ts';
import { rootInputs } from './root/root-inputs.ts';
import type { RenderedSources, SourcesInput } from './sources-input.ts';

/** 2.5 times the number in the largest known repository. Each root takes from 1 to 100 ms. */
const MAXIMUM_BUILT = 2_500;

/** Limits for chains of declarations, which may declare each other without end. */
const MAXIMUM_ROOTS = 20_000;
const MAXIMUM_DEPTH = 20;

/** Limit for passes when objects use each other's values. */
const MAXIMUM_PASSES = 4;

export function renderSources(input: SourcesInput): RenderedSources {
  const builder = input.builder ?? new RootBuilder();
  let data = new RenderedData();
  for (let pass = 1; ; pass++) {
    const sources = new SourceRun({ ...input, builder }, data).run();
    if (data.isSettled || pass === MAXIMUM_PASSES) return sources;
    data = new RenderedData(data);
  }
}

const NOTHING: Reach = { files: new Set(), folders: new Set() };

class SourceRun {
  readonly #input: SourcesInput;
  readonly #data: RenderedData;
  readonly #shelf: RemoteShelf;
  readonly #needs: RemoteNeeds;
  readonly #graph: KustomizationGraph;
  readonly #builder: RootBuilder;
  /** Reach of each root without its declaration. */
  readonly #ownReach = new Map<RenderedRoot, Reach>();
  readonly #known: DeclarationFacts;
  readonly #apis: RepositoryApis;
  readonly #hasFetched: boolean;
  readonly #roots: RenderedRoot[] = [];
  readonly #maxRoots: number;
  #built = 0;
  /** By folder: kustomizations and charts that are roots because no declaration builds them. */
  readonly #folderRoots = new Map<string, RenderedRoot>();
  readonly #chains = new Chains();
  /** Files that each root takes, without its declaration. */
  readonly #taken = new Map<RenderedRoot, Reach>();
  /** By folder: the first root in the chain of each declaration that builds it. */
  readonly #builtBy = new Map<string, Set<string>>();
  readonly #optional = new Set<RenderedManifest>();
  readonly #planned = new WeakMap<Build, PlannedBuild>();
  readonly #resources = new WeakMap<RenderedRoot['manifests'], readonly ResourceResult[]>();
  /** By cluster, kind, namespace and name; the last declaration wins. */
  readonly #byDeclaration = new Map<string, { readonly text: string; readonly roots: RenderedRoot[] }>();
  /** Declarations that are applied as they are, so that the sources they name matter. */
  readonly #followed: Resource[] = [];
  /** Files that the plan of a declaration read. */
  readonly #readBy = new WeakMap<Resource, readonly string[]>();

  constructor(input: SourcesInput, data: RenderedData) {
    this.#data = data;
    this.#shelf = new RemoteShelf(input.tree, input.remotes ?? new Map());
    this.#input = { ...input, tree: this.#shelf.tree };
    this.#needs = new RemoteNeeds(input.kustomizations, this.#shelf);
    this.#graph = kustomizationGraph(input.kustomizations, input.tree);
    this.#builder = input.builder ?? new RootBuilder();
    this.#known = knownObjects(input, this.#shelf, data);
    this.#apis = new RepositoryApis(input, this.#shelf);
    this.#hasFetched = (input.remotes?.size ?? 0) > 0;
    this.#maxRoots = input.maxRoots ?? MAXIMUM_BUILT;
  }

  run(): RenderedSources {
    const written = this.#input.resources.flatMap((resource) => {
      const controller = this.#controllerOf(resource);
      const cluster = resource.manifest.file.path;
      const isAskedFor = controller !== undefined && this.#input.isSelected(cluster);
      return isAskedFor ? [{ resource, controller, declaredBy: [], cluster }] : [];
    });
    const claims = written.map((declaration) => ({ declaration, plan: this.#planOf(declaration) }));
    const claimed = new ClaimedFolders(claims.flatMap(({ declaration, plan }) => this.#buildsOf(declaration, plan)));
    const folders = this.#graph.roots().flatMap((folder) => {
      const isAskedFor = this.#input.isSelected(this.#graph.fileIn(folder) ?? folder);
      return isAskedFor && !claimed.holds(folder)
        ? [
            {
              folder,
              build: kustomizationBuild(
                folder,
                this.#input.clusterAt(this.#graph.fileIn(folder) ?? folder).kubernetesVersion,
                this.#known.apiVersions,
              ),
            },
          ]
        : [];
    });
    this.#begin(folders.map(({ build }) => build));
    const synced = claims.flatMap(({ declaration, plan }) =>
      isInstance(declaration) ? this.#appliedBy(declaration, plan) : [],
    );
    const entries = claims.filter(({ declaration, plan }) => this.#isEntry(declaration, plan, claimed, synced));
    for (const { declaration, plan } of entries) this.#beginDeclared(declaration, plan);
    for (const { folder, build } of folders) this.#renderFolder(folder, build);
    for (const { declaration, plan } of entries) this.#declare(declaration, plan);
    // Declarations that no root leads to are still followed: another repository may apply them.
    const reached = this.#inputs();
    for (const { declaration, plan } of claims) {
      const { path } = declaration.resource.manifest.file;
      if (!this.#isKnown(declaration) && reached.get(path) !== true) this.#declare(declaration, plan);
    }
    const charts = topCharts(this.#input.paths);
    const leading = charts.filter(({ folder }) => foldersOfTemplates(folder, this.#input.tree) !== undefined);
    this.#renderCharts(leading);
    this.#dropBuiltFolders();
    this.#renderCharts(charts);
    const all = this.#allRoots();
    const roots = withoutPresent(all, this.#optional, this.#input.resources);
    const reach = this.#isPart(leading) ? undefined : this.#chains.reach(this.#chainsInput(all));
    const unrendered = this.#followed.flatMap((resource) => this.#data.unrendered(resource));
    return { roots, inputs: this.#inputs(), missing: this.#missing(roots), unrendered, ...(reach && { reach }) };
  }

  #chainsInput(roots: readonly RenderedRoot[]) {
    return {
      roots,
      reachOf: (root: RenderedRoot) => this.#taken.get(root),
      graph: this.#graph,
      paths: this.#input.paths,
      inputsOf: (isKept: (root: RenderedRoot) => boolean) => this.#inputs(undefined, isKept),
    };
  }

  /** True if a declaration outside the selection may lead to files in it. */
  #isPart(charts: readonly TopChart[]): boolean {
    const { resources, known = [], isSelected } = this.#input;
    const paths = [...resources, ...known].flatMap((resource) =>
      this.#controllerOf(resource) === undefined ? [] : [resource.manifest.file.path],
    );
    return [...paths, ...charts.map(({ file }) => file)].some((path) => !isSelected(path));
  }

  #missing(roots: readonly RenderedRoot[]): readonly Remote[] {
    const remotes = roots.flatMap((root) => {
      const missing = [root.failure, ...(root.holes ?? [])].flatMap((gap) => gap?.missing ?? []);
      return missing.length > 0 && this.#mayBeWanted(root) ? missing : [];
    });
    return [...new Map(remotes.map((remote) => [remoteKey(remote), remote])).values()];
  }

  /** A root with unknown content is assumed to be wanted. */
  #mayBeWanted(root: RenderedRoot): boolean {
    const { isWanted } = this.#input;
    if (isWanted === undefined || this.#ownReach.has(root)) return root.isUnasked !== true;
    const { reach, takes = [] } = root;
    const nothing = { own: NOTHING, takes, isDeclared: true, isOpaque: true };
    return isWanted({ ...nothing, reach, adds: () => false });
  }

  #buildsOf(declaration: Declaration, plan: ControllerPlan, depth = 0): readonly Build[] {
    const own = 'builds' in plan ? plan.builds : [];
    if (!('declares' in plan) || plan.declares === undefined || depth >= MAXIMUM_DEPTH) return own;
    const roots = this.#declared(plan.declares, declaration, declarationName(declaration.resource));
    const made = roots.flatMap((root) => this.#declarationsIn(root, declaration.cluster));
    return [...own, ...made.flatMap((next) => this.#buildsOf(next, this.#planOf(next), depth + 1))];
  }

  /** Drops kustomization roots that turn out to be built by a declaration, e.g. a rendered one, and the roots that only they led to. */
  #dropBuiltFolders(): void {
    const dropped = new Set<string>();
    for (const [folder, root] of this.#folderRoots) {
      const heads = [...(this.#builtBy.get(folder) ?? [])].filter((head) => !dropped.has(head));
      if (heads.length === 0) continue;
      this.#folderRoots.delete(folder);
      this.#roots.splice(this.#roots.indexOf(root), 1);
      // A root that builds its own folder is in its own chain; the declarations it led to stay.
      if (heads.some((head) => head !== root.name)) dropped.add(root.name);
    }
    for (const [key, { roots }] of this.#byDeclaration) {
      if (dropped.has(roots[0]?.declaredBy[0] ?? '')) this.#byDeclaration.delete(key);
    }
  }

  #controllerOf({ gvk }: Resource): Controller | undefined {
    const kind = `${gvk.group}/${gvk.kind}`;
    return this.#input.controllers.find(({ kinds }) => kinds.includes(kind));
  }

  #planOf({ controller, resource, cluster }: Declaration): ControllerPlan {
    this.#data.setCluster(resource, cluster);
    const plan = controller.plan(resource, this.#known, this.#input.tree);
    if ('reads' in plan && plan.reads !== undefined) this.#readBy.set(resource, plan.reads);
    return plan;
  }

  /**
   * True if nothing else applies the declaration's file, or if the declaration applies its own file, as in a Flux bootstrap. A FluxInstance
   * with a sync installs the controllers, so it comes before everything that applies its file.
   */
  #isEntry(declaration: Declaration, plan: ControllerPlan, claimed: ClaimedFolders, synced: readonly Build[]): boolean {
    const { path } = declaration.resource.manifest.file;
    const builds = this.#appliedBy(declaration, plan);
    if (builds.length > 0 && isInstance(declaration)) return true;
    const isIn = ({ folder }: Build): boolean => isBelow(folderOf(path), folder);
    const isOwn = builds.some(isIn) && !synced.some(isIn);
    return isOwn || (!this.#graph.isResource(path) && !claimed.takes(path));
  }

  /** A FluxInstance applies what the Kustomization in its `spec.sync` builds, as a bootstrapped Kustomization does. */
  #appliedBy(declaration: Declaration, plan: ControllerPlan): readonly Build[] {
    if (isInstance(declaration)) return this.#buildsOf(declaration, plan);
    return 'builds' in plan ? plan.builds : [];
  }

  #isKnown(declaration: Declaration): boolean {
    return this.#byDeclaration.has(declarationKey(declaration));
  }

  #declare(declaration: Declaration, plan: ControllerPlan = this.#planOf(declaration)): void {
    const { resource, declaredBy } = declaration;
    const key = declarationKey(declaration);
    const text = this.#builder.textOf(resource.value);
    if (this.#byDeclaration.get(key)?.text === text) return;
    if (this.#byDeclaration.size >= MAXIMUM_ROOTS) {
      this.#leaveOut(declaration);
      return;
    }
    const roots: RenderedRoot[] = [];
    this.#byDeclaration.set(key, { text, roots });
    const { manifest } = resource;
    const isUnread = manifest instanceof WrittenManifest && this.#graph.isResource(manifest.file.path);
    if (!isUnread) this.#followed.push(resource);
    const name = declarationName(resource);
    // Lazy, because most declarations are never located.
    const place = locationFoundBy(() => resource.locate(['kind'], 'value'));
    const location = (): SourceLocation => place;
    const unknown = 'unknown' in plan ? [plan] : (plan.unknownParts ?? []);
    this.#addToChain(declaration, this.#appliedBy(declaration, plan), unknown);
    const takes = declaration.controller.takes?.(resource) ?? [];
    const facts = { name, declaredBy, ...applied(declaration), ...(takes.length > 0 && { takes }) };
    const written = declarationText(declaration, this.#known);
    for (const part of unknown) roots.push(unknownRoot({ ...facts, location: location() }, part, written));
    if ('unknown' in plan) return;
    if (plan.declares !== undefined) append(roots, this.#declared(plan.declares, declaration, name));
    this.#beginDeclared(declaration, plan);
    for (const build of 'builds' in plan ? plan.builds : []) {
      const heads = this.#builtBy.get(build.folder);
      if (heads === undefined) this.#builtBy.set(build.folder, new Set([declaredBy[0] ?? name]));
      else heads.add(declaredBy[0] ?? name);
      const root = this.#render(
        build,
        { ...facts, location, declaration: below(resource.manifest, resource.rootPath), known: this.#known },
        this.#reachOfDeclaration(declaration),
        written,
      );
      append(roots, withDoubts(root, this.#ownReach.get(root) ?? root.reach, written));
    }
    for (const root of roots) this.#follow(root, declaration.cluster);
  }

  #addToChain(
    { resource, controller, cluster }: Declaration,
    plan: readonly Build[],
    unknown: readonly UnknownPart[],
  ): void {
    const { path } = resource.manifest.file;
    const isWritten = resource.manifest instanceof WrittenManifest;
    const builds = plan.filter(({ folder }) => !RemoteShelf.holds(folder));
    const [kind = ''] = controller.kinds;
    const name = declarationName(resource);
    this.#chains.declare(cluster, { name, kind, ...(isWritten && { path }), builds, unknown });
  }

  #leaveOut(declaration: Declaration): void {
    const { resource, declaredBy, cluster } = declaration;
    this.#chains.mayBuild(cluster, [ANY_PART]);
    const location = resource.locate(['kind'], 'value');
    const part = {
      unknown: `the limit for declarations is ${MAXIMUM_ROOTS} per run`,
      help: 'check fewer files at once',
    };
    const facts = { name: declarationName(resource), declaredBy, location };
    this.#roots.push(unknownRoot(facts, part, declarationText(declaration, this.#known)));
  }

  #declared(objects: readonly DeclaredObject[], declaration: Declaration, name: string): readonly RenderedRoot[] {
    const { resource, declaredBy } = declaration;
    const location = locationFoundBy(() => resource.locate(['kind'], 'value'));
    const reach = this.#reachOfDeclaration(declaration);
    const facts = { name, location, declaredBy, reach, ...applied(declaration) };
    return declaredRoots(objects, resource, facts, this.#optional, (text) => this.#builder.parse(text));
  }

  #reachOfDeclaration({ resource, reach, controller }: Declaration): Reach {
    const own = reach ?? { files: new Set([resource.manifest.file.path]), folders: new Set() };
    const sources = controller.sources?.(resource, this.#known) ?? [];
    const named = sources.map(({ manifest }) => manifest.file.path);
    const others = [...named, ...(this.#readBy.get(resource) ?? [])].filter((path) => !own.files.has(path));
    return others.length === 0 ? own : { ...own, files: new Set([...own.files, ...others]) };
  }

  #follow(root: RenderedRoot, cluster: string): void {
    for (const result of this.#resourcesIn(root.manifests)) {
      if ('resource' in result) this.#data.add(result.resource, cluster);
    }
    if (root.declaredBy.length >= MAXIMUM_DEPTH) return;
    for (const declaration of this.#declarationsIn(root, cluster)) this.#declare(declaration);
  }

  /** Declarations that the controller of the root applies. */
  #declarationsIn(
    { manifests, name, declaredBy, reach, destination }: RenderedRoot,
    cluster: string,
  ): readonly Declaration[] {
    return this.#resourcesIn(manifests).flatMap((result) => {
      if (!('resource' in result) || result.resource.manifest.neverApplied !== undefined) return [];
      const controller = this.#controllerOf(result.resource);
      if (controller === undefined) return [];
      // A declaration that applies itself is not its own parent.
      const by = declarationName(result.resource) === name ? declaredBy : [...declaredBy, name];
      const declared = { resource: result.resource, controller, declaredBy: by, cluster, reach };
      const isElsewhere = destination !== undefined && destination !== OWN_CLUSTER_ADDRESS;
      return [{ ...declared, ...(isElsewhere && { destination }) }];
    });
  }

  #resourcesIn(manifests: RenderedRoot['manifests']): readonly ResourceResult[] {
    const resources = this.#resources.get(manifests) ?? manifests.flatMap(resourcesOf);
    this.#resources.set(manifests, resources);
    return resources;
  }

  #renderFolder(folder: string, build: Build): void {
    const file = this.#graph.fileIn(folder) ?? folder;
    const isComponent = this.#graph.isComponent(folder);
    const facts = { name: `kustomization ${folder}`, location: () => this.#startOf(file), declaredBy: [], isComponent };
    const root = this.#render(build, facts);
    if (isComponent && lacksItsBase(root)) return;
    append(this.#roots, withDoubts(root, this.#ownReach.get(root) ?? root.reach));
    this.#folderRoots.set(folder, root);
    this.#follow(root, file);
  }

  /** Charts of the repository that nothing renders, with their default values. */
  #renderCharts(charts: readonly TopChart[]): void {
    const reached = this.#inputs(({ isUnasked }) => isUnasked === true);
    for (const { folder, file } of charts) {
      if (!this.#input.isSelected(file) || reached.has(file)) continue;
      const build = chartBuild(folder, this.#input.clusterAt(file), this.#known.apiVersions);
      const facts = { name: `chart ${folder}`, location: () => this.#startOf(file), declaredBy: [] };
      const root = this.#render(build, facts);
      append(this.#roots, withDoubts(root, this.#ownReach.get(root) ?? root.reach));
      if (!this.#folderRoots.has(folder)) this.#folderRoots.set(folder, root);
      this.#follow(root, file);
      // Another repository may install the chart with other values.
      if (this.#chains.leads(file)) this.#chains.mayBuild(file, foldersOfTemplates(folder, this.#input.tree) ?? []);
    }
  }

  /** Starts renderings that are certainly needed in parallel. Skipped with fetched charts, which exist only in this thread. */
  #begin(builds: readonly Build[], takes?: readonly string[], declared?: Reach): void {
    if (this.#hasFetched) return;
    const planned = builds.map((build) => ({ build, ...this.#plannedBuild(build, takes, declared) }));
    const wanted = planned.filter(({ isWanted }) => isWanted);
    this.#builder.begin(wanted.slice(0, Math.max(0, this.#maxRoots - this.#built)), this.#input);
  }

  #beginDeclared(declaration: Declaration, plan: ControllerPlan): void {
    const builds = 'builds' in plan ? plan.builds : [];
    if (builds.length > 0) {
      const takes = declaration.controller.takes?.(declaration.resource);
      this.#begin(builds, takes, this.#reachOfDeclaration(declaration));
    }
  }

  #plannedBuild(build: Build, takes: readonly string[] = [], declared?: Reach): PlannedBuild {
    const known = this.#planned.get(build);
    if (known !== undefined) return known;
    const own = this.#reachOf(build);
    const reach = declared === undefined ? own : this.#reachOf(build, declared);
    const isOpaque = this.#needs.mayTake(build, own);
    const root = plannedRoot(build, { reach, own, takes, isDeclared: declared !== undefined, isOpaque });
    const planned = { own, reach, isWanted: this.#input.isWanted?.(root) !== false };
    this.#planned.set(build, planned);
    return planned;
  }

  /** `declaration`: JSON of the declaring object, if there is one. */
  #render(
    build: Build,
    root: Omit<RootFacts, 'reach' | 'own' | 'answers'>,
    declared?: Reach,
    declaration = '',
  ): RenderedRoot {
    const { own, reach, isWanted } = this.#plannedBuild(build, root.takes, declared);
    const answers = this.#apis.answers(() => root.location().file.path, build);
    const made = this.#renderWanted(build, { ...root, reach, own, answers }, isWanted, declaration);
    this.#ownReach.set(made, own);
    const { request } = build;
    this.#taken.set(made, request.engine === 'files' ? { files: new Set(request.files), folders: new Set() } : own);
    return made;
  }

  #renderWanted(build: Build, facts: RootFacts, isWanted: boolean, declaration: string): RenderedRoot {
    const { own, reach, entry } = facts;
    if (!isWanted) return this.#builder.unasked(build, facts);
    if (build.request.engine !== 'files') this.#built += 1;
    if (this.#built > this.#maxRoots) return this.#builder.leftOut(build, facts, this.#maxRoots);
    const charts = this.#needs.chartsFor(build, reach);
    const assumes = [...(build.assumes ?? []), ...charts.assumes];
    const { missingFolders: missingCharts } = charts;
    const rendered = this.#builder.build({ ...build, assumes, missingCharts }, facts, this.#input);
    const made = this.#needs.explained(rendered, build, charts);
    if (made.failure === undefined) return this.#withSource(made, declaration, own);
    const { request } = build;
    if (request.engine === 'helm' && entry !== undefined && !RemoteShelf.holds(build.folder)) {
      this.#chains.mayBuild(entry, foldersOfTemplates(request.chart, this.#input.tree) ?? []);
    }
    return { ...made, source: { declaration, own } };
  }

  /** A root with holes is compared by what could change them. */
  #withSource(made: RenderedRoot, declaration: string, own: Reach): RenderedRoot {
    if (made.holes === undefined) return made;
    return { ...made, source: { declaration, own: this.#graph.transforming(own, made.inputs) } };
  }

  #reachOf(build: Build, declared?: Reach): Reach {
    if (declared === undefined && isBuiltAlone(build)) return this.#graph.reachOf(build.folder);
    const files = new Set(declared?.files);
    const folders = new Set(declared?.folders);
    const isKustomization = build.request.engine === 'kustomize';
    for (const path of [
      ...(isKustomization ? [build.folder, ...(build.alsoTakes ?? [])] : []),
      ...(build.reads ?? []),
    ]) {
      const own = this.#graph.reachOf(path);
      for (const file of own.files) files.add(file);
      for (const folder of own.folders) folders.add(folder);
    }
    if (build.takesFolder || !isKustomization) folders.add(build.folder);
    return { files, folders };
  }

  #startOf(path: string): SourceLocation {
    const file = this.#input.fileAt(path) ?? new SourceFile(path, '');
    const end = /[^\r\n]*/.exec(file.text)?.[0].length ?? 0;
    return { file, range: { start: 0, end } };
  }

  #allRoots(): readonly RenderedRoot[] {
    return [...this.#roots, ...[...this.#byDeclaration.values()].flatMap(({ roots }) => roots)];
  }

  /** `isToBe`: selects unrendered roots whose files still belong to them. */
  #inputs(
    isToBe: (root: RenderedRoot) => boolean = () => false,
    isKept: (root: RenderedRoot) => boolean = () => true,
  ): Map<string, boolean> {
    const reachOf = (root: RenderedRoot): Reach =>
      !isUnknown(root) && !isToBe(root) ? NOTHING : (this.#ownReach.get(root) ?? NOTHING);
    return rootInputs(this.#allRoots().filter(isKept), reachOf, this.#input.paths);
  }
}

function isInstance({ controller }: Declaration): boolean {
  return controller.kinds.includes(FLUX_INSTANCE);
}
