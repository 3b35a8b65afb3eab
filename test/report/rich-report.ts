// A Report with every possible field, and two extremes: no findings, and hostile texts only.

import { UPGRADE_WORDS } from '../../src/report/format/text/upgrade-lines.ts';
import type { Finding, Place, Report, ReportedDiagnostic } from '../../src/report/report.ts';
import { richAudit } from './rich-audit.ts';

const webPlace: Place = {
  path: 'clusters/prod/web.yaml',
  startLine: 12,
  startColumn: 13,
  endLine: 12,
  endColumn: 15,
  excerpt: {
    firstLine: 10,
    lines: ['  namespace: shop', 'spec:', '  replicas: 12', '  selector:', '    matchLabels:'],
  },
  lineHash: '9b2a7b0c9fd4e86e:1',
};

const replicaLimit: Finding = {
  code: 'failed-validation',
  fingerprint: '3f1c0a5e7f0b4d6c',
  target: 'prod',
  severity: 'error',
  result: 'fail',
  actions: ['Deny', 'Audit'],
  policy: { kind: 'ValidatingAdmissionPolicy', name: 'replica-limit' },
  binding: 'replica-limit-prod',
  param: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'policy', name: 'limits' },
  rule: { field: 'spec.validations[0].expression', expression: 'object.spec.replicas <= int(params.data.maxReplicas)' },
  message: 'at most 5 replicas are allowed, 12 asked for',
  owners: ['@acme/shop', 'jane@example.com'],
  serverMessage:
    "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'replica-limit' with binding 'replica-limit-prod' denied request: at most 5 replicas are allowed, 12 asked for",
  reason: 'Forbidden',
  httpStatus: 403,
  operation: 'CREATE',
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  fieldPath: 'spec.replicas',
  primary: webPlace,
  related: [
    {
      message: 'ValidatingAdmissionPolicy replica-limit: spec.validations[0].expression',
      role: 'rule',
      place: {
        path: 'policies/replica-limit.yaml',
        startLine: 14,
        startColumn: 19,
        endLine: 14,
        endColumn: 70,
        excerpt: {
          firstLine: 13,
          lines: ['  validations:', '    - expression: object.spec.replicas <= int(params.data.maxReplicas)'],
        },
      },
    },
    {
      message: 'bound by ValidatingAdmissionPolicyBinding replica-limit-prod',
      role: 'binding',
      place: { path: 'policies/bindings.yaml', startLine: 4, startColumn: 9, endLine: 4, endColumn: 27 },
    },
    {
      message: 'with params ConfigMap limits',
      role: 'param',
      place: { path: 'policies/limits.yaml', startLine: 7, startColumn: 16, endLine: 7, endColumn: 19 },
    },
  ],
};

const missingLimits: Finding = {
  code: 'failed-validation',
  fingerprint: 'b7c41f0e2d9a8866',
  target: 'prod',
  severity: 'warning',
  result: 'fail',
  actions: ['Warn'],
  policy: { kind: 'ValidatingAdmissionPolicy', name: 'resource-limits' },
  binding: 'resource-limits-everywhere',
  rule: {
    field: 'spec.validations[1].expression',
    expression: 'object.spec.containers.all(c, has(c.resources.limits))',
  },
  message: 'every container needs resources.limits',
  serverMessage:
    "Validation failed for ValidatingAdmissionPolicy 'resource-limits' with binding 'resource-limits-everywhere': every container needs resources.limits",
  reason: 'Invalid',
  operation: 'CREATE',
  resource: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'größe-计算' },
  fieldPath: 'spec.containers[1].resources',
  primary: {
    path: 'clusters/prod/größe.yaml',
    startLine: 9,
    startColumn: 29,
    endLine: 11,
    endColumn: 18,
    excerpt: {
      firstLine: 7,
      lines: [
        '    - name: 计算',
        '      image: shop/größe:1.2',
        '    - {name: 𝒔idecar, image: x, resources: {',
        '        requests:',
        '          {cpu: 1}}}',
      ],
    },
    lineHash: '1c7f6f2f8a8f0be1:1',
  },
  related: [],
};

