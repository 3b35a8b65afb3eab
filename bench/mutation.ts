// Times mutating policies against validating policies with the same matches, and against none that match.
import { checkState } from '../src/pipeline/check-state.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { SourceFile } from '../src/source/source-file.ts';
import { generateDeployments } from './generate-deployments.ts';

const DEPLOYMENTS = 1000;
const POLICIES = 20;
const SEED = 1;
const ROUNDS = 3;
const API_VERSION = 'admissionregistration.k8s.io/v1';

const KINDS: Readonly<Record<string, (resource: string) => string>> = {
  'no policies': () => '',
  '20 validating policies': (resource) => policies('Validating', resource),
  '20 mutating policies': (resource) => policies('Mutating', resource),
};

export async function run(): Promise<void> {
  const objects = generateDeployments(DEPLOYMENTS, 'shop', SEED).map((deployment) => JSON.stringify(deployment));
  const manifests = new SourceFile('deployments.yaml', `${objects.join('\n---\n')}\n`);
  const base = median(Array.from({ length: ROUNDS }, () => time(manifests, '')));
  console.log('| policies | they match | CPU ms | above none |\n|---|---|---:|---:|');
  for (const [name, make] of Object.entries(KINDS)) {
    for (const resource of name === 'no policies' ? [''] : ['deployments', 'configmaps']) {
      const rules = make(resource);
      const ms = median(Array.from({ length: ROUNDS }, () => time(manifests, rules)));
      const matched = resource === 'deployments' ? 'every object' : 'no object';
      console.log(`| ${name} | ${matched} | ${Math.round(ms)} | ${Math.round(ms - base)} |`);
    }
  }
}

function time(manifests: SourceFile, rules: string): number {
  const files = [manifests, new SourceFile('policies.yaml', rules)].map((file) => ({ file, selected: true }));
  const start = process.cpuUsage();
  checkState({
    files,
    paths: new Set(files.map(({ file }) => file.path)),
    notRead: [],
    configuration: defaultConfiguration(),
  });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function policies(type: 'Validating' | 'Mutating', resource: string): string {
  const kind = `${type}AdmissionPolicy`;
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: [resource] };
  return Array.from({ length: POLICIES }, (_, index) => {
    const metadata = { name: `policy-${index}` };
    const label = `example.com/label-${index}`;
    const rules =
      type === 'Validating'
        ? { validations: [{ expression: `!("${label}" in object.metadata.?labels.orValue({}))` }] }
        : {
            reinvocationPolicy: 'Never',
            mutations: [
              {
                patchType: 'ApplyConfiguration',
                applyConfiguration: {
                  expression: `Object{metadata: Object.metadata{labels: {"${label}": object.metadata.name}}}`,
                },
              },
            ],
          };
    const spec = { matchConstraints: { resourceRules: [rule] }, ...rules };
    const binding = { policyName: metadata.name, ...(type === 'Validating' && { validationActions: ['Deny'] }) };
    return [
      { apiVersion: API_VERSION, kind, metadata, spec },
      { apiVersion: API_VERSION, kind: `${kind}Binding`, metadata, spec: binding },
    ]
      .map((document) => JSON.stringify(document))
      .join('\n---\n');
  }).join('\n---\n');
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
