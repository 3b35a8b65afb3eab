// `cel.bind(name, value, expression)` (cel-go `ext/bindings.go`).
import type { Library } from '../../../../cel/declaration/library.ts';
import type { Expr } from '../../../../cel/syntax/ast.ts';

/** Users cannot write this name. The comprehension iterates over nothing. */
const UNUSED = '#unused';

export const BINDINGS_LIBRARY: Library = {
  name: 'cel.lib.ext.cel.bindings',
  functions: [],
  macros: [
    {
      name: 'bind',
      argCount: 3,
      receiverStyle: true,
      expand: (factory, target, args) => {
        if (target?.kind !== 'ident' || target.name !== 'cel') return undefined;
        const [variable, init, result] = args as readonly [Expr, Expr, Expr];
        if (variable.kind !== 'ident')
          return factory.error(variable, 'cel.bind() variable names must be simple identifiers');
        return factory.comprehension({
          iterRange: factory.list(),
          iterVar: UNUSED,
          accuVar: variable.name,
          accuInit: init,
          loopCondition: factory.literal(false),
          loopStep: factory.ident(variable.name),
          result,
        });
      },
    },
  ],
};
