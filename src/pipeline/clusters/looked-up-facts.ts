// Which objects admission plugins look up for the judged objects. A ServiceAccount matters only to the Pods that use it.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { lookedUpKinds } from '../../kubernetes/schema/plugins/looked-up-kinds.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';

export class LookedUpFacts {
  /** `group/kind namespace`; without the namespace for cluster-scoped kinds. */
  readonly #kinds: ReadonlySet<string>;
  /** Namespace and name of each account. */
  readonly #used: ReadonlySet<string>;
  readonly #namespaceOf: (resource: Resource) => string;
  readonly #isNamed: (name: string) => boolean;

  /** `isNamed`: true if a policy contains the name. A mutating policy may then set this account for Pods. */
  constructor(
    resources: readonly Resource[],
    namespaceOf: (resource: Resource) => string,
    isNamed: (name: string) => boolean,
  ) {
    const pods = resources.filter(({ gvk }) => gvk.group === '' && gvk.kind === 'Pod');
    this.#used = new Set(pods.map((pod) => `${namespaceOf(pod)}/${accountOf(pod)}`));
    this.#kinds = new Set(
      resources.flatMap((resource) =>
        lookedUpKinds(resource.gvk).map(({ group, kind, namespaced }) =>
          namespaced ? `${group}/${kind} ${namespaceOf(resource)}` : `${group}/${kind}`,
        ),
      ),
    );
    this.#namespaceOf = namespaceOf;
    this.#isNamed = isNamed;
  }

  /** True if a plugin may look up this object for a judged one. */
  has(fact: Resource): boolean {
    const { group, kind } = fact.gvk;
    const namespace = this.#namespaceOf(fact);
    if (!this.#kinds.has(`${group}/${kind}`) && !this.#kinds.has(`${group}/${kind} ${namespace}`)) return false;
    if (kind !== 'ServiceAccount') return true;
    return this.#used.has(`${namespace}/${fact.name}`) || this.#isNamed(fact.name);
  }
}

/** As the server defaults it. The older field is read only if the newer one is absent. */
function accountOf({ value }: Resource): string {
  const spec = objectOrEmpty(value.get('spec'));
  return textField(spec, 'serviceAccountName') || textField(spec, 'serviceAccount') || 'default';
}
