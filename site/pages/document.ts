// Converts a Markdown page to HTML with links to pages of the site, and extracts its sections for the search.
import { basename, dirname, join, normalize } from 'node:path/posix';
import { Marked, type Tokens } from 'marked';
import { escapeText } from './site-page.ts';

export interface Section {
  readonly page: string;
  readonly heading: string;
  /** Relative to the top of the site. */
  readonly url: string;
  readonly text: string;
}

export interface DocumentPage {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
  /** Linked paths of the repository. */
  readonly links: readonly string[];
}

/** `urlOf` maps a repository path to its URL from the top of the site. */
export function documentPage(path: string, text: string, urlOf: (path: string) => string): DocumentPage {
  const anchors = new Map<string, number>();
  const sections: Section[] = [];
  const links: string[] = [];
  const own = urlOf(path);
  let title = '';
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const plain = plainText(tokens);
        const id = anchorOf(plain, anchors);
        if (title === '') title = plain;
        sections.push({ page: title, heading: plain, url: `${own}#${id}`, text: '' });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        if (/^[a-z][a-z+.-]*:/i.test(href)) return `<a href="${escapeText(safe(href))}" rel="noreferrer">${inner}</a>`;
        const [file = '', anchor] = href.split('#');
        const target = file === '' ? path : normalize(join(dirname(path), file)).replace(/\/$/, '');
        links.push(target);
        return `<a href="${escapeText(relativeUrl(own, urlOf(target)) + (anchor === undefined ? '' : `#${anchor}`))}">${inner}</a>`;
      },
      image: ({ text: alternative }) => escapeText(alternative),
      html: ({ text: markup }) => (/^<!--[\s\S]*-->\s*$/.test(markup) ? '' : escapeText(markup)),
      code: ({ text: code }) => `<pre tabindex="0"><code>${escapeText(code)}\n</code></pre>\n`,
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], name: string): string =>
          row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('');
        const head = token.header.some(({ text: words }) => words !== '')
          ? `<thead><tr>${cells(token.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead>`
          : '';
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table">\n<table>${head}<tbody>${rows}</tbody></table>\n</div>\n`;
      },
    },
  });
  const html = marked.parse(text) as string;
  return { title: title || basename(path), html, sections: withTexts(sections, marked.lexer(text)), links };
}

/** A text that is not Markdown, shown unchanged. */
export function textPage(path: string, text: string): DocumentPage {
  const html = `<h1>${escapeText(path)}</h1>\n<pre tabindex="0"><code>${escapeText(text)}</code></pre>`;
  return { title: path, html, sections: [], links: [] };
}

export function folderPage(path: string, names: readonly string[], urlOf: (path: string) => string): DocumentPage {
  const own = urlOf(path);
  const entry = (name: string): string =>
    `<li><a href="${escapeText(relativeUrl(own, urlOf(`${path}/${name}`)))}">${escapeText(name)}</a></li>`;
  const html = `<h1>${escapeText(path)}</h1>\n<ul>${names.map(entry).join('\n')}</ul>`;
  return { title: path, html, sections: [], links: names.map((name) => `${path}/${name}`) };
}

export function relativeUrl(from: string, to: string): string {
  return '../'.repeat(from.split('/').length - 1) + to;
}

function withTexts(sections: readonly Section[], tokens: ReturnType<Marked['lexer']>): readonly Section[] {
  const texts: string[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') texts.push('');
    else if (texts.length > 0) texts[texts.length - 1] += ` ${token.raw}`;
  }
  return sections.map((section, index) => ({ ...section, text: searchable(texts[index] ?? '') }));
}

function searchable(raw: string): string {
  return raw
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[`*|[\]#>]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function plainText(tokens: readonly Tokens.Generic[]): string {
  return tokens
    .map((token) => (token['tokens'] ? plainText(token['tokens']) : String(token['text'] ?? token.raw)))
    .join('');
}

/** GitHub's anchor names, so that links work on GitHub and on the site. */
function anchorOf(heading: string, used: Map<string, number>): string {
  const name = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
  const before = used.get(name) ?? 0;
  used.set(name, before + 1);
  return before === 0 ? name : `${name}-${before}`;
}

/** Replaces URLs with unsafe schemes. */
function safe(href: string): string {
  return /^(?:https?|mailto):/i.test(href) ? href : '#';
}
