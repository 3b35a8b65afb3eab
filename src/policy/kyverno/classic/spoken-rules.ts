// Caches data about a policy's rules that is the same for all objects: the field of each rule, and whether its failure blocks.
import { objectOrEmpty } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { ComputedRule } from '../autogen/autogen.ts';
import type { MatchAnswer, NamespaceLabels } from '../matching/match-answer.ts';
import type { CompiledPolicy } from '../rule/compiled-policy.ts';
import type { RuleResponse } from '../rule/rule-response.ts';
import { failsOnError, fixedEnforcement, isEnforced } from './failure-action.ts';

interface SpokenRule {
  /** Undefined if it depends on the object. */
  readonly enforced: boolean | undefined;
  readonly body: FieldPath;
}

/** Filled on demand. Belongs to one policy. */
export class SpokenRules {
  readonly #policy: CompiledPolicy;
  readonly #rules = new Map<ComputedRule, SpokenRule>();
  #failsOnError: boolean | undefined;

  constructor(policy: CompiledPolicy) {
    this.#policy = policy;
  }

  get failsOnError(): boolean {
    this.#failsOnError ??= failsOnError(this.#policy);
    return this.#failsOnError;
  }

  isEnforced(rule: ComputedRule | undefined, namespace: string, labels: NamespaceLabels): MatchAnswer {
    if (rule === undefined) return false;
    return this.#rule(rule).enforced ?? isEnforced(this.#policy, rule, namespace, labels);
  }

  field({ computed, type }: RuleResponse): FieldPath {
    if (computed === undefined) return ['spec', 'rules'];
    if (type === 'Mutation') return ['spec', 'rules', computed.index, 'mutate'];
    if (type === 'ImageVerify') return ['spec', 'rules', computed.index, 'verifyImages'];
    return this.#rule(computed).body;
  }

  #rule(rule: ComputedRule): SpokenRule {
    let known = this.#rules.get(rule);
    if (known === undefined) {
      known = { enforced: fixedEnforcement(this.#policy, rule), body: bodyOf(rule) };
      this.#rules.set(rule, known);
    }
    return known;
  }
}

const BODIES: readonly string[] = ['pattern', 'anyPattern', 'deny', 'foreach', 'podSecurity', 'cel', 'manifests'];

function bodyOf({ value, index }: ComputedRule): FieldPath {
  const validation = objectOrEmpty(value.get('validate'));
  const body = BODIES.find((name) => (validation.get(name) ?? null) !== null);
  return ['spec', 'rules', index, 'validate', ...(body === undefined ? [] : [body])];
}
