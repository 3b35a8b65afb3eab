// The clusters of two states set against each other: what base knows of a cluster, and by which rules it is judged if base lacks it.
import type { Configuration } from '../../settings/configuration.ts';
import type { Clusters, DerivedCluster } from '../clusters/clusters.ts';
import { belongsTo, type PlannedTarget, plannedTargets } from '../clusters/planned-targets.ts';
import { languagesOf } from '../state/languages.ts';
import type { FoundResource } from '../state/read-repository.ts';

type Belongs = (found: FoundResource) => boolean;

export interface ComparedTarget {
  readonly planned: PlannedTarget;
  /** What of each state is for the cluster; absent where everything is. */
  readonly belongs?: { readonly base: Belongs; readonly head: Belongs };
  /** Of a cluster that is new: what of base it is held to. */
  readonly rulesOfBase?: Belongs;
}

export interface ComparedClusters {
  readonly head: Clusters;
  /** True if one of the states tells of other clusters than the other. */
  readonly differ: boolean;
  /** Whether something at one of the paths is for other clusters in one state than in the other, though it is the same. */
  placeElsewhere(paths: Iterable<string>): boolean;
  targets(configuration: Configuration): readonly ComparedTarget[];
}

/**
 * Each state says by itself what belongs to which of its clusters, so that a change of head moves nothing in base. A cluster
 * that is new was empty: what it gets is created. It is held to what base applied to every cluster, and to what base
 * applied to clusters that are no more, as it may be one of these under another name.
 */
export function comparedClusters(base: Clusters, head: Clusters): ComparedClusters {
  const names = new Map<string, DerivedCluster>([...base.all, ...head.all].map((cluster) => [cluster.name, cluster]));
  const differ = names.size > 1 && (base.all.length !== names.size || head.all.length !== names.size);
  return {
    head,
    differ,
    placeElsewhere: (paths) => head.placesElsewhere(paths, base),
    targets: (configuration) => {
      const [whole] = configuration.targets;
      if (configuration.hasWrittenTargets || names.size < 2 || whole === undefined) {
        return plannedTargets(configuration, head).map((planned) => ({ planned }));
      }
      const languages = languagesOf(whole);
      const gone = base.all.filter(({ name }) => !head.has(name));
      return [...names.values()]
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map(({ name, from }) => {
          const inBase = belongsTo(name, base, languages);
          const inHead = belongsTo(name, head, languages);
          const planned = { configured: { ...whole, name }, derivedFrom: from, belongs: inHead };
          if (base.has(name)) return { planned, belongs: { base: inBase, head: inHead } };
          const ofGone = gone.map((cluster) => belongsTo(cluster.name, base, languages));
          const isShared = (found: FoundResource): boolean => inBase(found) || base.all.length === 0;
          return {
            planned,
            // What base has in the folders of the cluster was there before, though nothing said that they are a cluster's.
            belongs: { base: (found) => isShared(found) && inHead(found), head: inHead },
            rulesOfBase: (found) => isShared(found) || ofGone.some((belongs) => belongs(found)),
          };
        });
    },
  };
}
