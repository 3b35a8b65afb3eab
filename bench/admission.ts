// Times ValidatingAdmissionPolicy: the corpus' Pod Security policies on Pods of generated Deployments. Also counts compilations.
import { readFileSync } from 'node:fs';
import { Environment } from '../src/cel/environment.ts';
import { typedConverter } from '../src/engine/conversion/typed-converter.ts';
import { objectRequest, requestNamespace } from '../src/engine/object/object-request.ts';
import { type Resource, resourcesOf } from '../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION } from '../src/kubernetes/api/version.ts';
import type { ResourceMapping } from '../src/kubernetes/cluster/cluster.ts';
import { RepositoryCluster } from '../src/kubernetes/cluster/repository-cluster.ts';
import type { AdmissionRequest } from '../src/kubernetes/request/admission-request.ts';
import { BuiltinResources } from '../src/kubernetes/schema/resources.ts';
import { validatingLanguage } from '../src/policy/admission/validating/validating-language.ts';
import { readValidatingPolicy } from '../src/policy/admission/validating/validating-policy.ts';
import type { LoadedPolicies } from '../src/policy/language/policy-language.ts';
import type { JsonObject } from '../src/source/json/json.ts';
import { readManifests } from '../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { manifestPaths, withCorpus } from '../test/support/corpus.ts';
import { type GeneratedDeployment, generateDeployments } from './generate-deployments.ts';

const CORPUS = 'kolteq+validating-admission-policies-pss';
const DEPLOYMENTS = 1000;
const SEED = 1;
const ROUNDS = 7;
const NAMESPACE = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop', labels: { 'pss.security.kolteq.com/enforce': 'restricted' } },
};

export async function run(): Promise<void> {
  const engine = validatingLanguage();
  const policies = withCorpus(CORPUS, (folder) =>
    manifestPaths(folder).flatMap((path) => resourcesIn(readFileSync(path, 'utf8')).filter(engine.accepts)),
  );
  if (policies === undefined) {
    console.log(
      `${CORPUS}.tar.gz is absent from ../shared/corpus (or the folder PREADMIT_SHARED names): nothing measured`,
    );
    return;
  }
  const { cluster, requestOf } = clusterOf([...policies, ...resourcesIn(JSON.stringify(NAMESPACE))]);
  const deployments = generateDeployments(DEPLOYMENTS, NAMESPACE.metadata.name, SEED);
  const objects = Object.entries({ Pods: deployments.map(podOf), Deployments: deployments }).map(
    ([name, manifests]) => ({
      name,
      requests: manifests.flatMap((manifest) => resourcesIn(JSON.stringify(manifest))).map(requestOf),
    }),
  );
  const compilations = countCompilations();
  const loadStart = performance.now();
  const loaded = engine.load(policies, cluster);
  // Policies are checked and compiled on first use.
  const problems = loaded.diagnostics.length;
  for (const { requests } of objects) for (const request of requests) loaded.prepare(request);
  const loading = performance.now() - loadStart;
  const whileLoading = compilations.count;

  console.log('| objects | evaluated policies × objects | failing | ms | per second |\n|---|---:|---:|---:|---:|');
  for (const { name, requests } of objects) {
    const { matched, failed } = tally(requests, loaded);
    const time = medianTime(() => {
      for (const request of requests) loaded.evaluate(request);
    });
    const rate = ((matched / time) * 1000).toFixed(0);
    const cells = [`${requests.length} ${name}`, matched, failed, time.toFixed(0), rate];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const bindings = policies.length - loaded.policies.length;
  const expressions = policies
    .filter(({ gvk }) => gvk.kind === 'ValidatingAdmissionPolicy')
    .reduce((sum, policy) => sum + expressionCount(policy), 0);
  console.log(
    `\n${loaded.policies.length} policies with ${bindings} bindings, loaded in ${loading.toFixed(0)} ms: ${problems} problems`,
  );
  console.log(
    `${expressions} expressions, ${whileLoading} compilations while loading, ${compilations.count - whileLoading} afterwards`,
  );
  console.log(`one thread, median of ${ROUNDS} rounds, Node ${process.version}`);
}

/** Counts every call of the one function that compiles an expression. */
function countCompilations(): { readonly count: number } {
  const counter = { count: 0 };
  const { compile } = Environment.prototype;
  Environment.prototype.compile = function counted(text) {
    counter.count += 1;
    return compile.call(this, text);
  };
  return counter;
}

function expressionCount(resource: Resource): number {
  const policy = readValidatingPolicy(resource);
  const messages = policy.validations.filter(({ messageExpression }) => messageExpression !== '');
  const lists = [policy.matchConditions, policy.variables, policy.validations, messages, policy.auditAnnotations];
  return lists.reduce((sum, list) => sum + list.length, 0);
}

function tally(requests: readonly AdmissionRequest[], loaded: LoadedPolicies): { matched: number; failed: number } {
  const outcomes = requests.map((request) => loaded.evaluate(request));
  return {
    matched: outcomes.reduce((sum, outcome) => sum + outcome.matched.length, 0),
    failed: outcomes.reduce((sum, outcome) => sum + outcome.evaluations.length, 0),
  };
}

function medianTime(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number;
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
  const requestOf = (resource: Resource): AdmissionRequest => {
    const mapping = cluster.mappingFor(resource.gvk);
    return objectRequest({
      resource,
      operation: 'CREATE',
      object: stored(resource, mapping),
      oldObject: null,
      mapping,
      userInfo: { username: 'alice', uid: '', groups: ['system:authenticated'], extra: new Map() },
      namespace: requestNamespace(resource, mapping, 'default'),
    });
  };
  return { cluster, requestOf };
}

/** The Pod that the Deployment's ReplicaSet creates, because the policies match Pods only. */
function podOf({ metadata, spec }: GeneratedDeployment): object {
  const { name, namespace } = metadata;
  const { template } = spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, name: `${name}-pod`, namespace },
    spec: template.spec,
  };
}

function resourcesIn(text: string): readonly Resource[] {
  return readManifests(new SourceFile('manifests.yaml', text))
    .manifests.flatMap(resourcesOf)
    .flatMap((result) => ('resource' in result ? [result.resource] : []));
}
