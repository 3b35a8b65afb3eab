// Which policy sources a run reads: of a change, those that base names, and what the change makes of them.
import { resolve } from 'node:path';
import { addressOf, isSameSource, type PolicySource, pinOf } from '../../settings/policy-source.ts';
import { parseSourceText } from '../../settings/policy-source-text.ts';
import type { Transport } from '../../workspace/network/transport.ts';
import type { CheckedPlaces } from '../../workspace/sources/folder-source.ts';
import { openSources } from '../../workspace/sources/open-sources.ts';
import { parseCredentials, type SourceAccess, sourceAccess } from '../../workspace/sources/source-access.ts';
import type { SourceContent } from '../../workspace/sources/source-content.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

export const TOKENS_VARIABLE = 'PREADMIT_POLICY_SOURCE_TOKENS';

/** Of options, whose folders are named from `directory`; throws WorkspaceError for what is no source, or two of one name. */
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
      throw new WorkspaceError('source-malformed', `two policy sources are called \`${source.name}\``, {
        hint: 'give them names: `<name>=<source>`',
      });
    }
    sources.set(
      source.name,
      source.kind === 'folder' ? { ...source, folder: resolve(directory, source.folder) } : source,
    );
  }
  return [...sources.values()];
}

/** `where`: the variable or input that holds the tokens. Throws WorkspaceError for what is no list of them. */
export function accessWith(tokens: string | undefined, where: string, transport?: Transport): SourceAccess {
  const parsed = parseCredentials(tokens ?? '');
  if ('problem' in parsed) throw new WorkspaceError('source-malformed', `${where}: ${parsed.problem}`);
  const access = sourceAccess(parsed.credentials);
  return transport === undefined ? access : { ...access, transport };
}

/** What the log of a run must never show, whether the lines can be used or not. */
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
 * `mayChoose`: base lets head's policies decide. Where it does not, head may move the pin of what base names, which is read to tell what it
 * means; an address that only head names is not asked, as nobody has agreed to it.
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
      `the policy source \`${source.name}\` (${addressOf(source)}) is named by this change alone: it is not read, and counts from the next change on`,
    );
    return base.filter(({ name }) => name === source.name);
  });
  for (const source of chosen) {
    const before = base.find(({ name }) => name === source.name);
    const [from, to] = [before && pinOf(before), pinOf(source)];
    if (from !== undefined && to !== undefined && from !== to) {
      notices.push(`the policy source \`${source.name}\` goes from ${from} to ${to}`);
    }
  }
  for (const { name } of base) {
    if (!head.some((source) => source.name === name)) notices.push(`the policy source \`${name}\` is taken away`);
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
