// The arguments by which kubectl, and therefore `why`, choose a kind.
import { expect, test } from 'vitest';
import { readDefinition } from '../../../src/kubernetes/api/custom-resource-definition.ts';
import { recurringKind } from '../../../src/kubernetes/api/group-version.ts';
import { Resource } from '../../../src/kubernetes/api/resource.ts';
import { isResourceArgument } from '../../../src/kubernetes/cluster/resource-argument.ts';
import { objectOrEmpty } from '../../../src/source/json/json-field.ts';
import { readManifests } from '../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: stalls.shop.example.com}
spec:
  group: shop.example.com
  scope: Namespaced
  names: {kind: MarketStall, plural: stalls, singular: stall, shortNames: [ms]}
  versions: [{name: v1, served: true, storage: true}]
`;

function definition() {
  const [manifest] = readManifests(new SourceFile('crd.yaml', DEFINITION)).manifests;
  if (manifest === undefined) throw new Error('no manifest');
  const gvk = recurringKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
  return readDefinition(new Resource(manifest, [], gvk, objectOrEmpty(manifest.value)));
}

const KINDS = {
  Deployment: { group: 'apps', version: 'v1', kind: 'Deployment' },
  Pod: { group: '', version: 'v1', kind: 'Pod' },
  Ingress: { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' },
  MarketStall: { group: 'shop.example.com', version: 'v1', kind: 'MarketStall' },
} as const;

test.each([
  ['Deployment', 'Deployment deployment deployments deploy Deploy deploy.apps deployments.v1.apps'],
  ['Pod', 'Pod pod pods po pods.v1.'],
  ['Ingress', 'ingresses ing ingress.networking.k8s.io ing.v1.networking.k8s.io'],
  ['MarketStall', 'marketstall stall stalls ms stalls.shop.example.com'],
] as const)('%s', (kind, names) => {
  for (const name of names.split(' ')) {
    const chosen = Object.values(KINDS).filter((each) => isResourceArgument(name, each, [definition()]));
    expect([name, ...chosen]).toEqual([name, KINDS[kind]]);
  }
});

test.each(['deploys', 'deploy.extensions', 'pods.apps', 'marketstalls', ''])('`%s` chooses none', (name) => {
  expect(Object.values(KINDS).filter((each) => isResourceArgument(name, each, [definition()]))).toEqual([]);
});
