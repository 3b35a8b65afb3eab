// Matches a resource against a pattern: pass, fail, error or skip (`pkg/engine/validate`, `anchor/handlers.go`).
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { orUndecided, Undecided } from '../rule/rule-response.ts';
import { goTypeText, goValueText } from '../value/go-value-text.ts';
import { matchesScalar, matchesString } from './compare-value.ts';
import { expandMetadata, type MapPattern, type Pattern, type PatternKey } from './compiled-pattern.ts';

export interface PatternFailure {
  /** `error`: a field that the pattern requires is missing, so the failure has no location. */
  readonly result: 'fail' | 'skip' | 'error';
  readonly message: string;
  /** Kyverno's format: `/spec/containers/0/image/`. Empty for skips and errors. */
  readonly path: string;
  /** The location where matching ended, in the same format, for every result. */
  readonly place: string;
}

/** The anchor's effect; `none` for a plain mismatch. Wrapped errors are recognized by their text, as upstream does. */
type AnchorKind = 'condition' | 'global' | 'negation' | 'none';

interface Mismatch {
  readonly path: string;
  readonly message: string;
  readonly anchor: AnchorKind;
  /** Upstream's PatternError: a skip already collected from nested elements. */
  readonly isGathered: boolean;
  /** True if the message may contain an anchor's text. Only then is it searched. */
  readonly mayNameAnchor: boolean;
}

/** All texts below contain this word. */
const ANCHOR_WORD = 'anchor';

const WORDS: Readonly<Record<Exclude<AnchorKind, 'none'>, string>> = {
  condition: 'conditional anchor mismatch',
  global: 'global anchor mismatch',
  negation: 'negation anchor matched in resource',
};

/**
 * Undefined if the resource matches. Throws `Undecided` if an open field decides. If a field fails regardless of open
 * fields, the failure names that field, although Kyverno may name an open one before it.
 */
export function matchPattern(resource: JsonValue, pattern: Pattern): PatternFailure | undefined {
  const walk = new PatternWalk();
  const mismatch = walk.element(resource, pattern, '/');
  if (mismatch === undefined) return undefined;
  if (walk.open !== undefined && (isSkip(mismatch) || walk.hasMissedKeys)) throw walk.open;
  const { message, path: place } = mismatch;
  if (isSkip(mismatch)) return { result: 'skip', message, path: '', place };
  if (!is(mismatch, 'negation') && walk.keysAreMissing()) return { result: 'error', message, path: '', place };
  return { result: place === '' ? 'error' : 'fail', message, path: place, place };
}

function is(mismatch: Mismatch, kind: Exclude<AnchorKind, 'none'>): boolean {
  if (mismatch.anchor !== 'none') return mismatch.anchor === kind;
  if (!mismatch.mayNameAnchor) return false;
  return mismatch.message.includes(WORDS[kind]);
}

function isSkip(mismatch: Mismatch): boolean {
  return is(mismatch, 'condition') || is(mismatch, 'global');
}

function plain(path: string, message: string, mayNameAnchor = message.includes(ANCHOR_WORD)): Mismatch {
  return { path, message, anchor: 'none', isGathered: false, mayNameAnchor };
}

function anchored(path: string, kind: Exclude<AnchorKind, 'none'>, detail: string): Mismatch {
  return { path, message: `${WORDS[kind]}: ${detail}`, anchor: kind, isGathered: false, mayNameAnchor: true };
}

function gathered(path: string, skips: readonly Mismatch[]): Mismatch {
  return {
    path,
    message: skips.map(({ message }) => message).join('; '),
    anchor: 'none',
    isGathered: true,
    mayNameAnchor: true,
  };
}

/** Builds the message from parts, so that the anchor check need not scan it. */
function unfit(resource: JsonValue | undefined, pattern: JsonValue, path: string): Mismatch {
  const actual = goValueText(resource);
  const wanted = goValueText(pattern);
  const message = `resource value '${actual}' does not match '${wanted}' at path ${path}`;
  const mayNameAnchor = actual.includes(ANCHOR_WORD) || wanted.includes(ANCHOR_WORD) || path.includes(ANCHOR_WORD);
  return plain(path, message, mayNameAnchor);
}

function matchesLeaf(value: JsonValue | undefined, pattern: LeafPattern): boolean {
  return pattern.form === 'text' ? matchesString(value, pattern.pattern) : matchesScalar(value, pattern.value);
}

