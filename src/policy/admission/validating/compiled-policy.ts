// All expressions of a policy, compiled (apiserver `validating/plugin.go: compilePolicy`; on creation `validation.go`).

import { BOOL, NULL, STRING, type Type } from '../../../cel/check/type.ts';
import type { TypeProvider } from '../../../cel/check/type-provider.ts';
import { trimSpace } from '../../../go/trim-space.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { ExpressionMode } from '../../../kubernetes/cel/environment.ts';
import {
  type CompiledExpression,
  compileExpression,
  type ExpressionContext,
} from '../../expression/compiled-expression.ts';
import { CompiledVariables } from '../../expression/variables.ts';
import type { PlacedExpression } from '../generic/admission-policy.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

export interface CompiledPolicy {
  readonly variables: CompiledVariables;
  readonly matchConditions: readonly CompiledExpression[];
  readonly validations: readonly CompiledExpression[];
  /** By validation; undefined where it has none. */
  readonly messageExpressions: readonly (CompiledExpression | undefined)[];
  readonly auditAnnotations: readonly CompiledExpression[];
}

/**
 * On creation matchConditions do not see `variables`, and nothing does in a policy without variables; they and audit
 * annotations are trimmed before they are compiled. At run time everything sees `variables` and nothing is trimmed.
 */
export function compilePolicy(
  policy: ValidatingPolicy,
  mode: ExpressionMode,
  environments: AdmissionEnvironments,
): CompiledPolicy {
  const hasParams = policy.paramKind !== undefined;
  const contextFor = (hasAuthorizer: boolean, variables: TypeProvider | undefined): ExpressionContext =>
    environments.context({ mode, hasParams, hasAuthorizer, variables });
  const isNew = mode === 'new';
  const textOf = (expression: string): string => (isNew ? trimSpace(expression) : expression);
  const variables = new CompiledVariables(
    policy.variables,
    (types) => contextFor(true, types),
    ({ expression }) => !isNew || trimSpace(expression) !== '',
  );
  const visible = isNew && policy.variables.length === 0 ? undefined : variables;
  const context = contextFor(true, visible);
  const conditionContext = isNew ? contextFor(true, undefined) : context;
  const messageContext = contextFor(false, visible);
  const compile = (expression: string, returnTypes: readonly Type[]): CompiledExpression =>
    compileExpression(expression, returnTypes, context);
  return {
    variables,
    matchConditions: policy.matchConditions.map(({ expression }) =>
      compileExpression(textOf(expression), [BOOL], conditionContext),
    ),
    validations: policy.validations.map(({ expression }) => compile(expression, [BOOL])),
    messageExpressions: policy.validations.map(({ messageExpression }) =>
      messageExpression === '' ? undefined : compileExpression(messageExpression, [STRING], messageContext),
    ),
    auditAnnotations: policy.auditAnnotations.map(({ valueExpression }) =>
      compile(textOf(valueExpression), [STRING, NULL]),
    ),
  };
}

/** Every expression with the field it stands in; matchConditions first, as the server checks them. */
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
