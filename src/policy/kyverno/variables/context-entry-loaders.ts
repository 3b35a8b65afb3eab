// Loads context entries: variables, ConfigMaps, and computed entries (`pkg/engine/context/loaders`).
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import { searchedGoType } from '../jmespath/search-value.ts';
import { valueText } from '../jmespath/value-text.ts';
import type { ContextLoader } from './deferred-loaders.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { substituteAll } from './substitute.ts';
import { VariableError, variableFailure } from './variable-error.ts';

export interface VariableEntry {
  readonly name: string;
  /** Null counts as absent. */
  readonly value?: JsonValue | undefined;
  readonly jmesPath?: string | undefined;
  readonly default?: JsonValue | undefined;
}

/** `context[].variable`. */
export function variableLoader(context: EvaluationContext, entry: VariableEntry): ContextLoader {
  let hasLoaded = false;
  return {
    name: entry.name,
    get hasLoaded() {
      return hasLoaded;
    },
    load: () => {
      const { value, origin } = context.trace(() => variableValue(context, entry));
      if (value instanceof VariableError) return value;
      if (typeof value === 'number' && !Number.isFinite(value)) {
        const shown = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
        return variableFailure(
          `failed to add context entry for variable ${entry.name}: json: unsupported value: ${shown}`,
        );
      }
      hasLoaded = true;
      return context.replaceContextEntry(entry.name, value, origin);
    },
  };
}

function variableValue(context: EvaluationContext, entry: VariableEntry): JsonValue | VariableError {
  const { name } = entry;
  const substituted = (document: JsonValue): JsonValue | VariableError => {
    const result = substituteAll(context, document);
    if (!(result instanceof VariableError)) return result;
    return result.within(
      (message) => `failed to substitute variables in context entry ${name} ${valueText(document)}: ${message}`,
    );
  };
  let path = '';
  if (entry.jmesPath !== undefined && entry.jmesPath !== '') {
    const query = substituted(entry.jmesPath);
    if (query instanceof VariableError) return query;
    if (typeof query !== 'string') {
      return variableFailure(`jmespath value must be a string ${name} ${entry.jmesPath}: <nil>`);
    }
    path = query;
  }
  let fallback: JsonValue = null;
  if (entry.default !== undefined && entry.default !== null) {
    const value = substituted(asDoubles(entry.default));
    if (value instanceof VariableError) return value;
    fallback = value;
  }
  const output = entryValue(context, entry, path, fallback, substituted);
  if (output !== null) return output;
  return variableFailure(`failed to add context entry for variable ${name} since it evaluated to nil`);
}

function entryValue(
  context: EvaluationContext,
  entry: VariableEntry,
  path: string,
  fallback: JsonValue,
  substituted: (document: JsonValue) => JsonValue | VariableError,
): JsonValue | VariableError {
  /** Kyverno uses the default after its own errors only. */
  const orDefault = (error: VariableError): JsonValue | VariableError => {
    if (error.isAnswer && fallback !== null) return fallback;
    return error.within((message) => `failed to apply jmespath ${path} to variable <nil>: ${message}`);
  };
  if (entry.value !== undefined && entry.value !== null) {
    const value = substituted(asDoubles(entry.value));
    if (value instanceof VariableError || path === '') return value;
    const found = context.searchIn(path, value, (message) => `failed to compile JMESPath: ${path}, error: ${message}`);
    return found instanceof VariableError ? orDefault(found) : found;
  }
  if (path === '') return fallback;
  const found = context.query(path);
  return found instanceof VariableError ? orDefault(found) : (found ?? fallback);
}

export interface ConfigMapEntry {
  readonly name: string;
  /** Name and namespace may contain variables. */
  readonly configMapName: string;
  readonly configMapNamespace: string;
}

/**
 * `data` and `metadata` of a ConfigMap. Returns `unknown` if the repository does not define it, `failure` with the API
 * server's message.
 */
export type ConfigMapSource = (namespace: string, name: string) => JsonObject | VariableError;

/** `context[].configMap`. `policyNamespace` is empty for a ClusterPolicy. */
export function configMapLoader(
  context: EvaluationContext,
  entry: ConfigMapEntry,
  source: ConfigMapSource,
  policyNamespace: string,
): ContextLoader {
  let data: JsonObject | undefined;
  return {
    name: entry.name,
    get hasLoaded() {
      return data !== undefined;
    },
    load: () => {
      if (data === undefined) {
        const fetched = fetchConfigMap(context, entry, source, policyNamespace);
        if (fetched instanceof VariableError) {
          return fetched.within(
            (message) => `failed to retrieve config map for context entry ${entry.name}: ${message}`,
          );
        }
        data = fetched;
      }
      return context
        .addContextEntry(entry.name, data)
        ?.within((message) => `failed to add config map for context entry ${entry.name}: ${message}`);
    },
  };
}

function fetchConfigMap(
  context: EvaluationContext,
  entry: ConfigMapEntry,
  source: ConfigMapSource,
  policyNamespace: string,
): JsonObject | VariableError {
  const part = (field: 'name' | 'namespace', written: string): string | VariableError => {
    const where = `failed to substitute variables in context ${entry.name} configMap.${field} ${written}`;
    const value = substituteAll(context, written);
    if (value instanceof VariableError) return value.within((message) => `${where}: ${message}`);
    return typeof value === 'string'
      ? value
      : variableFailure(`${where}: expected string, got ${searchedGoType(value)}`);
  };
  const name = part('name', entry.configMapName);
  if (name instanceof VariableError) return name;
  const written = part('namespace', entry.configMapNamespace);
  if (written instanceof VariableError) return written;
  const namespace = written === '' ? policyNamespace || 'default' : written;
  if (policyNamespace !== '' && namespace !== policyNamespace) {
    const quoted = [namespace, policyNamespace].map((text) => JSON.stringify(text));
    return variableFailure(
      `context entry ${entry.name}: configMap namespace ${quoted[0]} is different from policy namespace ${quoted[1]}`,
    );
  }
  const found = source(namespace, name);
  return found instanceof VariableError
    ? found.within((message) => `failed to get configmap ${namespace}/${name} : ${message}`)
    : found;
}

/** An entry whose value is computed once by the caller: `apiCall`, `globalReference`, `imageRegistry`. */
export function computedLoader(
  context: EvaluationContext,
  name: string,
  compute: () => JsonValue | VariableError,
): ContextLoader {
  let data: { readonly value: JsonValue } | undefined;
  return {
    name,
    get hasLoaded() {
      return data !== undefined;
    },
    load: () => {
      if (data === undefined) {
        const value = compute();
        if (value instanceof VariableError) return value;
        data = { value };
      }
      return context.addContextEntry(name, data.value);
    },
  };
}
