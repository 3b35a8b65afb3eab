// What carries out the mutations of one policy: made where one concerns a request, and only then read.
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import type { CompiledMutations } from './compiled-policy.ts';
import type { MutatingPolicy } from './mutating-policy.ts';
import { Mutator } from './mutator.ts';

export function mutatorOf(policy: MutatingPolicy, compiled: CompiledMutations, work: RunBudget): Mutator {
  return new Mutator(policy, compiled, work);
}
