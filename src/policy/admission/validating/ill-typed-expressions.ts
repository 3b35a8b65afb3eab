// Reports a validating policy's expressions that cannot work for a matched kind, and whether the server's type checking also reports them.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import { PublishedKinds } from '../../../kubernetes/cel/published-kinds.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { TypeWarning } from '../../language/policy-facts.ts';
import type { RuleExpression } from '../generic/expression-remarks.ts';
import { ExpressionTyping } from '../generic/expression-typing.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { TypeChecker } from './type-checking.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

/** Lives for one run. */
export class IllTypedExpressions {
  readonly #typing: ExpressionTyping;
  readonly #cluster: Cluster;
  readonly #environments: AdmissionEnvironments;

  constructor(cluster: Cluster, environments: AdmissionEnvironments) {
    this.#typing = new ExpressionTyping(cluster, environments);
    this.#cluster = cluster;
    this.#environments = environments;
  }

  /** The warnings that the server would write into the policy's status. */
  warningsOf(policy: ValidatingPolicy): readonly TypeWarning[] {
    const kinds = new PublishedKinds(this.#typing.kinds);
    return new TypeChecker(policy, kinds, this.#environments, this.#cluster.version).warnings();
  }

  /** `compiled` as on creation. Skips expressions that do not compile. */
  diagnostics(policy: ValidatingPolicy, compiled: CompiledPolicy): readonly Diagnostic[] {
    const { variables, matchConditions } = compiled;
    const expressions = { variables, matchConditions, rules: rulesOf(policy, compiled) };
    return this.#typing.diagnostics(policy, expressions, {
      warnings: (kinds) => {
        const published = new PublishedKinds(kinds);
        return serverWarnings(policy, new TypeChecker(policy, published, this.#environments, this.#cluster.version));
      },
    });
  }
}

function rulesOf(policy: ValidatingPolicy, compiled: CompiledPolicy): readonly RuleExpression[] {
  return [
    ...policy.validations.map(({ expression, messageExpression }, index): RuleExpression => {
      const path = ['spec', 'validations', index];
      return {
        path: [...path, 'expression'],
        written: expression,
        compiled: compiled.validations[index],
        otherwise: {
          path: [...path, 'messageExpression'],
          written: messageExpression,
          compiled: compiled.messageExpressions[index],
        },
      };
    }),
    ...policy.auditAnnotations.map(({ valueExpression }, index) => ({
      path: ['spec', 'auditAnnotations', index, 'valueExpression'],
      written: valueExpression,
      compiled: compiled.auditAnnotations[index],
    })),
  ];
}

/** True for expressions that the server's own type checking reports. Caches each result. */
function serverWarnings(policy: ValidatingPolicy, checker: TypeChecker): (path: FieldPath) => boolean {
  const known = new Map<string, boolean>();
  return ([, list, index, field]) => {
    const validation = list === 'validations' ? policy.validations[Number(index)] : undefined;
    if (validation === undefined) return false;
    const key = `${index} ${field}`;
    const isWarned =
      known.get(key) ?? checker.warnsOf(validation[field === 'expression' ? field : 'messageExpression']);
    known.set(key, isWarned);
    return isWarned;
  };
}
