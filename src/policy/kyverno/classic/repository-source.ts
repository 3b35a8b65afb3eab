// Data for context entries from the repository: its ConfigMaps. Everything else is unknown without a cluster.
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { ContextSource } from '../context/context-entries.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import { VariableError } from '../variables/variable-error.ts';

export function repositorySource(cluster: Cluster, policyNamespace: string): ContextSource {
  return {
    policyNamespace,
    configMap: (namespace, name) => configMap(cluster, namespace, name),
    apiCall: (call) => unknown(`the API response to ${callText(call)}`),
    globalReference: (name) => unknown(`the content of the GlobalContextEntry ${name}`),
    imageRegistry: (reference) => unknown(`the registry data of the image ${reference}`),
  };
}

function unknown(message: string): VariableError {
  return new VariableError('unknown', message);
}

function callText(call: JsonObject): string {
  const url = textField(call, 'urlPath') || textField(objectOrEmpty(call.get('service')), 'url');
  return `${textField(call, 'method') || 'GET'} ${url}`;
}

function configMap(cluster: Cluster, namespace: string, name: string): JsonObject | VariableError {
  const stored = cluster
    .objects({ group: '', version: 'v1', kind: 'ConfigMap' }, namespace)
    .find(({ resource }) => resource.name === name);
  if (stored === undefined || stored.isOpen) {
    const key = stringifyJson(`${namespace}/${name}`, { sortKeys: false, escapeHtml: false });
    return unknown(`the content of the ConfigMap ${key}, which is not in the repository`);
  }
  const { object } = stored;
  return new Map<string, JsonValue>([
    ['data', asDoubles(object.get('data') ?? null)],
    ['metadata', asDoubles(object.get('metadata') ?? null)],
  ]);
}
