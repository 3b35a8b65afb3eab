// The JSON document that variables are read from, with checkpoints and entries loaded on demand (`pkg/engine/context`).
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

/** Kyverno's default limit of what context entries may hold together, in bytes. */
const MAX_SIZE = 2 * 1024 * 1024;
/** Of a loop, whatever is done with it. */
const STEPS_FOR_ELEMENT = 300;

export interface ContextOptions {
  readonly environment: SearchEnvironment;
  readonly queries: QueryCache;
  /** Bytes; Kyverno's `maxContextSize`. */
  readonly maxSize?: number;
}

/** What a checkpoint keeps. Neither map is ever changed. */
interface ContextState {
  readonly root: JsonObject;
  /** Where the names at the top come from, if not from the document itself. */
  readonly origins: ReadonlyMap<string, Origin>;
}

/** A document that nobody has looked into yet: most rules ask for no variable. */
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

/** Numbers count as they are given: a request of admission has only doubles (`asDoubles`). */
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

  /** Told what queries read from now on; tracking costs time, so leave it out where nobody asks. */
  set observer(observer: SearchObserver | undefined) {
    this.#observer = observer;
  }

  get operation(): string {
    if (this.#operation !== '') return this.#operation;
    const request = this.#state.root.get('request');
    const operation = isJsonObject(request) ? request.get('operation') : undefined;
    return typeof operation === 'string' ? operation : '';
  }

  /** A context with the same document, of which neither sees what the other adds; entries to load are not taken along. */
  fork(observer?: SearchObserver): EvaluationContext {
    const fork = new EvaluationContext(this.#options);
    fork.#state = this.#state;
    fork.#operation = this.#operation;
    fork.#observer = observer;
    return fork;
  }

  /** Of the run's budget. */
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
    const found = compiled.search(this.#state.root, this.#environment(), this.#state.origins);
    if (!(found instanceof SearchError)) return found;
    const isKyvernos = found.kind !== 'unknown' && found.kind !== 'limit';
    return new VariableError(found.kind, isKyvernos ? `JMESPath query failed: ${found.message}` : found.message);
  }

  variablesIn(text: string): readonly WrittenVariable[] {
    return this.#options.queries.variablesIn(text);
  }

  /** A query on data of its own, as context entries apply them. */
  searchIn(query: string, data: JsonValue, wrap: (message: string) => string): JsonValue | VariableError {
    const compiled = this.#options.queries.compile(query);
    if (compiled instanceof QueryError) {
      return new VariableError(compiled.isLimit ? 'limit' : 'failure', wrap(compiled.message));
    }
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

  /** All that is known before any rule is asked, made when a query needs it; in place of everything there was. */
  begin(operation: string, document: () => JsonObject): void {
    this.#state = new UnreadState(document);
    this.#operation = operation;
  }

  /** The whole AdmissionRequest. */
  addRequest(request: JsonObject): void {
    this.#merge(new Map([['request', request]]));
    const operation = request.get('operation');
    this.#operation = typeof operation === 'string' ? operation : '';
  }

  addOperation(operation: string): void {
    this.#merge(nested(['request', 'operation'], operation));
    this.#operation = operation;
  }

  /** `request.object`, in place of what was there. */
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

  /** `target` of a rule that mutates existing objects. */
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

  /** `serviceAccountName` and `serviceAccountNamespace`, both empty if the user is none. */
  addServiceAccount(username: string): void {
    const prefix = 'system:serviceaccount:';
    // Kyverno only looks at the length of the prefix.
    const [namespace, name] = username.length <= prefix.length ? [] : username.slice(prefix.length).split(':');
    const isAccount = namespace !== undefined && name !== undefined;
    this.#merge(
      new Map([
        ['serviceAccountName', isAccount ? name : ''],
        ['serviceAccountNamespace', isAccount ? namespace : ''],
      ]),
    );
  }

  /** At the path that the fields make: `["cm", "data", "key"]`. */
  addVariable(path: readonly string[], value: JsonValue): void {
    this.#merge(nested(path, value));
  }

  /** Objects at the top that are merged into those already there. */
  addFields(fields: JsonObject): void {
    this.#merge(fields);
  }

  /** `element`, `elementIndex` and the same with the depth of the loop, from 0. The index is an integer, no double. */
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

  /** An entry with JSON data, merged into what has the name already. */
  addContextEntry(name: string, value: JsonValue, origin?: Origin): VariableError | undefined {
    const error = this.#take(value);
    if (error !== undefined) return error;
    this.#merge(new Map([[name, asDoubles(value)]]));
    this.#setOrigin(name, origin);
    return undefined;
  }

  /** An entry in place of what has the name. */
  replaceContextEntry(name: string, value: JsonValue, origin?: Origin): VariableError | undefined {
    const error = this.#take(value);
    if (error !== undefined) return error;
    this.#set(name, asDoubles(value));
    this.#setOrigin(name, origin);
    return undefined;
  }

  /** Counts the bytes of an entry; what is loaded again counts again. */
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

  /** Loaded when a query names it. */
  addLoader(loader: ContextLoader): void {
    this.#loaders.add(loader, this.#checkpoints.length);
  }

  /** Runs what computes an entry's value, and tells where the value comes from. */
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

  /** Where the value of the last query came from; only known to an observed context. */
  get resultOrigin(): Origin {
    return this.#resultOrigin;
  }

  checkpoint(): void {
    this.#checkpoints.push(this.#state);
  }

  /** Back to the last checkpoint, which is then gone. */
  restore(): void {
    const state = this.#checkpoints.pop();
    if (state === undefined) return;
    this.#state = state;
    this.#loaders.reset(true, this.#checkpoints.length);
  }

  /** Back to the last checkpoint, which stays. */
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

  /** Where the members of an entry come from; asked only where somebody observes. */
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

/** Objects are merged at every depth, everything else is replaced. */
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
