// Renders everything that is applied from a repository: kustomizations, charts, and declarations of controllers.
import { append } from '../../go/slices/append.ts';
import type { Kustomization } from '../../inventory/kustomize-references.ts';
import { type Resource, type ResourceResult, resourcesOf } from '../../kubernetes/api/resource.ts';
import { stringifyJson } from '../../source/json/json.ts';
import { baseName, folderOf } from '../../source/text/repository-path.ts';
import { locationFoundBy, SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { RenderEngine } from '../engine/render-engine.ts';
import { below } from '../places/written.ts';
import { type ChartReference, chartKey, type FetchedCharts } from './chart-reference.ts';
import { ChartShelf } from './chart-shelf.ts';
import { ClaimedFolders } from './claimed-folders.ts';
import type { Build, Controller, ControllerPlan, DeclarationFacts, DeclaredObject, UnknownPart } from './controller.ts';
import { applied, type Declaration, declarationKey, declarationName } from './declaration.ts';
import { declaredRoots, withoutPresent } from './declared-root.ts';
import { HelmCharts } from './helm-charts.ts';
import { knownObjects } from './known-objects.ts';
import { type KustomizationGraph, kustomizationGraph, type Reach, reaches } from './kustomization-graph.ts';
import { type PlannedRoot, plannedRoot } from './planned-root.ts';
import { RenderedData } from './rendered-data.ts';
import type { RenderedManifest } from './rendered-manifest.ts';
import { lacksItsBase, OWN_CLUSTER_ADDRESS, type RenderedRoot, type RootFailure } from './rendered-root.ts';
import { RootBuilder, type RootFacts } from './root-builder.ts';
import { unknownRoot } from './unknown-root.ts';

export interface SourcesInput {
  /** Objects in manifest files, before rendering. */
  readonly resources: readonly Resource[];
  readonly kustomizations: readonly Kustomization[];
  readonly paths: ReadonlySet<string>;
  readonly tree: FileTree;
  /** Loads the engine on first use. */
  readonly engine: () => RenderEngine;
  readonly controllers: readonly Controller[];
  readonly kubernetesVersion: string;
  /** Known texts of ConfigMaps and Secrets that only the cluster has, by `Kind/namespace/name`, then by key. May be incomplete. */
  readonly clusterData?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly charts?: FetchedCharts;
  /** A file of the repository, for locations. */
  fileAt(path: string): SourceFile | undefined;
  /** False for files outside the selection; their declarations are ignored. */
  isSelected(path: string): boolean;
  /** Further resources that declarations may refer to. Their own declarations are ignored. */
  readonly known?: readonly Resource[];
  /** Selects the roots to render; absent: all. The result contains other roots without their objects. */
  isWanted?(root: PlannedRoot): boolean;
  /** Caches of an earlier state of the same repository. */
  readonly builder?: RootBuilder;
  /** Maximum number of roots to build; further roots fail with a message. */
  readonly maxRoots?: number;
}

/** Two and a half times the number in the largest known repository. Each root takes from 1 to 100 ms. */
const MAXIMUM_BUILT = 2_500;

export interface RenderedSources {
  readonly roots: readonly RenderedRoot[];
  /** By path of a file that is evaluated through roots: true if at least one of them was rendered. */
  readonly inputs: ReadonlyMap<string, boolean>;
  /** Distinct charts that must be fetched to render more. */
  readonly missingCharts: readonly ChartReference[];
}

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

interface PlannedBuild {
  readonly own: Reach;
  readonly reach: Reach;
  readonly isWanted: boolean;
}

const NOTHING: Reach = { files: new Set(), folders: new Set() };

class SourceRun {
  readonly #input: SourcesInput;
  readonly #data: RenderedData;
  readonly #shelf: ChartShelf;
  readonly #helmCharts: HelmCharts;
  readonly #graph: KustomizationGraph;
  readonly #builder: RootBuilder;
  /** Reach of each root without its declaration. */
  readonly #ownReach = new Map<RenderedRoot, Reach>();
  readonly #known: DeclarationFacts;
  readonly #hasFetched: boolean;
  readonly #roots: RenderedRoot[] = [];
  readonly #maxRoots: number;
  #built = 0;
  /** By folder: kustomizations that are roots because no declaration builds them. */
  readonly #folderRoots = new Map<string, RenderedRoot>();
  /** By folder: the first root in the chain of each declaration that builds it. */
  readonly #builtBy = new Map<string, Set<string>>();
  readonly #optional = new Set<RenderedManifest>();
  readonly #planned = new WeakMap<Build, PlannedBuild>();
  readonly #resources = new WeakMap<RenderedRoot['manifests'], readonly ResourceResult[]>();
  /** By cluster, kind, namespace and name; the last declaration wins. */
  readonly #byDeclaration = new Map<string, { readonly text: string; readonly roots: RenderedRoot[] }>();

  constructor(input: SourcesInput, data: RenderedData) {
    this.#data = data;
    this.#shelf = new ChartShelf(input.tree, input.charts ?? new Map());
    this.#input = { ...input, tree: this.#shelf.tree };
    this.#helmCharts = new HelmCharts(input.kustomizations, this.#shelf);
    this.#graph = kustomizationGraph(input.kustomizations);
    this.#builder = input.builder ?? new RootBuilder();
    this.#known = knownObjects(input, this.#shelf, data);
    this.#hasFetched = (input.charts?.size ?? 0) > 0;
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
      return isAskedFor && !claimed.holds(folder) ? [{ folder, build: this.#folderBuild(folder) }] : [];
    });
    this.#begin(folders.map(({ build }) => build));
    const entries = claims.filter(({ declaration, plan }) => this.#isEntry(declaration, plan, claimed));
    for (const { declaration, plan } of entries) this.#beginDeclared(declaration, plan);
    for (const { folder, build } of folders) this.#renderFolder(folder, build);
    for (const { declaration, plan } of entries) this.#declare(declaration, plan);
    // Declarations that no root leads to are still followed: another repository may apply them.
    const reached = this.#inputs();
    for (const { declaration, plan } of claims) {
      const { path } = declaration.resource.manifest.file;
      if (!this.#isKnown(declaration) && reached.get(path) !== true) this.#declare(declaration, plan);
    }
    this.#dropBuiltFolders();
    this.#renderCharts();
    const roots = withoutPresent(this.#allRoots(), this.#optional, this.#input.resources);
    return { roots, inputs: this.#inputs(), missingCharts: this.#missingCharts(roots) };
  }

  #missingCharts(roots: readonly RenderedRoot[]): readonly ChartReference[] {
    const charts = roots.flatMap((root) => {
      const missing = root.failure?.charts ?? [];
      return missing.length > 0 && this.#mayBeWanted(root) ? missing : [];
    });
    return [...new Map(charts.map((chart) => [chartKey(chart), chart])).values()];
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
    return controller.plan(resource, this.#known, this.#input.tree);
  }

  /** True if nothing else applies the declaration's file, or if the declaration applies its own file, as in a Flux bootstrap. */
  #isEntry({ resource }: Declaration, plan: ControllerPlan, claimed: ClaimedFolders): boolean {
    const { path } = resource.manifest.file;
    const isOwn = 'builds' in plan && plan.builds.some((build) => isBelow(folderOf(path), build.folder));
    return isOwn || (!this.#graph.isResource(path) && !claimed.takes(path));
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
    const name = declarationName(resource);
    // Lazy, because most declarations are never located.
    const place = locationFoundBy(() => resource.locate(['kind'], 'value'));
    const location = (): SourceLocation => place;
    const unknown = 'unknown' in plan ? [plan] : (plan.unknownParts ?? []);
    const takes = declaration.controller.takes?.(resource) ?? [];
    const facts = { name, declaredBy, ...applied(declaration), ...(takes.length > 0 && { takes }) };
    for (const part of unknown)
      roots.push(unknownRoot({ ...facts, location: location() }, part, declarationText(resource)));
    if ('unknown' in plan) return;
    if (plan.declares !== undefined) append(roots, this.#declared(plan.declares, declaration, name));
    this.#beginDeclared(declaration, plan);
    for (const build of 'builds' in plan ? plan.builds : []) {
      const heads = this.#builtBy.get(build.folder);
      if (heads === undefined) this.#builtBy.set(build.folder, new Set([declaredBy[0] ?? name]));
      else heads.add(declaredBy[0] ?? name);
      const written = below(resource.manifest, resource.rootPath);
      const root = this.#render(
        build,
        { ...facts, location, declaration: written, known: this.#known },
        this.#reachOfDeclaration(declaration),
        declarationText(resource),
      );
      roots.push(root);
    }
    for (const root of roots) this.#follow(root, declaration.cluster);
  }

  #leaveOut({ resource, declaredBy }: Declaration): void {
    const location = resource.locate(['kind'], 'value');
    const part = {
      unknown: `the limit for declarations is ${MAXIMUM_ROOTS} per run`,
      help: 'check fewer files at once',
    };
    this.#roots.push(
      unknownRoot({ name: declarationName(resource), declaredBy, location }, part, declarationText(resource)),
    );
  }

  #declared(objects: readonly DeclaredObject[], declaration: Declaration, name: string): readonly RenderedRoot[] {
    const { resource, declaredBy } = declaration;
    const location = locationFoundBy(() => resource.locate(['kind'], 'value'));
    const reach = this.#reachOfDeclaration(declaration);
    const facts = { name, location, declaredBy, reach, ...applied(declaration) };
    return declaredRoots(objects, resource, facts, this.#optional, (text) => this.#builder.parse(text));
  }

  #reachOfDeclaration({ resource, reach }: Declaration): Reach {
    return reach ?? { files: new Set([resource.manifest.file.path]), folders: new Set() };
  }

  #follow(root: RenderedRoot, cluster: string): void {
    for (const result of this.#resourcesIn(root.manifests)) {
      if ('resource' in result) this.#data.add(result.resource, cluster);
    }
    if (root.declaredBy.length >= MAXIMUM_DEPTH) return;
    for (const declaration of this.#declarationsIn(root, cluster)) this.#declare(declaration);
  }

  #declarationsIn(
    { manifests, name, declaredBy, reach, destination }: RenderedRoot,
    cluster: string,
  ): readonly Declaration[] {
    return this.#resourcesIn(manifests).flatMap((result) => {
      const controller = 'resource' in result ? this.#controllerOf(result.resource) : undefined;
      if (!('resource' in result) || controller === undefined) return [];
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

  #folderBuild(folder: string): Build {
    return {
      request: {
        engine: 'kustomize',
        root: folder === '.' ? '' : folder,
        anyFile: true,
        enableHelm: true,
        kubernetesVersion: this.#input.kubernetesVersion,
        apiVersions: this.#known.apiVersions,
      },
      folder,
    };
  }

  #renderFolder(folder: string, build: Build): void {
    const file = this.#graph.fileIn(folder) ?? folder;
    const facts = { name: `kustomization ${folder}`, location: () => this.#startOf(file), declaredBy: [] };
    const root = this.#render(build, facts);
    if (this.#graph.isComponent(folder) && lacksItsBase(root)) return;
    this.#roots.push(root);
    this.#folderRoots.set(folder, root);
    this.#follow(root, file);
  }

  /** Charts of the repository that nothing renders, with their default values. */
  #renderCharts(): void {
    const reached = this.#inputs(({ isUnasked }) => isUnasked === true);
    for (const path of this.#input.paths) {
      const folder = folderOf(path);
      if (baseName(path) !== 'Chart.yaml' || !this.#input.isSelected(path)) continue;
      if (reached.has(path) || this.#isInsideChart(folder)) continue;
      const releaseName = folder === '.' ? 'chart' : baseName(folder);
      const root = this.#render(
        {
          request: {
            engine: 'helm',
            chart: folder === '.' ? '' : folder,
            releaseName,
            namespace: 'default',
            includeCrds: true,
            skipTests: true,
            kubernetesVersion: this.#input.kubernetesVersion,
            apiVersions: this.#known.apiVersions,
          },
          folder,
          asksCluster: true,
        },
        { name: `chart ${folder}`, location: () => this.#startOf(path), declaredBy: [] },
      );
      this.#roots.push(root);
    }
  }

  #isInsideChart(folder: string): boolean {
    const [, above] = /^(?:(.*)\/)?charts\//.exec(folder) ?? [];
    if (!/(?:^|\/)charts\//.test(folder)) return false;
    return this.#input.paths.has(above === undefined ? 'Chart.yaml' : `${above}/Chart.yaml`);
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
    const isOpaque = this.#hasFetched && this.#helmCharts.mayTake(build, own);
    const root = plannedRoot(build, { reach, own, takes, isDeclared: declared !== undefined, isOpaque });
    const planned = { own, reach, isWanted: this.#input.isWanted?.(root) !== false };
    this.#planned.set(build, planned);
    return planned;
  }

  /** `declaration`: JSON of the declaring object, if there is one. */
  #render(build: Build, root: Omit<RootFacts, 'reach' | 'own'>, declared?: Reach, declaration = ''): RenderedRoot {
    const { own, reach, isWanted } = this.#plannedBuild(build, root.takes, declared);
    const facts = { ...root, reach, own };
    if (!isWanted) {
      const unasked = this.#builder.unasked(build, facts);
      this.#ownReach.set(unasked, own);
      return unasked;
    }
    if (build.request.engine !== 'files') this.#built += 1;
    if (this.#built > this.#maxRoots) {
      const left = this.#builder.leftOut(build, facts, this.#maxRoots);
      this.#ownReach.set(left, own);
      return left;
    }
    const charts = this.#helmCharts.neededBy(build, reach);
    const assumes = [...(build.assumes ?? []), ...charts.assumes];
    const made = this.#builder.build({ ...build, assumes }, facts, this.#input);
    const { missing, failures } = charts;
    const failure = made.failure && withCharts(made.failure, missing, failures);
    const built = failure === undefined ? made : { ...made, failure, source: { declaration, own } };
    this.#ownReach.set(built, own);
    return built;
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
    const file = this.#input.fileAt(path) ?? emptyFile(path);
    const end = /[^\r\n]*/.exec(file.text)?.[0].length ?? 0;
    return { file, range: { start: 0, end } };
  }

  #allRoots(): readonly RenderedRoot[] {
    return [...this.#roots, ...[...this.#byDeclaration.values()].flatMap(({ roots }) => roots)];
  }

  /** `isToBe`: selects unrendered roots whose files still belong to them. */
  #inputs(isToBe: (root: RenderedRoot) => boolean = () => false): Map<string, boolean> {
    const inputs = new Map<string, boolean>();
    // Merged first, so that each path is tested once for all roots.
    const files = new Set<string>();
    const folders = new Set<string>();
    for (const root of this.#allRoots()) {
      const { failure } = root;
      for (const file of root.inputs) inputs.set(file, inputs.get(file) === true || failure === undefined);
      const isBuilt = failure === undefined && !isToBe(root);
      const reach = isBuilt ? NOTHING : (this.#ownReach.get(root) ?? NOTHING);
      for (const file of reach.files) files.add(file);
      for (const folder of reach.folders) folders.add(folder);
    }
    if (files.size + folders.size === 0) return inputs;
    for (const file of this.#input.paths) {
      if (!inputs.has(file) && reaches({ files, folders }, file)) inputs.set(file, false);
    }
    return inputs;
  }
}

function isBuiltAlone({ request, alsoTakes = [], reads = [], takesFolder }: Build): boolean {
  return request.engine === 'kustomize' && alsoTakes.length + reads.length === 0 && takesFolder !== true;
}

function isBelow(folder: string, top: string): boolean {
  return top === '.' || folder === top || folder.startsWith(`${top}/`);
}

/** A failed build with a missing chart reports why the chart is missing instead of the engine's message. */
function withCharts(
  failure: RootFailure,
  charts: readonly ChartReference[],
  [unknown]: readonly UnknownPart[],
): RootFailure {
  const isAboutCharts = failure.reason === 'helm-chart' || failure.reason === 'missing-dependency';
  if (!isAboutCharts || unknown === undefined) return failure;
  return { ...failure, message: unknown.unknown, help: unknown.help, charts };
}

function emptyFile(path: string): SourceFile {
  return new SourceFile(path, '');
}

/** Sorted, so that a reordered object is the same object. */
function declarationText({ value }: Resource): string {
  return stringifyJson(value, { sortKeys: true, escapeHtml: false });
}
