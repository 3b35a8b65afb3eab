// Addresses of Git repositories: which of them name one repository.
import { trimRight } from '../../../go/strings/trim.ts';

/** Host and path in lower case, without protocol, user and port: `https://h/o/r.git` and `git@h:o/r` are one repository. */
export function repositoryKey(url: string): string {
  const path = url
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?:\d+\/)?/, '$1/');
  return trimRight(path, '/')
    .replace(/\.git$/i, '')
    .toLowerCase();
}

/** True if the last parts are equal, as for a fork or a mirror. */
export function haveOneName(one: string, other: string): boolean {
  const nameOf = (url: string): string => repositoryKey(url).split('/').at(-1) ?? '';
  return nameOf(one) === nameOf(other);
}
