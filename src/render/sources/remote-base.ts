// Says which base lies elsewhere: kustomize's own words are about the git program that it would start.

/** `words`: kustomize's, of a failure of the class `remote-base`. */
export function remoteBaseMessage(words: string): string {
  const address = last(words, /accumulating resources from '([^']+)'/g);
  const folder = last(words, /recursed accumulation of path '([^']+)'/g);
  const where = folder === undefined ? '' : `, named in ${folder}`;
  // Of components no address is told.
  const isComponent = words.lastIndexOf('accumulating components') > words.lastIndexOf('accumulating resources from');
  const what = isComponent || address === undefined ? 'a component at an address' : address;
  return `it builds on ${what}${where}, and nothing is fetched while a repository is checked`;
}

function last(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[1];
}
