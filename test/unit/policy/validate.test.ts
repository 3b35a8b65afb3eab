// The API server's validation of policies and bindings, with its messages (pkg/apis/admissionregistration/validation/validation.go).
import { describe, expect, it } from 'vitest';
import { ask, binding, diagnosticsOf, type Json, policy, review } from '../../support/review.ts';

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_KEY =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const DNS_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const rule = (fields: Json = {}) => ({
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['deployments'],
  ...fields,
});
const constraints = (fields: Json) => ({ matchConstraints: { resourceRules: [rule()], ...fields } });
const ofRule = (fields: Json) => constraints({ resourceRules: [rule(fields)] });
const condition = (fields: Json) => ({ matchConditions: [{ name: 'c', expression: 'true', ...fields }] });
const variable = (fields: Json) => ({ variables: [{ name: 'v', expression: '1', ...fields }] });
const validation = (fields: Json) => ({ validations: [{ expression: 'true', ...fields }] });
const annotation = (fields: Json) => ({ auditAnnotations: [{ key: 'k', valueExpression: "'v'", ...fields }] });
const RULE = 'spec.matchConstraints.resourceRules[0]';

const refused = (spec: Json, name = 'p', version?: string) =>
  diagnosticsOf([policy({ ...validation({}), ...spec }, name), binding({ policyName: name })], version);

