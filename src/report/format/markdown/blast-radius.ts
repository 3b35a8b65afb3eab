// What a change of rules will do to objects that the change does not touch.
import type { Report } from '../../report.ts';
import { blastRadiusHeadline, count, firstLines, resourceLabel, storedWords } from '../../wording.ts';
import type { Block } from '../fit-block.ts';
import { someOf } from '../listing.ts';
import { lineLink } from './links.ts';
import type { MarkdownOptions } from './options.ts';
import { message, name } from './words.ts';

const MAX_CAUSES = 5;

export function changedRules({ blastRadius }: Report, options: MarkdownOptions): Block {
  if (blastRadius === undefined) return { head: '', items: [], foot: '', more: () => '' };
  const causes = blastRadius.causes
    .slice(0, MAX_CAUSES)
    .map(({ resource, change }) => `${name(resourceLabel(resource))} ${change}`);
  const more = blastRadius.causes.length > MAX_CAUSES ? `, and ${blastRadius.causes.length - MAX_CAUSES} more` : '';
  const items = blastRadius.entries.map(
    ({ primary, resource, before, after, policies: by, message: words, fields }) => {
      const why = words === undefined ? '' : `<br>${message(firstLines(words)[0] ?? '')}`;
      const where = `${name(resourceLabel(resource))} in ${lineLink(primary, options)}`;
      // Where the answer stays what it is, the news is what is stored.
      const isStored = before === after && why === '' && fields !== undefined;
      const what = isStored ? `${after}, but **stored otherwise**` : `${before} → **${after}**`;
      const lead = isStored ? '' : 'stored otherwise: ';
      const changed = fields === undefined ? '' : `<br>${lead}${message(storedWords(fields))}`;
      return `- ${what} ${where}${why}${changed}<br><sub>${someOf(by.map(name))}</sub>\n`;
    },
  );
  return {
    head: `### Blast radius: ${blastRadiusHeadline(blastRadius)}\n\nOnce this is merged, because of ${causes.join(', ')}${more}.\n\n`,
    items: items.length === 0 ? [''] : items,
    foot: items.length === 0 ? '' : '\n',
    more: (rest) => `- ${count(rest, 'more object')}\n`,
  };
}
