// Generates names from generateName (apiserver `pkg/storage/names/generate.go`).

/** Keeps prefix and suffix within a label's length. The server cuts bytes, even inside a character. */
const MAX_PREFIX_BYTES = 58;

/** `suffix` replaces the five random characters. */
export function generatedName(prefix: string, suffix: string): string {
  if (prefix.length * 3 <= MAX_PREFIX_BYTES) return `${prefix}${suffix}`;
  const bytes = new TextEncoder().encode(prefix);
  return `${new TextDecoder().decode(bytes.subarray(0, MAX_PREFIX_BYTES))}${suffix}`;
}