describe('ValidatingAdmissionPolicy', () => {
  it.each<[string, Json, readonly string[]]>([
    ['valid', {}, []],
    [
      'failurePolicy',
      { failurePolicy: 'Maybe' },
      ['spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
    ],
    [
      'empty paramKind',
      { paramKind: {} },
      ['spec.paramKind.apiVersion: Required value', 'spec.paramKind.kind: Required value'],
    ],
    [
      'paramKind with too many parts',
      { paramKind: { apiVersion: 'a/b/c', kind: 'K' } },
      ['spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      'paramKind group',
      { paramKind: { apiVersion: 'A/v1', kind: 'K' } },
      [`spec.paramKind.apiVersion: Invalid value: "A": ${SUBDOMAIN}`],
    ],
    [
      'paramKind version',
      { paramKind: { apiVersion: 'a/1', kind: 'K' } },
      [`spec.paramKind.apiVersion: Invalid value: "1": ${DNS_1035}`],
    ],
    [
      'paramKind without version',
      { paramKind: { apiVersion: 'a/', kind: 'K' } },
      ['spec.paramKind.apiVersion: Invalid value: "a/": version must be specified'],
    ],
    [
      'paramKind kind',
      { paramKind: { apiVersion: 'v1', kind: '1K' } },
      [`spec.paramKind.kind: Invalid value: "1K": may have mixed case, but should otherwise match: ${DNS_1035}`],
    ],
    ['no matchConstraints', { matchConstraints: null }, ['spec.matchConstraints: Required value']],
    ['no resourceRules', { matchConstraints: {} }, ['spec.matchConstraints.resourceRules: Required value']],
    [
      'matchPolicy',
      constraints({ matchPolicy: 'Same' }),
      ['spec.matchConstraints.matchPolicy: Unsupported value: "Same": supported values: "Equivalent", "Exact"'],
    ],
    [
      'selector operator',
      constraints({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }),
      [
        'spec.matchConstraints.objectSelector.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
      ],
    ],
    [
      'missing selector values',
      constraints({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
      [
        "spec.matchConstraints.objectSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      ],
    ],
    [
      'superfluous selector values',
      constraints({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } }),
      [
        "spec.matchConstraints.objectSelector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
    ],
    [
      'selector labels',
      constraints({ namespaceSelector: { matchLabels: { '-a': 'b' } } }),
      [`spec.matchConstraints.namespaceSelector.matchLabels: Invalid value: "-a": ${LABEL_KEY}`],
    ],
    [
      'empty lists',
      ofRule({ apiGroups: [], apiVersions: [], operations: [], resources: [] }),
      [
        `${RULE}.operations: Required value`,
        `${RULE}.apiGroups: Required value`,
        `${RULE}.apiVersions: Required value`,
        `${RULE}.resources: Required value`,
      ],
    ],
    [
      'empty entries',
      ofRule({ apiVersions: [''], resources: [''] }),
      [`${RULE}.apiVersions[0]: Required value`, `${RULE}.resources[0]: Required value`],
    ],
    [
      'wildcard groups',
      ofRule({ apiGroups: ['*', 'a'] }),
      [`${RULE}.apiGroups: Invalid value: ["*","a"]: if '*' is present, must not specify other API groups`],
    ],
    [
      'wildcard versions',
      ofRule({ apiVersions: ['*', 'v1'] }),
      [`${RULE}.apiVersions: Invalid value: ["*","v1"]: if '*' is present, must not specify other API versions`],
    ],
    [
      'wildcard operations',
      ofRule({ operations: ['*', 'CREATE'] }),
      [`${RULE}.operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`],
    ],
    [
      'operation',
      ofRule({ operations: ['PATCH'] }),
      [
        `${RULE}.operations[0]: Unsupported value: "PATCH": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`,
      ],
    ],
    [
      '`*/*` beside other resources',
      ofRule({ resources: ['*/*', 'pods'] }),
      [`${RULE}.resources: Invalid value: ["*/*","pods"]: if '*/*' is present, must not specify other resources`],
    ],
    [
      '`*` beside other resources',
      ofRule({ resources: ['*', 'pods'] }),
      [
        `${RULE}.resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
      ],
    ],
    ['beside subresources it may stand', ofRule({ resources: ['*', 'pods/exec'] }), []],
    ['and before them a plain one is not noticed', ofRule({ resources: ['pods', '*'] }), []],
    [
      'all subresources beside one of them',
      ofRule({ resources: ['pods/*', 'pods/exec'] }),
      [`${RULE}.resources[1]: Invalid value: "pods/exec": if 'pods/*' is present, must not specify pods/exec`],
    ],
    ['in the other order it passes', ofRule({ resources: ['pods/exec', 'pods/*'] }), []],
    [
      'a subresource of all resources beside that of one',
      ofRule({ resources: ['*/scale', 'deployments/scale'] }),
      [
        `${RULE}.resources[1]: Invalid value: "deployments/scale": if '*/scale' is present, must not specify deployments/scale`,
      ],
    ],
    [
      'scope',
      ofRule({ scope: 'Any' }),
      [`${RULE}.scope: Unsupported value: "Any": supported values: "*", "Cluster", "Namespaced"`],
    ],
    [
      'resourceNames',
      ofRule({ resourceNames: ['a/b', 'c', 'c', '..'] }),
      [
        `${RULE}.resourceNames[0]: Invalid value: "a/b": may not contain '/'`,
        `${RULE}.resourceNames[2]: Duplicate value: "c"`,
        `${RULE}.resourceNames[3]: Invalid value: "..": may not be '..'`,
      ],
    ],
    ['matchConditions name', condition({ name: '' }), ['spec.matchConditions[0].name: Required value']],
    [
      'invalid matchConditions name',
      condition({ name: '-c' }),
      [`spec.matchConditions[0].name: Invalid value: "-c": ${LABEL_KEY}`],
    ],
    [
      'matchConditions expression',
      condition({ expression: ' ' }),
      ['spec.matchConditions[0].expression: Required value'],
    ],
    [
      'duplicate name',
      {
        matchConditions: [
          { name: 'c', expression: 'true' },
          { name: 'c', expression: 'true' },
        ],
      },
      ['spec.matchConditions[1].name: Duplicate value: "c"'],
    ],
    [
      '65 matchConditions',
      { matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })) },
      ['spec.matchConditions: Too many: 65: must have at most 64 items'],
    ],
    ['a condition that is no bool', condition({ expression: '1' }), ['must evaluate to bool but got int']],
    ['variable name', variable({ name: '' }), ['spec.variables[0].name: Required value: name is not specified']],
    [
      'invalid variable name',
      variable({ name: 'a-b' }),
      ['spec.variables[0].name: Invalid value: "a-b": must be a valid CEL identifier'],
    ],
    [
      'reserved variable name',
      variable({ name: 'namespace' }),
      ['spec.variables[0].name: Invalid value: "namespace": must be a valid CEL identifier'],
    ],
    [
      'variable expression',
      variable({ expression: '' }),
      ['spec.variables[0].expression: Required value: expression is not specified'],
    ],
    [
      'neither validations nor auditAnnotations',
      { validations: [] },
      [
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    ],
    [
      'no expression',
      validation({ expression: '' }),
      ['spec.validations[0].expression: Required value: expression is not specified'],
    ],
    ['an expression that is dynamic', validation({ expression: 'object.a' }), ['must evaluate to bool but got dyn']],
    [
      'blank messageExpression',
      validation({ messageExpression: ' ' }),
      ['spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified'],
    ],
    [
      'messageExpression that is not a string',
      validation({ messageExpression: '1' }),
      ['must evaluate to string but got int'],
    ],
    [
      'messageExpression that calls the authorizer',
      validation({ messageExpression: "string(authorizer.path('/').check('get').allowed())" }),
      ["undeclared reference to 'authorizer' (in container '')"],
    ],
    [
      'blank message',
      validation({ message: ' ' }),
      ['spec.validations[0].message: Invalid value: " ": must be non-empty if specified'],
    ],
    [
      'message with a line break',
      validation({ message: 'a\nb' }),
      ['spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks'],
    ],
    ['line breaks around it', validation({ message: '\na\n' }), []],
    [
      'reason',
      validation({ reason: 'Unauthorized' }),
      [
        'spec.validations[0].reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
    ],
    [
      'annotation key',
      annotation({ key: '' }),
      [
        `spec.auditAnnotations[0].key: Invalid value: "p/": name part must be non-empty`,
        `spec.auditAnnotations[0].key: Invalid value: "p/": ${LABEL_KEY}`,
      ],
    ],
    [
      'annotation value',
      annotation({ valueExpression: '' }),
      ['spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified'],
    ],
    [
      'annotation value too long',
      annotation({ valueExpression: `'${'x'.repeat(5119)}'` }),
      ['spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length'],
    ],
    [
      'annotation value that is not a string',
      annotation({ valueExpression: '1' }),
      ['must evaluate to one of [string null_type] but got int'],
    ],
    [
      'duplicate key',
      {
        auditAnnotations: [
          { key: 'k', valueExpression: 'null' },
          { key: 'k', valueExpression: 'null' },
        ],
      },
      ['spec.auditAnnotations[1].key: Duplicate value: "k"'],
    ],
  ])('%s', (_, spec, expected) => {
    expect(refused(spec)).toEqual(expected);
  });

  it('21 audit annotations', () => {
    const auditAnnotations = Array.from({ length: 21 }, (_, index) => ({ key: `k${index}`, valueExpression: 'null' }));
    const value = auditAnnotations.map(({ key }) => `{"Key":"${key}","ValueExpression":"null"}`).join(',');
    expect(refused({ auditAnnotations })).toEqual([
      `spec.auditAnnotations: Invalid value: [${value}]: must not have more than 20 auditAnnotations`,
    ]);
  });

  it.each<[string, Json, readonly string[]]>([
    ['name', { name: 'P' }, [`metadata.name: Invalid value: "P": ${SUBDOMAIN}`]],
    ['no name', {}, ['metadata.name: Required value: name or generateName is required']],
    ['generateName', { generateName: 'P_Q-' }, [`metadata.generateName: Invalid value: "P_Q-": ${SUBDOMAIN}`]],
    ['namespace: the server drops it', { name: 'p', namespace: 'shop' }, []],
    ['generation: the server sets it', { name: 'p', generation: -1 }, []],
    [
      'labels',
      { name: 'p', labels: { 'a/b/c': 'x', ok: 'no/slash' } },
      [
        `metadata.labels: Invalid value: "a/b/c": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
        `metadata.labels: Invalid value: "no/slash": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
    ],
    [
      'annotation keys in any letter case',
      { name: 'p', annotations: { 'EXAMPLE.com/a': 'x', '-a': 'x' } },
      [`metadata.annotations: Invalid value: "-a": ${LABEL_KEY}`],
    ],
    [
      'annotations too long',
      { name: 'p', annotations: { a: 'x'.repeat(262144) } },
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [
      'finalizers',
      { name: 'p', finalizers: ['orphan', 'foregroundDeletion'] },
      [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
  ])('metadata: %s', (_, metadata, expected) => {
    expect(diagnosticsOf([{ ...policy(validation({})), metadata }])).toEqual(expected);
  });

  it('a generated name counts as the prefix of audit annotation keys', () => {
    expect(diagnosticsOf([{ ...policy(annotation({})), metadata: { generateName: 'p-' } }])).toEqual([]);
  });
});

describe('ValidatingAdmissionPolicyBinding', () => {
  const ref = (fields: Json) => ({ paramRef: { name: 'a', parameterNotFoundAction: 'Deny', ...fields } });
  it.each<[string, Json, readonly string[]]>([
    ['valid', ref({}), []],
    ['policyName', { policyName: '' }, ['spec.policyName: Required value']],
    ['policyName that is none', { policyName: 'P' }, [`spec.policyName: Invalid value: "P": ${SUBDOMAIN}`]],
    [
      'no validationActions',
      { validationActions: [] },
      ['spec.validationActions: Required value: at least one validation action is required'],
    ],
    [
      'validationActions',
      { validationActions: ['Log'] },
      ['spec.validationActions[0]: Unsupported value: "Log": supported values: "Audit", "Deny", "Warn"'],
    ],
    ['twice', { validationActions: ['Deny', 'Deny'] }, ['spec.validationActions[1]: Duplicate value: "Deny"']],
    ['Warn and Audit', { validationActions: ['Warn', 'Audit'] }, []],
    [
      'paramRef without name and selector',
      ref({ name: '' }),
      ['spec.paramRef: Required value: one of name or selector must be specified'],
    ],
    [
      'paramRef with name and selector',
      ref({ selector: {} }),
      [
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      ],
    ],
    ['paramRef name', ref({ name: 'a%b' }), ['spec.paramRef.name: Invalid value: "a%b": may not contain \'%\'']],
    [
      'no parameterNotFoundAction',
      ref({ parameterNotFoundAction: undefined }),
      ['spec.paramRef.parameterNotFoundAction: Required value'],
    ],
    [
      'parameterNotFoundAction',
      ref({ parameterNotFoundAction: 'Warn' }),
      ['spec.paramRef.parameterNotFoundAction: Unsupported value: "Warn": supported values: "Deny", "Allow"'],
    ],
    [
      'matchResources',
      { matchResources: { resourceRules: [rule({ apiGroups: [] })] } },
      ['spec.matchResources.resourceRules[0].apiGroups: Required value'],
    ],
    ['matchResources without rules', { matchResources: {} }, []],
    [
      'null in a list counts as an empty string',
      { matchResources: { resourceRules: [rule({ operations: ['CREATE', null] })] } },
      [
        'spec.matchResources.resourceRules[0].operations[1]: Unsupported value: "": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      ],
    ],
  ])('%s', (_, spec, expected) => {
    expect(diagnosticsOf([policy(validation({})), binding(spec)])).toEqual(expected);
  });

  it.each([
    ['has a default for parameterNotFoundAction', undefined, []],
    ['has none for an empty one', '', ['spec.paramRef.parameterNotFoundAction: Required value']],
  ])('v1alpha1 %s', (_, parameterNotFoundAction, expected) => {
    const bound = binding(ref({ parameterNotFoundAction }));
    expect(
      diagnosticsOf([policy(validation({})), { ...bound, apiVersion: 'admissionregistration.k8s.io/v1alpha1' }]),
    ).toEqual(expected);
  });
});

it.each(['v1', 'v1beta1', 'v1alpha1'])('policies and bindings of %s are validated alike', (version) => {
  const [definition, bound] = [policy(validation({ expression: 'false' })), binding()].map((object) => ({
    ...object,
    apiVersion: `admissionregistration.k8s.io/${version}`,
  }));
  expect(ask([definition, bound], review()).decisions).toMatchObject([{ message: 'failed expression: false' }]);
  expect(diagnosticsOf([definition, { ...bound, spec: { policyName: 'p' } }])).toEqual([
    'spec.validationActions: Required value: at least one validation action is required',
  ]);
});

describe('messages of other releases', () => {
  const selector = { matchExpressions: [{ key: 'a', operator: 'Like' }] };
  it.each<[string, string, Json, string]>([
    [
      'before 1.29 the path of objectSelector',
      '1.28',
      constraints({ objectSelector: selector }),
      'spec.matchConstraints.labelSelector.matchExpressions[0].operator',
    ],
    [
      'since',
      '1.29',
      constraints({ objectSelector: selector }),
      'spec.matchConstraints.objectSelector.matchExpressions[0].operator',
    ],
    [
      'before 1.34 names of variables',
      '1.33',
      variable({ name: 'a-b' }),
      'spec.variables[0].name: Invalid value: "a-b": name is not a valid CEL identifier',
    ],
    [
      'and messages',
      '1.33',
      validation({ message: ' ' }),
      'spec.validations[0].message: Invalid value: " ": message must be non-empty if specified',
    ],
    [
      'with line breaks too',
      '1.33',
      validation({ message: 'a\nb' }),
      'spec.validations[0].message: Invalid value: "a\\nb": message must not contain line breaks',
    ],
  ])('%s', (_, version, spec, expected) => {
    expect(refused(spec, 'p', version)[0]).toContain(expected);
  });
  it.each([
    ['1.31', 'spec.matchResouces.resourceRules[0].apiGroups: Required value'],
    ['1.32', 'spec.matchResources.resourceRules[0].apiGroups: Required value'],
  ])('%s: path of matchResources', (version, expected) => {
    const bound = binding({ matchResources: { resourceRules: [rule({ apiGroups: [] })] } });
    expect(diagnosticsOf([policy(validation({})), bound], version)).toEqual([expected]);
  });
  it.each([
    ['1.36', []],
    [
      '1.37',
      [
        'metadata.name: Invalid value: "a.static.k8s.io": names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API',
      ],
    ],
  ])('%s: names reserved for policies from files', (version, expected) => {
    expect(refused({}, 'a.static.k8s.io', version)).toEqual(expected);
  });
});
