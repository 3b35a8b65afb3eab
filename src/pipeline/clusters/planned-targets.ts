// The targets of one state: those of the configuration. If it has none, one for each cluster that is found in the repository.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Target } from '../../engine/target/target.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import type { Unknown } from '../../policy/evaluation/unknown.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import type { Configuration, ConfiguredTarget } from '../../settings/configuration.ts';
import { compileGlobs } from '../../settings/path-filter.ts';
import { baseName, foldersAbove } from '../../source/text/repository-path.ts';
import { languagesOf } from '../state/languages.ts';
import type { FoundResource, RepositoryContent } from '../state/read-repository.ts';
import { isPolicyOf, RuleResources } from '../state/rule-resources.ts';
import { appliedRoots } from '../state/unreached.ts';
import { type Clusters, clustersOf, MAXIMUM_CLUSTERS } from './clusters.ts';
import { type Contradictions, contradictions } from './contradictions.ts';
import { DeclaredServers, type DeclaredSettings, withServer } from './declared-servers.ts';

export interface PlannedTarget {
  readonly configured: ConfiguredTarget;
  /** Where the cluster was found. Absent for a configured target and for the target that contains everything. */
  readonly derivedFrom?: string;
  /** False for resources of other clusters. Absent: all resources may belong to the target. */
  readonly belongs?: (found: FoundResource) => boolean;
  /** What files declare about the target's server; `configured` contains it. */
  readonly declared?: DeclaredSettings;
}

/** At least one, in the order of the configuration or sorted by name. */
export function plannedTargets(
  configuration: Configuration,
  clusters: Clusters,
  content: Pick<RepositoryContent, 'servers' | 'paths'>,
): readonly PlannedTarget[] {
  const [whole] = configuration.targets;
  if (configuration.hasWrittenTargets || clusters.all.length < 2 || whole === undefined) {
    const planned = configuration.targets.map((configured) => ({ configured }));
    return withDeclaredServers(planned, clusters, content);
  }
  const planned = clusters.all.map(({ name, from }) => ({
    configured: { ...whole, name },
    derivedFrom: from,
    belongs: belongsTo(name, clusters, languagesOf(whole)),
  }));
  return withDeclaredServers(planned, clusters, content);
}

/** Adds what the files of a state declare about the servers of the targets. */
export function withDeclaredServers(
  targets: readonly PlannedTarget[],
  clusters: Clusters,
  { servers, paths }: Pick<RepositoryContent, 'servers' | 'paths'>,
): readonly PlannedTarget[] {
  if (servers.length === 0) return targets;
  const declared = new DeclaredServers(servers, paths);
  return targets.map((target) => {
    const { name } = target.configured;
    const others = targets.filter((other) => other !== target).map(({ configured }) => configured);
    const otherNames = others.map((other) => other.name);
    const included = (path: string, { manifests }: ConfiguredTarget): boolean => compileGlobs(manifests.include)(path);
    const isIn = (path: string): boolean => {
      const folders = foldersAbove(path).map(baseName);
      if (folders.some((folder) => otherNames.includes(folder))) return false;
      const names = clusters.namesAbove(path);
      if (folders.includes(name) || (names?.size === 1 && names.has(name))) return true;
      return included(path, target.configured) && !others.some((other) => included(path, other));
    };
    const own = declared.of(name, otherNames, isIn);
    if (own.settings.length === 0 && own.unknowns.length === 0) return target;
    return { ...target, configured: withServer(target.configured, own), declared: own };
  });
}

export function belongsTo(
  name: string,
  clusters: Clusters,
  languages: readonly PolicyLanguage[],
): (found: FoundResource) => boolean {
  return (found) => clusters.holds(name, found, isPolicyOf(languages, found.resource));
}

/** The clusters of a state. None if the configuration describes the targets. */
export function stateClusters(configuration: Configuration, content: RepositoryContent): Clusters {
  const [whole] = configuration.targets;
  if (configuration.hasWrittenTargets || whole === undefined) {
    return clustersOf({ paths: new Set(), resources: [], roots: [], isRule: () => false });
  }
  const languages = languagesOf(whole);
  const policies = content.resources.map(({ resource }) => resource).filter((each) => isPolicyOf(languages, each));
  const rules = new RuleResources(languages, policies);
  return clustersOf({ ...content, roots: appliedRoots(content), isRule: (resource) => rules.isRule(resource) });
}

/** Cached, because each target needs the map. */
const ROOTS = new WeakMap<RepositoryContent['resources'], ReadonlyMap<Resource, RenderedRoot | undefined>>();

function rootsOf({ resources }: RepositoryContent): ReadonlyMap<Resource, RenderedRoot | undefined> {
  const rendered = resources.filter(({ root }) => root !== undefined);
  const roots = ROOTS.get(resources) ?? new Map(rendered.map(({ resource, root }) => [resource, root]));
  ROOTS.set(resources, roots);
  return roots;
}

/** Objects that the target has in several versions. `whole`: the target with all its resources. */
export function contradictionsIn(
  { configured }: PlannedTarget,
  whole: Target,
  content: RepositoryContent,
  identityOf: (resource: Resource) => string | undefined,
): Contradictions {
  const isExported = compileGlobs(configured.clusterFacts);
  const rootOf = (resource: Resource): RenderedRoot | undefined => rootsOf(content).get(resource);
  return contradictions({
    target: whole,
    languages: languagesOf(configured),
    isExported: ({ manifest }) => isExported(manifest.file.path),
    rootOf,
    alternativeOf: (resource) => {
      const root = rootOf(resource);
      return root && content.reach?.alternativeOf(root);
    },
    isCertain: (resource) => content.reach?.isCertain(rootOf(resource) ?? resource.manifest.file.path) ?? true,
    identityOf,
  });
}

/** Drops duplicate policies, which contradictions report, and missing fields whose misspelling is already an error. */
export function withoutDuplicatePolicies<Reported extends Diagnostic | ObjectDiagnostic>(
  diagnostics: readonly Reported[],
): readonly Reported[] {
  const placeKey = ({ primary }: Reported): string => `${primary?.file.path}\0${primary?.range.start}`;
  const refusedNames = new Set(
    diagnostics.filter(({ code, severity }) => code === 'unknown-field' && severity === 'error').map(placeKey),
  );
  const isEcho = (each: Reported): boolean =>
    (each.code === 'invalid-policy' || each.code === 'invalid-binding') && refusedNames.has(placeKey(each));
  return diagnostics.filter((each) => each.code !== 'duplicate-policy' && !isEcho(each));
}

/** Unknowns that follow from unknown clusters. */
export function clusterUnknowns(clusters: Clusters, planned: PlannedTarget, hasPolicies: boolean): readonly Unknown[] {
  if (clusters.tooMany > 0) {
    const before = `the repository has ${clusters.tooMany} clusters, more than ${MAXIMUM_CLUSTERS}, so all are treated as one; to separate them, configure \`targets\``;
    return [{ before, after: '' }];
  }
  if (planned.derivedFrom === undefined || hasPolicies) return [];
  return [{ before: 'the repository has no policies for this cluster', after: '' }];
}
