// The releases something is true for, as the tables write them.

/** `30-33,36-` is runs of minor releases, open to the newest; nothing means as long as what it belongs to. */
export function isServed(minors: string | undefined, minor: number): boolean {
  if (minors === undefined) return true;
  return minors.split(',').some((run) => {
    const [first, last] = run.split('-');
    return minor >= Number(first) && (last === '' || minor <= Number(last));
  });
}
