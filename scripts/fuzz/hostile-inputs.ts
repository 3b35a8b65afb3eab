// Inputs that are small to write and expensive to evaluate.
import type { HostileInput } from './hostile-input.ts';
import { kyvernoInputs } from './hostile-kyverno.ts';
import { renderingInputs } from './hostile-rendering.ts';

export function hostileInputs(): readonly HostileInput[] {
  const doubled = (first: string, step: (before: string) => string, count: number): Variable[] =>
    count === 0
      ? [['v0', first]]
      : [...doubled(first, step, count - 1), [`v${count}`, step(`variables.v${count - 1}`)]];
  const list = doubled('[1]', (before) => `[${before}, ${before}]`, 59);
  const text = doubled("'ab'", (before) => `${before} + ${before}`, 20);
  const conditions = doubled("object.metadata.name == 'b'", (before) => `${before} || ${before}`, 40);
  const deepText = doubled('object.metadata.name', (before) => `${before} + ${before}`, 22);
  return [
    {
      name: '200,000 labels',
      expects: 'failed-validation',
      files: { ...policyFile([], 'size(object.metadata.labels) < 3'), 'object.yaml': labelled(200_000) },
    },
    {
      name: 'flow sequence of 2,000,000 items',
      expects: 'refused-object',
      files: { 'object.yaml': `${configMap('a')}data: [${'1,'.repeat(2_000_000)}]\n` },
    },
    {
      name: '150,000 unknown fields of a custom resource',
      expects: 'unknown-field',
      files: {
        'crd.yaml': definition('              type: object\n'),
        'object.yaml': widget('a', '{}') + repeated(150_000, (index) => `u${index}: 1`),
      },
    },
    {
      name: 'lists doubled 59 times',
      expects: 'too-much-work',
      files: withPolicy(list, 'variables.v59 == variables.v59'),
    },
    { name: 'texts doubled 20 times', expects: 'failed-validation', files: withPolicy(text, "variables.v20 == 'x'") },
    {
      name: 'reads doubled 22 times',
      expects: 'failed-validation',
      files: withPolicy(deepText, "variables.v22 == 'x'"),
    },
    {
      name: 'conditions doubled 40 times',
      expects: 'failed-validation',
      files: withPolicy(conditions, 'variables.v40'),
    },
    {
      name: 'nested all, 40 objects',
      expects: 'failed-evaluation',
      files: { ...policyFile([], NESTED_ALL), 'object.yaml': documents(40, configMap) },
    },
    { name: 'enum of 20,000, 20,000 values', expects: 'allowed', files: ENUM },
    { name: '7,500 defaults, 2,000 objects', expects: 'too-much-work', files: DEFAULTS },
    { name: 'oneOf in oneOf', expects: 'too-much-work', files: ONE_OF },
    { name: '3,000 params by selector, 3,000 objects', expects: 'too-much-work', files: PARAMS },
    { name: '3,000 params by name, 3,000 objects', expects: 'allowed', files: NAMED_PARAMS },
    { name: '2,000 params, 2,000 denied objects', expects: 'failed-validation', files: DENYING_PARAMS },
    { name: '3,000 validations, 1,000 objects', expects: 'failed-validation', files: MANY_VALIDATIONS },
    { name: '1,000 mutating policies', expects: 'allowed', files: MANY_MUTATING },
    {
      name: '1,000 mutations of one object',
      expects: 'allowed',
      files: mutating(1_000, (n) => `[JSONPatch{op: "add", path: "/data/d${n}", value: "x"}]`),
    },
    {
      name: 'annotation doubled by each of 40 mutations',
      expects: 'too-much-work',
      files: mutating(40, () => `[${DOUBLE_ANNOTATION}]`),
    },
    {
      name: 'patch of 1 MB, 100 mutations',
      expects: 'allowed',
      files: mutating(100, () => `[JSONPatch{op: "add", path: "/data/big", value: "${'x'.repeat(10_000)}"}]`),
    },
    {
      name: 'keys doubled by each of 40 mutations',
      expects: 'too-much-work',
      files: mutating(40, () => DOUBLE_KEYS),
    },
    ...kyvernoInputs(),
    ...renderingInputs(),
  ];
}

/** Name of a variable and its expression. */
type Variable = readonly [name: string, expression: string];

const NESTED_ALL = `${[...'abcdef'].map((name) => `${listOf(14)}.all(${name}, `).join('')}object.metadata.name != ''${')'.repeat(6)} && false`;

function listOf(count: number): string {
  return `[${Array.from({ length: count }, (_, index) => index).join(',')}]`;
}

function repeated(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
}

function documents(count: number, document: (name: string) => string): string {
  return Array.from({ length: count }, (_, index) => document(`o${index}`)).join('---\n');
}

function labelled(count: number): string {
  return configMap('a', `  labels:\n${repeated(count, (index) => `    a${index}: ""`)}`);
}

function configMap(name: string, metadata = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: default\n${metadata}`;
}

function withPolicy(variables: readonly Variable[], expression: string): Readonly<Record<string, string>> {
  return { ...policyFile(variables, expression), 'object.yaml': configMap('a') };
}

function policyFile(
  variables: readonly Variable[],
  expression: string,
  more = '',
  paramRef = '',
): Record<string, string> {
  const declared = variables.map(([name, text]) => `    - name: ${name}\n      expression: ${JSON.stringify(text)}\n`);
  return {
    'policy.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: hostile
spec:
${more}  matchConstraints:
    resourceRules:
      - apiGroups: [""]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [configmaps]
${declared.length === 0 ? '' : `  variables:\n${declared.join('')}`}  validations:
    - expression: ${JSON.stringify(expression)}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: hostile
spec:
  policyName: hostile
  validationActions: [Deny]
${paramRef}`,
  };
}

