// What has to be known of the rest of a repository to judge what a change touches: it grows as more is known.
import type { Resource } from '../../kubernetes/api/resource.ts';

/** What has to be known besides the objects that the change touches itself. */
export interface Needs {
  /** By kind the names of objects that are looked for; the empty one stands for any. */
  readonly objects: ReadonlyMap<string, ReadonlySet<string>>;
  /** Words of changed rules: what has one of them may be judged otherwise. */
  readonly words: ReadonlySet<string>;
  /** Names of Namespaces that are new: whether anything lies in them decides how much they matter. */
  readonly spaces: ReadonlySet<string>;
  /** Names of ConfigMaps and Secrets that are not what they were: what takes from them changes too. */
  readonly changedData: ReadonlySet<string>;
  /** Kinds that tell overlays of one base apart, and the files that several roots are built of; absent where clusters are told otherwise. */
  readonly overlays?: { readonly kinds: ReadonlySet<string>; readonly shared: ReadonlySet<string> } | undefined;
}

/** What is to be known, as it is found out. */
export class FoundNeeds implements Needs {
  readonly objects = new Map<string, Set<string>>();
  readonly words = new Set<string>();
  readonly spaces = new Set<string>();
  readonly changedData = new Set<string>();
  overlays: Needs['overlays'];

  /** True if it was not needed before. */
  object(kind: string, name: string): boolean {
    const names = this.objects.get(kind) ?? new Set<string>();
    this.objects.set(kind, names);
    if (names.has(name)) return false;
    names.add(name);
    return true;
  }

  concerns({ gvk, namespace, manifest }: Resource): boolean {
    return this.words.has(gvk.group) || this.words.has(namespace || manifest.defaultNamespace || 'default');
  }

  get count(): number {
    const named = [...this.objects.values()].reduce((sum, names) => sum + names.size, 0);
    const overlays = this.overlays === undefined ? 0 : 1 + this.overlays.kinds.size + this.overlays.shared.size;
    return named + this.words.size + this.spaces.size + this.changedData.size + overlays;
  }

  copy(): Needs {
    return {
      objects: new Map([...this.objects].map(([kind, names]) => [kind, new Set(names)])),
      words: new Set(this.words),
      spaces: new Set(this.spaces),
      changedData: new Set(this.changedData),
      ...(this.overlays && { overlays: this.overlays }),
    };
  }
}
