// Advice that a report repeats only once.

/** Longer advice, for example a configuration, differs in details that one reading explains. */
const MAX_REPEATED = 200;

/** `key`: equal for advice that is said once. `again`: what stands for it later; absent: nothing. */
export function adviceOnce(code: string, advice: string): { readonly key: string; readonly again?: string } {
  if (advice.length <= MAX_REPEATED) return { key: `${code} ${advice}` };
  return { key: code, again: `as for the first ${code}` };
}
