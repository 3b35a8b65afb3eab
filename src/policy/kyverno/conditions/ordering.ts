// What the operators that compare sizes have in common.

/** Whether an order (below, at or above zero) is what the operator asks for; false for one that is not spelt right. */
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

/** NaN where one is not a number: nothing holds then. */
export function orderOf(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  return left > right ? 1 : left === right || Number(left) === Number(right) ? 0 : Number.NaN;
}
