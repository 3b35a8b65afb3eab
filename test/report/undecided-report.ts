// A run that could not judge a rule, an object, a root and a document, with one root accepted, as the pipeline reports it.
import { checkState } from '../../src/pipeline/check-state.ts';
import type { OnUndecided, Report } from '../../src/report/report.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { loadBaseline } from '../../src/settings/load-baseline.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { engine } from '../support/render.ts';
import { statesInGit } from '../support/states-in-git.ts';
import { configMap, sizePolicy } from '../support/workspace.ts';

const release = (name: string): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: ${name}
  namespace: shop
spec:
  chart: {spec: {chart: ${name}, sourceRef: {kind: HelmRepository, name: elsewhere}}}
`;

const FILES: Readonly<Record<string, string>> = {
  'policies/size.yaml': sizePolicy(),
  'policies/param.yaml': sizePolicy({ name: 'by-param', message: 'size is at most the limit' })
    .replace('failurePolicy: Fail', 'failurePolicy: Fail\n  paramKind: {apiVersion: v1, kind: ConfigMap}')
    .replace('<= 3', '<= int(params.data.limit)')
    .replace(
      'validationActions',
      'paramRef: {name: limits, namespace: elsewhere, parameterNotFoundAction: Deny}\n  validationActions',
    ),
  'apps/good.yaml': configMap('good', 1),
  'apps/encrypted.yaml': `${configMap('encrypted', 1).replace('"1"', 'ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]')}sops:
  mac: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
  lastmodified: "2026-01-01T00:00:00Z"
`,
  'apps/shop.yaml': release('shop'),
  'apps/known.yaml': release('known'),
  'apps/large.yaml': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 90\n`,
};

const BASELINE = `version: 1
entries:
  - code: not-rendered
    resource: HelmRelease shop/known
    owner: platform
    reason: the chart is in a private registry
    expires: "2027-01-01"
`;

export function undecidedReport(onUndecided: OnUndecided): Report {
  const { head } = statesInGit(new Map(), new Map(Object.entries(FILES)));
  const { tree, ...state } = head;
  const { baseline, diagnostics } = loadBaseline(new SourceFile('.preadmit-baseline.yaml', BASELINE));
  if (baseline === undefined) throw new Error(diagnostics.map(({ message }) => message).join());
  return checkState({
    ...state,
    configuration: { ...defaultConfiguration(), onUndecided },
    today: '2026-11-21',
    baseline,
    ...(tree && { rendering: { tree, engine } }),
  });
}
