// Reads Kyverno's settings from the repository: its ConfigMap, or the values of its HelmRelease.

import type { GroupVersionKind } from '../../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import {
  objectField,
  objectOrEmpty,
  optionalTextField,
  textField,
  textItems,
} from '../../../source/json/json-field.ts';
import { parseJson } from '../../../source/json/parse-json.ts';
import {
  type ConfiguredKyverno,
  type IgnoredResources,
  KYVERNO_NAMESPACE,
  type KyvernoSettings,
  kyvernoSettings,
  readResourceFilters,
  type WrittenSettings,
} from './kyverno-settings.ts';

/** Name of both objects. */
export const INSTALLATION_NAME = 'kyverno';

const CONFIG_MAP: GroupVersionKind = { group: '', version: 'v1', kind: 'ConfigMap' };
export const HELM_RELEASE_GROUP = 'helm.toolkit.fluxcd.io';
const HELM_RELEASES: readonly GroupVersionKind[] = ['v2', 'v2beta2', 'v2beta1'].map((version) => {
  return { group: HELM_RELEASE_GROUP, version, kind: 'HelmRelease' };
});

/** Precedence: `configured`, the repository, the chart's defaults. */
export function settingsIn(cluster: Cluster, configured: ConfiguredKyverno): KyvernoSettings {
  const namespace = configured.namespace ?? KYVERNO_NAMESPACE;
  return kyvernoSettings(namespace, configured.today ?? '', configured, ...writtenInstallation(cluster, namespace));
}

/** The ConfigMap comes first because Kyverno reads it. `namespace` is Kyverno's own. */
function writtenInstallation(cluster: Cluster, namespace: string): readonly WrittenSettings[] {
  const written: WrittenSettings[] = [];
  const configMap = cluster.object(CONFIG_MAP, namespace, INSTALLATION_NAME);
  if (configMap !== undefined) written.push(ofConfigMap(objectOrEmpty(configMap.object.get('data'))));
  for (const gvk of HELM_RELEASES) {
    for (const place of new Set([namespace, 'flux-system'])) {
      const release = cluster.object(gvk, place, INSTALLATION_NAME);
      const spec = objectOrEmpty(release?.object.get('spec'));
      if (installsKyverno(spec)) written.push(ofValues(objectOrEmpty(spec.get('values'))));
    }
  }
  return written;
}

/** True if the chart is named `kyverno`, or is referenced by an object, which may have any name. */
function installsKyverno(spec: JsonObject): boolean {
  const chart = textField(objectOrEmpty(objectOrEmpty(spec.get('chart')).get('spec')), 'chart');
  return /(?:^|\/)kyverno$/.test(chart) || isJsonObject(spec.get('chartRef'));
}

/** A setting that the ConfigMap omits is empty; it does not fall back to the chart's default (`pkg/config/config.go`, `load`). */
function ofConfigMap(data: JsonObject): WrittenSettings {
  const webhooks = parseJson(textField(data, 'webhooks'));
  const written = 'value' in webhooks ? webhooks.value : null;
  // Earlier releases wrote a list and used its first entry.
  const webhook = objectOrEmpty(isJsonArray(written) ? written[0] : written);
  const registry = textField(data, 'defaultRegistry');
  return {
    resourceFilters: readResourceFilters(textField(data, 'resourceFilters')),
    excludeGroups: listed(textField(data, 'excludeGroups')),
    excludeUsernames: listed(textField(data, 'excludeUsernames')),
    webhookNamespaceSelector: objectField(webhook, 'namespaceSelector') ?? new Map(),
    ...(registry !== '' && { defaultRegistry: registry }),
    enableDefaultRegistryMutation: textField(data, 'enableDefaultRegistryMutation') !== 'false',
    excludesOwnNamespace: false,
  };
}

/** A name with `!` is an exception and has no effect on the other names. */
function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('!'));
}

function ofValues(values: JsonObject): WrittenSettings {
  const config = objectOrEmpty(values.get('config'));
  const exceptions = objectField(objectOrEmpty(values.get('features')), 'policyExceptions');
  const webhooks = config.get('webhooks');
  const webhook = objectOrEmpty(isJsonArray(webhooks) ? webhooks[0] : webhooks);
  const selector = objectField(webhook, 'namespaceSelector');
  const filters = filtersOf(config);
  const registry = optionalTextField(config, 'defaultRegistry');
  const namespace = exceptions === undefined ? '' : textField(exceptions, 'namespace');
  return {
    ...(filters !== undefined && { resourceFilters: filters }),
    ...(isJsonArray(config.get('excludeGroups')) && { excludeGroups: textItems(config.get('excludeGroups')) }),
    ...(isJsonArray(config.get('excludeUsernames')) && { excludeUsernames: textItems(config.get('excludeUsernames')) }),
    ...(selector !== undefined && { webhookNamespaceSelector: selector }),
    ...(exceptions !== undefined && {
      exceptions: { isEnabled: exceptions.get('enabled') === true, namespace: namespace === '*' ? '' : namespace },
    }),
    ...(registry !== undefined && { defaultRegistry: registry }),
    ...(config.get('enableDefaultRegistryMutation') === false && { enableDefaultRegistryMutation: false }),
    ...(config.get('excludeKyvernoNamespace') === false && { excludesOwnNamespace: false }),
  };
}

function filtersOf(config: JsonObject): readonly IgnoredResources[] | undefined {
  const written: JsonValue | undefined = config.get('resourceFilters');
  if (!isJsonArray(written)) return undefined;
  const excluded = new Set(textItems(config.get('resourceFiltersExclude')));
  const entries = [
    ...textItems(written).filter((entry) => !excluded.has(entry)),
    ...textItems(config.get('resourceFiltersInclude')),
  ];
  return entries.flatMap(readResourceFilters);
}
