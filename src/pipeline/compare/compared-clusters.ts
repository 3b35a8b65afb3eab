// Compares the clusters of two states: which resources of base a cluster of head contains, and which rules of base apply to a new one.
import type { Configuration } from '../../settings/configuration.ts';
import type { Clusters, DerivedCluster } from '../clusters/clusters.ts';
import { belongsTo, type PlannedTarget, plannedTargets, withDeclaredServers } from '../clusters/planned-targets.ts';
import { languagesOf } from '../state/languages.ts';
import type { FoundResource, RepositoryContent } from '../state/read-repository.ts';

type Belongs = (found: FoundResource) => boolean;

export interface ComparedTarget {
  readonly planned: PlannedTarget;
  /** Which resources of each state belong to the cluster. Absent: all. */
  readonly belongs?: { readonly base: Belongs; readonly head: Belongs };
  /** Only for a new cluster: the resources of base whose rules apply to it. */
  readonly rulesOfBase?: Belongs;
}

export interface ComparedClusters {
  readonly head: Clusters;
  /** True if the states do not have the same clusters. */
  readonly differ: boolean;
  /** True if one of the paths belongs to different clusters in the two states, even if the file is unchanged. */
  moveAny(paths: Iterable<string>): boolean;
  targets(configuration: Configuration): readonly ComparedTarget[];
}

/**
 * Each state decides alone which resources belong to its clusters, so a change in head moves nothing in base. A new cluster has no
 * objects, so all its objects are created. It must follow the rules that base applies to every cluster. It must also follow the rules of
 * clusters that head removes, because it may be one of them under another name. The settings of a server are those that base declares, because a
 * change must not choose the server that judges it.
 */
export function comparedClusters(
  base: Clusters,
  head: Clusters,
  inBase: Pick<RepositoryContent, 'servers' | 'paths'>,
): ComparedClusters {
  const names = new Map<string, DerivedCluster>([...base.all, ...head.all].map((cluster) => [cluster.name, cluster]));
  const differ = names.size > 1 && (base.all.length !== names.size || head.all.length !== names.size);
  return {
    head,
    differ,
    moveAny: (paths) => head.movesAny(paths, base),
    targets: (configuration) => {
      const [whole] = configuration.targets;
      if (configuration.hasWrittenTargets || names.size < 2 || whole === undefined) {
        return plannedTargets(configuration, head, inBase).map((planned) => ({ planned }));
      }
      const languages = languagesOf(whole);
      const gone = base.all.filter(({ name }) => !head.has(name));
      const compared = [...names.values()]
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map(({ name, from }): ComparedTarget => {
          const belongsInBase = belongsTo(name, base, languages);
          const inHead = belongsTo(name, head, languages);
          const planned = { configured: { ...whole, name }, derivedFrom: from, belongs: inHead };
          if (base.has(name)) return { planned, belongs: { base: belongsInBase, head: inHead } };
          const ofGone = gone.map((cluster) => belongsTo(cluster.name, base, languages));
          const isShared = (found: FoundResource): boolean => belongsInBase(found) || base.all.length === 0;
          return {
            planned,
            // Base may already have files in the folders of the cluster, even if nothing marked them as a cluster's.
            belongs: { base: (found) => isShared(found) && inHead(found), head: inHead },
            rulesOfBase: (found) => isShared(found) || ofGone.some((belongs) => belongs(found)),
          };
        });
      const planned = withDeclaredServers(
        compared.map((target) => target.planned),
        base,
        inBase,
      );
      return compared.map((target, index) => ({ ...target, planned: planned[index] ?? target.planned }));
    },
  };
}
