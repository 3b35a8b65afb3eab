// Operator tokens: their functions and precedence.
import { Token } from './token.ts';

/** By token type: the function of a binary operator (cel-go `common/operators`). */
export const BINARY_OPERATORS: readonly (string | undefined)[] = [
  undefined,
  '_==_',
  '_!=_',
  '@in',
  '_<_',
  '_<=_',
  '_>=_',
  '_>_',
  '_&&_',
  '_||_',
  ...Array<undefined>(8),
  '_-_',
  ...Array<undefined>(3),
  '_+_',
  '_*_',
  '_/_',
  '_%_',
];

export function isRelationOperator(type: number): boolean {
  return type >= Token.EQUALS && type <= Token.GREATER;
}

/** 2 for `*`, `/`, `%`; 1 for `+`, `-`; 0 for other tokens. */
export function calcPrecedence(type: number): number {
  if (type === Token.PLUS || type === Token.MINUS) return 1;
  return type >= Token.STAR && type <= Token.PERCENT ? 2 : 0;
}
