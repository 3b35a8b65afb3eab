// The JSON document for variables, with checkpoints and entries that load on demand (`pkg/engine/context`).
import { trimSpace } from '../../../go/strings/trim-space.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import { ComputedOrigin, type Origin } from '../jmespath/origin.ts';
import { QueryError } from '../jmespath/query-error.ts';
import type { ReadUse, SearchEnvironment, SearchObserver } from '../jmespath/search-environment.ts';
import { SearchError } from '../jmespath/search-error.ts';
import { type ContextLoader, DeferredLoaders } from './deferred-loaders.ts';
import type { QueryCache } from './query-cache.ts';
import { VariableError, variableFailure } from './variable-error.ts';
import type { VariableSource } from './variable-source.ts';
import type { WrittenVariable } from './written-variables.ts';

/** Kyverno's default limit for the total size of context entries, in bytes. */
const MAX_SIZE = 2 * 1024 * 1024;
/** Work per loop element, in steps. */
const STEPS_FOR_ELEMENT = 300;

export interface ContextOptions {
  readonly environment: SearchEnvironment;
  readonly queries: QueryCache;
  /** In bytes. Kyverno's `maxContextSize`. */
  readonly maxSize?: number;
  /** What a query reads that no file contains. Absent: nothing. */
  readonly unknownIn?: (query: string) => string | undefined;
}

/** State at a checkpoint. Neither map is ever modified. */
interface ContextState {
  readonly root: JsonObject;
  /** Origins of top-level names that do not come from the document itself. */
  readonly origins: ReadonlyMap<string, Origin>;
}

/** A document that is built on first access. Most rules use no variables. */
class UnreadState implements ContextState {
  readonly origins: ReadonlyMap<string, Origin> = new Map();
  readonly #read: () => JsonObject;
  #root: JsonObject | undefined;

  constructor(read: () => JsonObject) {
    this.#read = read;
  }

  get root(): JsonObject {
    this.#root ??= this.#read();
    return this.#root;
  }
}

/** Keeps number types as given. Admission requests contain only doubles (`asDoubles`). */
export class EvaluationContext implements VariableSource {
  readonly #options: ContextOptions;
  readonly #checkpoints: ContextState[] = [];
  readonly #loaders: DeferredLoaders;
  #state: ContextState = { root: new Map(), origins: new Map() };
  #operation = '';
  #size = 0;
  #observer: SearchObserver | undefined;
  #resultOrigin: Origin;

  constructor(options: ContextOptions) {
    this.#options = options;
    this.#observer = options.environment.observer;
    this.#loaders = new DeferredLoaders(options.environment.regexes);
  }

  get document(): JsonObject {
    return this.#state.root;
  }

  /** Receives the reads of later queries. Tracking is slow, so leave it unset if not needed. */
  set observer(observer: SearchObserver | undefined) {
    this.#observer = observer;
  }

