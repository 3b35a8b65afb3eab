// Which request is answered by what.
import type { EditedState } from '../../pipeline/edited-state.ts';
import type { EditedRepository } from './edited-repository.ts';
import type { Params } from './request-params.ts';

/** Null where there is nothing to say. Throws RpcError for params that cannot be read. */
export type Answer = (params: Params, repository: EditedRepository, state: EditedState) => unknown;

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([]);

/** Undefined for what the server does not know. */
export function answersFor(method: string): Answer | undefined {
  return ANSWERS.get(method);
}
