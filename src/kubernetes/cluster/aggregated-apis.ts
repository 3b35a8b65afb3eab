// Finds groups and versions that kube-apiserver proxies to another API server, by their APIService objects (kube-aggregator).
import { isJsonObject } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';
import type { Resource } from '../api/resource.ts';

export class AggregatedApis {
  readonly #serviceByApiVersion = new Map<string, string>();

  /** An APIService without `spec.service` describes a group that kube-apiserver itself serves. */
  constructor(resources: readonly Resource[]) {
    for (const resource of resources) {
      const { gvk, name } = resource;
      if (gvk.group !== 'apiregistration.k8s.io' || gvk.kind !== 'APIService') continue;
      const spec = objectOrEmpty(resource.value.get('spec'));
      if (!isJsonObject(spec.get('service'))) continue;
      this.#serviceByApiVersion.set(formatApiVersion(textField(spec, 'group'), textField(spec, 'version')), name);
    }
  }

  /** A caveat for aggregated APIs: their server may run its own admission, or none. Undefined for groups that kube-apiserver serves. */
  caveat({ group, version }: GroupVersionKind): string | undefined {
    const apiVersion = formatApiVersion(group, version);
    const service = this.#serviceByApiVersion.get(apiVersion);
    return service === undefined
      ? undefined
      : `another API server (APIService ${service}) serves ${apiVersion}: it may not apply these policies`;
  }
}
