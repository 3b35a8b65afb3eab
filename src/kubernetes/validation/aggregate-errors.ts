// Joins several errors into one text (apimachinery `util/errors.Aggregate.Error`).

/** Each distinct text once, in brackets if there are several. */
export function aggregateErrors(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`;
}
