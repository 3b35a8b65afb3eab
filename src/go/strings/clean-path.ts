// Go `path.Clean`.

export function cleanPath(path: string): string {
  const isRooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isRooted) parts.push(part);
  }
  return isRooted ? `/${parts.join('/')}` : parts.join('/') || '.';
}
