// Ranks the sections of the documents for the words of a search.

export interface Section {
  readonly page: string;
  readonly heading: string;
  /** Relative to the top of the site. */
  readonly url: string;
  readonly text: string;
}

const WHOLE_HEADING = 8;

/** Sections in which every word begins a word, best first. A word in a heading ranks higher. Equal ranks keep their order. */
export function rankedSections(sections: readonly Section[], words: readonly string[]): readonly Section[] {
  const starts = words.map(
    (word) => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`, 'iu'),
  );
  const found = sections.flatMap((section) => {
    const ranks = starts.map((start) => rankOf(section, start));
    const whole = section.heading.toLowerCase() === words.join(' ').toLowerCase() ? WHOLE_HEADING : 0;
    return ranks.includes(0) ? [] : [{ section, rank: ranks.reduce((sum, rank) => sum + rank, whole) }];
  });
  return found.sort((one, other) => other.rank - one.rank).map(({ section }) => section);
}

function rankOf({ page, heading, text }: Section, start: RegExp): number {
  return (start.test(heading) ? 6 : 0) + (start.test(page) ? 4 : 0) + (start.test(text) ? 1 : 0);
}
