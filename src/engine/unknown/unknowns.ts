// Collects facts about a cluster that the repository does not contain: one sentence per cause, each resource counted once.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { sumKinds, type Unknown, type UnknownKind } from '../../policy/evaluation/unknown.ts';

export class Unknowns {
  readonly #sentences = new Set<string>();
  readonly #ofUnknownKind = new Set<Resource>();
  readonly #withoutNamespace = new Set<Resource>();
  #defaultNamespace = '';
  readonly #byMutator = new Map<string, Set<Resource>>();
  readonly #byMissing = new Map<string, Set<Resource>>();

  add(sentence: string): void {
    this.#sentences.add(sentence);
  }

  /** `kind`: of an object that the resource names and the files do not contain. */
  addMissing(kind: string, resource: Resource): void {
    const resources = this.#byMissing.get(kind) ?? new Set();
    this.#byMissing.set(kind, resources.add(resource));
  }

  addUnknownKind(resource: Resource): void {
    this.#ofUnknownKind.add(resource);
  }

  addDefaultedNamespace(resource: Resource, namespace: string): void {
    this.#withoutNamespace.add(resource);
    this.#defaultNamespace = namespace;
  }

  /** `label` names a webhook or policy that may change the resource and is not evaluated. */
  addMutator(label: string, resource: Resource): void {
    const resources = this.#byMutator.get(label) ?? new Set();
    this.#byMutator.set(label, resources.add(resource));
  }

  /** Merges the unknowns of another evaluator of the same objects. `isCounted` selects the resources to include. */
  addAll(other: Unknowns, isCounted: (resource: Resource) => boolean): void {
    for (const sentence of other.#sentences) this.#sentences.add(sentence);
    for (const resource of other.#ofUnknownKind) if (isCounted(resource)) this.#ofUnknownKind.add(resource);
    for (const resource of other.#withoutNamespace) if (isCounted(resource)) this.#withoutNamespace.add(resource);
    for (const [label, resources] of other.#byMutator) {
      for (const resource of resources) if (isCounted(resource)) this.addMutator(label, resource);
    }
    for (const [kind, resources] of other.#byMissing) {
      for (const resource of resources) if (isCounted(resource)) this.addMissing(kind, resource);
    }
    if (other.#defaultNamespace !== '') this.#defaultNamespace = other.#defaultNamespace;
  }

  sentences(): readonly Unknown[] {
    const ofMutators = [...this.#byMutator].map(([label, { size }]): Unknown => {
      const after = ` of the resources may be changed by ${label} before policies see them; results are for the resources as written`;
      return { before: '', count: size, after };
    });
    const sentences = [
      ...[...this.#sentences].map((sentence): Unknown => ({ before: sentence, after: '' })),
      ...ofMutators,
      ...[...this.#byMissing].map(([kind, { size }]): Unknown => {
        const after = '; the API server forbids them if the cluster lacks it, too';
        return { before: `resources whose ${kind} no file contains: `, count: size, after };
      }),
    ];
    const count = this.#withoutNamespace.size;
    if (count === 0) return sentences;
    const after = `, evaluated in \`${this.#defaultNamespace}\``;
    return [...sentences, { before: 'namespaced resources without a namespace: ', count, after }];
  }

  kinds(): readonly UnknownKind[] {
    return sumKinds(
      Array.from(this.#ofUnknownKind, ({ apiVersion, gvk: { kind } }) => ({ apiVersion, kind, count: 1 })),
    );
  }
}
