// Kinds that CustomResourceDefinitions in the files define, and the choice between several definitions of one kind.

import { formatApiVersion, type GroupVersionKind, kindKey } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { readCustomResources } from '../../kubernetes/cluster/custom-resources.ts';
import type { CustomResourceKinds } from '../../kubernetes/custom-resource/custom-resource-kinds.ts';
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import type { Mutate, MutationStage } from '../../kubernetes/patch/mutation-stage.ts';
import type { PatchTarget } from '../../kubernetes/patch/patch-target.ts';
import type { PatchTargets } from '../../kubernetes/patch/patch-targets.ts';
import type { ServerFacts } from '../../kubernetes/schema/creation/creation-function.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { CustomConversion, DefinedKind } from '../validation/object-validation.ts';

/** Limit of different definitions of one kind; later ones are ignored. */
const MAX_DEFINITIONS = 5;

/** The mutating policies, to run on custom resources. */
export interface CustomMutation {
  readonly mutate: Mutate;
  readonly targets: PatchTargets;
}

export class DefinedKinds {
  readonly #customKinds: CustomResourceKinds;
  readonly #definitions = new Map<string, Resource[]>();
  readonly #kinds = new Map<string, readonly DefinedKind[]>();

  constructor(customKinds: CustomResourceKinds, facts: readonly Resource[]) {
    this.#customKinds = customKinds;
    for (const fact of facts) for (const custom of readCustomResources(fact)) this.#add(kindKey(custom), fact);
  }

  /**
   * Uses the first definition that accepts the object, else the first one: a repository may define a kind once per
   * cluster. Undefined if the kind has no definition, or if the server refuses every definition.
   */
  admit(
    { value, gvk }: Resource,
    namespace: string,
    facts: ServerFacts,
    mutation?: CustomMutation,
  ): CustomConversion | undefined {
    const [first, ...others] = this.#kindsOf(gvk);
    if (first === undefined) return undefined;
    const admit = (definedKind: DefinedKind): CustomConversion => ({
      custom: definedKind.kind.admit(value, {
        namespace,
        facts,
        mutate: mutation && this.#mutate(definedKind, mutation),
      }),
      definedKind,
    });
    const conversion = admit(first);
    if (others.length === 0 || isTaken(conversion)) return conversion;
    for (const other of others) {
      const taken = admit(other);
      if (isTaken(taken)) return taken;
    }
    return conversion;
  }

  #mutate({ kind }: DefinedKind, { mutate, targets }: CustomMutation): (object: JsonObject) => JsonObject {
    const stage: MutationStage = {
      patchTarget: (gvk) => targets.ofCustom(this.#kindsOf(gvk)[0]?.kind ?? kind),
      admitAgain: (object) => object,
    };
    return (object) => mutate(object, stage);
  }

  /** Undefined for kinds without a definition. */
  patchTarget(gvk: GroupVersionKind, targets: PatchTargets): PatchTarget | undefined {
    const [first] = this.#kindsOf(gvk);
    return first && targets.ofCustom(first.kind);
  }

  /** Limits of the evaluation for objects of the kind, one sentence each. */
  unknownsOf(gvk: GroupVersionKind): readonly string[] {
    if (!this.#definitions.has(kindKey(gvk))) return [];
    const name = `${formatApiVersion(gvk.group, gvk.version)} ${gvk.kind}`;
    const { length } = this.#kindsOf(gvk);
    if (length > 1) {
      return [
        `the files contain different definitions of ${name}: each object uses the first definition that accepts it`,
      ];
    }
    return length === 1 ? [] : [`the server refuses the definition of ${name}: its objects are evaluated as written`];
  }

  #add(key: string, definition: Resource): void {
    const known = this.#definitions.get(key);
    if (known === undefined) this.#definitions.set(key, [definition]);
    else if (known.length < MAX_DEFINITIONS && !known.some((each) => hasSameSpec(each, definition))) {
      known.push(definition);
    }
  }

  #kindsOf(gvk: GroupVersionKind): readonly DefinedKind[] {
    const key = kindKey(gvk);
    let kinds = this.#kinds.get(key);
    if (kinds === undefined) {
      kinds = (this.#definitions.get(key) ?? []).flatMap((definition) => {
        const result = this.#customKinds.kind(definition, gvk.version);
        return 'problems' in result ? [] : [{ kind: result.kind, definition }];
      });
      this.#kinds.set(key, kinds);
    }
    return kinds;
  }
}

function isTaken({ custom }: CustomConversion): boolean {
  return !('error' in custom) && custom.strictErrors.length === 0 && custom.validity().errors.length === 0;
}

function hasSameSpec(one: Resource, other: Resource): boolean {
  return isSameJson(one.value.get('spec') ?? null, other.value.get('spec') ?? null);
}
