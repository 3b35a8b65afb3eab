// Adds many items to a list at once: Go's `append`, whatever their number.

/**
 * Adds the items in order. Unlike `list.push(...items)`, which passes each as an argument on the stack and fails at some 100,000 of
 * them, it takes any number.
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
