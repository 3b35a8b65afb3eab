// Counts what `fetch` would download, by kind and host.
import { missingInState } from '../../../pipeline/check-state.ts';
import type { StateOptions } from '../../../pipeline/state/state-content.ts';
import { fetchKindOf } from '../../../render/sources/remote/remote.ts';
import { remoteUrl } from '../../../render/sources/remote/remote-url.ts';
import { count } from '../../../report/wording/wording.ts';
import { FETCH_KINDS, type FetchKind } from '../../../settings/configuration-shape.ts';

export interface MissingRemotes {
  readonly kind: FetchKind;
  /** E.g. `69 charts from 14 hosts`. */
  readonly words: string;
  /** Names of charts, without duplicates; empty for other kinds. */
  readonly charts: readonly string[];
}

const WORDS: Readonly<Record<FetchKind, readonly [one: string, many: string]>> = {
  charts: ['chart', 'charts'],
  bases: ['base', 'bases'],
  git: ['repository', 'repositories'],
};

/** Kinds with at least one missing part, in the order of the option. */
export function missingRemotes(input: StateOptions): readonly MissingRemotes[] {
  const missing = missingInState(input);
  return FETCH_KINDS.flatMap((kind): readonly MissingRemotes[] => {
    const remotes = missing.filter((remote) => fetchKindOf(remote) === kind);
    if (remotes.length === 0) return [];
    const hosts = new Set(remotes.flatMap((remote) => remoteUrl(remote)?.host || []));
    const charts = new Set(remotes.flatMap((remote) => ('repository' in remote ? [remote.name] : [])));
    return [
      {
        kind,
        charts: [...charts].sort(),
        words: `${count(remotes.length, ...WORDS[kind])} from ${count(hosts.size, 'host')}`,
      },
    ];
  });
}
