// Evaluates every resource of one target against all policies.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { append } from '../../go/slices/append.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { ObjectConverter } from '../object/admission-object.ts';
import type { StageObserver } from '../stages.ts';
import { unevaluatedPolicies } from '../unknown/other-policies.ts';
import type { Target, TargetEvaluation, Unevaluated } from './target.ts';
import { TargetEvaluator } from './target-evaluator.ts';

/** Passes each evaluated resource to `visit` and then drops it, so that memory does not grow with the repository. */
export function evaluateTarget(
  target: Target,
  languages: readonly PolicyLanguage[],
  converter: ObjectConverter,
  stages: StageObserver,
  visit: (evaluated: EvaluatedResource) => void,
): TargetEvaluation {
  const evaluator = new TargetEvaluator(target, languages, converter, stages);
  const diagnostics: Diagnostic[] = [];
  for (const sentence of unevaluatedPolicies(target.facts, languages)) evaluator.unknowns.add(sentence);
  const unevaluated: Unevaluated[] = [];
  let evaluated = 0;
  for (const resource of target.manifests) {
    const result = evaluator.evaluate({ operation: 'CREATE', resource });
    append(diagnostics, result.diagnostics);
    if (result.evaluated === undefined) unevaluated.push(result.unevaluated);
    else {
      evaluated += 1;
      stages.progress(evaluated, target.manifests.length);
      visit(result.evaluated);
    }
  }
  // Read this last: some policy diagnostics depend on the number of objects that each policy matched.
  append(diagnostics, evaluator.policyDiagnostics);
  return {
    target,
    policies: evaluator.policies,
    evaluated,
    unevaluated,
    diagnostics,
    unknowns: evaluator.unknowns,
    identityOf: (resource) => evaluator.identityOf(resource),
  };
}