const defaultedField: Finding = {
  code: 'failed-validation',
  fingerprint: '00aa11bb22cc33dd',
  target: 'prod',
  severity: 'notice',
  result: 'fail',
  actions: ['Audit'],
  policy: { kind: 'ValidatingAdmissionPolicy', name: 'no-default-token' },
  binding: 'no-default-token-audit',
  rule: { field: 'spec.validations[0].expression', expression: 'object.automountServiceAccountToken == false' },
  message: 'failed expression: object.automountServiceAccountToken == false',
  serverMessage: 'failed expression: object.automountServiceAccountToken == false',
  reason: 'Invalid',
  operation: 'CREATE',
  resource: { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'shop', name: 'web' },
  fieldPath: 'automountServiceAccountToken',
  defaulted: true,
  primary: {
    path: 'clusters/prod/web.yaml',
    startLine: 40,
    startColumn: 7,
    endLine: 40,
    endColumn: 21,
    excerpt: { firstLine: 38, lines: ['---', 'apiVersion: v1', 'kind: ServiceAccount', 'metadata:', '  name: web'] },
    lineHash: '77a0b1c2d3e4f506:1',
  },
  related: [],
};

const evaluationError: Finding = {
  code: 'failed-evaluation',
  fingerprint: '5e5e5e5e00000001',
  target: 'staging',
  severity: 'error',
  result: 'error',
  actions: ['Deny'],
  policy: { kind: 'ValidatingAdmissionPolicy', name: 'image-registry' },
  binding: 'image-registry-all',
  rule: {
    field: 'spec.validations[0].expression',
    expression: "object.spec.template.spec.containers.all(c,\n  c.image.startsWith('registry.shop.example/'))",
  },
  message: "expression 'object.spec.template...' resulted in error: no such key: image",
  serverMessage:
    "deployments.apps \"worker\" is forbidden: ValidatingAdmissionPolicy 'image-registry' with binding 'image-registry-all' denied request: expression 'object.spec.template...' resulted in error: no such key: image",
  reason: 'Invalid',
  httpStatus: 422,
  operation: 'CREATE',
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'worker' },
  fieldPath: 'spec.template.spec.containers[0]',
  primary: {
    path: 'clusters/staging/worker.yaml',
    startLine: 17,
    startColumn: 11,
    endLine: 17,
    endColumn: 23,
    excerpt: { firstLine: 15, lines: ['    spec:', '      containers:', '        - name: worker'] },
    lineHash: 'abcdef0123456789:1',
  },
  related: [],
};

const diagnostics: readonly ReportedDiagnostic[] = [
  {
    code: 'cel-compile-error',
    severity: 'error',
    message: "undeclared reference to 'objekt' (in container '')",
    primary: {
      path: 'policies/broken.yaml',
      startLine: 12,
      startColumn: 19,
      endLine: 12,
      endColumn: 25,
      excerpt: { firstLine: 11, lines: ['  validations:', '    - expression: objekt.spec.replicas < 3'] },
      lineHash: '0123456789abcdef:1',
    },
    related: [],
    help: 'the variables here are `object`, `oldObject`, `request`, `params`, `namespaceObject`, `authorizer` and `variables`',
  },
  {
    code: 'binding-without-policy',
    severity: 'warning',
    message: 'the binding `old-binding` names the policy `retired`, which is not in this repository',
    primary: { path: 'policies/bindings.yaml', startLine: 22, startColumn: 15, endLine: 22, endColumn: 22 },
    related: [
      {
        message: 'the binding',
        place: { path: 'policies/bindings.yaml', startLine: 19, startColumn: 9, endLine: 19, endColumn: 20 },
      },
    ],
  },
  {
    code: 'mutation-drift',
    severity: 'warning',
    message: '`spec.replicas` is 12 here, and `at-most-five` makes it 5',
    primary: webPlace,
    owners: ['@acme/shop'],
    related: [],
    help: 'write it as it is stored',
    fix: {
      path: 'clusters/prod/web.yaml',
      line: 12,
      before: ['  replicas: 12'],
      after: ['  replicas: 5'],
      above: 'spec:',
      below: '  selector:',
    },
  },
  {
    code: 'no-configuration',
    severity: 'notice',
    message: 'no `.preadmit.yaml` found, the whole repository is one target',
    related: [],
  },
];

const known: Finding = {
  ...replicaLimit,
  fingerprint: '4d6c3f1c0a5e7f0b',
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'legacy' },
  message: 'at most 5 replicas are allowed, 9 asked for',
  primary: { ...webPlace, path: 'clusters/prod/legacy.yaml' },
  related: [],
  excuse: {
    by: 'baseline',
    reason: 'moves to the new chart with release 4',
    owner: 'team-shop',
    expires: '2027-03-31',
    place: { path: '.preadmit-baseline.yaml', startLine: 5, startColumn: 5, endLine: 5, endColumn: 26 },
  },
};

