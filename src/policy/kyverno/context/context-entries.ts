// Loads the entries of a rule's `context`: variables, ConfigMaps, API calls and global context entries.
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { objectOrEmpty, optionalTextField, textField } from '../../../source/json/json-field.ts';
import {
  type ConfigMapSource,
  computedLoader,
  configMapLoader,
  variableLoader,
} from '../variables/context-entry-loaders.ts';
import type { EvaluationContext } from '../variables/evaluation-context.ts';
import { substituteAll } from '../variables/substitute.ts';
import { VariableError, variableFailure } from '../variables/variable-error.ts';

/** Provides data from outside the policy. Entries without a provider do not exist. */
export interface ContextSource {
  /** Empty for a ClusterPolicy. */
  readonly policyNamespace: string;
  readonly configMap?: ConfigMapSource;
  /** The response body for a call whose variables are substituted. */
  readonly apiCall?: (call: JsonObject) => JsonValue | VariableError;
  /** Responses that are known in advance. An error among them stops the rule at once. */
  readonly givenApiCall?: (call: JsonObject, entry: string) => { readonly body: JsonValue } | VariableError | undefined;
  /** Data of a GlobalContextEntry, or of one of its projections. */
  readonly globalReference?: (name: string, projection: string) => JsonValue | VariableError;
  readonly imageRegistry?: (reference: string) => JsonValue | VariableError;
  /** Sets external variable values before the rule's own entries. */
  readonly initialize?: (context: EvaluationContext, rule: string) => void;
}

/** Returns the error that stops the rule before its preconditions. Entries load on first use. */
export function loadContextEntries(
  entries: readonly JsonObject[],
  context: EvaluationContext,
  source: ContextSource,
  rule: string,
): VariableError | undefined {
  source.initialize?.(context, rule);
  for (const entry of entries) {
    const error = addEntry(entry, context, source);
    if (error !== undefined) return error;
  }
  return undefined;
}

function addEntry(entry: JsonObject, context: EvaluationContext, source: ContextSource): VariableError | undefined {
  const name = textField(entry, 'name');
  const field = (key: string): JsonObject | undefined => {
    const value = entry.get(key);
    return isJsonObject(value) ? value : undefined;
  };
  const configMap = field('configMap');
  if (configMap !== undefined) {
    if (source.configMap === undefined) return undefined;
    const [configMapName, configMapNamespace] = [textField(configMap, 'name'), textField(configMap, 'namespace')];
    const loaded = { name, configMapName, configMapNamespace };
    context.addLoader(configMapLoader(context, loaded, source.configMap, source.policyNamespace));
    return undefined;
  }
  const apiCall = field('apiCall');
  if (apiCall !== undefined) return addApiCall(name, apiCall, context, source);
  const reference = field('globalReference');
  if (reference !== undefined) {
    if (source.globalReference === undefined) return undefined;
    context.addLoader(computedLoader(context, name, () => globalReference(name, reference, context, source)));
    return undefined;
  }
  const registry = field('imageRegistry');
  if (registry !== undefined) {
    const { imageRegistry } = source;
    if (imageRegistry === undefined) return undefined;
    const compute = (): JsonValue | VariableError => imageData(name, registry, context, imageRegistry);
    context.addLoader(computedLoader(context, name, compute));
    return undefined;
  }
  const variable = field('variable');
  if (variable === undefined) return variableFailure(`failed to create deferred loader for context entry ${name}`);
  const { value, fallback } = { value: variable.get('value'), fallback: variable.get('default') };
  const jmesPath = optionalTextField(variable, 'jmesPath');
  context.addLoader(variableLoader(context, { name, value, jmesPath, default: fallback }));
  return undefined;
}

function addApiCall(
  name: string,
  call: JsonObject,
  context: EvaluationContext,
  source: ContextSource,
): VariableError | undefined {
  if (source.givenApiCall !== undefined) {
    const substituted = substituteAll(context, call);
    if (substituted instanceof VariableError) {
      return substituted.within(
        (message) => `failed to substitute variables in apiCall context entry "${name}": ${message}`,
      );
    }
    const given = source.givenApiCall(objectOrEmpty(substituted), name);
    if (given instanceof VariableError) return given;
    if (given !== undefined) {
      const data = transformed(name, textField(objectOrEmpty(substituted), 'jmesPath'), given.body, context, 'given');
      return data instanceof VariableError ? data : context.addContextEntry(name, data);
    }
  }
  const { apiCall } = source;
  if (apiCall === undefined) return undefined;
  context.addLoader(computedLoader(context, name, () => fetched(name, call, context, apiCall, source.policyNamespace)));
  return undefined;
}

