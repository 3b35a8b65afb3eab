// Reports what no controller of the repository applies: one notice with counts, and no error.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { RepositoryContent } from '../state/read-repository.ts';
import { counted } from '../state/unreached.ts';

export function unreachedNotice({ unreached: { files, roots } }: RepositoryContent): readonly Diagnostic[] {
  const counts = [counted(files.size, 'file'), counted(roots.size, 'render target')].filter((text) => text !== '');
  if (counts.length === 0) return [];
  const [one, plural] = files.size + roots.size === 1 ? ['is', 'it is'] : ['are', 'they are'];
  return [
    {
      code: 'unreached',
      severity: 'notice',
      message: `${counts.join(' and ')} ${one} not evaluated, because ${plural} not reached from a controller's root: \`--show-skipped\` lists the files`,
      related: [],
      help: 'if something else applies them, set `unreached: judge` in `.preadmit.yaml`',
    },
  ];
}