const suppressed: Finding = {
  ...missingLimits,
  fingerprint: '66b7c41f0e2d9a88',
  resource: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'debug' },
  primary: { ...webPlace, path: 'clusters/prod/debug.yaml' },
  excuse: {
    by: 'annotation',
    reason: 'runs for minutes, by hand',
    place: { path: 'clusters/prod/debug.yaml', startLine: 7, startColumn: 7, endLine: 7, endColumn: 60 },
  },
};

export const richReport: Report = {
  schemaVersion: 1,
  preadmit: '0.0.0-test',
  audit: richAudit,
  ownership: {
    path: 'CODEOWNERS',
    syntax: 'GitHub',
    label: 'team',
    annotation: 'acme.example/owner',
    problem: 'too large',
    ignored: [{ line: 3, reason: 'no owner' }],
    ignoredLines: 2,
  },
  verdict: {
    conclusion: 'denied',
    failOn: 'deny',
    onUndecided: 'fail',
    denied: 2,
    warned: 1,
    audited: 2,
    errors: 1,
    undecided: 0,
    open: 0,
    notRendered: 0,
    incomplete: 0,
    unread: 0,
  },
  coverage: {
    files: 9,
    found: 21,
    evaluated: 17,
    notEvaluated: [
      { reason: 'helm-template', meaning: 'a Helm chart template, not a manifest before it is rendered', count: 2 },
      { reason: 'sops-encrypted', meaning: 'values are encrypted with SOPS', count: 1 },
      { reason: 'yaml-syntax', meaning: 'the document does not parse', count: 1 },
    ],
    skipped: [
      { path: 'charts/shop/templates/deployment.yaml', reason: 'helm-template' },
      { path: 'charts/shop/templates/service.yaml', reason: 'helm-template' },
      { path: 'clusters/prod/secret.enc.yaml', line: 1, reason: 'sops-encrypted' },
      {
        path: 'clusters/prod/typo.yaml',
        line: 8,
        reason: 'yaml-syntax',
        detail: 'line 9: found character that cannot start any token',
      },
    ],
  },
  targets: [
    {
      name: 'prod',
      kubernetesVersion: '1.36',
      user: 'kubernetes-admin',
      evaluated: 12,
      policies: [
        {
          kind: 'ValidatingAdmissionPolicy',
          name: 'no-default-token',
          path: 'policies/no-default-token.yaml',
          bindings: 1,
          matched: 3,
          denied: 0,
          warned: 0,
          audited: 1,
        },
        {
          kind: 'ValidatingAdmissionPolicy',
          name: 'replica-limit',
          path: 'policies/replica-limit.yaml',
          bindings: 1,
          matched: 6,
          denied: 1,
          warned: 0,
          audited: 1,
        },
        {
          kind: 'ValidatingAdmissionPolicy',
          name: 'resource-limits',
          path: 'policies/resource-limits.yaml',
          bindings: 2,
          matched: 4,
          denied: 0,
          warned: 1,
          audited: 0,
        },
      ],
      unknowns: [
        'Namespace shop is not in the repository, so its label team, which replica-limit selects by, is taken as absent',
      ],
      unknownKinds: [
        { apiVersion: 'shop.example/v1', kind: 'Checkout', count: 3 },
        { apiVersion: 'shop.example/v1', kind: 'Basket', count: 1 },
      ],
    },
    {
      name: 'staging',
      kubernetesVersion: '1.35',
      user: 'deployer',
      evaluated: 5,
      policies: [
        {
          kind: 'ValidatingAdmissionPolicy',
          name: 'image-registry',
          path: 'policies/image-registry.yaml',
          bindings: 1,
          matched: 2,
          denied: 1,
          warned: 0,
          audited: 0,
        },
        {
          kind: 'ValidatingAdmissionPolicy',
          name: 'replica-limit',
          path: 'policies/replica-limit.yaml',
          bindings: 1,
          matched: 2,
          denied: 0,
          warned: 0,
          audited: 0,
        },
      ],
      unknowns: [],
      unknownKinds: [],
    },
  ],
  findings: [missingLimits, replicaLimit, defaultedField, evaluationError, known, suppressed],
  diagnostics,
  suggestions: [
    {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      fields: ['metadata.labels.team'],
      policies: [{ kind: 'MutatingAdmissionPolicy', name: 'team-label' }],
      fix: {
        path: 'clusters/prod/web.yaml',
        line: 11,
        before: [],
        after: ['  labels:', '    team: shop'],
        above: '  namespace: shop',
        below: 'spec:',
      },
    },
  ],
};

