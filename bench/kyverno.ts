// Times Kyverno policies against equivalent admission policies, and the policies of a folder on its own objects.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { typedConverter } from '../src/engine/conversion/typed-converter.ts';
import { objectRequest, requestNamespace } from '../src/engine/object/object-request.ts';
import { type Resource, resourcesOf } from '../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION } from '../src/kubernetes/api/version.ts';
import type { ResourceMapping } from '../src/kubernetes/cluster/cluster.ts';
import { RepositoryCluster } from '../src/kubernetes/cluster/repository-cluster.ts';
import type { AdmissionRequest } from '../src/kubernetes/request/admission-request.ts';
import { BuiltinResources } from '../src/kubernetes/schema/resources.ts';
import { validatingLanguage } from '../src/policy/admission/validating/validating-language.ts';
import { kyvernoLanguage } from '../src/policy/kyverno/language/kyverno-language.ts';
import type { PolicyLanguage } from '../src/policy/language/policy-language.ts';
import type { JsonObject } from '../src/source/json/json.ts';
import { objectItems, objectOrEmpty } from '../src/source/json/json-field.ts';
import { readManifests } from '../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { generateDeployments } from './generate-deployments.ts';

const POLICIES = 60;
const WORKLOADS = 2000;
const SEED = 1;
/** Per set of policies, interleaved, so that no set benefits from a warmer process. */
const ROUNDS = 5;
/** Sizes of the sets that Kyverno's command line was measured with. */
const CLASSIC = 375;
const CEL = 112;
const OBJECTS = 120;

export async function run([folder]: readonly string[]): Promise<void> {
  console.log('| policies | objects | matched pairs | CPU, ms | µs per pair |\n|---|---:|---:|---:|---:|');
  const workloads = resourcesIn(JSON.stringify(list(generateDeployments(WORKLOADS, 'shop', SEED))));
  const written = Object.values(WRITTEN).map((policy) =>
    Array.from({ length: POLICIES }, (_, index) => policy(index)).flat(),
  );
  const names = Object.keys(WRITTEN);
  const rounds = written.map((): Measured[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, policies] of written.entries()) rounds[index]?.push(measure(policies, workloads));
  }
  for (const [index, measured] of rounds.entries()) {
    tell(`${POLICIES} ${names[index]}, the first round`, workloads, measured[0] as Measured);
    const inOrder = measured.toSorted((one, other) => one.time - other.time);
    tell(`${POLICIES} ${names[index]}, minimum of ${ROUNDS}`, workloads, inOrder[0] as Measured);
  }
  tell(`all ${POLICIES * written.length}`, workloads, measure(written.flat(), workloads));
  if (folder === undefined)
    console.log('\npass the folder of kyverno/policies as an argument to time its policies, too');
  else measureFolder(folder);
  console.log(`\none thread, every round with loading and compiling, Node ${process.version}`);
}

/** Each policy requires one label; by name in the table. */
const WRITTEN: Readonly<Record<string, (index: number) => readonly object[]>> = {
  ClusterPolicies: (index) => [
    {
      apiVersion: 'kyverno.io/v1',
      kind: 'ClusterPolicy',
      metadata: { name: `label-${index}` },
      spec: {
        rules: [
          {
            name: 'label',
            match: { any: [{ resources: { kinds: ['Deployment'] } }] },
            validate: {
              failureAction: 'Enforce',
              message: `label-${index} is required`,
              pattern: { metadata: { labels: { [`label-${index}`]: '?*' } } },
            },
          },
        ],
      },
    },
  ],
  ValidatingPolicies: (index) => [
    {
      apiVersion: 'policies.kyverno.io/v1',
      kind: 'ValidatingPolicy',
      metadata: { name: `label-${index}` },
      spec: { matchConstraints: CONSTRAINTS, validations: [validation(index)] },
    },
  ],
  ValidatingAdmissionPolicies: (index) => [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: `label-${index}` },
      spec: { matchConstraints: CONSTRAINTS, validations: [validation(index)] },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `label-${index}` },
      spec: { policyName: `label-${index}`, validationActions: ['Deny'] },
    },
  ],
};

const CONSTRAINTS = {
  resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }],
};

function validation(index: number): object {
  const label = `label-${index}`;
  return {
    expression: `has(object.metadata.labels) && '${label}' in object.metadata.labels`,
    message: `${label} is required`,
  };
}

