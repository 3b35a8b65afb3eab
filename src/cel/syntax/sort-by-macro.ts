// sortBy: sorts a list by a key computed from each element (cel-go `ext/lists.go`).
import type { Expr } from './ast.ts';
import type { ExprFactory } from './expr-factory.ts';
import type { Macro } from './macro.ts';
import { expandMap } from './standard-macros.ts';

const INPUT_NAME = '@__sortBy_input__';
const SORTABLE_KINDS: ReadonlySet<Expr['kind']> = new Set(['list', 'select', 'ident', 'comprehension', 'call']);

/** Binds the list to a hidden variable, maps it to its keys, and calls `@sortByAssociatedKeys` with both. */
export const SORT_BY_MACRO: Macro = { name: 'sortBy', argCount: 2, receiverStyle: true, expand: expandSortBy };

function expandSortBy(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const list = target as Expr;
  const input = factory.ident(INPUT_NAME);
  if (!SORTABLE_KINDS.has(list.kind)) {
    return factory.error(
      list,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const keys = expandMap(factory, factory.copy(input), args);
  if (keys === undefined) return undefined;
  const sorted = factory.memberCall('@sortByAssociatedKeys', factory.copy(input), keys);
  return factory.comprehension({
    iterRange: factory.list(),
    iterVar: '#unused',
    accuVar: INPUT_NAME,
    accuInit: list,
    loopCondition: factory.literal(false),
    loopStep: input,
    result: sorted,
  });
}
