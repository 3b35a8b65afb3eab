// Makes `x.orValue(y)` return x if x is not an optional, as before cel-go 0.28 (Kyverno `pkg/cel/compiler/env.go`).
import type { Library } from '../../../cel/declaration/library.ts';
import { UNIT } from '../../../cel/declaration/price.ts';
import type { Expr } from '../../../cel/syntax/ast.ts';
import { Optional, type Value } from '../../../cel/value/value.ts';

const NAME = '__orValueCompat__';

export const OR_VALUE_LIBRARY: Library = {
  name: 'kyverno.lib.orValue',
  functions: [
    {
      name: NAME,
      overloads: [
        {
          id: '__orValueCompat___dyn_dyn',
          signature: `${NAME}(dyn, dyn) -> dyn`,
          evaluate: (value: Value, otherwise: Value) =>
            value instanceof Optional ? (value.value ?? otherwise) : value,
          price: UNIT,
        },
      ],
    },
  ],
  macros: [
    {
      name: 'orValue',
      argCount: 1,
      receiverStyle: true,
      expand: (factory, target, args) => factory.call(NAME, target as Expr, args[0] as Expr),
    },
  ],
};
