// Reads the policy sources of a configuration; a source that cannot be read ends the run.
import type { PolicySource } from '../../settings/policy-source.ts';
import { type CheckedPlaces, readFolderSource } from './folder-source.ts';
import { readGitSource } from './git-source.ts';
import { readNpmSource } from './npm-source.ts';
import { readOciSource } from './oci-source.ts';
import type { SourceAccess } from './source-access.ts';
import type { SourceContent } from './source-content.ts';

export interface OpenSources {
  /** In the requested order. */
  readonly contents: readonly SourceContent[];
  /** Removes temporary files; the trees cannot be read afterwards. */
  close(): Promise<void>;
}

/** Throws the WorkspaceError of the first source that cannot be read. */
export async function openSources(
  sources: readonly PolicySource[],
  checked: CheckedPlaces,
  access: SourceAccess,
): Promise<OpenSources> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(closers.map((each) => each()));
  };
  const settled = await Promise.allSettled(
    sources.map(async (source): Promise<SourceContent> => {
      if (source.kind === 'folder') return readFolderSource(source, checked, access);
      if (source.kind === 'oci') return readOciSource(source, access);
      if (source.kind === 'npm') return readNpmSource(source, access);
      const opened = await readGitSource(source, access);
      closers.push(opened.close);
      return opened;
    }),
  );
  const contents: SourceContent[] = [];
  for (const [index, result] of settled.entries()) {
    const location = sources[index]?.location;
    if (result.status === 'fulfilled') contents.push({ ...result.value, ...(location && { location }) });
    else {
      await close();
      throw result.reason;
    }
  }
  return { contents, close };
}
