// Hostile inputs that must be rendered before evaluation: kustomizations and charts.
import type { HostileInput } from './hostile-input.ts';

export function renderingInputs(): readonly HostileInput[] {
  return [
    { name: 'Helm: repeat of 1e9', expects: 'not-rendered', files: chart('{{ repeat 1000000000 "x" }}') },
    { name: 'Helm: until 1e9', expects: 'not-rendered', files: chart('{{ range $i := until 1000000000 }}x{{ end }}') },
    {
      name: 'Helm: include that includes itself',
      expects: 'not-rendered',
      files: chart('{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}'),
    },
    {
      name: 'Helm: text doubled 40 times',
      expects: 'not-rendered',
      files: chart(`{{ $x := "ab" }}${'{{ $x = printf "%s%s" $x $x }}'.repeat(40)}{{ $x }}`),
    },
    { name: 'Helm: three nested loops', expects: 'not-rendered', files: chart(LOOPS) },
    { name: 'Helm: private keys in a loop', expects: 'not-rendered', files: chart(KEYS) },
    { name: 'Helm: certificates in a loop', expects: 'not-rendered', files: chart(CERTIFICATES) },
    { name: 'kustomize: 800 replacements, 800 objects', expects: 'not-rendered', files: replacements(800) },
    { name: 'kustomize: bases doubled 18 times', expects: 'not-rendered', files: doubledBases(18) },
    {
      name: 'kustomize: a base that includes itself',
      expects: 'not-rendered',
      files: { 'a/kustomization.yaml': 'resources: [../b]\n', 'b/kustomization.yaml': 'resources: [../a]\n' },
    },
    { name: 'kustomize: 2,000 patches, 500 objects', expects: 'allowed', files: patches(2_000, 500) },
    { name: 'kustomize: 10,000 roots', expects: 'allowed', files: roots(10_000) },
  ];
}

const LOOPS = '{{ range until 5000 }}{{ range until 5000 }}{{ range until 5000 }}{{ end }}{{ end }}{{ end }}';
const KEYS = '{{ range until 100000 }}{{ $x := genPrivateKey "rsa" }}{{ end }}';
const CERTIFICATES = '{{ range until 100000 }}{{ $x := genCA "a" 365 }}{{ end }}';

function replacements(count: number): Readonly<Record<string, string>> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const replacement = (index: number): string =>
    `- source: {kind: ConfigMap, name: a${index}}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.b${index}], options: {create: true}}]\n`;
  return {
    'kustomization.yaml': `resources: [a.yaml]\nreplacements:\n${numbers.map(replacement).join('')}`,
    'a.yaml': numbers.map((index) => configMap(`a${index}`)).join('---\n'),
  };
}

function chart(data: string): Readonly<Record<string, string>> {
  return {
    'chart/Chart.yaml': 'apiVersion: v2\nname: hostile\nversion: 1.0.0\n',
    'chart/templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: "${data.replaceAll('"', '`')}"\n`,
    'flux.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: hostile, namespace: default}
spec:
  interval: 1h
  chart:
    spec:
      chart: ./chart
      sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1h, url: https://example.com/hostile}
`,
  };
}

function configMap(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
}

function doubledBases(count: number): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    'b0/a.yaml': configMap('a'),
    'b0/kustomization.yaml': 'resources: [a.yaml]\n',
  };
  for (let index = 1; index <= count; index++) {
    for (const side of ['l', 'r'])
      files[`b${index}${side}/kustomization.yaml`] = `namePrefix: ${side}\nresources: [../b${index - 1}]\n`;
    files[`b${index}/kustomization.yaml`] = `resources: [../b${index}l, ../b${index}r]\n`;
  }
  return files;
}

function patches(count: number, objects: number): Readonly<Record<string, string>> {
  const patch = (index: number): string =>
    `  - target: {kind: ConfigMap}\n    patch: '[{op: add, path: /metadata/annotations/a${index}, value: x}]'\n`;
  return {
    'kustomization.yaml': `resources: [a.yaml]\ncommonAnnotations: {a: b}\npatches:\n${Array.from({ length: count }, (_, index) => patch(index)).join('')}`,
    'a.yaml': Array.from({ length: objects }, (_, index) => configMap(`o${index}`)).join('---\n'),
  };
}

function roots(count: number): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (let index = 0; index < count; index++) {
    files[`r${index}/kustomization.yaml`] = 'resources: [a.yaml]\n';
    files[`r${index}/a.yaml`] = configMap(`o${index}`);
  }
  return files;
}
