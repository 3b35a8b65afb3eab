// Number of runs of a property: a share of its full count in `npm test`, all of it in `npm run fuzz -- --only properties`.

const WANTED = Number(process.env['PREADMIT_TRIES'] ?? 0);
const SEED_STEP = Number(process.env['PREADMIT_SEED'] ?? 0);

/** `npm test` runs one in this many. */
const SHARE = 4;
const LEAST = 25;

/** True for thorough runs: every number of shards, every repository. */
export const IS_THOROUGH = WANTED > 0;

/**
 * Settings of fast-check. PREADMIT_TRIES=n runs each property n times its full count, and PREADMIT_SEED is added to every seed. Without
 * them, `npm test` runs the first values of the thorough run: at least `least`, or the full count where fewer would leave lines untested.
 */
export function tries(full: number, seed: number, least = LEAST): { readonly numRuns: number; readonly seed: number } {
  const few = Math.min(full, Math.max(least, Math.ceil(full / SHARE)));
  return { numRuns: IS_THOROUGH ? Math.ceil(full * WANTED) : few, seed: seed + SEED_STEP };
}