/** Everything evaluated, no findings. */
export const cleanReport: Report = {
  schemaVersion: 1,
  preadmit: '0.0.0-test',
  verdict: {
    conclusion: 'allowed',
    failOn: 'deny',
    onUndecided: 'fail',
    denied: 0,
    warned: 0,
    audited: 0,
    errors: 0,
    undecided: 0,
    open: 0,
    notRendered: 0,
    incomplete: 0,
    unread: 0,
  },
  coverage: { files: 3, found: 4, evaluated: 4, notEvaluated: [], skipped: [] },
  targets: [
    {
      name: 'default',
      kubernetesVersion: '1.36',
      user: 'kubernetes-admin',
      evaluated: 4,
      policies: [
        {
          kind: 'ValidatingAdmissionPolicy',
          name: 'replica-limit',
          path: 'policies/replica-limit.yaml',
          bindings: 1,
          matched: 2,
          denied: 0,
          warned: 0,
          audited: 0,
        },
      ],
      unknowns: [],
      unknownKinds: [],
    },
  ],
  findings: [],
  diagnostics: [],
};

/** No policy matches any resource. */
export const emptyReport: Report = {
  schemaVersion: 1,
  preadmit: '0.0.0-test',
  verdict: {
    conclusion: 'nothing-checked',
    failOn: 'deny',
    onUndecided: 'fail',
    denied: 0,
    warned: 0,
    audited: 0,
    errors: 0,
    undecided: 0,
    open: 0,
    notRendered: 0,
    incomplete: 0,
    unread: 0,
  },
  coverage: { files: 0, found: 0, evaluated: 0, notEvaluated: [], skipped: [] },
  targets: [],
  findings: [],
  diagnostics: [],
};

/** Attack texts: workflow commands, terminal escapes, markup, links, mentions. */
export const HOSTILE_TEXTS: readonly string[] = [
  '::set-output name=pwned::yes',
  '##[add-mask]shop',
  'a##[error]b',
  'first\n::error file=x::second\r\n##[group]third',
  '\u001b[31mred\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
  'right\u202eto\u2066left',
  'nul\u0000bell\u0007del\u007fnel\u0085',
  'line\u2028paragraph\u2029end',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '[click](https://evil.example) ![img](https://evil.example/p.png)',
  '@octocat #123 GH-7 octocat/hello#1 https://evil.example',
  '`` ` ``` | </details> | --> ]]>',
  '"quoted": \'single\' \\ back, comma; semicolon % percent %0A',
  'lone \ud800 surrogate \udc00 here',
  '---\n# heading\n- list\n  key: value',
  '$(id) `id` {{ .Values.x }} $' + '{{ github.token }}',
];

/** Fields whose texts do not come from the repository. */
const KEPT_KEYS = new Set([
  'by',
  'role',
  'conclusion',
  'failOn',
  'onUndecided',
  'touched',
  'severity',
  'result',
  'lineHash',
  'actions',
  'preadmit',
]);

/** Words of closed lists. */
const KEPT_WORDS = new Set<unknown>([
  ...Object.keys(UPGRADE_WORDS),
  ...['denied', 'undecided', 'warned', 'audited', 'allowed', 'created', 'updated', 'deleted', 'GitHub'],
]);

/** Replaces every text field of a Report by the next of `texts`, so that all fields are tested. */
export function mapTexts(report: Report, texts: readonly string[]): Report {
  let next = 0;
  const visit = (value: unknown, key: string): unknown => {
    const isKept = KEPT_KEYS.has(key) || KEPT_WORDS.has(value);
    if (isKept && !(Array.isArray(value) && typeof value[0] === 'object')) return value;
    if (typeof value === 'string') return texts[next++ % texts.length];
    if (Array.isArray(value)) return value.map((item) => visit(item, key));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visit(item, name)]));
    }
    return value;
  };
  return visit(report, '') as Report;
}

export const hostileReport: Report = mapTexts(richReport, HOSTILE_TEXTS);

/** Many findings with searchable texts. */
export function manyFindings(number: number): Report {
  const [template] = richReport.findings as [Finding, ...Finding[]];
  const findings = Array.from(
    { length: number },
    (_, index): Finding => ({
      ...template,
      fingerprint: index.toString(16).padStart(16, '0'),
      severity: 'error',
      message: `finding number ${index}`,
      policy: { kind: 'ValidatingAdmissionPolicy', name: `policy-${index % 7}` },
      primary: { ...template.primary, path: `apps/${index % 100}/web.yaml` },
    }),
  );
  return { ...richReport, diagnostics: [], findings };
}