  get operation(): string {
    if (this.#operation !== '') return this.#operation;
    const request = this.#state.root.get('request');
    const operation = isJsonObject(request) ? request.get('operation') : undefined;
    return typeof operation === 'string' ? operation : '';
  }

  /** An independent context with the same document. Entries not yet loaded are not copied. */
  fork(observer?: SearchObserver): EvaluationContext {
    const fork = new EvaluationContext(this.#options);
    fork.#state = this.#state;
    fork.#operation = this.#operation;
    fork.#observer = observer;
    return fork;
  }

  spend(steps: number): void {
    this.#options.environment.work?.spend(steps);
  }

  query(text: string): JsonValue | VariableError {
    const loadError = this.#loaders.loadMatching(text, this.#checkpoints.length);
    if (loadError !== undefined) return loadError;
    const query = trimSpace(text);
    if (query === '') return variableFailure('invalid query (nil)');
    const compiled = this.#options.queries.compile(query);
    if (compiled instanceof QueryError) {
      return new VariableError(compiled.isLimit ? 'limit' : 'failure', `incorrect query ${query}: ${compiled.message}`);
    }
    const unknown = this.#options.unknownIn?.(query);
    if (unknown !== undefined) return new VariableError('unknown', unknown);
    const found = compiled.search(this.#state.root, this.#environment(), this.#state.origins);
    if (!(found instanceof SearchError)) return found;
    const isKyvernos = found.kind !== 'unknown' && found.kind !== 'limit';
    return new VariableError(found.kind, isKyvernos ? `JMESPath query failed: ${found.message}` : found.message);
  }

  variablesIn(text: string): readonly WrittenVariable[] {
    return this.#options.queries.variablesIn(text);
  }

  /** Evaluates a query on separate data, for context entries. */
  searchIn(query: string, data: JsonValue, wrap: (message: string) => string): JsonValue | VariableError {
    const compiled = this.#options.queries.compile(query);
    if (compiled instanceof QueryError) {
      return new VariableError(compiled.isLimit ? 'limit' : 'failure', wrap(compiled.message));
    }
    const unknown = this.#options.unknownIn?.(query);
    if (unknown !== undefined) return new VariableError('unknown', unknown);
    const found = compiled.search(data, this.#options.environment);
    return found instanceof SearchError ? new VariableError(found.kind, found.message) : found;
  }

  #environment(): SearchEnvironment {
    if (this.#observer === undefined) {
      return this.#options.environment.observer === undefined
        ? this.#options.environment
        : { ...this.#options.environment, observer: undefined };
    }
    const observer = this.#observer;
    return {
      ...this.#options.environment,
      observer: {
        read: (origin: Origin, use: ReadUse) => {
          if (use === 'result') this.#resultOrigin = origin;
          observer.read(origin, use);
        },
        unordered: () => {
          observer.unordered();
        },
      },
    };
  }

  /** Replaces everything with the initial document, which is built on first access. */
  begin(operation: string, document: () => JsonObject): void {
    this.#state = new UnreadState(document);
    this.#operation = operation;
  }

  addRequest(request: JsonObject): void {
    this.#merge(new Map([['request', request]]));
    const operation = request.get('operation');
    this.#operation = typeof operation === 'string' ? operation : '';
  }

  addOperation(operation: string): void {
    this.#merge(nested(['request', 'operation'], operation));
    this.#operation = operation;
  }

  /** Replaces `request.object`. */
  addResource(resource: JsonObject): void {
    this.#replaceRequestField('object', resource);
  }

  addOldResource(resource: JsonObject): void {
    this.#replaceRequestField('oldObject', resource);
  }

  #replaceRequestField(name: string, value: JsonValue): void {
    const request = this.#state.root.get('request');
    const members = new Map(isJsonObject(request) ? request : []);
    members.delete(name);
    members.set(name, value);
    this.#set('request', members);
  }

  /** Sets `target` for rules that mutate existing objects. */
  setTargetResource(resource: JsonObject): void {
    this.#set('target', resource);
  }

  addNamespace(namespace: string): void {
    this.#merge(nested(['request', 'namespace'], namespace));
  }

  /** Fields under `request`: `userInfo`, `roles`, `clusterRoles`. */
  addUserInfo(userInfo: JsonObject): void {
    this.#merge(new Map([['request', userInfo]]));
  }

  /** Adds `serviceAccountName` and `serviceAccountNamespace`. Both are empty for other users. */
  addServiceAccount(username: string): void {
    const prefix = 'system:serviceaccount:';
    // Kyverno checks only the length of the prefix.
    const [namespace, name] = username.length <= prefix.length ? [] : username.slice(prefix.length).split(':');
    const isAccount = namespace !== undefined && name !== undefined;
    this.#merge(
      new Map([
        ['serviceAccountName', isAccount ? name : ''],
        ['serviceAccountNamespace', isAccount ? namespace : ''],
      ]),
    );
  }

  /** Sets the value at a path such as `["cm", "data", "key"]`. */
  addVariable(path: readonly string[], value: JsonValue): void {
    this.#merge(nested(path, value));
  }

  /** Merges top-level objects into existing ones. */
  addFields(fields: JsonObject): void {
    this.#merge(fields);
  }

  /** Sets `element`, `elementIndex` and the same names with the loop depth, from 0. The index is an integer, not a double. */
  addElement(element: JsonValue, index: number, nesting: number, origin?: Origin): void {
    this.spend(STEPS_FOR_ELEMENT);
    const root = new Map(this.#state.root);
    const place = BigInt(index);
    root.set('element', element).set('elementIndex', place);
    root.set(`element${nesting}`, element).set(`elementIndex${nesting}`, place);
    if (this.#observer === undefined) {
      this.#state = { origins: this.#state.origins, root };
      return;
    }
    const origins = new Map(this.#state.origins);
    for (const suffix of ['', String(nesting)]) {
      origins.set(`element${suffix}`, origin);
      origins.set(`elementIndex${suffix}`, undefined);
    }
    this.#state = { origins, root };
  }

  /** Merges a JSON entry into an existing value of that name. */
  addContextEntry(name: string, value: JsonValue, origin?: Origin): VariableError | undefined {
    const error = this.#take(value);
    if (error !== undefined) return error;
    this.#merge(new Map([[name, asDoubles(value)]]));
    this.#setOrigin(name, origin);
    return undefined;
  }

  /** Replaces the entry of that name. */
  replaceContextEntry(name: string, value: JsonValue, origin?: Origin): VariableError | undefined {
    const error = this.#take(value);
    if (error !== undefined) return error;
    this.#set(name, asDoubles(value));
    this.#setOrigin(name, origin);
    return undefined;
  }

  /** Adds an entry's size to the total. An entry that loads again counts again. */
  #take(value: JsonValue): VariableError | undefined {
    const limit = this.#options.maxSize ?? MAX_SIZE;
    const json = stringifyJson(value, { sortKeys: false, escapeHtml: true });
    const size = this.#size + utf8Length(json);
    if (limit > 0 && size > limit) {
      return variableFailure(`context size limit exceeded: ${size} bytes exceeds limit of ${limit} bytes`);
    }
    this.#size = size;
    return undefined;
  }

  /** Loads on the first query that names it. */
  addLoader(loader: ContextLoader): void {
    this.#loaders.add(loader, this.#checkpoints.length);
  }

  /** Computes an entry's value and tracks its origin. */
  trace<T>(compute: () => T): { readonly value: T; readonly origin: Origin } {
    const outer = this.#observer;
    if (outer === undefined) return { value: compute(), origin: undefined };
    const reads: Origin[] = [];
    this.#resultOrigin = undefined;
    this.#observer = {
      read: (origin, use) => {
        if (origin !== undefined) reads.push(origin);
        outer.read(origin, use);
      },
      unordered: () => {
        outer.unordered();
      },
    };
    let value: T;
    try {
      value = compute();
    } finally {
      this.#observer = outer;
    }
    return { value, origin: this.#resultOrigin ?? (reads.length === 0 ? undefined : new ComputedOrigin(reads)) };
  }

  /** Origin of the last query's value. Only with an observer. */
  get resultOrigin(): Origin {
    return this.#resultOrigin;
  }

  checkpoint(): void {
    this.#checkpoints.push(this.#state);
  }

  /** Number of checkpoints. */
  get depth(): number {
    return this.#checkpoints.length;
  }

  /** Returns to the last checkpoint and removes it. */
  restore(): void {
    const state = this.#checkpoints.pop();
    if (state === undefined) return;
    this.#state = state;
    this.#loaders.reset(true, this.#checkpoints.length);
  }

  /** Returns to the last checkpoint and keeps it. */
  reset(): void {
    const state = this.#checkpoints.at(-1);
    if (state === undefined) return;
    this.#state = state;
    this.#loaders.reset(false, this.#checkpoints.length);
  }

  #set(name: string, value: JsonValue): void {
    const root = new Map(this.#state.root);
    root.set(name, value);
    this.#state = { origins: this.#state.origins, root };
  }

  /** Sets an entry's origin. `origin` is called only with an observer. */
  tellOrigin(name: string, origin: () => Origin): void {
    if (this.#observer !== undefined) this.#setOrigin(name, origin());
  }

  #setOrigin(name: string, origin: Origin): void {
    if (this.#observer === undefined) return;
    const origins = new Map(this.#state.origins);
    if (origin === undefined) origins.delete(name);
    else origins.set(name, origin);
    this.#state = { root: this.#state.root, origins };
  }

  #merge(fields: JsonObject): void {
    this.#state = { origins: this.#state.origins, root: merged(this.#state.root, fields) };
  }
}

function nested(path: readonly string[], value: JsonValue): JsonObject {
  let object: JsonValue = value;
  for (let index = path.length - 1; index >= 0; index--) object = new Map([[path[index] as string, object]]);
  return isJsonObject(object) ? object : new Map();
}

/** Merges objects recursively. Replaces all other values. */
function merged(into: JsonObject, from: JsonObject): JsonObject {
  const result = new Map(into);
  for (const [key, value] of from) {
    const existing = into.get(key);
    result.set(key, isJsonObject(value) && isJsonObject(existing) ? merged(existing, value) : value);
  }
  return result;
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) length += code < 0x800 || (code & 0xf800) === 0xd800 ? 1 : 2;
  }
  return length;
}