function list(items: readonly object[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}

interface Measured {
  readonly pairs: number;
  /** Milliseconds of CPU time. */
  readonly time: number;
}

function tell(name: string, objects: readonly Resource[], { pairs, time }: Measured): void {
  const each = pairs === 0 ? '-' : ((time / pairs) * 1000).toFixed(1);
  console.log(`| ${[name, objects.length, pairs, time.toFixed(0), each].join(' | ')} |`);
}

function measure(policies: readonly (object | Resource)[], objects: readonly Resource[]): Measured {
  const plain = policies.filter((policy) => !('gvk' in policy));
  const loaded = [
    ...policies.filter((policy): policy is Resource => 'gvk' in policy),
    ...(plain.length === 0 ? [] : resourcesIn(JSON.stringify(list(plain)))),
  ];
  const { cluster, requestOf } = clusterOf([...loaded, ...objects]);
  const requests = objects.map(requestOf);
  const before = process.cpuUsage();
  const languages: readonly PolicyLanguage[] = [validatingLanguage(), kyvernoLanguage()];
  const spoken = languages.map((language) => language.load(loaded.filter(language.accepts), cluster));
  let pairs = 0;
  for (const request of requests) {
    for (const language of spoken) {
      const mutated = language.mutation?.concerns(request)
        ? language.mutation.mutate(request, {
            patchTarget: () => undefined,
            admitAgain: (object) => object,
          })
        : undefined;
      pairs += language.evaluate(mutated === undefined ? request : { ...request, object: mutated.object }).matched
        .length;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { pairs, time: (user + system) / 1000 };
}

function measureFolder(folder: string): void {
  const resources = files(folder).flatMap((path) => resourcesIn(readFileSync(path, 'utf8')));
  const isClassic = ({ gvk, value }: Resource): boolean => {
    const rules = objectItems(objectOrEmpty(value.get('spec')).get('rules'));
    return gvk.group === 'kyverno.io' && gvk.kind === 'ClusterPolicy' && rules.some((rule) => rule.has('validate'));
  };
  const classic = resources.filter(isClassic).slice(0, CLASSIC);
  const cel = resources.filter(({ gvk }) => gvk.kind === 'ValidatingPolicy').slice(0, CEL);
  const kinds = ['Pod', 'Deployment', 'Service', 'ConfigMap', 'CronJob', 'StatefulSet', 'Ingress', 'DaemonSet', 'Job'];
  const objects = resources.filter(({ gvk, name }) => kinds.includes(gvk.kind) && name !== '').slice(0, OBJECTS);
  tell(`${classic.length} ClusterPolicies of the folder`, objects, measure(classic, objects));
  tell(`these and ${cel.length} ValidatingPolicies`, objects, measure([...classic, ...cel], objects));
}

function files(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === '.git' ? [] : files(path);
    return /\.ya?ml$/.test(entry.name) ? [path] : [];
  });
}

function clusterOf(resources: readonly Resource[]): {
  cluster: RepositoryCluster;
  requestOf(resource: Resource): AdmissionRequest;
} {
  const converter = typedConverter({ kubernetesVersion: DEFAULT_VERSION, facts: resources });
  const stored = (resource: Resource, mapping: ResourceMapping): JsonObject =>
    converter.convert(resource, mapping, requestNamespace(resource, mapping, 'default')).object;
  const cluster = new RepositoryCluster({
    version: DEFAULT_VERSION,
    builtin: new BuiltinResources(DEFAULT_VERSION.minor),
    resources,
    stored,
    defaultNamespace: 'default',
    isComplete: false,
  });
  return {
    cluster,
    requestOf: (resource) => {
      const mapping = cluster.mappingFor(resource.gvk);
      return objectRequest({
        resource,
        operation: 'CREATE',
        object: stored(resource, mapping),
        oldObject: null,
        mapping,
        userInfo: USER,
        namespace: requestNamespace(resource, mapping, 'default'),
      });
    },
  };
}

const USER = { username: 'jane', uid: '', groups: ['system:authenticated'], extra: new Map() };

function resourcesIn(text: string): readonly Resource[] {
  return readManifests(new SourceFile('objects.yaml', text))
    .manifests.flatMap(resourcesOf)
    .flatMap((result) => ('resource' in result ? [result.resource] : []));
}
