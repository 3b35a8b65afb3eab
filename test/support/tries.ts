// How often a property is tried: a share of its full count in `npm test`, all of it in `npm run fuzz -- --only properties`.

const WANTED = Number(process.env['PREADMIT_TRIES'] ?? 0);
const SEED_STEP = Number(process.env['PREADMIT_SEED'] ?? 0);

/** `npm test` tries one in this many. */
const SHARE = 4;
const LEAST = 25;

/** True where time does not matter: every count of shards, every repository. */
export const IS_THOROUGH = WANTED > 0;

/**
 * Settings of fast-check. PREADMIT_TRIES=n tries each property n times its full count, and PREADMIT_SEED adds to every seed. Without
 * either, the same seed begins with the same values, so that `npm test` tries the first values of the thorough run, `least` or more:
 * the full count where fewer would leave lines that no other test reaches.
 */
export function tries(full: number, seed: number, least = LEAST): { readonly numRuns: number; readonly seed: number } {
  const few = Math.min(full, Math.max(least, Math.ceil(full / SHARE)));
  return { numRuns: IS_THOROUGH ? Math.ceil(full * WANTED) : few, seed: seed + SEED_STEP };
}
