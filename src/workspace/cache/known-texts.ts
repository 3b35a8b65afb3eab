// Caches the results of parsing and searching texts between runs, by content of the texts.
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { KnownReadings, Reading } from '../../source/manifest/known-readings.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { TextAnswers } from '../../source/text/text-answers.ts';
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

/** Other numbers: what other versions wrote is not read. */
const FORMAT = 2;
const MAXIMUM_BYTES = 64 * 1024 * 1024;
/** Cache files that are kept; a repository may have two. */
const MAXIMUM_FILES = 8;
const ENDING = '.texts';
/** Length of a digest in bytes. */
const DIGEST = 32;

/** Both are found by the SHA-256 of the text. */
interface Content {
  /** Digests of the texts that were asked about, one after the other. */
  readonly asked: Uint8Array;
  readonly answers: ReadonlyMap<string, Uint8Array>;
  readonly readings: ReadonlyMap<string, Uint8Array>;
}

/** The cache of one run, from its start to `keep`. */
export class KnownTexts implements KnownReadings {
  readonly answers: TextAnswers;
  readonly #options: KnownTextsOptions;
  readonly #name: string;
  readonly #digests = new WeakMap<SourceFile, string>();
  readonly #readings: Content['readings'];
  /** What this run asked for, known or not. */
  readonly #used = new Map<string, Uint8Array>();
  #bytes = 0;
  #hasMore = false;

  /** Throws WorkspaceError for a folder that cannot be created or is inside the repository. */
  constructor(options: KnownTextsOptions) {
    this.#options = options;
    const { folder, root, version, of } = options;
    this.#name = `${sha256(JSON.stringify([FORMAT, version, process.versions.v8, root, of])).toString('hex')}${ENDING}`;
    const { asked, answers, readings } = contentOf(new CacheFiles(folder, root).read(this.#name));
    const numbers = new Map(digestsIn(asked).map((digest, number) => [digest, number]));
    const numberOf = (file: SourceFile): number | undefined => numbers.get(this.#digestOf(file));
    this.answers = new TextAnswers({ count: asked.length / DIGEST, numberOf, columns: answers });
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

  /** Writes the results of this run if there are new ones. A write error is ignored. */
  keep(): void {
    if (!this.#hasMore && !this.answers.hasFound) return;
    const { files, columns } = this.answers.all;
    const body = serialize({
      asked: Buffer.from(files.map((file) => this.#digestOf(file)).join(''), 'latin1'),
      answers: columns,
      readings: this.#used,
    } satisfies Content);
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

/** Treats a damaged or foreign file as missing. */
function contentOf(file: Buffer | undefined): Content {
  const body = file?.subarray(DIGEST);
  if (file === undefined || body === undefined || !sha256(body).equals(file.subarray(0, DIGEST))) return NOTHING;
  try {
    return deserialize(body) as Content;
  } catch {
    return NOTHING;
  }
}

const NOTHING: Content = { asked: new Uint8Array(), answers: new Map(), readings: new Map() };

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
