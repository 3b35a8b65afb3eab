// Values of Secrets in the cluster that a policy may look up and quote in its messages.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isSecretObject, secretTextsIn } from '../../kubernetes/secret/secret-object.ts';
import type { PolicyIdentity } from '../../policy/language/policy.ts';
import { stringifyJson } from '../../source/json/json.ts';
import type { Target } from './target.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** True for a param of this kind, or a lookup of `secrets`. */
export function readsSecrets(policy: Resource): boolean {
  return /secret/i.test(specOf(policy));
}

export class LookedUpSecrets {
  readonly #target: Pick<Target, 'policies' | 'facts'>;
  /** By kind and name of the policy. */
  #texts: Map<string, ReadonlySet<string>> | undefined;

  constructor(target: Pick<Target, 'policies' | 'facts'>) {
    this.#target = target;
  }

  /** Without texts that the policy itself contains: these words of its message are no secret. */
  textsFor(policy: Pick<PolicyIdentity, 'kind' | 'name'>): ReadonlySet<string> {
    this.#texts ??= this.#textsOfPolicies();
    return this.#texts.get(keyOf(policy.kind, policy.name)) ?? NOTHING;
  }

  /** For any of the policies. */
  get all(): ReadonlySet<string> {
    this.#texts ??= this.#textsOfPolicies();
    return new Set([...this.#texts.values()].flatMap((texts) => [...texts]));
  }

  #textsOfPolicies(): Map<string, ReadonlySet<string>> {
    const found = new Map<string, ReadonlySet<string>>();
    const secrets = this.#target.facts.filter(({ gvk, value }) => gvk.group === '' && isSecretObject(value));
    if (secrets.length === 0) return found;
    const texts = secrets.flatMap(({ value }) => [...secretTextsIn(value)]);
    for (const policy of this.#target.policies) {
      if (!readsSecrets(policy)) continue;
      const spec = specOf(policy);
      found.set(keyOf(policy.gvk.kind, policy.name), new Set(texts.filter((text) => !spec.includes(text))));
    }
    return found;
  }
}

function specOf({ value }: Resource): string {
  return stringifyJson(value.get('spec') ?? null, { sortKeys: false, escapeHtml: false });
}

function keyOf(kind: string, name: string): string {
  return `${kind}\0${name}`;
}
