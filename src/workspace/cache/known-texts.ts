// Caches the results of parsing and searching texts between runs, by content of the texts.
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { KnownReadings, Reading } from '../../source/manifest/known-readings.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { type KeptAnswers, TextAnswers } from '../../source/text/text-answers.ts';
import { CacheFiles, cacheFolder } from './cache-folder.ts';

export interface KnownTextsOptions {
  readonly folder: string;
  /** Root of the checked repository. */
  readonly root: string;
  /** Version of the program; entries of other versions are ignored. */
  readonly version: string;
  /** A change parses few texts and searches all, a full check parses all. Separate files keep either from evicting the other's entries. */
  readonly of: 'change' | 'state';
  /** Maximum size of the parse results of one repository; further ones are not cached. */
  readonly maximumBytes?: number;
}

/** Bump this to discard caches written by other versions. */
const FORMAT = 1;
const MAXIMUM_BYTES = 64 * 1024 * 1024;
/** Cache files that are kept; a repository may have two. */
const MAXIMUM_FILES = 8;
const ENDING = '.texts';
/** Changes whose needs are cached, and needed objects of one change. */
const MAXIMUM_CHANGES = 64;
const MAXIMUM_NEEDS = 1000;
/** Length of a digest in bytes. */
const DIGEST = 32;
const HEAD_LENGTH = 4;

/** The header before the parse results. */
interface Head {
  /** Concatenated digests of the texts with answers. */
  readonly asked: Buffer;
  readonly columns: ReadonlyMap<string, Uint8Array>;
  /** Concatenated digests of the parsed texts, and the end of each parse result. */
  readonly read: Buffer;
  readonly ends: Uint32Array;
  /** By digest of the changed paths: kinds and names of the objects that the change needed. */
  readonly needs: ReadonlyMap<string, readonly NeededObject[]>;
}

type NeededObject = readonly [kind: string, name: string];

/** The cache of one run, from its start to `keep`. */
export class KnownTexts implements KnownReadings {
  readonly answers: TextAnswers;
  readonly #options: KnownTextsOptions;
  readonly #name: string;
  readonly #digests = new WeakMap<SourceFile, string>();
  readonly #readings: ReadonlyMap<string, Uint8Array>;
  /** The parse results that this run used or added. */
  readonly #used = new Map<string, Uint8Array>();
  /** Least recently added first. */
  readonly #needs: Map<string, readonly NeededObject[]>;
  #bytes = 0;
  #hasMore = false;

