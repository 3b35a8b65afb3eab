// Reports unused variables, and variables hidden by a later one with the same name. The API server accepts both.
import type { Diagnostic } from '../../../../diagnostic/diagnostic.ts';
import type { CompiledExpression } from '../../../expression/compiled-expression.ts';
import type { AdmissionPolicy } from '../admission-policy.ts';
import type { CompiledRules } from './compiled-rules.ts';
import { variableReferences } from './variable-references.ts';

export function lintVariables(policy: AdmissionPolicy, compiled: CompiledRules): readonly Diagnostic[] {
  return [...shadowedVariables(policy), ...unusedVariables(policy, compiled)];
}

/** At run time, every expression sees the last variable of a name (`composition.go: CompiledVariables`). */
function shadowedVariables({ variables, resource }: AdmissionPolicy): readonly Diagnostic[] {
  const names = variables.map(({ name }) => name);
  return names.flatMap((name, index) => {
    const last = names.lastIndexOf(name);
    if (name === '' || last === index) return [];
    return [
      {
        code: 'shadowed-variable',
        severity: 'warning',
        message: `variable \`${name}\` is hidden by a later one of the same name`,
        primary: resource.locate(['spec', 'variables', index, 'name'], 'value'),
        related: [
          { message: 'the effective one', location: resource.locate(['spec', 'variables', last, 'name'], 'value') },
        ],
        help: 'rename one of them; the API server accepts both and uses the last one in every expression',
      } as const,
    ];
  });
}

/** Skips policies with an expression that does not compile: which variables it reads is unknown. */
function unusedVariables({ variables, resource }: AdmissionPolicy, compiled: CompiledRules): readonly Diagnostic[] {
  const used = usedVariables(compiled);
  if (used === undefined) return [];
  return variables.flatMap(({ name }, index) => {
    const isHidden = variables.findLastIndex((other) => other.name === name) !== index;
    if (name === '' || used.has(name) || isHidden) return [];
    return [
      {
        code: 'unused-variable',
        severity: 'warning',
        message: `no expression reads variable \`${name}\``,
        primary: resource.locate(['spec', 'variables', index, 'name'], 'value'),
        related: [],
        help: 'remove it; the API server accepts it and never evaluates it',
      } as const,
    ];
  });
}

/** The variables that the policy's rules read, directly or through other variables. Undefined if unknown. */
function usedVariables(compiled: CompiledRules): ReadonlySet<string> | undefined {
  const used = new Set<string>();
  const rules = compiled.expressions.filter(({ path }) => path[1] !== 'variables');
  const pending: CompiledExpression[] = rules.map((rule) => rule.compiled);
  for (let expression = pending.pop(); expression !== undefined; expression = pending.pop()) {
    const read = expression.ast && variableReferences(expression.ast.expr);
    if (read === undefined) return undefined;
    for (const name of read) {
      const variable = compiled.variables.get(name);
      if (used.has(name) || variable === undefined) continue;
      used.add(name);
      pending.push(variable);
    }
  }
  return used;
}
