// The search of the documents. Its index is fetched for the first search and searched in the page.
import { byId, make } from './elements.ts';
import { rankedSections, type Section } from './ranked-sections.ts';

const MAX_SHOWN = 20;

const input = byId('search', HTMLInputElement);
const list = byId('found', HTMLElement);
const status = byId('found-status', HTMLElement);
const top = input.dataset['top'] ?? '';
let index: Promise<readonly Section[]> | undefined;

async function search(): Promise<void> {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  index ??= fetch(`${top}search.json`).then((response) => response.json() as Promise<readonly Section[]>);
  const sections = await index;
  const found = words.length === 0 ? [] : rankedSections(sections, words);
  list.replaceChildren(...found.slice(0, MAX_SHOWN).map((section) => entry(section, words)));
  list.hidden = found.length === 0;
  status.textContent = words.length === 0 ? '' : found.length === 0 ? 'No results' : `${found.length} found`;
}

function entry({ page, heading, url, text }: Section, words: readonly string[]): HTMLElement {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] ?? '') - 40);
  const link = make('a', { href: top + url }, heading === page ? page : `${page}: ${heading}`);
  return make('li', {}, link, make('p', { class: 'muted' }, `${at > 0 ? '…' : ''}${text.slice(at, at + 140)}…`));
}

input.addEventListener('input', () => void search());
