// Recognizes the lists and maps that an expression received from its host, which hold only JSON.
import type { Value } from '../../cel/value/value.ts';
import type { IsHost } from './applied-configuration.ts';

/** For one request, whose objects do not change. Later mutations skip the parts that an earlier one already collected. */
export class HostContainers {
  readonly #known = new Set<unknown>();

  /** Calls `roots` and collects its containers when it first sees an unknown container. */
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
