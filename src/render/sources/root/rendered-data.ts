// Rendered objects that declarations read, by cluster: ConfigMaps and Secrets with variables and values, and sources of Flux.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { stringifyJson } from '../../../source/json/json.ts';

const KINDS: ReadonlySet<string> = new Set(['/ConfigMap', '/Secret']);
const SOURCE_GROUP = 'source.toolkit.fluxcd.io/';

interface Answer {
  readonly text: string;
  /** True if nothing was rendered, so that the objects in files answered. */
  readonly isWritten: boolean;
}

/** An object that a declaration names. */
export interface NamedObject {
  readonly kind: string;
  readonly name: string;
}

/**
 * Data may be queried before it is rendered. An earlier pass over the same repository then supplies it, and `isSettled` reports whether
 * another pass could change an answer.
 */
export class RenderedData {
  readonly #earlier: RenderedData | undefined;
  readonly #objects = new Map<string, Resource[]>();
  /** Different versions of each source in all clusters. */
  readonly #sources = new Map<string, Resource[]>();
  readonly #answers = new Map<string, Answer[]>();
  readonly #clusters = new WeakMap<Resource, string>();
  /** By declaration, then by key. */
  readonly #unrendered = new WeakMap<Resource, Map<string, NamedObject>>();

  constructor(earlier?: RenderedData) {
    this.#earlier = earlier;
  }

  /** `cluster`: the cluster of a declaration that may query data. */
  setCluster(declaration: Resource, cluster: string): void {
    this.#clusters.set(declaration, cluster);
  }

  add(resource: Resource, cluster: string): void {
    const { gvk, manifest } = resource;
    const kind = `${gvk.group}/${gvk.kind}`;
    if (!KINDS.has(kind) && !kind.startsWith(SOURCE_GROUP)) return;
    const namespace = resource.namespace || manifest.defaultNamespace || 'default';
    const key = keyOf(cluster, kind, namespace, resource.name);
    const same = this.#objects.get(key);
    if (same === undefined) this.#objects.set(key, [resource]);
    else same.push(resource);
    if (kind.startsWith(SOURCE_GROUP)) this.#addSource(keyOf(kind, namespace, resource.name), resource);
  }

  #addSource(key: string, source: Resource): void {
    const versions = this.#sources.get(key) ?? [];
    this.#sources.set(key, versions);
    if (versions.every((version) => textOfOne(version) !== textOfOne(source))) versions.push(source);
  }

  /** A source that the cluster lacks may be applied by a root that no controller names, or to another cluster. */
  #lookUp(key: string): readonly Resource[] {
    return this.#objects.get(key) ?? this.#sources.get(key.slice(key.indexOf('\0') + 1)) ?? [];
  }

  /** `written`: the answer if nothing is rendered. */
  find(
    declaration: Resource,
    kind: string,
    namespace: string,
    name: string,
    written: readonly Resource[] = [],
  ): readonly Resource[] {
    const key = keyOf(this.#clusters.get(declaration) ?? '', kind, namespace, name);
    const earlier = this.#earlier === undefined ? [] : this.#earlier.#lookUp(key);
    const rendered = earlier.length > 0 ? earlier : this.#lookUp(key);
    const isWritten = rendered.length === 0;
    const found = isWritten ? written : rendered;
    const answers = this.#answers.get(key) ?? [];
    this.#answers.set(key, answers);
    const text = textOf(found);
    if (answers.every((answer) => answer.text !== text)) answers.push({ text, isWritten });
    if (isWritten && kind.startsWith(SOURCE_GROUP))
      this.#note(declaration, key, { kind: kind.slice(SOURCE_GROUP.length), name });
    return found;
  }

  /** Sources that the declaration asked for and no root has rendered. */
  unrendered(declaration: Resource): readonly NamedObject[] {
    const asked = [...(this.#unrendered.get(declaration) ?? [])];
    return asked.flatMap(([key, object]) => (this.#lookUp(key).length > 0 ? [] : [object]));
  }

  get isSettled(): boolean {
    return [...this.#answers].every(([key, answers]) => {
      const rendered = this.#lookUp(key);
      const text = textOf(rendered);
      return answers.every((answer) => answer.text === text || (answer.isWritten && rendered.length === 0));
    });
  }

  #note(declaration: Resource, key: string, object: NamedObject): void {
    const others = this.#unrendered.get(declaration) ?? new Map<string, NamedObject>();
    this.#unrendered.set(declaration, others.set(key, object));
  }
}

function textOf(resources: readonly Resource[]): string {
  return resources.map(textOfOne).join('\0');
}

/** For sources, a text that the rendered and the written form share: what decides their content. */
function textOfOne({ gvk, manifest, rootPath, value }: Resource): string {
  if (gvk.group !== '') return stringifyJson(value.get('spec') ?? null, { sortKeys: true, escapeHtml: false });
  return `${'text' in manifest ? manifest.text : ''}${rootPath}`;
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\0');
}
