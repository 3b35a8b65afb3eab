// Caches the answers of the validation engine between runs, by the digest of the request. Entries can be lost without harm.
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { requestText } from '../../validation/engine/validation-engine.ts';
import type { RegistryAnswer, ServerValidation } from '../../validation/server-validation.ts';
import { cacheFolder } from '../cache/cache-folder.ts';

export interface AnswerCacheOptions {
  readonly folder: string;
  /** Root of the checked repository. The cache is trusted, so a change must not be able to write it. */
  readonly root: string;
  /** Version of the program; answers of other versions are ignored. */
  readonly version: string;
}

/** Bump this to discard caches written by other versions. */
const FORMAT = 1;
/** A larger file is deleted; an answer takes some 200 bytes. */
const MAXIMUM_BYTES = 32 * 1024 * 1024;
const FILE = 'validated.lines';
/** Hexadecimal digits of a digest. */
const DIGEST = 64;

/** `null`: the engine does not know the kind. */
type CachedAnswer = RegistryAnswer | null;

/**
 * Asks `engine` only what is not in the cache. `program`: the bytes of the engine. Throws WorkspaceError for a folder that cannot be created
 * or is inside the repository.
 */
export function cachedValidation(
  engine: ServerValidation,
  { folder, root, version }: AnswerCacheOptions,
  program: () => Uint8Array,
): ServerValidation {
  const file = path.join(cacheFolder(folder, root), FILE);
  let known: Map<string, CachedAnswer> | undefined;
  let start = '';
  let mayWrite = true;
  return {
    convert: engine.convert,
    validate: (request) => {
      if (known === undefined) {
        known = readAnswers(file);
        start = JSON.stringify([FORMAT, version, sha256(program())]);
      }
      const key = sha256(start + requestText(request));
      const cached = known.get(key);
      if (cached !== undefined) return cached ?? undefined;
      const answer = engine.validate(request) ?? null;
      known.set(key, answer);
      if (mayWrite) mayWrite = append(file, key, answer);
      return answer ?? undefined;
    },
  };
}

/** A line per answer: the digest of the rest of the line, the key, the answer. Damaged lines are ignored. */
function readAnswers(file: string): Map<string, CachedAnswer> {
  const answers = new Map<string, CachedAnswer>();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    if (text.length > MAXIMUM_BYTES) rmSync(file, { force: true });
  } catch {
    return answers;
  }
  for (const line of text.split('\n')) {
    const content = line.slice(DIGEST);
    if (content === '' || sha256(content) !== line.slice(0, DIGEST)) continue;
    answers.set(content.slice(0, DIGEST), JSON.parse(content.slice(DIGEST)) as CachedAnswer);
  }
  return answers;
}

/** False if the file cannot be written. A line is written at once, so that several runs can append at the same time. */
function append(file: string, key: string, answer: CachedAnswer): boolean {
  const content = key + JSON.stringify(answer);
  try {
    appendFileSync(file, `${sha256(content)}${content}\n`);
    return true;
  } catch {
    return false;
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
