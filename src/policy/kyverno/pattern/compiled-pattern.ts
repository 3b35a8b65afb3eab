// A compiled pattern: keys parsed and in Kyverno's order, strings compiled (`pkg/engine/validate`).
import { compareUtf8, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { containsWildcard, matchesWildcard } from '../value/wildcard.ts';
import { type Anchor, anchorText, parseAnchor } from './anchor.ts';
import { compileStringPattern, type StringPattern } from './compare-value.ts';

export type Pattern =
  | MapPattern
  | { readonly form: 'list'; readonly items: readonly Pattern[]; readonly value: JsonValue }
  | { readonly form: 'text'; readonly pattern: StringPattern; readonly value: string }
  | { readonly form: 'scalar'; readonly value: null | boolean | bigint | number };

export interface MapPattern {
  readonly form: 'map';
  readonly value: JsonObject;
  /** Keys with `()`, `=()`, `^()`, `X()`. Matched first, in sorted order. */
  readonly anchors: readonly PatternKey[];
  /** All other keys. Those with anchors inside and global anchors come first, in reverse order. */
  readonly others: readonly PatternKey[];
  /** Anchored keys that count as missing if the resource lacks them. */
  readonly tracked: readonly PatternKey[];
  /** True if wildcards in labels or annotations may need to be resolved against the resource first. */
  readonly expandsMetadata: boolean;
}

export interface PatternKey {
  /** As written. */
  readonly text: string;
  readonly anchor: Anchor | undefined;
  readonly pattern: Pattern;
  readonly path: KnownPath;
}

/** Caches the last path below a parent path, so that matching many objects reuses the same string. */
class KnownPath {
  #above: string | undefined;
  #below = '';

  below(above: string, name: string): string {
    if (this.#above !== above) {
      this.#above = above;
      this.#below = `${above}${name}/`;
    }
    return this.#below;
  }
}

export function compilePattern(value: JsonValue): Pattern {
  if (isJsonObject(value)) return compileMap(value);
  if (isJsonArray(value)) return { form: 'list', items: value.map(compilePattern), value };
  if (typeof value === 'string') return { form: 'text', pattern: compileStringPattern(value), value };
  return { form: 'scalar', value };
}

function compileMap(value: JsonObject): MapPattern {
  const keys = [...value.keys()].sort(compareUtf8).map((text): PatternKey => {
    return {
      text,
      anchor: parseAnchor(text),
      pattern: compilePattern(value.get(text) as JsonValue),
      path: new KnownPath(),
    };
  });
  const anchors = keys.filter(({ anchor }) => isAnchoredFirst(anchor));
  const others: PatternKey[] = [];
  for (const key of keys) {
    if (isAnchoredFirst(key.anchor)) continue;
    if (key.anchor?.type === 'global' || hasAnchors(key.pattern)) others.unshift(key);
    else others.push(key);
  }
  const tracked = keys.filter(({ anchor }) => isTracked(anchor));
  return { form: 'map', value, anchors, others, tracked, expandsMetadata: expandsMetadata(value) };
}

function isAnchoredFirst(anchor: Anchor | undefined): boolean {
  return anchor !== undefined && anchor.type !== 'global' && anchor.type !== 'addition';
}

function isTracked(anchor: Anchor | undefined): boolean {
  return anchor?.type === 'condition' || anchor?.type === 'existence' || anchor?.type === 'negation';
}

function hasAnchors(pattern: Pattern): boolean {
  if (pattern.form === 'list') return pattern.items.some(hasAnchors);
  if (pattern.form !== 'map') return false;
  const isAnchored = ({ anchor }: PatternKey): boolean => anchor !== undefined && anchor.type !== 'addition';
  return [...pattern.anchors, ...pattern.others].some((key) => isAnchored(key) || hasAnchors(key.pattern));
}

/** Expansion keeps only strings, so other values under labels are lost. */
function expandsMetadata(value: JsonObject): boolean {
  const metadata = patternValue(value, 'metadata')?.value;
  if (!isJsonObject(metadata)) return false;
  return TAGS.some((tag) => {
    const values = patternValue(metadata, tag)?.value;
    if (!isJsonObject(values)) return false;
    return [...values].some(([key, item]) => containsWildcard(key) || typeof item !== 'string');
  });
}

const TAGS: readonly string[] = ['labels', 'annotations'];

/** The entry with this key, with or without an anchor. */
function patternValue(
  pattern: JsonObject,
  tag: string,
): { readonly key: string; readonly value: JsonValue } | undefined {
  for (const [key, value] of pattern) if (key === tag || parseAnchor(key)?.key === tag) return { key, value };
  return undefined;
}

/**
 * The pattern with each wildcard key of labels and annotations replaced by the resource's first matching key
 * (`wildcards.ExpandInMetadata`; Kyverno picks a random one).
 */
export function expandMetadata(pattern: MapPattern, resource: JsonObject): MapPattern {
  const entry = patternValue(pattern.value, 'metadata');
  const resourceMetadata = resource.get('metadata');
  if (entry === undefined || !isJsonObject(entry.value) || !isJsonObject(resourceMetadata)) return pattern;
  const expanded = new Map(entry.value);
  for (const tag of TAGS) {
    const values = patternValue(entry.value, tag);
    const actual = patternValue(resourceMetadata, tag)?.value;
    if (values === undefined || !isJsonObject(values.value) || !isJsonObject(actual)) continue;
    expanded.set(values.key, expandKeys(values.value, actual));
  }
  return compileMap(new Map(pattern.value).set(entry.key, expanded));
}

function expandKeys(values: JsonObject, actual: JsonObject): JsonObject {
  const expanded = new Map<string, JsonValue>();
  for (const [key, value] of values) {
    if (typeof value === 'string') expanded.set(expandKey(key, actual), value);
  }
  return expanded;
}

function expandKey(key: string, actual: JsonObject): string {
  if (!containsWildcard(key)) return key;
  const anchor = parseAnchor(key);
  const wanted = anchor?.key ?? key;
  const found = [...actual].find(([name, value]) => typeof value === 'string' && matchesWildcard(wanted, name))?.[0];
  if (anchor === undefined) return found ?? key;
  return anchorText(anchor.type, found ?? wanted);
}
