// Finds broken links of the built site: missing files, or missing anchors in a page.
import { dirname, join, normalize } from 'node:path/posix';

/** `pages`: HTML by address; `others`: further files of the site. Links to other hosts are not followed. */
export function deadLinks(pages: ReadonlyMap<string, string>, others: ReadonlySet<string>): readonly string[] {
  const ids = new Map([...pages].map(([url, html]) => [url, idsOf(html)]));
  return [...pages].flatMap(([url, html]) =>
    [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].flatMap(([, written = '']) => {
      const link = written.replaceAll('&amp;', '&');
      if (/^[a-z][a-z+.-]*:/i.test(link)) return [];
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? url : normalize(join(dirname(url), file));
      const known = ids.get(target);
      if (known === undefined) return others.has(target) && anchor === undefined ? [] : [`${url}: ${link}`];
      return anchor === undefined || known.has(anchor) ? [] : [`${url}: ${link}`];
    }),
  );
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
}
