// The order of the documents in the navigation and in the search.
import { expect, test } from 'vitest';
import { rankedSections } from '../../site/client/ranked-sections.ts';
import { allDocuments } from '../../site/pages/all-documents.ts';

const { pages, sections } = allDocuments();

test('the navigation has the reading order of docs/README.md', () => {
  const [navigation = ''] =
    /<nav aria-label="Documentation">[\s\S]*?<\/nav>/.exec(pages.get('docs/index.html') ?? '') ?? [];
  const titles = [...navigation.matchAll(/">([^<]+)<\/a>/g)].map(([, title]) => title);
  expect(titles.slice(0, 3)).toEqual(['Getting started', 'How a verdict is made', 'Glossary']);
  expect(titles.at(-1)).toBe('Changelog');
});

test('the index of the search has the same order', () => {
  expect(sections[0]).toMatchObject({ page: 'Getting started', heading: 'Getting started' });
});

test.each([
  ['pod security', 'Pod Security'],
  ['unreached', 'unreached'],
  ['not-rendered', 'not-rendered'],
  ['baseline', 'Baseline'],
])('a search for `%s` finds %s first', (text, heading) => {
  expect(rankedSections(sections, text.split(' '))[0]?.heading).toBe(heading);
});

test('a word matches the start of words only', () => {
  const section = { page: 'Docs', heading: 'Docs', url: 'docs.html' };
  const named = (text: string) => ({ ...section, text });
  const [pods, tripod, special] = [named('two Pods'), named('a tripod'), named('use (c++)')];
  expect(rankedSections([tripod, pods, special], ['pod'])).toEqual([pods]);
  expect(rankedSections([tripod, pods, special], ['c++'])).toEqual([special]);
  expect(rankedSections([tripod, pods], ['pod', 'three'])).toEqual([]);
});
