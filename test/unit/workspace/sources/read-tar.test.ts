// Valid and hostile tar archives.
import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ArchiveError, gunzip, readTar } from '../../../../src/workspace/sources/read-tar.ts';
import { tar, tarEntry } from '../../../support/fake-registry.ts';
import { Folder } from '../../../support/git-fixture.ts';

const END = Buffer.alloc(1024);

function texts(bytes: Buffer, strip = 0): Record<string, string | undefined> {
  return Object.fromEntries([...readTar(bytes, strip)].map(([path, content]) => [path, content?.toString()]));
}

describe('archives written by tar', () => {
  it.each(['ustar', 'pax', 'gnu'])('%s, with a name longer than a header holds', (format) => {
    const folder = new Folder();
    onTestFinished(() => folder.remove());
    const long = `${'deep/'.repeat(format === 'ustar' ? 30 : 60)}${'policy'.repeat(10)}.yaml`;
    folder.write(`files/${long}`, 'a: 1\n').write('files/short.yaml', 'b: 2\n');
    const bytes = execFileSync('tar', [`--format=${format}`, '-cf', '-', '.'], { cwd: `${folder.path}/files` });
    expect(texts(bytes)).toEqual({ [long]: 'a: 1\n', 'short.yaml': 'b: 2\n' });
  });

  it('lose the single folder of npm packages', () => {
    expect(texts(tar({ 'package/a/b.yaml': 'x' }), 1)).toEqual({ 'a/b.yaml': 'x' });
  });

  it('contain links, which are not followed', () => {
    const link = tarEntry('link.yaml', Buffer.alloc(0), '2', '/etc/passwd');
    expect(texts(Buffer.concat([link, END]))).toEqual({ 'link.yaml': undefined });
  });
});

describe('hostile archives', () => {
  const one = tarEntry('a.yaml', Buffer.from('x'));
  const pax = (record: string): Buffer => tarEntry('pax', Buffer.from(record), 'x');
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['a path that climbs', tar({ '../a.yaml': 'x' }), 'contains a path that leads outside'],
    ['a path that climbs later', tar({ 'b/../../a.yaml': 'x' }), 'contains a path that leads outside'],
    ['an absolute path', tar({ '/etc/a.yaml': 'x' }), 'contains a path that leads outside'],
    ["a path of another system's", tar({ '..\\a.yaml': 'x' }), 'contains a path that leads outside'],
    [
      'a path that climbs in pax',
      Buffer.concat([pax('18 path=../b.yaml\n'), one, END]),
      'contains a path that leads outside',
    ],
    ['a name twice', Buffer.concat([one, one, END]), 'contains `a.yaml` twice'],
    ['a name twice, spelled in two ways', tar({ 'a.yaml': 'x', './a.yaml': 'y' }), 'contains `a.yaml` twice'],
    ['no end', one, 'is cut off'],
    ['less than it says', Buffer.concat([tarEntry('a.yaml', Buffer.alloc(4096)).subarray(0, 1024)]), 'is cut off'],
    ['a size in pax beyond the end', Buffer.concat([pax('18 size=999999999\n'), one, END]), 'is cut off'],
    ['a size in pax that is none', Buffer.concat([pax('12 size=-5x\n'), one, END]), 'has a damaged extended header'],
    ['a record of pax of no length', Buffer.concat([pax('0 path=x\n'), one, END]), 'has a damaged extended header'],
    ['a sparse file', Buffer.concat([pax('22 GNU.sparse.major=1\n'), one, END]), 'contains a sparse file'],
    [
      'a name that is not UTF-8',
      Buffer.concat([pax('').subarray(0, 0), badName(), END]),
      'contains a name that is not UTF-8',
    ],
    ['no tar', Buffer.alloc(1024, 'policy'), 'is not a tar archive, or is damaged'],
    ['nothing', Buffer.alloc(0), 'is cut off'],
    [
      'a header of a header without end',
      Buffer.concat([tarEntry('p', Buffer.alloc(70_000), 'x'), one, END]),
      'has a header larger than 64 KiB',
    ],
  ];
  it.each(cases)('%s', (_name, bytes, problem) => {
    expect(() => readTar(bytes)).toThrow(new ArchiveError(problem));
  });

  it('are not unpacked above the size limit', () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(() => gunzip(bomb, 1024 * 1024)).toThrow(new ArchiveError('unpacks to more than 1 MiB', true));
    expect(() => gunzip(bomb.subarray(0, 500), 100 * 1024 * 1024)).toThrow(
      'is not compressed with gzip, or is cut off',
    );
  });

  it('are rejected with more than the permitted number of entries', () => {
    const many = Buffer.concat([...Array(50_001).keys()].map((index) => tarEntry(`${index}.yaml`, Buffer.alloc(0))));
    expect(() => readTar(many)).toThrow('contains more than 50000 entries');
  });

  it('of random bytes: an ArchiveError, or paths inside', () => {
    const archive = tar({ 'a.yaml': 'one', 'b/c.yaml': 'two' });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(archive.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
        const bytes = Buffer.from(archive);
        for (const [offset, byte] of changes) bytes[offset] = byte;
        try {
          for (const path of readTar(bytes).keys()) expect(path.split('/')).not.toContain('..');
        } catch (error) {
          expect(error).toBeInstanceOf(ArchiveError);
        }
      }),
    );
  });
});

function badName(): Buffer {
  const entry = Buffer.from(tarEntry('a.yaml', Buffer.alloc(0)));
  entry[0] = 0xff;
  entry.write('        ', 148, 'latin1');
  const sum = entry.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  entry.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return entry;
}
