// The lists and maps that came to an expression from its host: those hold nothing but JSON.
import type { Value } from '../../cel/value/value.ts';
import type { IsHost } from './applied-configuration.ts';

/**
 * Of one request, whose objects stay as they are while it is answered. What one mutation leaves of an object is not gone through again
 * for the next.
 */
export class HostContainers {
  readonly #known = new Set<unknown>();

  /** `roots` is called, and its values are gone through, when the first container is asked about that is not known. */
  among(roots: () => Iterable<Value>): IsHost {
    let isOpen = true;
    return (container) => {
      if (this.#known.has(container)) return true;
      if (!isOpen) return false;
      isOpen = false;
      for (const root of roots()) this.#collect(root);
      return this.#known.has(container);
    };
  }

  #collect(root: Value): void {
    if (!isContainer(root) || this.#known.has(root)) return;
    const open: Container[] = [root];
    for (let container = open.pop(); container !== undefined; container = open.pop()) {
      this.#known.add(container);
      for (const item of container.values()) if (isContainer(item) && !this.#known.has(item)) open.push(item);
    }
  }
}

type Container = readonly Value[] | ReadonlyMap<unknown, Value>;

function isContainer(value: Value): value is Value & Container {
  return Array.isArray(value) || value instanceof Map;
}
