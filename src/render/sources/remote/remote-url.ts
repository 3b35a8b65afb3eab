// The address that fetching contacts first.
import { trimRight } from '../../../go/strings/trim.ts';
import type { BaseReference, Remote } from './remote.ts';
import { parseRepositorySpec } from './repository-spec.ts';

/** The address that is contacted first, without its version; undefined if it is not a URL. */
export function remoteUrl(remote: Remote): URL | undefined {
  const text = 'git' in remote ? remote.git : 'base' in remote ? baseAddress(remote) : remote.repository;
  // Only for its host and path: `oci:` is contacted by https.
  const address = trimRight(text.replace(/^oci:\/\//i, 'https://'), '/');
  return URL.canParse(address) ? new URL(address) : undefined;
}

function baseAddress({ base, as }: BaseReference): string {
  const spec = parseRepositorySpec(base);
  if (as === 'file' || spec === undefined) return base;
  return spec.url;
}
