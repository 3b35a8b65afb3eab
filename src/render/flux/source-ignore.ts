// `.sourceignore`: the files of a repository that a Flux source excludes (fluxcd/pkg/sourceignore, gitignore patterns).
import { shellPattern } from '../../go/strings/path-match.ts';
import { trimRight } from '../../go/strings/trim.ts';
import { trimSpace } from '../../go/strings/trim-space.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';

type NameMatch = (name: string) => boolean;

interface Pattern {
  /** Names of the folders above the file with the pattern. */
  readonly domain: readonly string[];
  readonly parts: readonly (NameMatch | '' | '**' | undefined)[];
  readonly includes: boolean;
  readonly onlyFolders: boolean;
}

const ALWAYS = ['.git/', '.gitignore', '.gitmodules', '.gitattributes'];
/** Excluded if no pattern is configured. */
const DEFAULT = [
  ...['*.jpg', '*.jpeg', '*.gif', '*.png', '*.wmv', '*.flv', '*.tar.gz', '*.zip'],
  ...['.github/', '.circleci/', '.travis.yml', '.gitlab-ci.yml', 'appveyor.yml', '.drone.yml', 'cloudbuild.yaml'],
  ...['codeship-services.yml', 'codeship-steps.yml'],
  ...['**/.goreleaser.yml', '**/.sops.yaml', '**/.flux.yaml'],
];

/**
 * Decides whether the source with this root excludes a file. `.sourceignore` files apply in the folders above the file; `ignore` is the
 * source's own list and comes last.
 */
export function sourceIgnore(tree: FileTree, root: string, ignore: string | undefined): (path: string) => boolean {
  const top = root === '' ? [] : root.split('/');
  const always = patternsIn(ALWAYS.join('\n'), top);
  const byDefault = patternsIn(DEFAULT.join('\n'), top);
  const own = ignore === undefined ? [] : patternsIn(ignore, top);
  const written = new Map<string, readonly Pattern[]>();
  let isDefault: boolean | undefined;
  const writtenIn = (names: readonly string[]): readonly Pattern[] => {
    const folder = names.join('/');
    let patterns = written.get(folder);
    if (patterns === undefined) {
      const bytes = tree.read(folder === '' ? '.sourceignore' : `${folder}/.sourceignore`);
      patterns =
        bytes === undefined ? [] : patternsIn(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), names);
      written.set(folder, patterns);
    }
    return patterns;
  };
  return (path) => {
    const names = path.split('/');
    const patterns = [...names.keys()].slice(top.length).flatMap((length) => writtenIn(names.slice(0, length)));
    const said = [...patterns, ...own];
    const last = [...always, ...said].findLast((pattern) => matches(pattern, names));
    if (last !== undefined) return !last.includes;
    if (said.length > 0 || !byDefault.some((pattern) => matches(pattern, names))) return false;
    // A pattern in any folder replaces the defaults.
    isDefault ??= !holdsPatterns(tree, top, writtenIn);
    return isDefault;
  };
}

function holdsPatterns(
  tree: FileTree,
  folder: readonly string[],
  writtenIn: (names: readonly string[]) => readonly Pattern[],
): boolean {
  if (writtenIn(folder).length > 0) return true;
  return tree.list(folder.join('/')).some((name) => {
    const names = [...folder, name];
    return name !== '.git' && tree.kind(names.join('/')) === 'folder' && holdsPatterns(tree, names, writtenIn);
  });
}

function patternsIn(text: string, domain: readonly string[]): readonly Pattern[] {
  return text
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => trimSpace(line) !== '' && !line.startsWith('#'))
    .map((line) => {
      const includes = line.startsWith('!');
      let pattern = includes ? line.slice(1) : line;
      if (!pattern.endsWith('\\ ')) pattern = trimRight(pattern, ' ');
      const onlyFolders = pattern.endsWith('/');
      if (onlyFolders) pattern = pattern.slice(0, -1);
      const written = pattern.split('/');
      const parts = written.map((part) => {
        if (written.length === 1) return shellPattern(part, { slash: 'kept' });
        if (part === '' || part === '**') return part;
        return part.includes('**') ? undefined : shellPattern(part, { slash: 'kept' });
      });
      return { domain, parts, includes, onlyFolders };
    });
}

function matches({ domain, parts, onlyFolders }: Pattern, names: readonly string[]): boolean {
  if (names.length <= domain.length || domain.some((name, index) => names[index] !== name)) return false;
  const path = names.slice(domain.length);
  const [match] = parts;
  if (parts.length > 1) return matchesFrom(parts, path, onlyFolders);
  if (typeof match !== 'function') return false;
  return path.some((name, index) => match(name) && !(onlyFolders && index === path.length - 1));
}

/** A pattern with slashes is anchored at its own folder, and also matches everything below a match. */
function matchesFrom(parts: Pattern['parts'], path: readonly string[], onlyFolders: boolean): boolean {
  let at = 0;
  let matched = false;
  let skips = false;
  for (const [index, part] of parts.entries()) {
    if (part === '') {
      skips = false;
    } else if (part === '**') {
      if (index === parts.length - 1) break;
      skips = true;
    } else if (part === undefined || at >= path.length) {
      return false;
    } else if (skips) {
      const found = path.findIndex((name, position) => position >= at && part(name));
      matched = found >= 0;
      at = found < 0 ? path.length : found + 1;
      skips = false;
    } else {
      if (!part(path[at] as string)) return false;
      matched = true;
      at++;
    }
  }
  return matched && !(onlyFolders && at >= path.length);
}
