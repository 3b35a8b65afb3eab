// The name that the server makes of a generateName (apiserver `pkg/storage/names/generate.go`).

/** So that name and suffix are no longer than a label; the server cuts bytes, also within a character. */
const MAX_PREFIX_BYTES = 58;

/** `suffix` stands for five random characters. */
export function generatedName(prefix: string, suffix: string): string {
  if (prefix.length * 3 <= MAX_PREFIX_BYTES) return `${prefix}${suffix}`;
  const bytes = new TextEncoder().encode(prefix);
  return `${new TextDecoder().decode(bytes.subarray(0, MAX_PREFIX_BYTES))}${suffix}`;
}