const NAMESPACE_SEGMENT = /^\/(api\/v1|apis\/[^/]+\/[^/]+)\/namespaces\/([^/]+)/;

function fetched(
  name: string,
  call: JsonObject,
  context: EvaluationContext,
  apiCall: NonNullable<ContextSource['apiCall']>,
  policyNamespace: string,
): JsonValue | VariableError {
  const within = (message: string): string => `failed to fetch data for APICall: ${message}`;
  const substituted = substituteAll(context, call);
  if (substituted instanceof VariableError) {
    return substituted.within((message) =>
      within(`failed to substitute variables in context entry ${name} ${textField(call, 'urlPath')}: ${message}`),
    );
  }
  const resolved = objectOrEmpty(substituted);
  if (policyNamespace !== '') {
    const path = textField(resolved, 'urlPath');
    const namespace = NAMESPACE_SEGMENT.exec(path)?.[2];
    if (namespace === undefined) {
      const problem = `path ${path} does not contain a namespace segment, which is required for namespaced policies`;
      return variableFailure(within(problem));
    }
    if (namespace !== policyNamespace) {
      const problem = `path ${path} refers to namespace ${namespace}, which is different from the policy namespace ${policyNamespace}`;
      return variableFailure(within(problem));
    }
  }
  const answer = apiCall(resolved);
  const fallback = call.get('default');
  if (answer instanceof VariableError) {
    if (fallback === undefined || !answer.isAnswer) return answer.within(within);
    return fallback;
  }
  if (fallback !== undefined && isSameJson(fallback, answer)) return answer;
  return transformed(name, textField(call, 'jmesPath'), answer, context, 'fetched');
}

function isSameJson(one: JsonValue, other: JsonValue): boolean {
  const options = { sortKeys: false, escapeHtml: false };
  return stringifyJson(one, options) === stringifyJson(other, options);
}

function transformed(
  name: string,
  jmesPath: string,
  data: JsonValue,
  context: EvaluationContext,
  kind: 'given' | 'fetched',
): JsonValue | VariableError {
  if (jmesPath === '') return data;
  if (kind === 'given') {
    const found = context.searchIn(jmesPath, data, (message) => message);
    return found instanceof VariableError
      ? found.within((message) => `failed to apply JMESPath "${jmesPath}" for context entry "${name}": ${message}`)
      : found;
  }
  const stored = (message: string): string => `failed to store data for APICall: ${message}`;
  const query = substituteAll(context, jmesPath);
  if (query instanceof VariableError) {
    return query.within((message) =>
      stored(`failed to substitute variables in context entry ${name} JMESPath ${jmesPath}: ${message}`),
    );
  }
  const found = context.searchIn(String(query), data, (message) => message);
  return found instanceof VariableError
    ? found.within((message) => stored(`failed to apply JMESPath ${query} for context entry ${name}: ${message}`))
    : found;
}

function globalReference(
  name: string,
  reference: JsonObject,
  context: EvaluationContext,
  source: ContextSource,
): JsonValue | VariableError {
  const within = (message: string): string => `failed to marshal APICall data for context entry ${name}: ${message}`;
  const substituted = substituteAll(context, reference);
  if (substituted instanceof VariableError) return substituted.within(within);
  const resolved = objectOrEmpty(substituted);
  const [entry = '', projection = ''] = textField(resolved, 'name').split('.');
  const data = source.globalReference?.(entry, projection) ?? null;
  if (data instanceof VariableError) return data.within(within);
  const jmesPath = textField(resolved, 'jmesPath');
  if (jmesPath === '') return data;
  const found = context.searchIn(jmesPath, data, (message) => message);
  return found instanceof VariableError
    ? found.within((message) => within(`failed to apply JMESPath ${jmesPath} for context entry ${name}: ${message}`))
    : found;
}

function imageData(
  name: string,
  registry: JsonObject,
  context: EvaluationContext,
  source: NonNullable<ContextSource['imageRegistry']>,
): JsonValue | VariableError {
  const reference = substituteAll(context, textField(registry, 'reference'));
  if (reference instanceof VariableError) {
    return reference.within((message) => `ref substitution failed for context entry ${name}: ${message}`);
  }
  const data = source(String(reference));
  const jmesPath = textField(registry, 'jmesPath');
  if (data instanceof VariableError || jmesPath === '') return data;
  return context.searchIn(jmesPath, data, (message) => message);
}
