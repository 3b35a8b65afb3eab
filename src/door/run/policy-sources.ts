// Opens the policy sources of a run; for a change, those of base plus the changes that head may make.
import { resolve } from 'node:path';
import { addressOf, isSameSource, type PolicySource, pinOf } from '../../settings/policy-source.ts';
import { parseSourceText } from '../../settings/policy-source-text.ts';
import { parseCredentials } from '../../workspace/network/host-credentials.ts';
import type { Transport } from '../../workspace/network/transport.ts';
import type { CheckedPlaces } from '../../workspace/sources/folder-source.ts';
import { openSources } from '../../workspace/sources/open-sources.ts';
import { type SourceAccess, sourceAccess } from '../../workspace/sources/source-access.ts';
import type { SourceContent } from '../../workspace/sources/source-content.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

export const TOKENS_VARIABLE = 'PREADMIT_POLICY_SOURCE_TOKENS';

/** Parses `--policy-sources`; folders are relative to `directory`. Throws WorkspaceError for an invalid source or a duplicate name. */
export function sourcesOf(texts: readonly string[], directory: string): readonly PolicySource[] {
  const sources = new Map<string, PolicySource>();
  for (const text of texts) {
    const parsed = parseSourceText(text);
    if ('problem' in parsed) {
      throw new WorkspaceError('source-malformed', parsed.problem, {
        hint: 'expected a folder, `https://…#<tag or commit>`, `oci://…@sha256:…` or `npm:<package>@<version>#sha512-…`',
      });
    }
    const { source } = parsed;
    if (sources.has(source.name)) {
      throw new WorkspaceError('source-malformed', `two policy sources have the name \`${source.name}\``, {
        hint: 'name them: `<name>=<source>`',
      });
    }
    sources.set(
      source.name,
      source.kind === 'folder' ? { ...source, folder: resolve(directory, source.folder) } : source,
    );
  }
  return [...sources.values()];
}

/** `where`: the variable or input that holds the tokens. Throws WorkspaceError for an invalid token list. */
export function accessWith(tokens: string | undefined, where: string, transport?: Transport): SourceAccess {
  const parsed = parseCredentials(tokens ?? '');
  if ('problem' in parsed) throw new WorkspaceError('source-malformed', `${where}: ${parsed.problem}`);
  const access = sourceAccess(parsed.credentials);
  return transport === undefined ? access : { ...access, transport };
}

/** Secrets to mask in the run's log, including those on invalid lines. */
export function secretsIn(tokens: string | undefined): readonly string[] {
  return (tokens ?? '').split('\n').flatMap((line) => {
    const value = line.slice(line.indexOf('=') + 1).trim();
    const secret = value.slice(value.indexOf(':') + 1);
    return [value, secret].filter((text) => text !== '');
  });
}

export interface ComparedSources {
  readonly base: readonly SourceContent[];
  readonly head: readonly SourceContent[];
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/**
 * `mayChoose`: base allows head's policies to decide. Otherwise head may only change the pin of a source in base; an address new in head is
 * not opened, because it is not reviewed yet.
 */
export async function openComparedSources(
  { base, head, mayChoose }: { base: readonly PolicySource[]; head: readonly PolicySource[]; mayChoose: boolean },
  checked: CheckedPlaces,
  access: SourceAccess,
): Promise<ComparedSources> {
  const notices: string[] = [];
  const known = new Set(base.map((source) => `${source.kind} ${addressOf(source)}`));
  const chosen = head.flatMap((source): readonly PolicySource[] => {
    if (mayChoose || known.has(`${source.kind} ${addressOf(source)}`)) return [source];
    notices.push(
      `the policy source \`${source.name}\` (${addressOf(source)}) is new in this change: it is not read; it takes effect with the next change`,
    );
    return base.filter(({ name }) => name === source.name);
  });
  for (const source of chosen) {
    const before = base.find(({ name }) => name === source.name);
    const [from, to] = [before && pinOf(before), pinOf(source)];
    if (from !== undefined && to !== undefined && from !== to) {
      notices.push(`the policy source \`${source.name}\` changes from ${from} to ${to}`);
    }
  }
  for (const { name } of base) {
    if (!head.some((source) => source.name === name)) notices.push(`the policy source \`${name}\` is removed`);
  }
  const all = [...base];
  const indexOf = (source: PolicySource): number => {
    const index = all.findIndex((other) => isSameSource(other, source));
    return index >= 0 ? index : all.push(source) - 1;
  };
  const indices = chosen.map(indexOf);
  const { contents, close } = await openSources(all, checked, access);
  return {
    base: contents.slice(0, base.length),
    head: indices.flatMap((index) => contents[index] ?? []),
    notices,
    close,
  };
}
