// A value that the repository does not contain never makes the server refuse an object that is valid with some value.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { checkState } from '../../src/pipeline/check-state.ts';
import { loadConfiguration } from '../../src/settings/load-configuration.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { serverValidation } from '../support/server-validation.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(400, 410_000, 100);

const CONFIGURATION = `
complete: [Namespace, ServiceAccount, PriorityClass, RuntimeClass, StorageClass]
apiServer: {allowPrivileged: false, serviceIPRanges: [10.96.0.0/12], serviceNodePortRange: 30000-32767}
`;

const CLUSTER = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: shop, namespace: shop}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: kata}
handler: kata
overhead: {podFixed: {cpu: 250m}}
scheduling: {nodeSelector: {runtime: kata}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: shop}
spec:
  limits:
    - {type: Container, max: {cpu: '2'}, min: {cpu: 10m}, default: {cpu: 500m}, defaultRequest: {cpu: 200m}}
    - {type: PersistentVolumeClaim, max: {storage: 10Gi}}
`;

type Tree = { [key: string]: Tree } | readonly Tree[] | string | number | boolean;

const metadata = (name: string): Tree => ({ name, namespace: 'shop' });

const VALID: readonly Tree[] = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata('web'),
    spec: {
      serviceAccountName: 'shop',
      priorityClassName: 'high',
      priority: 1000,
      preemptionPolicy: 'PreemptLowerPriority',
      runtimeClassName: 'kata',
      overhead: { cpu: '250m' },
      nodeSelector: { runtime: 'kata' },
      containers: [
        {
          name: 'web',
          image: 'registry.example/web:1',
          resources: { limits: { cpu: '1' }, requests: { cpu: '500m' } },
          securityContext: { privileged: false },
          ports: [{ containerPort: 8080 }],
        },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadata('data'),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata('web'),
    spec: {
      type: 'NodePort',
      clusterIP: '10.96.0.20',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, nodePort: 30080 }],
    },
  },
];

const UNKNOWN = [`\${VALUE}`, '<VALUE>', '$(VALUE)'];

/** Replaces the scalars below `spec` that `isOpen` selects, in the order of the text. */
function withUnknown(tree: Tree, isOpen: () => boolean, placeholder: string): Tree {
  if (Array.isArray(tree)) return tree.map((item: Tree) => withUnknown(item, isOpen, placeholder));
  if (typeof tree === 'object') {
    const fields = Object.entries(tree as { [key: string]: Tree });
    return Object.fromEntries(fields.map(([key, value]) => [key, withUnknown(value, isOpen, placeholder)]));
  }
  return isOpen() ? placeholder : tree;
}

function refusals(object: Tree): readonly string[] {
  const { configuration } = loadConfiguration(new SourceFile('.preadmit.yaml', CONFIGURATION));
  if (configuration === undefined) throw new Error('the configuration does not load');
  const files = [new SourceFile('cluster.yaml', CLUSTER), new SourceFile('object.yaml', stringify(object))];
  const report = checkState({
    files: files.map((file) => ({ file, selected: true })),
    paths: new Set(files.map(({ path }) => path)),
    notRead: [],
    configuration,
    serverValidation: serverValidation(),
    today: '2026-11-21',
  });
  return report.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

describe('an object with values that the repository does not contain', () => {
  it.each(VALID)('is valid with all of them: $kind', (object) => {
    expect(refusals(object)).toEqual([]);
  });

  it('is never refused', { timeout: 120_000 }, () => {
    const choices = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...VALID), choices, fc.constantFrom(...UNKNOWN), (object, open, placeholder) => {
        const { spec, ...rest } = object as { [key: string]: Tree };
        let next = 0;
        const opened = withUnknown(spec as Tree, () => open[next++ % open.length] === true, placeholder);
        expect(refusals({ ...rest, spec: opened })).toEqual([]);
      }),
      RUNS,
    );
  });
});
