// Kyverno's installation settings in a repository, and the requests that Kyverno then ignores.
import { describe, expect, it } from 'vitest';
import { type Resource, resourcesOf } from '../../../../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION } from '../../../../../src/kubernetes/api/version.ts';
import { RepositoryCluster } from '../../../../../src/kubernetes/cluster/repository-cluster.ts';
import { BuiltinResources } from '../../../../../src/kubernetes/schema/resources.ts';
import { RequestFilter } from '../../../../../src/policy/kyverno/classic/request-filter.ts';
import { settingsIn } from '../../../../../src/policy/kyverno/installation/installation.ts';
import {
  kyvernoSettings,
  readResourceFilters,
} from '../../../../../src/policy/kyverno/installation/kyverno-settings.ts';
import { readManifests } from '../../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../../src/source/text/source-file.ts';

function resourcesIn(text: string): readonly Resource[] {
  return readManifests(new SourceFile('kyverno.yaml', text))
    .manifests.flatMap(resourcesOf)
    .flatMap((result) => ('resource' in result ? [result.resource] : []));
}

function clusterOf(text: string): RepositoryCluster {
  return new RepositoryCluster({
    version: DEFAULT_VERSION,
    builtin: new BuiltinResources(DEFAULT_VERSION.minor),
    resources: resourcesIn(text),
    stored: (resource) => resource.value,
    defaultNamespace: 'default',
    isComplete: false,
  });
}

function settingsOf(text: string, namespace = 'kyverno') {
  return settingsIn(clusterOf(text), { namespace });
}

const RELEASE = `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: kyverno, namespace: flux-system }
spec:
  chart: { spec: { chart: kyverno } }
  values:
    config:
      resourceFilters: ["[Event,*,*]", "[Pod,legacy,*]"]
      resourceFiltersExclude: ["[Event,*,*]"]
      resourceFiltersInclude: ["[Secret,*,tls-*]"]
      excludeGroups: [ops]
      defaultRegistry: registry.example.com
      excludeKyvernoNamespace: false
    features: { policyExceptions: { enabled: true, namespace: "*" } }
`;

describe('the values of a HelmRelease', () => {
  it('override the chart’s defaults', () => {
    const settings = settingsOf(RELEASE);
    expect(settings.resourceFilters).toEqual([
      { kind: 'Pod', namespace: 'legacy', name: '*' },
      { kind: 'Secret', namespace: '*', name: 'tls-*' },
    ]);
    expect(settings.excludeGroups).toEqual(['ops']);
    expect(settings.defaultRegistry).toBe('registry.example.com');
    expect(settings.exceptions).toEqual({ isEnabled: true, namespace: '', isAssumed: false });
  });

  it('of another chart are ignored', () => {
    const settings = settingsOf(RELEASE.replace('chart: kyverno', 'chart: policy-reporter'));
    expect(settings.excludeGroups).toEqual(['system:nodes']);
    expect(settings.exceptions.isAssumed).toBe(true);
  });
});

describe('the ConfigMap', () => {
  const CONFIG_MAP = `
apiVersion: v1
kind: ConfigMap
metadata: { name: kyverno, namespace: kyverno }
data:
  excludeGroups: system:nodes, "ops"
  resourceFilters: "[Event,*,*] [*/*,kube-system,*]"
  webhooks: '{"namespaceSelector":{"matchLabels":{"kyverno":"on"}}}'
`;

  it('takes precedence over the values of a HelmRelease', () => {
    const settings = settingsOf(`${CONFIG_MAP}---${RELEASE}`);
    expect(settings.resourceFilters.map(({ kind }) => kind)).toEqual(['Event', '*/*']);
    expect(settings.webhookNamespaceSelector).toEqual(new Map([['matchLabels', new Map([['kyverno', 'on']])]]));
    // Settings that the ConfigMap does not have come from the release.
    expect(settings.exceptions.isEnabled).toBe(true);
  });

  it('of another Namespace is ignored', () => {
    expect(settingsOf(CONFIG_MAP, 'security').excludeGroups).toEqual(['system:nodes']);
  });
});

describe('filters', () => {
  it.each([
    ['[Pod,shop,web*]', [{ kind: 'Pod', namespace: 'shop', name: 'web*' }]],
    ['[Pod]', [{ kind: 'Pod', namespace: '*', name: '*' }]],
    ['[Pod,,]', [{ kind: 'Pod', namespace: '*', name: '*' }]],
    ['[Role,{{ include "kyverno.namespace" . }},x] [Event,*,*]', [{ kind: 'Event', namespace: '*', name: '*' }]],
    ['', []],
    ['[[[', []],
  ])('%s', (text, filters) => {
    expect(readResourceFilters(text)).toEqual(filters);
  });
});

describe('a request', () => {
  const cluster = clusterOf('apiVersion: v1\nkind: Namespace\nmetadata: { name: free, labels: { kyverno: off } }\n');
  const request = (kind: string, namespace: string, name: string, user: object = {}) => ({
    operation: 'CREATE' as const,
    kind: { group: '', version: 'v1', kind },
    resource: { group: '', version: 'v1', resource: `${kind.toLowerCase()}s` },
    subResource: '',
    name,
    namespace,
    object: new Map(),
    oldObject: null,
    options: null,
    dryRun: false,
    userInfo: { username: 'jane', uid: '', groups: [], extra: new Map(), ...user },
  });
  const filter = new RequestFilter(
    kyvernoSettings('kyverno', '', {
      resourceFilters: readResourceFilters('[Pod,legacy,*]'),
      excludeUsernames: ['ops-*'],
    }),
    cluster,
  );

  it.each([
    [
      'of a filtered kind and Namespace',
      request('Pod', 'legacy', 'a'),
      'the resource filter [Pod,legacy,*] matches it',
    ],
    ['of Kyverno’s own Namespace', request('Pod', 'kyverno', 'a'), 'the resource filter [*/*,kyverno,*] matches it'],
    ['of kube-system', request('Pod', 'kube-system', 'a'), 'the namespaceSelector of its webhooks excludes it'],
    [
      'of an excluded group',
      request('Pod', 'shop', 'a', { groups: ['system:nodes'] }),
      'excludeGroups matches a group of the user',
    ],
    ['of an excluded user', request('Pod', 'shop', 'a', { username: 'ops-1' }), 'excludeUsernames matches the user'],
    ['of a report', request('UpdateRequest', 'shop', 'a'), 'Kyverno itself writes UpdateRequest objects'],
    ['of any other kind', request('ConfigMap', 'legacy', 'a'), undefined],
    ['of another Namespace', request('Pod', 'free', 'a'), undefined],
  ])('%s', (_, asked, reason) => {
    expect(filter.reason(asked)).toBe(reason);
    expect(filter.isUnseen(asked)).toBe(reason !== undefined);
  });
});
