// Rendered ConfigMaps and Secrets by cluster; other declarations read variables and values from them.
import type { Resource } from '../../../kubernetes/api/resource.ts';

const KINDS: ReadonlySet<string> = new Set(['ConfigMap', 'Secret']);

/**
 * Data may be queried before it is rendered. An earlier pass over the same repository then supplies it, and `isSettled` reports whether
 * another pass could change an answer.
 */
export class RenderedData {
  readonly #earlier: RenderedData | undefined;
  readonly #objects = new Map<string, Resource[]>();
  readonly #answers = new Map<string, string>();
  readonly #clusters = new WeakMap<Resource, string>();

  constructor(earlier?: RenderedData) {
    this.#earlier = earlier;
  }

  /** `cluster`: the cluster of a declaration that may query data. */
  setCluster(declaration: Resource, cluster: string): void {
    this.#clusters.set(declaration, cluster);
  }

  add(resource: Resource, cluster: string): void {
    const { gvk, manifest } = resource;
    if (gvk.group !== '' || !KINDS.has(gvk.kind)) return;
    const namespace = resource.namespace || manifest.defaultNamespace || 'default';
    const key = keyOf(cluster, `/${gvk.kind}`, namespace, resource.name);
    const same = this.#objects.get(key);
    if (same === undefined) this.#objects.set(key, [resource]);
    else same.push(resource);
  }

  find(declaration: Resource, kind: string, namespace: string, name: string): readonly Resource[] {
    const key = keyOf(this.#clusters.get(declaration) ?? '', kind, namespace, name);
    const earlier = this.#earlier === undefined ? undefined : this.#earlier.#objects.get(key);
    const found = earlier ?? this.#objects.get(key) ?? [];
    this.#answers.set(key, textOf(found));
    return found;
  }

  get isSettled(): boolean {
    return [...this.#answers].every(([key, answer]) => answer === textOf(this.#objects.get(key) ?? []));
  }
}

function textOf(resources: readonly Resource[]): string {
  return resources.map(({ manifest, rootPath }) => `${'text' in manifest ? manifest.text : ''}${rootPath}`).join('\0');
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\0');
}
