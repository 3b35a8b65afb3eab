// Every document of the site: README, the files in docs/, and all files they link to, each as a page.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentPage, documentPage, folderPage, relativeUrl, type Section, textPage } from './document.ts';
import { escapeText, sitePage } from './site-page.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The home page of the documents. The navigation has its order. */
const INDEX = 'docs/README.md';

/** Larger files are not shown. */
const MAX_TEXT = 400_000;

export interface BuiltDocuments {
  /** HTML by path, from the top of the site. */
  readonly pages: ReadonlyMap<string, string>;
  readonly sections: readonly Section[];
  /** Broken links. */
  readonly dead: readonly string[];
}

export function allDocuments(): BuiltDocuments {
  const documents = new Map<string, DocumentPage>();
  const dead: string[] = [];
  const waiting: { readonly path: string; readonly from: string }[] = [
    { path: 'README.md', from: '' },
    ...inFolder('docs').map((path) => ({ path, from: '' })),
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, from } = next;
    if (documents.has(path)) continue;
    const page = path.startsWith('..') ? undefined : read(path);
    if (page === undefined) {
      dead.push(`${from}: ${path}`);
      continue;
    }
    documents.set(path, page);
    for (const link of page.links) waiting.push({ path: link, from: path });
  }
  const order = documents.get(INDEX)?.links ?? [];
  const navigation = [...documents]
    .filter(([path]) => /^docs\/[^/]+\.md$/.test(path) && path !== INDEX)
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([path, { title }]) => ({ url: urlOf(path), title }));
  const pages = new Map(
    [...documents].map(([path, page]): [string, string] => [urlOf(path), framed(urlOf(path), page, navigation)]),
  );
  // The search lists equally good results in this order: reading order, then all other pages.
  const rank = (path: string): number => (order.includes(path) ? order.indexOf(path) : order.length);
  const inOrder = [...documents].sort(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return { pages, sections: inOrder.flatMap(([, { sections }]) => sections), dead };
}

interface NavigationEntry {
  readonly url: string;
  readonly title: string;
}

function inFolder(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** Undefined if the file does not exist. */
function read(path: string): DocumentPage | undefined {
  const file = join(ROOT, path);
  if (!existsSync(file)) return undefined;
  if (statSync(file).isDirectory()) {
    const names = readdirSync(file).filter(
      (name) => !name.startsWith('.') && statSync(join(file, name)).size <= MAX_TEXT,
    );
    return folderPage(path, names.sort(), urlOf);
  }
  if (statSync(file).size > MAX_TEXT) return textPage(path, 'This file is too large to be shown here.');
  const text = readFileSync(file, 'utf8');
  return path.endsWith('.md') ? documentPage(path, text, urlOf) : textPage(path, text);
}

function urlOf(path: string): string {
  if (path === INDEX) return 'docs/index.html';
  if (path.endsWith('.md')) return path.replace(/\.md$/, '.html');
  const file = join(ROOT, path);
  const isFolder = existsSync(file) && statSync(file).isDirectory();
  if (!isFolder) return `${path}.html`;
  return path === 'docs' ? 'docs/all.html' : `${path}/index.html`;
}

function framed(url: string, page: DocumentPage, navigation: readonly NavigationEntry[]): string {
  const entry = (each: NavigationEntry): string => {
    const current = each.url === url ? ' aria-current="page"' : '';
    return `<li><a href="${relativeUrl(url, each.url)}"${current}>${escapeText(each.title)}</a></li>`;
  };
  const top = relativeUrl(url, '');
  const aside = `<div class="aside">
<search><label for="search">Search</label><input type="search" id="search" data-top="${top}" autocomplete="off" spellcheck="false">
<p id="found-status" class="muted" role="status"></p><ul id="found" hidden></ul></search>
<nav aria-label="Documentation"><details class="pages"><summary>Pages</summary><ul>${[...navigation, ...MORE].map(entry).join('\n')}</ul></details></nav>
</div>`;
  return sitePage({
    title: `${page.title} · Preadmit`,
    url,
    body: page.html,
    aside,
    scripts: ['doc-search.js'],
    policy: ["connect-src 'self'"],
    kind: 'document',
  });
}

const MORE: readonly NavigationEntry[] = [
  { url: 'docs/codes/index.html', title: 'Finding codes' },
  { url: 'docs/decisions/index.html', title: 'Decisions' },
  { url: 'ARCHITECTURE.html', title: 'Architecture' },
  { url: 'CHANGELOG.html', title: 'Changelog' },
];
