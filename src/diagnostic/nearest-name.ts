// Finds the known name that the author of an unknown name probably meant.

/**
 * The candidate with the smallest edit distance, ignoring case, if at most a third of the letters differ. The earlier candidate wins a tie.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().slice(0, 64);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase().slice(0, 64));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * The nearest name; otherwise the only candidate that contains, or consists of, whole words of the name: `reason` for
 * `statusReason`, `policyName` for `policy`.
 */
export function similarName(name: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates];
  return (
    nearestName(name, names) ??
    onlyOne(names.filter((candidate) => isPartOf(name, candidate) || isPartOf(candidate, name)))
  );
}

/** The only candidate that starts with the same word: `paramRef` for `paramName`. */
export function kindredName(name: string, candidates: Iterable<string>): string | undefined {
  const first = firstWord(name);
  if (first.length < 5 || first === name) return undefined;
  return onlyOne([...candidates].filter((candidate) => firstWord(candidate) === first));
}

function onlyOne(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

function firstWord(name: string): string {
  return /^[a-z]+/.exec(name)?.[0] ?? '';
}

/** True for whole words at the start or end: `policy` of `policyName`, `pullPolicy` of `imagePullPolicy`. */
function isPartOf(part: string, whole: string): boolean {
  if (part.length < 4 || part.length >= whole.length) return false;
  const isStart = whole.startsWith(part) && /[A-Z]/.test(whole.charAt(part.length));
  return isStart || whole.endsWith(part.charAt(0).toUpperCase() + part.slice(1));
}

/** Edit distance with swaps of adjacent characters (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    const above = rows[row - 1] as number[];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (above[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (above[column - 1] as number) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, ((rows[row - 2] as number[])[column - 2] as number) + 1);
      }
      current.push(cost);
    }
    rows.push(current);
  }
  return (rows[a.length] as number[])[b.length] as number;
}
