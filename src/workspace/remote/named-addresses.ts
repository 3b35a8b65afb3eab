// The addresses that a state of a repository names, by host and path.
import { trimRight } from '../../go/strings/trim.ts';
import { type Remote, remoteUrl } from '../../render/sources/remote.ts';

export class NamedAddresses {
  readonly #hosts = new Set<string>();
  readonly #addresses = new Set<string>();

  constructor(remotes: readonly Remote[]) {
    for (const remote of remotes) {
      const url = remoteUrl(remote);
      if (url === undefined) continue;
      this.#hosts.add(url.host);
      for (const key of keysOf(remote, url)) this.#addresses.add(key);
    }
  }

  hasHost(host: string): boolean {
    return this.#hosts.has(host);
  }

  /** True for the same repository, with any chart, folder or version. */
  has(remote: Remote): boolean {
    const url = remoteUrl(remote);
    return url !== undefined && keysOf(remote, url).some((key) => this.#addresses.has(key));
  }
}

/** A chart of a registry may be named by its folder or by its own address. */
function keysOf(remote: Remote, { host, pathname }: URL): readonly string[] {
  const top = trimRight(`${host}${pathname}`, '/').replace(/\.git$/, '');
  return 'name' in remote && remote.name !== '' ? [top, `${top}/${remote.name}`] : [top];
}
