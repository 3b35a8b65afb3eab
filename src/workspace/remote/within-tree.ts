// A fetched tree whose links cannot lead outside, and whose contents have a limit.
import path from 'node:path';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { MAXIMUM_UNPACKED_BYTES } from '../files/limits.ts';

/** A link that leads outside has no target. Contents beyond 256 MiB cannot be read. */
export function withinTree(tree: FileTree): FileTree {
  const sizes = new Map<string, number>();
  let total = 0;
  return {
    ...tree,
    read: (file) => {
      const bytes = tree.read(file);
      if (bytes === undefined || sizes.has(file)) return bytes;
      if (total + bytes.length > MAXIMUM_UNPACKED_BYTES) return undefined;
      total += bytes.length;
      sizes.set(file, bytes.length);
      return bytes;
    },
    target: (link) => {
      const target = tree.target(link);
      if (target === undefined || target.startsWith('/')) return undefined;
      const to = path.posix.normalize(path.posix.join(path.posix.dirname(link), target));
      return to === '..' || to.startsWith('../') ? undefined : target;
    },
  };
}
