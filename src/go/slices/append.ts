// Appends any number of items to a list, like Go's `append`.

/** Unlike `list.push(...items)`, which passes each item as an argument on the stack and fails at about 100,000, this accepts any number. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
