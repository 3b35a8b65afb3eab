// What is read of a YAML text without a parser, and which texts are left to it.
import { expect, it } from 'vitest';
import { plainValues } from '../../../src/pipeline/scope/plain-values.ts';

it.each([
  [
    `# platform
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization # of a team
namespace: shop
resources:
  - ../base/
  - "team.yaml"
  - https://example.com/shop//base?ref=v1.2
commonLabels:
  "app.kubernetes.io/part-of": shop
generatorOptions: {}
patches:
  - path: patch.yaml
    target:
      kind: Deployment
  - patch: |-
      - op: replace
        path: /spec/replicas
    target:
      kind: Service
`,
    [
      'kustomize.config.k8s.io/v1beta1',
      'Kustomization',
      'shop',
      '../base/',
      'team.yaml',
      'https://example.com/shop//base?ref=v1.2',
      'shop',
      'patch.yaml',
      'Deployment',
      'Service',
    ],
  ],
  ['- |\n  ends in a line break\n---\n  a: web.yaml\n', ['web.yaml']],
  ['a:\n  b: |\n    text\n  c: web.yaml\n', ['web.yaml']],
  ['', []],
])('%j', (text, values) => {
  expect(plainValues(text, 'patch')).toEqual(values);
});

it.each([
  'resources: [web.yaml]',
  '{"resources": ["web.yaml"]}',
  '- &web web.yaml',
  '- *web',
  '- !!str web.yaml',
  '- "w\\x65b.yaml"',
  '- web.yaml\n  - and more',
  'a: |-\n  web.yaml',
  'a: >2\n  web.yaml',
  '- web.yaml\n  # comment\n  .yml',
  '? a\n: web.yaml',
  'a: b: c',
  '%YAML 1.1\n---\na: b',
  'a: web.yaml\tx',
  'a: web.yaml\r\n',
  'a: \u0085',
  '\ufeffa: web.yaml',
  '"a',
])('leaves %j to the parser', (text) => {
  expect(plainValues(text, 'patch')).toBeUndefined();
});
