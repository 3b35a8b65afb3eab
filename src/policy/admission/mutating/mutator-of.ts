// Creates a policy's Mutator on demand, so that its code loads only when a policy matches.
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import type { CompiledMutations } from './compiled-policy.ts';
import type { MutatingPolicy } from './mutating-policy.ts';
import { Mutator } from './mutator.ts';

export function mutatorOf(policy: MutatingPolicy, compiled: CompiledMutations, work: RunBudget): Mutator {
  return new Mutator(policy, compiled, work);
}
