// What a rendering reports about the facts that templates read, so that only the charts that depend on them are rendered again.
import { expect, test } from 'vitest';
import type { RenderOutcome } from '../../../src/render/engine/render-request.ts';
import { SeenApis, servedAnswer } from '../../../src/render/sources/root/served-apis.ts';
import { treeOf } from '../../../src/source/tree/file-tree.ts';
import { chartArchive } from '../../support/chart-archive.ts';
import { CHANCE, chart, engine, textsOf } from '../../support/render.ts';

const CHART = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';

function readsIn(outcome: RenderOutcome) {
  if ('failure' in outcome) throw new Error(outcome.message);
  return outcome.reads;
}

function template(value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {value: "${value}"}\n`;
}

test.each([
  ['{{ .Release.Name }}', undefined],
  ['{{ .Release.IsUpgrade }}', { release: true }],
  ['{{ $.Release.IsInstall }}', { release: true }],
  ['{{ with .Release }}{{ .Revision }}{{ end }}', { release: true }],
  ['{{ get .Release `IsUpgrade` }}', { release: true }],
  ['{{ dig `Revision` 7 .Release }}', { release: true }],
  ['{{ tpl `{{ .Release.IsUpgrade }}` . }}', { release: true }],
  ['{{ .Capabilities.APIVersions.Has `apps/v1` }}', undefined],
  [
    '{{ .Capabilities.APIVersions.Has `b.example/v1` }}{{ .Capabilities.APIVersions.Has `a.example/v1/A` }}',
    { missingApis: ['a.example/v1/A', 'b.example/v1'] },
  ],
  ['{{ semverCompare `>=1.20-0` .Capabilities.KubeVersion.Version }}', undefined],
  ['{{ contains `eks` .Capabilities.KubeVersion.GitVersion }}', { versionSuffix: true }],
  ['{{ .Capabilities.KubeVersion.Version | regexMatch `-gke` }}', { versionSuffix: true }],
  ['{{ $v := .Capabilities.KubeVersion }}{{ if hasSuffix `+k3s1` $v.Version }}k3s{{ end }}', { versionSuffix: true }],
  ['{{ if eq (now | date `01-02`) `12-24` }}a{{ end }}', { chance: ['shop/templates/a.yaml'] }],
  ['{{ ternary `a` `b` (gt (randInt 0 9) 4) }}', { chance: ['shop/templates/a.yaml'] }],
  ['{{ default (randAlphaNum 9) .Values.password }}', undefined],
  ['{{ if not (lookup `v1` `Secret` `a` `b`) }}{{ randAlphaNum 9 }}{{ end }}', undefined],
])('%s reads %o', (text, reads) => {
  expect(readsIn(chart({ 'shop/templates/a.yaml': template(text) }))).toEqual(reads);
});

test('searches packed dependencies', () => {
  const packed = chartArchive({
    'Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
    'templates/db.yaml': template(
      '{{ if .Release.IsUpgrade }}b{{ else }}a{{ end }}{{ if gt (now | unixEpoch | int) 1 }}{{ end }}',
    ),
  });
  const files = new Map<string, string | Uint8Array>([
    ['shop/Chart.yaml', `${CHART}dependencies: [{name: db, version: 1.0.0}]\n`],
    ['shop/charts/db-1.0.0.tgz', packed],
  ]);
  const request = { engine: 'helm', chart: 'shop', releaseName: 'blue', namespace: 'market' } as const;
  const outcome = engine().render(request, treeOf({ files }), CHANCE);
  expect(readsIn(outcome)).toEqual({ release: true, chance: ['shop/charts/db/templates/db.yaml'] });
});

test('passes the revision and the version of the cluster to the templates', () => {
  const files = {
    'shop/templates/a.yaml': template(
      '{{ .Release.Revision }} {{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.KubeVersion }}',
    ),
  };
  const [text] = textsOf(
    chart(files, { isUpgrade: true, revision: 2, kubernetesVersion: '1.36.2', gitVersion: 'v1.36.2-eks-1' }),
  );
  expect(text).toContain('value: "2 v1.36.2-eks-1 v1.36.2-eks-1"');
});

test.each([
  ['v1', 'served'],
  ['v1/Pod', 'served'],
  ['policy/v1', 'served'],
  ['apps/v1/Deployment', 'served'],
  ['autoscaling/v1/Scale', 'served'],
  ['policy/v1beta1', 'absent'],
  ['extensions/v1beta1/Ingress', 'absent'],
  ['route.openshift.io/v1', 'assumed'],
  ['monitoring.coreos.com/v1', 'unknown'],
  ['metrics.k8s.io/v1beta1', 'unknown'],
])('without files, %s is %s', (api, answer) => {
  expect(servedAnswer(api, { minor: 36, kubernetesVersion: '1.36.0' }, new SeenApis())).toBe(answer);
});

test.each([
  ['monitoring.coreos.com/v1', 'served'],
  ['monitoring.coreos.com/v1/ServiceMonitor', 'served'],
  ['cert-manager.io/v1', 'served'],
  ['cert-manager.io/v1/Issuer', 'absent'],
  ['gateway.networking.k8s.io/v1', 'absent'],
  ['route.openshift.io/v1', 'absent'],
])('with a list, %s is %s', (api, answer) => {
  const apiVersions = ['monitoring.coreos.com/v1', 'cert-manager.io/v1/Certificate'];
  expect(servedAnswer(api, { minor: 36, kubernetesVersion: '1.36.0', apiVersions }, new SeenApis())).toBe(answer);
});
