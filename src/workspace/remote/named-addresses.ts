// The addresses that a state of a repository names, by host and path.
import { trimRight } from '../../go/strings/trim.ts';
import type { Remote } from '../../render/sources/remote/remote.ts';
import { remoteUrl } from '../../render/sources/remote/remote-url.ts';

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

  /** True for the same repository, with any chart, folder or version. */
  has(remote: Remote): boolean {
    const url = remoteUrl(remote);
    if (url === undefined) return false;
    const file = fileUrl(remote);
    // In a URL, `%2e%2e` leads out of the repository, but kustomize does not read it so.
    const isBelow = file === undefined || `${file.host}${file.pathname}/`.startsWith(`${keyOf(url)}/`);
    return isBelow && keysOf(remote, url).some((key) => this.#addresses.has(key));
  }

  /** True if every host that fetching contacts first is named. */
  hasHostsOf(remote: Remote): boolean {
    const urls = [remoteUrl(remote), fileUrl(remote) ?? remoteUrl(remote)];
    return urls.every((url) => url !== undefined && this.#hosts.has(url.host));
  }
}

/** A chart of a registry may be named by its folder or by its own address. */
function keysOf(remote: Remote, url: URL): readonly string[] {
  const top = keyOf(url);
  return 'name' in remote && remote.name !== '' ? [top, `${top}/${remote.name}`] : [top];
}

function keyOf({ host, pathname }: URL): string {
  return trimRight(`${host}${pathname}`, '/').replace(/\.git$/, '');
}

/** The address that is requested as a file, before a repository is tried. */
function fileUrl(remote: Remote): URL | undefined {
  const isFile = 'base' in remote && remote.as !== 'folder' && /^https:/i.test(remote.base);
  return isFile && URL.canParse(remote.base) ? new URL(remote.base) : undefined;
}
