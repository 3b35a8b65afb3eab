// The table of built-in resources: lookups in both directions, subresources, releases and equivalents.
import { describe, expect, test } from 'vitest';
import { formatApiVersion } from '../../../../src/kubernetes/api/group-version.ts';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../../../src/kubernetes/api/version.ts';
import { BuiltinResources } from '../../../../src/kubernetes/schema/resources.ts';

const resources = new BuiltinResources(36);

describe('built-in resources', () => {
  test('finds resources by kind and by name', () => {
    const deployment = resources.resourceForKind({ group: 'apps', version: 'v1', kind: 'Deployment' });
    expect(deployment).toMatchObject({ resource: 'deployments', singular: 'deployment', namespaced: true });
    expect(resources.resource({ group: 'apps', version: 'v1', resource: 'deployments' })).toBe(deployment);
    expect(resources.resourceForKind({ group: '', version: 'v1', kind: 'Namespace' })?.namespaced).toBe(false);
  });

  test('kinds that the server does not serve', () => {
    expect(resources.resourceForKind({ group: 'extensions', version: 'v1beta1', kind: 'Deployment' })).toBeUndefined();
    expect(resources.isBuiltinGroup('apps')).toBe(true);
    expect(resources.isBuiltinGroup('argoproj.io')).toBe(false);
  });

  test.each([
    ['', 'pods', '', 'v1', 'Pod'],
    ['', 'pods', 'exec', 'v1', 'PodExecOptions'],
    ['', 'pods', 'eviction', 'policy/v1', 'Eviction'],
    ['', 'serviceaccounts', 'token', 'authentication.k8s.io/v1', 'TokenRequest'],
    ['apps', 'deployments', 'scale', 'autoscaling/v1', 'Scale'],
  ])('%s/%s/%s takes %s %s', (group, resource, subresource, apiVersion, kind) => {
    const found = resources.kindForResource({ group, version: 'v1', resource }, subresource);
    expect(found && `${formatApiVersion(found.group, found.version)} ${found.kind}`).toBe(`${apiVersion} ${kind}`);
  });

  test('an unknown subresource has no kind', () => {
    expect(
      resources.kindForResource({ group: 'apps', version: 'v1', resource: 'daemonsets' }, 'scale'),
    ).toBeUndefined();
  });

  test.each([
    ['autoscaling', 'v1', 'horizontalpodautoscalers', '', 36, ['autoscaling/v2', 'autoscaling/v1']],
    ['events.k8s.io', 'v1', 'events', '', 36, ['v1', 'events.k8s.io/v1']],
    ['resource.k8s.io', 'v1', 'resourceclaims', '', 36, ['resource.k8s.io/v1']],
    ['resource.k8s.io', 'v1beta1', 'resourceclaims', '', 36, ['resource.k8s.io/v1', 'resource.k8s.io/v1beta1']],
    ['', 'v1', 'pods', 'exec', 36, ['v1']],
    ['', 'v1', 'pods', 'resize', 31, []],
  ])('equivalents of %s/%s %s %s in 1.%i', (group, version, resource, subresource, minor, expected) => {
    const found = new BuiltinResources(minor).equivalents({ group, version, resource }, subresource);
    expect(found.map((entry) => formatApiVersion(entry.group, entry.version))).toEqual(expected);
  });

  test.each([
    [31, true],
    [32, undefined],
  ])('a beta version that was served by default, in 1.%i', (minor, servedByDefault) => {
    const kind = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1beta3', kind: 'FlowSchema' };
    expect(new BuiltinResources(minor).resourceForKind(kind)?.servedByDefault).toBe(servedByDefault);
  });

  test('every supported release has its resources', () => {
    const kind = { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'MutatingAdmissionPolicy' };
    const serving: number[] = [];
    for (let minor = OLDEST_VERSION.minor; minor <= NEWEST_VERSION.minor; minor++) {
      const release = new BuiltinResources(minor);
      expect(release.isBuiltinGroup('apps')).toBe(true);
      if (release.resourceForKind(kind) !== undefined) serving.push(minor);
    }
    expect(serving).toEqual([36, 37]);
  });
});
