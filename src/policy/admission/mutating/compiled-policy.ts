// Compiles all expressions of a mutating policy (apiserver `mutating/compilation.go`; on creation `validation.go`).
import { BOOL, listOf, type Type } from '../../../cel/check/type.ts';
import type { TypeProvider } from '../../../cel/check/type-provider.ts';
import { trimSpace } from '../../../go/strings/trim-space.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { ExpressionMode } from '../../../kubernetes/cel/environment.ts';
import { JSON_PATCH_TYPE, OBJECT_TYPE } from '../../../kubernetes/cel/mutation-types.ts';
import { type CompiledExpression, compileExpression } from '../../expression/compiled-expression.ts';
import { CompiledVariables } from '../../expression/variables.ts';
import type { PlacedExpression } from '../generic/admission-policy.ts';
import type { PolicyExpressions } from '../generic/expression-remarks.ts';
import { type MutatingPolicy, patchField } from './mutating-policy.ts';

export interface CompiledMutations {
  readonly variables: CompiledVariables;
  readonly matchConditions: readonly CompiledExpression[];
  readonly mutations: readonly CompiledExpression[];
}

const LIST_OF_PATCHES: Type = listOf(JSON_PATCH_TYPE);

/**
 * Only mutations see the patch types. On creation, matchConditions do not see `variables`, and match conditions and
 * mutations are trimmed first.
 */
export function compileMutations(
  policy: MutatingPolicy,
  mode: ExpressionMode,
  environments: AdmissionEnvironments,
): CompiledMutations {
  const hasParams = policy.paramKind !== undefined;
  const contextFor = (hasPatchTypes: boolean, variables: TypeProvider | undefined) =>
    environments.context({ mode, hasParams, hasAuthorizer: true, hasPatchTypes, variables });
  const isNew = mode === 'new';
  const variables = new CompiledVariables(
    policy.variables,
    (types) => contextFor(false, types),
    ({ expression }) => !isNew || trimSpace(expression) !== '',
  );
  const textOf = (expression: string): string => (isNew ? trimSpace(expression) : expression);
  const conditionContext = contextFor(false, isNew ? undefined : variables);
  const mutationContext = contextFor(true, variables);
  return {
    variables,
    matchConditions: policy.matchConditions.map(({ expression }) =>
      compileExpression(textOf(expression), [BOOL], conditionContext),
    ),
    mutations: policy.mutations.map(({ patchType, expression }) =>
      compileExpression(
        textOf(expression),
        [patchType === 'JSONPatch' ? LIST_OF_PATCHES : OBJECT_TYPE],
        mutationContext,
      ),
    ),
  };
}

/** Every expression with its field, in the order in which the server checks them: matchConditions first. */
export function expressionsOf(policy: MutatingPolicy, compiled: CompiledMutations): readonly PlacedExpression[] {
  const named = (list: string, expressions: readonly (CompiledExpression | undefined)[]): readonly PlacedExpression[] =>
    expressions.flatMap((expression, index) =>
      expression === undefined ? [] : [{ path: ['spec', list, index, 'expression'], compiled: expression }],
    );
  return [
    ...named('matchConditions', compiled.matchConditions),
    ...named('variables', compiled.variables.all),
    ...compiled.mutations.map((expression, index) => ({
      path: expressionPath(policy, index),
      compiled: expression,
    })),
  ];
}

export function expressionPath({ mutations }: MutatingPolicy, index: number): readonly (string | number)[] {
  return ['spec', 'mutations', index, patchField(mutations[index]?.patchType ?? ''), 'expression'];
}

/** A mutation sees the object as the mutations before it left it; its kind stays the same. */
export function typedExpressions(policy: MutatingPolicy, compiled: CompiledMutations): PolicyExpressions {
  const { variables, matchConditions } = compiled;
  const rules = policy.mutations.map(({ expression }, index) => ({
    path: expressionPath(policy, index),
    written: expression,
    compiled: compiled.mutations[index],
  }));
  return { variables, matchConditions, rules };
}
