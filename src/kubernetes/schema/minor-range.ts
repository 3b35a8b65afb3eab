// Release ranges in the notation of the tables.

/**
 * `30-33,36-` lists ranges of minor releases; an open range includes the newest one. Undefined means every release of
 * the enclosing entry.
 */
export function isServed(minors: string | undefined, minor: number): boolean {
  if (minors === undefined) return true;
  return minors.split(',').some((run) => {
    const [first, last] = run.split('-');
    return minor >= Number(first) && (last === '' || minor <= Number(last));
  });
}
