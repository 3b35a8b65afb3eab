// Classifies failures of kustomize and Helm by their messages.
import type { FailureClass, RenderRequest } from './render-request.ts';

type Row = readonly [pattern: RegExp, failure: FailureClass];

/** The first match decides. Kustomize puts the cause at the end of a message, so patterns for wrapping errors come last. */
const KUSTOMIZE: readonly Row[] = [
  [/must specify --enable-helm|HelmChartInflationGenerator|helmChart/, 'helm-chart'],
  [/nothing is fetched while rendering|'git'|git init|hasn't been pulled|URL is a git repository/, 'remote-base'],
  [/plugins disabled|unable to load external plugin|plugin .* not permitted/, 'plugin'],
  [/(?:env|file) source|loading KV pairs|unable to read .* file sources/, 'missing-input'],
  [
    /no matches for Id|no resource matches|unable to find (?:patch )?target|failed to find unique target/,
    'patch-target',
  ],
  [/cycle detected/, 'cycle'],
  [/security; file/, 'outside-root'],
  [/already registered id|produces ID conflict/, 'conflict'],
  [
    /testing value|error in (?:add|remove|replace|move|copy|test)|replacement (?:source|target)|does not match a config/,
    'transformation',
  ],
  [/is empty/, 'empty'],
  [
    /no such file or directory|unable to find one of|not a valid directory|evalsymlink|is not directory/,
    'missing-file',
  ],
  [
    /invalid Kustomization|unmarshal|yaml:|MalformedYAML|unknown field|expected kind|json: |kind should be|apiVersion for|Found multiple kustomization/,
    'unparsable',
  ],
];

const HELM: readonly Row[] = [
  [/charts are not installable/, 'library-chart'],
  [/missing in charts\/ directory/, 'missing-dependency'],
  [/don't meet the specifications of the schema|values\.schema\.json/, 'values-schema'],
  [/^execution error at /, 'required-value'],
  [/template: |parse error at |rendering template|no template /, 'template'],
  [/YAML parse error|cannot load|failed to parse|error converting YAML/, 'unparsable'],
  [/no such file or directory|is missing$|file is missing/, 'missing-file'],
];

export function failureClass(engine: RenderRequest['engine'], message: string): FailureClass {
  const rows = engine === 'helm' ? HELM : KUSTOMIZE;
  return rows.find(([pattern]) => pattern.test(message))?.[1] ?? 'other';
}
