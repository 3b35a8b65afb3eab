// Collects the parts of a repository that are needed to evaluate a change. The needs grow while files are read.
import type { Resource } from '../../kubernetes/api/resource.ts';

/** What is needed in addition to the objects of the change. */
export interface Needs {
  /** Names of needed objects by kind. The empty name matches any object. */
  readonly objects: ReadonlyMap<string, ReadonlySet<string>>;
  /** Words of changed rules: objects that contain one may get another verdict. */
  readonly words: ReadonlySet<string>;
  /** Names of new Namespaces. They matter only if an object is in them. */
  readonly spaces: ReadonlySet<string>;
  /** Names of changed ConfigMaps and Secrets. Roots that read values from them change too. */
  readonly changedData: ReadonlySet<string>;
  /** Groups whose APIs charts ask for. Any object of a group answers. */
  readonly groups: ReadonlySet<string>;
  /**
   * Kinds that distinguish overlays of one base, and the files that several roots render. Absent if controllers distinguish the clusters.
   */
  readonly overlays?: { readonly kinds: ReadonlySet<string>; readonly shared: ReadonlySet<string> } | undefined;
}

/** The needs found so far. */
export class FoundNeeds implements Needs {
  readonly objects = new Map<string, Set<string>>();
  readonly words = new Set<string>();
  readonly spaces = new Set<string>();
  readonly changedData = new Set<string>();
  readonly groups = new Set<string>();
  overlays: Needs['overlays'];

  /** True if it is a new need. */
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
    return named + this.words.size + this.spaces.size + this.changedData.size + this.groups.size + overlays;
  }

  copy(): Needs {
    return {
      objects: new Map([...this.objects].map(([kind, names]) => [kind, new Set(names)])),
      words: new Set(this.words),
      spaces: new Set(this.spaces),
      changedData: new Set(this.changedData),
      groups: new Set(this.groups),
      ...(this.overlays && { overlays: this.overlays }),
    };
  }
}
