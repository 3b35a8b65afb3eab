// Locations of findings of Kyverno's rules: the field that violates a pattern or its nearest parent, and the fields that conditions and expressions read.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkState } from '../../../../src/pipeline/check-state.ts';
import { defaultConfiguration } from '../../../../src/settings/configuration.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
  labels:
    app: web
    tier: "3"
  annotations:
    example.com/owner: shop-team
spec:
  hostNetwork: true
  priority: 5
  nodeSelector:
    disk: ssd
  volumes:
    - name: data
      hostPath:
        path: /var/data
    - name: scratch
      emptyDir: {}
  initContainers:
    - name: setup
      image: setup:latest
  containers:
    - name: app
      image: docker.io/library/app:latest
      ports:
        - containerPort: 80
          hostPort: 8080
      resources:
        limits:
          memory: 2Gi
      securityContext:
        privileged: true
    - name: sidecar
      image: ghcr.io/shop/sidecar:v1
      env:
        - name: MODE
          value: debug
`;

const RULES: Readonly<Record<string, (body: string) => string>> = {
  pattern: (body) => `{message: m, pattern: ${body}}`,
  any: (body) => `{message: m, anyPattern: ${body}}`,
  deny: (body) => `{message: m, deny: {conditions: {any: [${body}]}}}`,
  foreach: (body) => `{message: m, foreach: [${body}]}`,
  cel: (body) => `{cel: {expressions: [{message: m, expression: ${JSON.stringify(body)}}]}}`,
  pss: (body) => `{message: m, podSecurity: ${body}}`,
};

/** `type => rule => field | line of the Pod | related line of the policy`. Everything after the rule is tested. */
const TABLE = join(import.meta.dirname, 'places.txt');

function placesOf(type: string, body: string): string {
  const rule = type === 'vpol' ? undefined : RULES[type]?.(body);
  const policy =
    rule === undefined
      ? `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations:
    - expression: ${JSON.stringify(body)}
`
      : `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: p}
spec:
  rules:
    - name: r
      match: {any: [{resources: {kinds: [Pod]}}]}
      validate:
        ${rule}
`;
  const files = [new SourceFile('pod.yaml', POD), new SourceFile('policy.yaml', policy)];
  const report = checkState({
    files: files.map((file) => ({ file, selected: true })),
    paths: new Set(files.map(({ path }) => path)),
    notRead: [],
    configuration: defaultConfiguration(),
  });
  const [finding] = report.findings;
  if (finding === undefined) return 'none';
  const lines = POD.split('\n');
  const { startLine, startColumn, endLine, endColumn } = finding.primary;
  const line = lines[startLine - 1] ?? '';
  const text = startLine === endLine ? line.slice(startColumn - 1, endColumn - 1) : line.trim();
  const related = finding.related.map(({ place }) => `${place.path}:${place.startLine}`);
  return [finding.fieldPath, `${startLine} ${text}`, related.join(' ')].join(' | ');
}

describe('a finding points to', () => {
  const rows = readFileSync(TABLE, 'utf8').trimEnd().split('\n');

  it('the location in the table', () => {
    const described = rows.map((row) => {
      const [type = '', body = ''] = row.split(' => ');
      return [type, body, placesOf(type, body)].join(' => ');
    });
    if (process.env['BLESS'] === '1') writeFileSync(TABLE, `${described.join('\n')}\n`);
    else expect(described).toEqual(rows);
  });

  it('a location in each of a hundred cases', () => {
    expect(rows.length).toBeGreaterThanOrEqual(100);
    expect(rows.filter((row) => row.endsWith('=> none'))).toEqual([]);
  });
});
