// Data for Kyverno's CEL functions from the repository: its objects. Data from a cluster, a registry or a clock is unknown.

import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { Undecided } from '../rule/rule-response.ts';
import type { CelSources } from './sources.ts';

/** `looked` is called with the kind of every lookup. */
export function repositorySources(cluster: Cluster, looked: (kind: GroupVersionKind) => void = () => {}): CelSources {
  const undecided = (what: string): never => {
    throw new Undecided(what);
  };
  const kindOf = (apiVersion: string, resource: string): GroupVersionKind => {
    const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
    const kind =
      cluster.kindFor({ group, version, resource }, '') ??
      undecided(`the ${resource} of ${apiVersion}, a kind that no file defines`);
    looked(kind);
    return kind;
  };
  return {
    work: cluster.work,
    resource: (apiVersion, resource, namespace, name) => {
      const kind = kindOf(apiVersion, resource);
      const found = cluster.objects(kind, namespace).find((stored) => stored.resource.name === name);
      if (found?.isOpen !== true && (found !== undefined || cluster.isComplete)) return found?.object;
      const place = namespace === '' ? name : `${namespace}/${name}`;
      return undecided(`the content of the ${kind.kind} ${place}, which is not in the repository`);
    },
    resources: (apiVersion, resource, namespace) => {
      const kind = kindOf(apiVersion, resource);
      const found = cluster.objects(kind, namespace).map(({ object }): JsonObject => object);
      const place = namespace === '' ? '' : ` in ${namespace}`;
      return cluster.isComplete ? found : undecided(`which objects of kind ${kind.kind} the cluster has${place}`);
    },
    resourceOfKind: (apiVersion, kind) => {
      const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
      return cluster.mappingFor({ group, version, kind }).resource.resource;
    },
    imageData: (image) => undecided(`the registry data of the image ${image}`),
    globalReference: (name) => undecided(`the content of the GlobalContextEntry ${name}`),
    http: (method, url) => undecided(`the response to ${method} ${url}`),
    now: () => undecided('the time of the evaluation'),
    unforeseeable: undecided,
  };
}
