// The clusters generator of an ApplicationSet, for configured clusters.
import { trimRight } from '../../go/strings/trim.ts';
import { readLabelSelector, selectorMatches } from '../../kubernetes/selector/label-selector.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';
import type { UnknownPart } from '../sources/controller.ts';
import type { ArgoCluster } from './argo-options.ts';
import { OWN_CLUSTER } from './destination.ts';
import { normalizedName } from './parameters.ts';
import type { Parameters } from './template-text.ts';

const SECRET_TYPE = ['argocd.argoproj.io/secret-type', 'cluster'] as const;

/** Annotations that Argo CD does not pass to templates. */
const OWN_ANNOTATIONS: ReadonlySet<string> = new Set([
  'argocd.argoproj.io/refresh',
  'argocd.argoproj.io/refresh-timestamp',
  'argocd.argoproj.io/hydrate',
  'argocd.argoproj.io/hydrate-timestamp',
  'argocd.argoproj.io/tracking-id',
  'argocd.argoproj.io/installation-id',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/** In configuration order. Argo CD's own cluster comes last, unless it is configured or a selector requires labels. */
export function clusterParameters(
  generator: JsonObject,
  isGo: boolean,
  clusters: readonly ArgoCluster[] | undefined,
): readonly Parameters[] | UnknownPart {
  if (clusters === undefined) {
    return {
      unknown: 'its clusters generator needs the list of clusters that Argo CD manages',
      help: 'list the clusters in `rendering.argo.clusters` in `.preadmit.yaml`',
    };
  }
  const selector = readLabelSelector(objectOrEmpty(generator.get('selector')));
  if ('error' in selector) return { unknown: selector.error, help: 'correct the selector' };
  const labelsOf = ({ labels = {} }: ArgoCluster) => new Map([...Object.entries(labels), SECRET_TYPE]);
  const sets = clusters
    .filter((cluster) => selectorMatches(selector, labelsOf(cluster)))
    .map((cluster) => parametersOf(cluster, labelsOf(cluster), isGo));
  const hasOwn = clusters.some(({ server }) => trimRight(server, '/') === OWN_CLUSTER.server);
  if (selector.requirements.length === 0 && !hasOwn) sets.push(parametersOf(OWN_CLUSTER, undefined, isGo));
  return generator.get('flatList') === true ? [new Map([['clusters', sets]])] : sets;
}

/** A cluster without `labels` has no Secret. */
function parametersOf(
  { name, server, project = '', annotations = {} }: ArgoCluster,
  labels: ReadonlyMap<string, string> | undefined,
  isGo: boolean,
): Parameters {
  const parameters = new Map<string, JsonValue>([
    ['name', name],
    ['nameNormalized', normalizedName(name)],
    ['server', server],
    ['project', project],
  ]);
  if (labels === undefined) return parameters;
  const kept = Object.entries(annotations).filter(([key]) => !OWN_ANNOTATIONS.has(key));
  if (!isGo) {
    for (const [key, value] of kept) parameters.set(`metadata.annotations.${key}`, value);
    for (const [key, value] of labels) parameters.set(`metadata.labels.${key}`, value);
    return parameters;
  }
  const metadata = new Map<string, JsonValue>([['labels', labels]]);
  if (Object.keys(annotations).length > 0) metadata.set('annotations', new Map(kept));
  return parameters.set('metadata', metadata);
}
