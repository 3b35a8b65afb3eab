// What the repository answers to Kyverno's CEL functions: its own objects; what only a cluster, a registry or a clock knows is open.

import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { Undecided } from '../rule/rule-response.ts';
import type { CelSources } from './sources.ts';

/** `looked` is told the kind of what is asked for, each time. */
export function repositorySources(cluster: Cluster, looked: (kind: GroupVersionKind) => void = () => {}): CelSources {
  const undecided = (what: string): never => {
    throw new Undecided(what);
  };
  const kindOf = (apiVersion: string, resource: string): GroupVersionKind => {
    const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
    const kind =
      cluster.kindFor({ group, version, resource }, '') ?? undecided(`which ${resource} of ${apiVersion} there are`);
    looked(kind);
    return kind;
  };
  return {
    work: cluster.work,
    resource: (apiVersion, resource, namespace, name) => {
      const kind = kindOf(apiVersion, resource);
      const found = cluster.objects(kind, namespace).find((stored) => stored.resource.name === name);
      if (found !== undefined || cluster.isComplete) return found?.object;
      const place = namespace === '' ? name : `${namespace}/${name}`;
      return undecided(`what the ${kind.kind} ${place} holds, which is not in the repository`);
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
    imageData: (image) => undecided(`what a registry tells of the image ${image}`),
    globalReference: (name) => undecided(`what the GlobalContextEntry ${name} holds`),
    http: (method, url) => undecided(`what ${method} ${url} answers`),
    now: () => undecided('what time it is then'),
    unforeseeable: undecided,
  };
}
