// Runs the validators of an environment on a checked expression.
import type { Issue } from '../issue/issue.ts';
import type { AstValidator } from './ast-validator.ts';
import type { CheckedAst } from './checked-ast.ts';

export function runValidators(ast: CheckedAst, validators: readonly AstValidator[]): readonly Issue[] {
  if (validators.length === 0) return [];
  const issues: Issue[] = [];
  const mixedLiteralFunctions = new Set(validators.flatMap((validator) => validator.mixedLiteralFunctions ?? []));
  const done = new Set<string>();
  for (const validator of validators) {
    if (done.has(validator.name)) continue;
    done.add(validator.name);
    validator.validate(
      ast,
      (at, message) => issues.push({ kind: 'validate', message, offset: at.offset, end: at.end }),
      mixedLiteralFunctions,
    );
  }
  return issues;
}
