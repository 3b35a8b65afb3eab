// Message for a missing remote base: kustomize's own message is about running git.

/** `words`: kustomize's message of a failure of the class `remote-base`. */
export function remoteBaseMessage(words: string): string {
  const address = last(words, /accumulating resources from '([^']+)'/g);
  const folder = last(words, /recursed accumulation of path '([^']+)'/g);
  const where = folder === undefined ? '' : `, named in ${folder}`;
  // kustomize's message does not contain addresses of components.
  const isComponent = words.lastIndexOf('accumulating components') > words.lastIndexOf('accumulating resources from');
  const what = isComponent || address === undefined ? 'a remote component' : address;
  return `it builds on ${what}${where}, which is not in the repository`;
}

function last(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[1];
}
