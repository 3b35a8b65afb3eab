// The playground's examples, read from `examples/` and `policies/`, where they are tested, plus an overlay.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMPTY_STATE, type Example } from '../client/request-state.ts';

const ROOT = join(import.meta.dirname, '../..');
const SHOP = 'examples/shop';
const OVERLAY = 'site/overlay';

interface Chosen {
  readonly title: string;
  readonly policies: readonly string[];
  readonly object: readonly string[];
  /** Set if the objects are files to build: the folder of their paths. */
  readonly top?: string;
  readonly resources: readonly string[];
}

const CLUSTER = [
  `${SHOP}/platform/replica-limits.yaml`,
  `${SHOP}/namespaces/shop-production.yaml`,
  `${SHOP}/namespaces/shop-staging.yaml`,
];

const CHOSEN: readonly Chosen[] = [
  {
    title: 'Replicas, limited by a ConfigMap',
    policies: [`${SHOP}/policies/replica-limit.yaml`],
    object: [`${SHOP}/apps/storefront/deployment.yaml`],
    resources: CLUSTER,
  },
  {
    title: 'Containers: memory limits and pinned images',
    policies: [`${SHOP}/policies/container-rules.yaml`],
    object: [`${SHOP}/apps/storefront/deployment.yaml`],
    resources: [],
  },
  {
    title: 'Node ports: a warning',
    policies: [`${SHOP}/policies/no-node-ports.yaml`],
    object: [`${SHOP}/apps/storefront/service.yaml`],
    resources: [],
  },
  {
    title: 'The label of the team that owns the namespace',
    policies: [`${SHOP}/policies/team-label.yaml`],
    object: [`${SHOP}/apps/checkout/checkout.yaml`],
    resources: CLUSTER,
  },
  {
    title: 'Pod Security Standards: baseline',
    policies: ['policies/pod-security/baseline.yaml'],
    object: [`${SHOP}/apps/catalog/catalog.yaml`],
    resources: [],
  },
  {
    title: 'A patch of an overlay, built by kustomize',
    policies: [`${SHOP}/policies/replica-limit.yaml`],
    object: [
      'overlays/production/kustomization.yaml',
      'overlays/production/replicas.yaml',
      'base/kustomization.yaml',
      'base/deployment.yaml',
    ],
    top: OVERLAY,
    resources: CLUSTER,
  },
];

export function playgroundExamples(): readonly Example[] {
  return CHOSEN.map(({ title, policies, object, top, resources }) => ({
    title,
    state: {
      ...EMPTY_STATE,
      policies: joined(policies),
      object: top === undefined ? joined(object) : inFiles(top, object),
      resources: joined(resources),
    },
  }));
}

function inFiles(top: string, paths: readonly string[]): string {
  return paths.map((path) => `# file: ${path}\n${readFileSync(join(ROOT, top, path), 'utf8')}`).join('');
}

function joined(paths: readonly string[]): string {
  return (
    paths.map((path) => readFileSync(join(ROOT, path), 'utf8').trim()).join('\n---\n') + (paths.length > 0 ? '\n' : '')
  );
}
