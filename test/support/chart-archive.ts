// Creates chart archives in memory.
import { gzipSync } from 'node:zlib';

export interface TarEntry {
  readonly name: string;
  readonly content?: string;
  /** Default: a file. */
  readonly type?: string;
}

export function archiveOf(entries: readonly TarEntry[]): Uint8Array {
  return gzipSync(Buffer.concat([...entries.map(entryBytes), Buffer.alloc(1024)]));
}

/** Puts the files below the top folder of the archive. */
export function chartArchive(files: Readonly<Record<string, string>>): Uint8Array {
  return archiveOf(Object.entries(files).map(([path, content]) => ({ name: `chart/${path}`, content })));
}

function entryBytes({ name, content = '', type = '0' }: TarEntry): Buffer {
  const header = Buffer.alloc(512);
  const body = Buffer.from(content);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\0', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}
