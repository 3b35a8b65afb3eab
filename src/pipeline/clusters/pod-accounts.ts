// Which ServiceAccounts Pods may use. An account matters only to the Pods that use it.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';

export class PodAccounts {
  /** Namespace and name of each. */
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

/** As the server defaults it. The older field is read only if the newer one is absent. */
function accountOf({ value }: Resource): string {
  const spec = objectOrEmpty(value.get('spec'));
  return textField(spec, 'serviceAccountName') || textField(spec, 'serviceAccount') || 'default';
}