  /** Throws WorkspaceError for a folder that cannot be created or is inside the repository. */
  constructor(options: KnownTextsOptions) {
    this.#options = options;
    const { folder, root, version, of } = options;
    this.#name = `${sha256(JSON.stringify([FORMAT, version, process.versions.v8, root, of])).toString('hex')}${ENDING}`;
    const content = new CacheFiles(folder, root).read(this.#name);
    const { kept, readings, needs } = takeApart(content, (file) => this.#digestOf(file));
    this.#needs = new Map(needs);
    this.answers = new TextAnswers(kept);
    this.#readings = readings;
  }

  find(file: SourceFile): Reading | undefined {
    const digest = this.#digestOf(file);
    const bytes = this.#readings.get(digest);
    if (bytes === undefined) return undefined;
    this.#use(digest, bytes);
    return deserialize(bytes) as Reading;
  }

  add(file: SourceFile, reading: Reading): void {
    try {
      const bytes = serialize(reading);
      if (this.#bytes + bytes.length > (this.#options.maximumBytes ?? MAXIMUM_BYTES)) return;
      this.#use(this.#digestOf(file), bytes);
      this.#hasMore = true;
    } catch {
      // The value is nested too deeply to serialize; it is parsed again in the next run.
    }
  }

  #use(digest: string, bytes: Uint8Array): void {
    if (!this.#used.has(digest)) this.#bytes += bytes.length;
    this.#used.set(digest, bytes);
  }

  neededBy(paths: readonly string[]): readonly NeededObject[] {
    return this.#needs.get(keyOf(paths)) ?? [];
  }

  noteNeeds(paths: readonly string[], objects: readonly NeededObject[]): void {
    if (objects.length > MAXIMUM_NEEDS) return;
    const key = keyOf(paths);
    if (isSameNeeds(this.#needs.get(key), objects)) return;
    this.#needs.delete(key);
    this.#needs.set(key, objects);
    this.#hasMore = true;
  }

  /** Writes the results of this run if there are new ones. A write error is ignored. */
  keep(): void {
    if (!this.#hasMore && !this.answers.hasFound) return;
    const { files, columns } = this.answers.all;
    const ends = new Uint32Array(this.#used.size);
    let end = 0;
    for (const [index, bytes] of [...this.#used.values()].entries()) {
      end += bytes.length;
      ends[index] = end;
    }
    const head = serialize({
      asked: Buffer.from(files.map((file) => this.#digestOf(file)).join(''), 'latin1'),
      columns: new Map([...columns].map(([question, column]) => [question, column.slice(0, files.length)])),
      read: Buffer.from([...this.#used.keys()].join(''), 'latin1'),
      ends,
      needs: new Map([...this.#needs].slice(-MAXIMUM_CHANGES)),
    } satisfies Head);
    const length = Buffer.alloc(HEAD_LENGTH);
    length.writeUInt32LE(head.length);
    const body = Buffer.concat([length, head, ...this.#used.values()]);
    const { folder, root } = this.#options;
    new CacheFiles(folder, root).write(this.#name, Buffer.concat([sha256(body), body]));
    shrink(cacheFolder(folder, root));
  }

  #digestOf(file: SourceFile): string {
    let digest = this.#digests.get(file);
    if (digest === undefined) {
      digest = sha256(file.text).toString('latin1');
      this.#digests.set(file, digest);
    }
    return digest;
  }
}

interface Content {
  readonly kept: KeptAnswers | undefined;
  readonly readings: ReadonlyMap<string, Uint8Array>;
  readonly needs: Head['needs'];
}

/** Damaged content, or content of another program, is treated as missing. */
function takeApart(content: Buffer | undefined, digestOf: KeptAnswers['digestOf']): Content {
  const body = content?.subarray(DIGEST);
  if (content === undefined || body === undefined || !sha256(body).equals(content.subarray(0, DIGEST))) return NOTHING;
  try {
    const start = HEAD_LENGTH + body.readUInt32LE(0);
    const { asked, columns, read, ends, needs } = deserialize(body.subarray(HEAD_LENGTH, start)) as Head;
    const numbers = new Map(digestsIn(asked).map((digest, number) => [digest, number]));
    const readings = new Map(
      digestsIn(read).map((digest, number) => {
        const from = number === 0 ? 0 : (ends[number - 1] as number);
        return [digest, body.subarray(start + from, start + (ends[number] as number))];
      }),
    );
    return { kept: { numbers, columns, digestOf }, readings, needs };
  } catch {
    return NOTHING;
  }
}

const NOTHING: Content = { kept: undefined, readings: new Map(), needs: new Map() };

function keyOf(paths: readonly string[]): string {
  return sha256(JSON.stringify([...paths].sort())).toString('latin1');
}

/** Ignores the order. */
function isSameNeeds(known: readonly NeededObject[] | undefined, objects: readonly NeededObject[]): boolean {
  if (known?.length !== objects.length) return false;
  const names = new Set(known.map((object) => JSON.stringify(object)));
  return objects.every((object) => names.has(JSON.stringify(object)));
}

function digestsIn(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return Array.from({ length: text.length / DIGEST }, (_, index) => text.slice(index * DIGEST, (index + 1) * DIGEST));
}

function shrink(folder: string): void {
  try {
    const files = readdirSync(folder)
      .filter((name) => name.includes(ENDING))
      .map((name) => path.join(folder, name))
      .map((file) => ({ file, written: statSync(file).mtimeMs }))
      .sort((one, other) => other.written - one.written);
    for (const { file } of files.slice(MAXIMUM_FILES)) rmSync(file, { force: true });
  } catch {
    // Another process is removing files at the same time.
  }
}

function sha256(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}
