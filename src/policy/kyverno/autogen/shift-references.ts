// Moves references `$(./../x)` in a message one level deeper when a rule is generated for controllers.

/** As in upstream's regular expression: the path has no blank and at least one character. */
const REFERENCES = /^\$\([^\n][^ ]*\)|[^\\]\$\([^\n][^ ]*\)/g;

/** `pivot`: the part of the rule that the references pass through: `pattern`, `anyPattern`, `deny` (`FindAndShiftReferences`). */
export function shiftReferences(text: string, shift: string, pivot: string): string {
  let shifted = text;
  let through = pivot;
  for (const [found] of text.matchAll(REFERENCES)) {
    const prefix = found.startsWith('$(') ? '' : found.charAt(0);
    const reference = found.slice(prefix.length);
    const index = reference.indexOf(through);
    if (through === 'anyPattern') {
      const [ruleIndex = ''] = reference.slice(index + through.length + 1).split('/');
      through = `${through}/${ruleIndex}`;
    }
    const replaced = reference.replaceAll(through, () => `${through}/${shift}`);
    shifted = shifted.replace(found, () => `${prefix}${replaced}`);
  }
  return shifted;
}