type LeafPattern = Extract<Pattern, { readonly form: 'text' | 'scalar' }>;

class PatternWalk {
  /** For each anchored key of the pattern: whether an element of the resource had it. */
  #seen: Map<string, boolean> | undefined;
  /** Nesting depth of lists. Paths inside lists differ for each element. */
  #lists = 0;
  /** Thrown by a field that another field made irrelevant. */
  open: Undecided | undefined;
  /** An anchored key was missing in some element, so that the order of failures matters. */
  hasMissedKeys = false;

  keysAreMissing(): boolean {
    return this.#seen !== undefined && [...this.#seen].some(([key, isSeen]) => !isSeen && !NEGATION.test(key));
  }

  element(resource: JsonValue | undefined, pattern: Pattern, path: string): Mismatch | undefined {
    switch (pattern.form) {
      case 'map':
        if (!isJsonObject(resource)) return differentStructures(resource, pattern, path);
        this.#track(pattern, resource);
        return this.#map(resource, pattern.expandsMetadata ? expandMetadata(pattern, resource) : pattern, path);
      case 'list':
        if (isJsonArray(resource)) return this.#list(resource, pattern.items, path);
        return plain(
          path,
          `validation rule failed at path ${path}, resource does not satisfy the expected overlay pattern`,
        );
      default: {
        const fits = isJsonArray(resource)
          ? resource.every((value) => matchesLeaf(value, pattern))
          : matchesLeaf(resource, pattern);
        return fits ? undefined : unfit(resource, pattern.value, path);
      }
    }
  }

  #track({ tracked }: MapPattern, resource: JsonObject): void {
    if (tracked.length === 0) return;
    this.#seen ??= new Map();
    for (const { text, anchor } of tracked) {
      if (this.#seen.get(text) !== true) this.#seen.set(text, resource.has(anchor?.key ?? text));
      this.hasMissedKeys ||= this.#seen.get(text) !== true && !NEGATION.test(text);
    }
  }

  #map(resource: JsonObject, pattern: MapPattern, path: string): Mismatch | undefined {
    if (pattern.anchors.length > 0) {
      const gatheredSkips = this.#anchors(resource, pattern, path);
      if (gatheredSkips !== undefined) return gatheredSkips;
    }
    let open: Undecided | undefined;
    for (const key of pattern.others) {
      const mismatch = isPlainLeaf(key)
        ? orUndecided(() => this.#key(resource, key, path))
        : this.#key(resource, key, path);
      if (mismatch instanceof Undecided) open ??= mismatch;
      else if (mismatch !== undefined) return this.#despite(open, mismatch);
    }
    if (open !== undefined) throw open;
    return undefined;
  }

