// Which ServiceAccounts Pods may have: what an account says is asked for its Pods alone.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';

export class PodAccounts {
  /** Namespace and name. */
  readonly #used: ReadonlySet<string>;
  readonly #namespaceOf: (resource: Resource) => string;
  readonly #isNamed: (name: string) => boolean;

  /** `isNamed`: true for a name that stands in some policy, as a mutating one may give Pods another account. */
  constructor(
    resources: readonly Resource[],
    namespaceOf: (resource: Resource) => string,
    isNamed: (name: string) => boolean,
  ) {
    const pods = resources.filter(({ gvk }) => gvk.group === '' && gvk.kind === 'Pod');
    this.#used = new Set(pods.map((pod) => `${namespaceOf(pod)}/${accountOf(pod)}`));
    this.#namespaceOf = namespaceOf;
    this.#isNamed = isNamed;
  }

  get hasPods(): boolean {
    return this.#used.size > 0;
  }

  mayUse(account: Resource): boolean {
    if (!this.hasPods) return false;
    return this.#used.has(`${this.#namespaceOf(account)}/${account.name}`) || this.#isNamed(account.name);
  }
}

/** As the server defaults it; the older name of the field counts where it stands alone. */
function accountOf({ value }: Resource): string {
  const spec = objectOrEmpty(value.get('spec'));
  return textField(spec, 'serviceAccountName') || textField(spec, 'serviceAccount') || 'default';
}
