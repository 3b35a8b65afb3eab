// Shared code of the ordering operators.

/** True if the order (below, at or above zero) satisfies the operator. False for an operator in the wrong case. */
export function holdsFor(order: number, operator: string): boolean {
  switch (operator) {
    case 'GreaterThanOrEquals':
      return order >= 0;
    case 'GreaterThan':
      return order > 0;
    case 'LessThanOrEquals':
      return order <= 0;
    case 'LessThan':
      return order < 0;
    default:
      return false;
  }
}

/** NaN if one is not a number; no operator then holds. */
export function orderOf(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  return left > right ? 1 : left === right || Number(left) === Number(right) ? 0 : Number.NaN;
}