  /** Only a plain mismatch decides, because an open field before it can only lead to another one. */
  #despite(open: Undecided | undefined, mismatch: Mismatch): Mismatch {
    if (open === undefined) return mismatch;
    if (mismatch.anchor !== 'none' || isSkip(mismatch)) throw open;
    this.open ??= open;
    return mismatch;
  }

  #anchors(resource: JsonObject, pattern: MapPattern, path: string): Mismatch | undefined {
    const skips: Mismatch[] = [];
    let applied = 0;
    for (const key of pattern.anchors) {
      const mismatch = this.#key(resource, key, path);
      if (mismatch === undefined) applied++;
      else if (isSkip(mismatch)) skips.push(mismatch);
      else if (skips.every(({ isGathered }) => isGathered)) return mismatch;
    }
    const hasOwnSkip = skips.some(({ isGathered }) => !isGathered);
    return skips.length > 0 && (applied === 0 || hasOwnSkip) ? gathered(path, skips) : undefined;
  }

  #key(resource: JsonObject, key: PatternKey, path: string): Mismatch | undefined {
    const name = key.anchor === undefined || key.anchor.type === 'addition' ? key.text : key.anchor.key;
    const below = this.#lists > 0 ? `${path}${name}/` : key.path.below(path, name);
    if (key.anchor?.type === 'negation') {
      return resource.has(name) ? anchored(below, 'negation', `${below} is not allowed`) : undefined;
    }
    const value = resource.get(name);
    switch (key.anchor?.type) {
      case 'condition': {
        if (value === undefined) {
          return anchored(below, 'condition', "conditional anchor key doesn't exist in the resource");
        }
        const mismatch = this.element(value, key.pattern, below);
        return mismatch && anchored(mismatch.path, 'condition', mismatch.message);
      }
      case 'global': {
        const mismatch = value === undefined ? undefined : this.element(value, key.pattern, below);
        return mismatch && anchored(mismatch.path, 'global', mismatch.message);
      }
      case 'equality':
        return value === undefined ? undefined : this.element(value, key.pattern, below);
      case 'existence':
        return value === undefined ? undefined : this.#existence(value, key.pattern, below);
      default:
        if (key.pattern.form !== 'text' || key.pattern.value !== '*') return this.element(value, key.pattern, below);
        return value === undefined || value === null ? plain(path, `${path}/${name} not found`) : undefined;
    }
  }

  #existence(resource: JsonValue, pattern: Pattern, path: string): Mismatch | undefined {
    if (!isJsonArray(resource)) {
      const type = goTypeText(resource);
      const problem = `invalid resource type ${type}: Existence ^ () anchor can be used only on list/array type resource`;
      return plain(path, problem);
    }
    const type = goTypeText(pattern.form === 'map' ? pattern.value : pattern.value);
    if (pattern.form !== 'list') {
      return plain(path, `invalid pattern type ${type}: Pattern has to be of list to compare against resource`);
    }
    for (const item of pattern.items) {
      if (item.form !== 'map') {
        const problem = `invalid pattern type ${type}: Pattern has to be of type map to compare against items in resource`;
        return plain(path, problem);
      }
      let open: Undecided | undefined;
      const isThere = resource.some((element, index) => {
        const mismatch = orUndecided(() => this.#item(element, item, `${path}${index}/`));
        if (mismatch instanceof Undecided) open ??= mismatch;
        return mismatch === undefined;
      });
      if (!isThere && open !== undefined) throw open;
      if (open !== undefined) this.open ??= open;
      if (!isThere) return plain(path, `existence anchor validation failed at path ${path}`);
    }
    return undefined;
  }

  #item(element: JsonValue | undefined, pattern: Pattern, path: string): Mismatch | undefined {
    this.#lists++;
    try {
      return this.element(element, pattern, path);
    } finally {
      this.#lists--;
    }
  }

  #list(resource: readonly JsonValue[], pattern: readonly Pattern[], path: string): Mismatch | undefined {
    const [first] = pattern;
    if (first === undefined) return plain(path, 'pattern Array empty');
    if (first.form !== 'map' && first.form !== 'list') return this.element(resource, first, path);
    if (first.form === 'list' && resource.length < pattern.length) {
      const lengths = `resource Array len is ${resource.length} and pattern Array len is ${pattern.length}`;
      return plain('', `validate Array failed, array length mismatch, ${lengths}`);
    }
    const count = first.form === 'map' ? resource.length : pattern.length;
    const skips: Mismatch[] = [];
    let applied = 0;
    let open: Undecided | undefined;
    for (let index = 0; index < count; index++) {
      const item = first.form === 'map' ? first : (pattern[index] as Pattern);
      const mismatch = orUndecided(() => this.#item(resource[index], item, `${path}${index}/`));
      if (mismatch instanceof Undecided) open ??= mismatch;
      else if (mismatch === undefined) applied++;
      else if (isSkip(mismatch)) skips.push(mismatch);
      else return this.#despite(open, mismatch);
    }
    if (open !== undefined) throw open;
    return applied === 0 && skips.length > 0 ? gathered(path, skips) : undefined;
  }
}

/** The key's value is text or a scalar, which matches or does not. */
function isPlainLeaf({ anchor, pattern }: PatternKey): boolean {
  return (
    (anchor === undefined || anchor.type === 'equality' || anchor.type === 'addition') &&
    (pattern.form === 'text' || pattern.form === 'scalar')
  );
}

/** Anchored keys that must be absent. */
const NEGATION = /^\s*X\(.+\)\s*$/;

function differentStructures(resource: JsonValue | undefined, pattern: MapPattern, path: string): Mismatch {
  const [expected, found] = [goTypeText(pattern.value), goTypeText(resource)];
  const message = `pattern and resource have different structures. Path: ${path}. Expected ${expected}, found ${found}`;
  return plain(path, message, path.includes(ANCHOR_WORD));
}
