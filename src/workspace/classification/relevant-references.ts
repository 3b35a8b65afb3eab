// Which of many kustomizations and tests can say something about a few files, told without parsing them.
import { posix } from 'node:path';
import type { SourceFile } from '../../source/source-file.ts';

/**
 * Of the files that refer to others, those that name one of the files to read, and those that build on what names an examined one: a
 * reference ends in the name of what it refers to, and names a folder by the way to it.
 */
export function relevantReferences(
  referring: readonly SourceFile[],
  read: Iterable<SourceFile>,
  examined: Iterable<SourceFile>,
): readonly SourceFile[] {
  const relevant = new Set<SourceFile>();
  const names = new Set([...read].map(({ path }) => posix.basename(path)));
  for (const file of referring) for (const name of names) if (file.text.includes(name)) relevant.add(file);
  const seen = new Set<string>();
  const pending = [...examined].map(({ path }) => path);
  for (let target = pending.pop(); target !== undefined; target = pending.pop()) {
    if (seen.has(target)) continue;
    seen.add(target);
    for (const file of referring) {
      const folder = posix.dirname(file.path);
      if (folder === target || !file.text.includes(posix.relative(folder, target))) continue;
      relevant.add(file);
      pending.push(folder);
    }
  }
  // In a folder that is built on, the kustomization is what says so.
  for (const file of referring) if (seen.has(posix.dirname(file.path))) relevant.add(file);
  return [...relevant];
}
