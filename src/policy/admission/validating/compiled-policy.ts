// Compiles all expressions of a policy (apiserver `validating/plugin.go: compilePolicy`; on creation `validation.go`).
import { BOOL, NULL, STRING, type Type } from '../../../cel/check/type.ts';
import type { TypeProvider } from '../../../cel/check/type-provider.ts';
import { trimSpace } from '../../../go/strings/trim-space.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { ExpressionMode } from '../../../kubernetes/cel/environment.ts';
import {
  type CompiledExpression,
  compileExpression,
  type ExpressionContext,
} from '../../expression/compiled-expression.ts';
import { CompiledVariables, type NamedExpression } from '../../expression/variables.ts';
import type { PlacedExpression } from '../generic/admission-policy.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

export interface CompiledPolicy {
  readonly variables: CompiledVariables;
  readonly matchConditions: readonly CompiledExpression[];
  readonly validations: readonly CompiledExpression[];
  /** By validation. Undefined for those without a messageExpression. */
  readonly messageExpressions: readonly (CompiledExpression | undefined)[];
  readonly auditAnnotations: readonly CompiledExpression[];
}

/** Caches compiled expressions of one run: policy bundles often repeat variables and conditions. */
export class SharedExpressions {
  readonly #variables = new Map<string, CompiledVariables>();
  readonly #contexts = new Map<string, ExpressionContext>();
  readonly #expressions = new Map<string, CompiledExpression>();

  variables(key: string, compile: () => CompiledVariables): CompiledVariables {
    return known(this.#variables, key, compile);
  }

  context(key: string, make: () => ExpressionContext): ExpressionContext {
    return known(this.#contexts, key, make);
  }

  expression(key: string, compile: () => CompiledExpression): CompiledExpression {
    return known(this.#expressions, key, compile);
  }
}

function known<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/**
 * On creation, matchConditions do not see `variables`, and neither does any expression of a policy without variables.
 * Match conditions and audit annotations are trimmed first. At run time, everything sees `variables` and nothing is
 * trimmed.
 */
export function compilePolicy(
  policy: ValidatingPolicy,
  mode: ExpressionMode,
  environments: AdmissionEnvironments,
  shared = new SharedExpressions(),
): CompiledPolicy {
  const hasParams = policy.paramKind !== undefined;
  const contextFor = (hasAuthorizer: boolean, types: TypeProvider | undefined): ExpressionContext =>
    environments.context({ mode, hasParams, hasAuthorizer, variables: types });
  const isNew = mode === 'new';
  const textOf = (expression: string): string => (isNew ? trimSpace(expression) : expression);
  const variablesKey = JSON.stringify([mode, hasParams, policy.variables]);
  const variables = shared.variables(variablesKey, () => {
    const isDeclared = ({ expression }: NamedExpression): boolean => !isNew || trimSpace(expression) !== '';
    return new CompiledVariables(policy.variables, (types) => contextFor(true, types), isDeclared);
  });
  const visible = isNew && policy.variables.length === 0 ? undefined : variables;
  const compile = (
    expression: string,
    returnTypes: readonly Type[],
    hasAuthorizer: boolean,
    types: CompiledVariables | undefined,
  ): CompiledExpression => {
    const contextKey = `${hasAuthorizer} ${types !== undefined} ${variablesKey}`;
    return shared.expression(`${returnTypes.join()} ${contextKey} ${expression}`, () => {
      const context = shared.context(contextKey, () => contextFor(hasAuthorizer, types));
      return compileExpression(expression, returnTypes, context);
    });
  };
  const ofConditions = isNew ? undefined : visible;
  return {
    variables,
    matchConditions: policy.matchConditions.map(({ expression }) =>
      compile(textOf(expression), [BOOL], true, ofConditions),
    ),
    validations: policy.validations.map(({ expression }) => compile(expression, [BOOL], true, visible)),
    messageExpressions: policy.validations.map(({ messageExpression }) =>
      messageExpression === '' ? undefined : compile(messageExpression, [STRING], false, visible),
    ),
    auditAnnotations: policy.auditAnnotations.map(({ valueExpression }) =>
      compile(textOf(valueExpression), [STRING, NULL], true, visible),
    ),
  };
}

/** Every expression with its field, in the order in which the server checks them: matchConditions first. */
export function expressionsOf(compiled: CompiledPolicy): readonly PlacedExpression[] {
  const place = (
    list: string,
    field: string,
    expressions: readonly (CompiledExpression | undefined)[],
  ): readonly PlacedExpression[] =>
    expressions.flatMap((expression, index) =>
      expression === undefined ? [] : [{ path: ['spec', list, index, field], compiled: expression }],
    );
  return [
    ...place('matchConditions', 'expression', compiled.matchConditions),
    ...place('variables', 'expression', compiled.variables.all),
    ...place('validations', 'expression', compiled.validations),
    ...place('validations', 'messageExpression', compiled.messageExpressions),
    ...place('auditAnnotations', 'valueExpression', compiled.auditAnnotations),
  ];
}
