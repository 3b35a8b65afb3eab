// Suggests a configuration that separates two files which are treated as one cluster's.
import { folderOf } from '../../source/text/repository-path.ts';

/**
 * `targets: {…}` on one line, split at the first path segment that differs; undefined if both are one file. Lists policies in other
 * folders for both targets, because a target reads facts from its policies' files too.
 */
export function separatingTargets(one: string, other: string, policies: readonly string[]): string | undefined {
  if (one === other) return undefined;
  const [ours, theirs] = [one.split('/'), other.split('/')];
  let at = 0;
  while (ours[at] === theirs[at]) at += 1;
  const [left, right] = [ours, theirs].map((steps) => ({
    name: nameOf(steps[at] ?? ''),
    path: steps.slice(0, at + 1).join('/'),
  }));
  if (left === undefined || right === undefined) return undefined;
  const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
  const shared = policies.filter((path) => !isIn(path, left.path) && !isIn(path, right.path));
  const holdsSides = (folder: string): boolean => folder === '.' || isIn(left.path, folder) || isIn(right.path, folder);
  const places = [...new Set(shared.map((path) => shortest(path, holdsSides)))].sort();
  const target = (side: typeof left, against: typeof left): string =>
    `${side.name}: {manifests: {exclude: [${quoted(against.path)}]}, policies: [${[...places, side.path].map(quoted).join(', ')}]}`;
  const names =
    left.name === right.name
      ? [
          { ...left, name: `${left.name}-1` },
          { ...right, name: `${right.name}-2` },
        ]
      : [left, right];
  const [first, second] = names as [typeof left, typeof left];
  return `targets: {${target(first, second)}, ${target(second, first)}}`;
}

/** The outermost folder of the file that contains none of the separated files, or the file itself. */
function shortest(path: string, holdsSides: (folder: string) => boolean): string {
  let best = path;
  for (let folder = folderOf(path); !holdsSides(folder); folder = folderOf(folder)) best = folder;
  return best;
}

/** Replaces characters that a target's name must not contain. */
function nameOf(step: string): string {
  const name = step.replace(/\.(?:ya?ml|json)$/i, '').replace(/[^A-Za-z0-9._-]+/g, '-');
  let [start, end] = [0, name.length];
  while (start < end && '._-'.includes(name.charAt(start))) start += 1;
  while (end > start && '._-'.includes(name.charAt(end - 1))) end -= 1;
  return name.slice(start, Math.min(end, start + 60)) || 'cluster';
}

function quoted(path: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(path) ? path : JSON.stringify(path);
}
