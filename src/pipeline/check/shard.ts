// Splits a run by object: every shard reads everything, and evaluates only its own objects.
import type { DiscoveredFile } from '../../inventory/discovered-file.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { fingerprint, longFingerprint } from '../../report/finding/fingerprint.ts';
import type { Configuration } from '../../settings/configuration.ts';

export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

const MAX_SHARDS = 256;

/** `2/7`; undefined for any other text. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || count === undefined) return undefined;
  return index >= 1 && index <= count && count <= MAX_SHARDS ? { index, count } : undefined;
}

export function shardProblem(text: string): string {
  return `\`${text}\` is not a shard: expected for example 2/7, with at most ${MAX_SHARDS} shards`;
}

/** By group, kind, namespace and name: an object stays in its shard when it moves to another file or version, and for every target. */
export function isInShard({ gvk, namespace, name, generateName }: Resource, { index, count }: Shard): boolean {
  const identity = fingerprint([gvk.group, gvk.kind, namespace, name, generateName]);
  return Number.parseInt(identity.slice(0, 8), 16) % count === index - 1;
}

/** Equal for runs with the same configuration and texts. Merging uses it to reject shards of different runs. */
export function contentsDigest(files: readonly DiscoveredFile[], configuration: Configuration): string {
  return longFingerprint(partsOf(files, configuration));
}

function* partsOf(files: readonly DiscoveredFile[], configuration: Configuration): Iterable<string> {
  yield JSON.stringify(configuration, mapsAsLists);
  for (const { file, selected } of files) {
    yield `\0${selected}\0${file.path}\0${file.length}\0`;
    yield file.text;
  }
}

function mapsAsLists(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}
