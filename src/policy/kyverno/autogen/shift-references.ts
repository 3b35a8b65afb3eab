// References `$(./../x)` inside a message, made to point one level deeper when a rule is made into one for controllers.

/** As upstream's regular expression: the path holds no blank and at least one character. */
const REFERENCES = /^\$\([^\n][^ ]*\)|[^\\]\$\([^\n][^ ]*\)/g;

/** `pivot` is the part of the rule the references go through: `pattern`, `anyPattern`, `deny` (`FindAndShiftReferences`). */
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
