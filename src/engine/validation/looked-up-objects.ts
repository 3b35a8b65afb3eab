// The objects of the repository that admission plugins look up.
import { type GroupVersionKind, kindKey } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { type CompleteObjects, isCompleteKind } from '../../kubernetes/cluster/cluster.ts';
import type { KnownObjects } from '../../kubernetes/schema/plugins/plugin-request.ts';
import { labelsOf } from '../../kubernetes/selector/label-selector.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { ConvertedObject } from '../object/admission-object.ts';
import { placeholderAt } from '../unknown/placeholder.ts';

export interface LookedUpOptions {
  readonly facts: readonly Resource[];
  readonly complete?: readonly CompleteObjects[];
  readonly isComplete?: boolean;
  readonly defaultNamespace?: string;
  readonly claimedNamespaces?: ReadonlySet<string>;
}

export class LookedUpObjects implements KnownObjects {
  readonly #options: LookedUpOptions;
  readonly #convert: (resource: Resource, namespace: string) => ConvertedObject;
  readonly #byKind = new Map<string, Resource[]>();
  readonly #objects = new Map<string, readonly JsonObject[]>();
  readonly #labels = new Map<string, ReadonlyMap<string, string> | undefined>();

  constructor(options: LookedUpOptions, convert: (resource: Resource, namespace: string) => ConvertedObject) {
    this.#options = options;
    this.#convert = convert;
    for (const fact of options.facts) {
      const key = kindKey(fact.gvk);
      const sameKind = this.#byKind.get(key);
      if (sameKind === undefined) this.#byKind.set(key, [fact]);
      else sameKind.push(fact);
    }
  }

  objects(gvk: GroupVersionKind, namespace: string): readonly JsonObject[] {
    const key = `${kindKey(gvk)} ${namespace}`;
    let objects = this.#objects.get(key);
    if (objects === undefined) {
      // An object that is being looked up looks up nothing of its own kind.
      this.#objects.set(key, []);
      objects = this.#resources(gvk, namespace).flatMap((resource) => this.#certain(resource, namespace));
      this.#objects.set(key, objects);
    }
    return objects;
  }

  has(gvk: GroupVersionKind, namespace: string, name: string): boolean {
    // A generated name, or one with a placeholder, may be any name.
    return this.#resources(gvk, namespace).some(
      (resource) =>
        resource.name === name || resource.name === '' || placeholderAt(resource, ['metadata', 'name']) !== undefined,
    );
  }

  holdsAll(gvk: GroupVersionKind, namespace: string): boolean {
    const { isComplete = false, complete = [] } = this.#options;
    return isComplete || isCompleteKind(complete, gvk, namespace);
  }

  /** Undefined if no file says the labels of the Namespace. */
  namespaceLabels(name: string): ReadonlyMap<string, string> | undefined {
    if (!this.#labels.has(name)) this.#labels.set(name, this.#findLabels(name));
    return this.#labels.get(name);
  }

  #findLabels(name: string): ReadonlyMap<string, string> | undefined {
    const { claimedNamespaces, isComplete, defaultNamespace = 'default' } = this.#options;
    const namespace = name === '' ? defaultNamespace : name;
    const found = this.#resources(NAMESPACE, '').find((resource) => resource.name === namespace);
    if (found === undefined) return isComplete === true ? new Map() : undefined;
    const [object] = claimedNamespaces?.has(namespace) === true ? [] : this.#certain(found, '');
    return object && labelsOf(object);
  }

  #resources(gvk: GroupVersionKind, namespace: string): readonly Resource[] {
    const { defaultNamespace = 'default' } = this.#options;
    const all = this.#byKind.get(kindKey(gvk)) ?? [];
    if (namespace === '') return all;
    return all.filter(
      (fact) =>
        (fact.namespace === '' ? (fact.manifest.defaultNamespace ?? defaultNamespace) : fact.namespace) === namespace,
    );
  }

  /** Empty if the object may not exist, if the server refuses it, or if some of its values are unknown. */
  #certain(resource: Resource, namespace: string): readonly JsonObject[] {
    if (resource.manifest.dependsOn !== undefined || placeholderAt(resource, []) !== undefined) return [];
    const { object, open, refused } = this.#convert(resource, namespace);
    return refused || open.length > 0 ? [] : [object];
  }
}

const NAMESPACE: GroupVersionKind = { group: '', version: 'v1', kind: 'Namespace' };
