// A ClusterPolicy or Policy. Compiles its rules for a kind on first use.
import type { JsonObject } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { type ComputedRule, computeRules, hasContent } from '../autogen/autogen.ts';
import type { ContextSource } from '../context/context-entries.ts';
import type { ValidateRule } from '../validate/validate-resource.ts';
import { compileRule, type KyvernoRule } from './compiled-rule.ts';

export class CompiledPolicy {
  readonly document: JsonObject;
  readonly name: string;
  /** Undefined for a ClusterPolicy. `default` for a Policy without a namespace. */
  readonly namespace: string | undefined;
  /** The name that exceptions use: the policy's name, or `namespace/name`. */
  readonly key: string;
  readonly spec: JsonObject;
  readonly appliesOneRule: boolean;
  readonly failureAction: string;
  readonly hasMutations: boolean;
  /** True if a rule generates objects or patches other objects. */
  readonly hasBackgroundRules: boolean;
  /** By kind. The empty kind holds the rules of all kinds. */
  readonly #rules = new Map<string, readonly KyvernoRule[]>();
  readonly #written = new Map<JsonObject, KyvernoRule>();
  readonly #validated = new Map<KyvernoRule, ValidateRule>();
  /** By written rule and location of the Pod. Rules for different controllers differ only in kinds. */
  readonly #generated = new Map<string, KyvernoRule>();

  constructor(document: JsonObject) {
    this.document = document;
    const metadata = objectOrEmpty(document.get('metadata'));
    this.name = textField(metadata, 'name');
    const namespace = textField(metadata, 'namespace');
    this.namespace = document.get('kind') === 'Policy' ? namespace || 'default' : undefined;
    this.key = namespace === '' ? this.name : `${namespace}/${this.name}`;
    this.spec = objectOrEmpty(document.get('spec'));
    this.appliesOneRule = textField(this.spec, 'applyRules') === 'One';
    this.failureAction = textField(this.spec, 'validationFailureAction') || 'Audit';
    const rules = objectItems(this.spec.get('rules'));
    this.hasMutations = rules.some((rule) => hasContent(rule.get('mutate')));
    this.hasBackgroundRules = rules.some((rule) => {
      const targets = objectItems(objectOrEmpty(rule.get('mutate')).get('targets'));
      return hasContent(rule.get('generate')) || targets.length > 0;
    });
  }

  rulesFor(kind: string | undefined): readonly KyvernoRule[] {
    const key = kind ?? '';
    let rules = this.#rules.get(key);
    if (rules === undefined) {
      rules = computeRules(this.document, kind).map((computed) => this.#compile(computed));
      this.#rules.set(key, rules);
    }
    return rules;
  }

  /** The rule's compiled validation. Cached for the last source. */
  validated(rule: KyvernoRule, source: ContextSource, make: () => ValidateRule): ValidateRule {
    const known = this.#validated.get(rule);
    if (known?.contextSource === source) return known;
    const made = make();
    this.#validated.set(rule, made);
    return made;
  }

  /** A written rule is the same for all kinds. */
  #compile(computed: ComputedRule): KyvernoRule {
    if (computed.template.length > 0) {
      const key = [computed.index, ...computed.template].join('/');
      const generated = compileRule(computed, this.#generated.get(key));
      this.#generated.set(key, generated);
      return generated;
    }
    const rule = this.#written.get(computed.value) ?? compileRule(computed);
    this.#written.set(computed.value, rule);
    return rule;
  }

  get webhookConfiguration(): JsonObject | undefined {
    return objectField(this.spec, 'webhookConfiguration');
  }
}
