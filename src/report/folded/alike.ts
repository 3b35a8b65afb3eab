// The other subjects of diagnostics that were combined into one, without repeating its message.
import { MAX_COMBINED, type ReportedDiagnostic } from '../report.ts';

const MAX_NAMED = 3;

/** The end of a message that stands for several. */
export const COMBINED = / \(and \d+ more like it\)$/;

/** `the same for shop/a, shop/b (apps/b.yaml:4) and 6 more`; empty for a diagnostic that stands for one. */
export function alikeWords(diagnostic: ReportedDiagnostic): string {
  const { message, primary, related, count = 1 } = diagnostic;
  const others = related.slice(ownPlaces(diagnostic).length);
  if (others.length === 0) return '';
  const own = message.replace(COMBINED, '').split(' ');
  const known = new Set(own);
  const named = others.slice(0, MAX_NAMED).map(({ message: words, place }) => {
    // A message may differ again after the name, for example in the chart. The location has these details.
    const differing = differingWords(words.split(' '), own).split(' ');
    const end = differing.findIndex((word, index) => index > 0 && known.has(word));
    const name = (end < 0 ? differing : differing.slice(0, end)).join(' ');
    const where = `${place.path}:${place.startLine}`;
    if (name === '') return where;
    return place.path === primary?.path ? name : `${name} (${where})`;
  });
  const rest = count - 1 - named.length;
  return `the same for ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The related locations of the diagnostic without those of the combined ones, which come last. */
export function ownPlaces({ related, count = 1 }: ReportedDiagnostic): ReportedDiagnostic['related'] {
  return related.slice(0, Math.max(0, related.length - Math.min(count - 1, MAX_COMBINED)));
}

/** The words of `text` between its common start and its common end with `other`. */
export function differingWords(text: readonly string[], other: readonly string[]): string {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  return text
    .slice(start, text.length - end)
    .join(' ')
    .replace(/[,:]$/, '');
}