function definition(spec: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Cluster
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
${spec}`;
}

function widget(name: string, spec: string): string {
  return `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: ${name}\nspec: ${spec}\n`;
}

const NUMBERS = Array.from({ length: 20_000 }, (_, index) => `"k${index}"`).join(',');

const ENUM: Readonly<Record<string, string>> = {
  'crd.yaml': definition(`              type: array\n              items: {type: string, enum: [${NUMBERS}]}\n`),
  'object.yaml': widget('a', `[${'"k19999",'.repeat(20_000)}]`),
};

const DEFAULTS: Readonly<Record<string, string>> = {
  'crd.yaml': definition(
    `              type: object\n              properties:\n${repeated(7_500, (n) => `                d${n}: {type: integer, default: ${n}}`)}`,
  ),
  'object.yaml': documents(2_000, (name) => widget(name, '{}')),
};

/** Each level evaluates the level below it twice. */
function oneOf(depth: number): string {
  if (depth === 0) return '{minLength: 100}';
  return `{oneOf: [${oneOf(depth - 1)}, ${oneOf(depth - 1)}]}`;
}

const ONE_OF: Readonly<Record<string, string>> = {
  'crd.yaml': definition(
    `              type: array\n              items: {type: string, oneOf: [${oneOf(12)}, ${oneOf(12)}]}\n`,
  ),
  'object.yaml': widget('a', `[${'"x",'.repeat(20_000)}]`),
};

const DENYING_PARAMS: Readonly<Record<string, string>> = {
  ...policyFile(
    [],
    "object.metadata.name == params.data['limit']",
    '  paramKind: {apiVersion: v1, kind: ConfigMap}\n',
    '  paramRef:\n    selector: {matchLabels: {role: limit}}\n    parameterNotFoundAction: Deny\n',
  ),
  'params.yaml': documents(2_000, (name) => `${configMap(`p${name}`, '  labels: {role: limit}\n')}data: {limit: x}\n`),
  'object.yaml': documents(2_000, configMap),
};

const MANY_VALIDATIONS: Readonly<Record<string, string>> = {
  'policy.yaml': (policyFile([], 'true')['policy.yaml'] as string).replace(
    '    - expression: "true"\n',
    repeated(3_000, (n) => `    - expression: "object.metadata.name == 'n${n}'"`),
  ),
  'object.yaml': documents(1_000, configMap),
};

const DOUBLE_ANNOTATION = `JSONPatch{op: "add", path: "/data/a", value: (has(object.data) && has(object.data.a) ? object.data.a + object.data.a : "x")}`;

/** Adds a key for each existing key. */
const DOUBLE_KEYS =
  'object.data.map(k, JSONPatch{op: "add", path: "/data/" + k + string(size(object.data)), value: "x"})';

function mutatingPolicy(name: string, mutations: readonly string[]): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules:
      - apiGroups: [""]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [configmaps]
  mutations:
${mutations.map((patch) => `    - patchType: JSONPatch\n      jsonPatch: {expression: ${JSON.stringify(patch)}}\n`).join('')}---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: ${name}
spec:
  policyName: ${name}
`;
}

function mutating(count: number, patch: (index: number) => string): Readonly<Record<string, string>> {
  return {
    'policy.yaml': mutatingPolicy(
      'hostile',
      Array.from({ length: count }, (_, index) => patch(index)),
    ),
    'object.yaml': `${configMap('a')}data: {a: x}\n`,
  };
}

const MANY_MUTATING: Readonly<Record<string, string>> = {
  'policy.yaml': documents(1_000, (name) =>
    mutatingPolicy(name, [`[JSONPatch{op: "add", path: "/data/${name}", value: "x"}]`]),
  ),
  'object.yaml': `${configMap('a')}data: {a: x}\n`,
};

const PARAMS: Readonly<Record<string, string>> = {
  ...policyFile(
    [],
    "object.metadata.name != params.data['limit']",
    '  paramKind: {apiVersion: v1, kind: ConfigMap}\n',
    '  paramRef:\n    selector: {matchLabels: {role: limit}}\n    parameterNotFoundAction: Deny\n',
  ),
  'params.yaml': documents(3_000, (name) => `${configMap(`p${name}`, '  labels: {role: limit}\n')}data: {limit: x}\n`),
  'object.yaml': documents(3_000, configMap),
};

/** No file defines the kind, so its scope comes from its objects. */
const NAMED_PARAMS: Readonly<Record<string, string>> = {
  ...policyFile(
    [],
    'object.metadata.name != params.limit',
    '  paramKind: {apiVersion: example.com/v1, kind: ClusterLimit}\n',
    '  paramRef:\n    name: o2999\n    parameterNotFoundAction: Deny\n',
  ),
  'params.yaml': documents(
    3_000,
    (name) => `apiVersion: example.com/v1\nkind: ClusterLimit\nmetadata:\n  name: ${name}\nlimit: x\n`,
  ),
  'object.yaml': documents(3_000, configMap),
};
