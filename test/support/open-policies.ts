// Random policies of all languages, random objects and random open fields: what the policies answer about each.
import fc from 'fast-check';
import { resourcesIn, testEvaluator } from '../../src/pipeline/test/test-evaluator.ts';
import type { Evaluation } from '../../src/policy/evaluation/evaluation.ts';
import type { AdmissionOutcome } from '../../src/policy/language/policy-language.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

/** The parts of a manifest that can be open, with the values to try. Undefined: the field is absent. */
export const FIELDS = {
  team: ['a', 'b', 'prod', '', '5'],
  note: ['x', 'keep', '', 'a'],
  image: ['nginx:1', 'nginx:latest', 'registry/app:1', 'registry/app'],
  other: ['nginx:1', 'nginx:latest', 'registry/app:1'],
  privileged: [true, false],
  runAsUser: [0, 1000],
  runAsNonRoot: [true, false],
  hostNetwork: [true, false],
  memory: ['1Gi', '512Mi', '2Gi'],
  arg: ['--debug', '--quiet'],
  hostPort: [0, 80],
} as const;

export type Field = keyof typeof FIELDS;
export type Values = Readonly<Record<Field, unknown>>;

const NAMES = Object.keys(FIELDS) as Field[];

export type Language = 'CEL' | 'Kyverno' | 'Kyverno CEL' | 'Pod Security';

export interface OpenSample {
  readonly kind: 'Pod' | 'Deployment';
  readonly policies: readonly object[];
  readonly values: Values;
  readonly open: readonly Field[];
  readonly tried: readonly Values[];
}

/** The answer of one rule. `admit` also stands for a rule that does not match. */
export type RuleAnswer = 'admit' | 'fail' | 'error' | 'unknown';

export interface OpenAnswer {
  readonly language: Language;
  readonly rule: string;
  readonly policy: object | undefined;
  readonly open: RuleAnswer;
  /** What an unknown answer depends on. */
  readonly missing: readonly string[];
  /** One per tried filling that the server accepts. */
  readonly tried: readonly RuleAnswer[];
}

const values: fc.Arbitrary<Values> = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.constantFrom<unknown>(...FIELDS[name])])) as Record<
    Field,
    fc.Arbitrary<unknown>
  >,
) as fc.Arbitrary<Values>;

const ENCRYPTED = 'ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]';
const SOPS = { mac: ENCRYPTED, lastmodified: '2026-01-01T00:00:00Z', version: '3.9.0' };

function pod(given: Values): object {
  const container = {
    name: 'web',
    image: given.image,
    args: ['serve', given.arg],
    resources: { limits: { memory: given.memory } },
    ports: [{ containerPort: 80, hostPort: given.hostPort }],
    securityContext: {
      privileged: given.privileged,
      runAsUser: given.runAsUser,
      allowPrivilegeEscalation: given.privileged,
    },
  };
  const side = { name: 'side', image: given.other, securityContext: { runAsNonRoot: given.runAsNonRoot } };
  const metadata = { labels: { app: 'web', team: given.team }, annotations: { note: given.note, fixed: 'yes' } };
  return { metadata, spec: { hostNetwork: given.hostNetwork, containers: [container, side] } };
}

function manifest(kind: OpenSample['kind'], given: Values, isEncrypted: boolean): string {
  const { metadata, spec } = pod(given) as { metadata: object; spec: object };
  const named = { name: 'web', namespace: 'shop', ...metadata };
  const object =
    kind === 'Pod'
      ? { apiVersion: 'v1', kind, metadata: named, spec }
      : {
          apiVersion: 'apps/v1',
          kind,
          metadata: named,
          spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata, spec } },
        };
  return JSON.stringify(isEncrypted ? { ...object, sops: SOPS } : object);
}

const pick = <Value>(...each: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...each);

/** Three of ten policies have such a part. */
function seldom<Value>(part: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: part });
}

/** A random part of an object. */
function some(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .subarray(Object.keys(members), { minLength: 1, maxLength: Math.min(2, Object.keys(members).length) })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, members[name] as fc.Arbitrary<unknown>]))),
    );
}

const containerPattern = some({
  image: pick('*:1', '!*:latest', 'registry/*', '?*', '*:* & !*:latest'),
  '(image)': pick('registry/*', '*:latest'),
  '=(securityContext)': some({ '=(privileged)': pick<unknown>(false, 'false'), '=(runAsUser)': pick<unknown>('>0') }),
  securityContext: some({ privileged: pick<unknown>(false, true), runAsNonRoot: pick<unknown>(true) }),
  '(name)': pick('web', 'side', 's*'),
  resources: fc.constant({ limits: { memory: '<=1Gi' } }),
  'X(args)': fc.constant('null'),
  '=(args)': pick<unknown>(['!--debug'], '!--debug'),
});

const pattern = fc
  .tuple(
    pick<unknown>('both', 'metadata', 'spec'),
    some({
      labels: some({ team: pick('?*', 'a', '!prod', 'a | b'), app: pick('web', 'x'), 't*': pick('?*', 'a') }),
      annotations: some({ fixed: pick('yes', 'no'), '=(note)': pick('x', '?*', '!keep') }),
      '=(annotations)': some({ 'X(note)': fc.constant('null') }),
      '(labels)': some({ app: pick('web', 'x'), team: pick('a', '?*') }),
    }),
    some({
      hostNetwork: pick<unknown>(false, 'false'),
      '=(hostNetwork)': pick<unknown>(false),
      '<(hostNetwork)': pick<unknown>(true),
      containers: fc.array(containerPattern, { minLength: 1, maxLength: 1 }),
      '^(containers)': fc.array(containerPattern, { minLength: 1, maxLength: 1 }),
    }),
  )
  .map(([parts, metadata, spec]) => ({
    ...(parts !== 'spec' && { metadata }),
    ...(parts !== 'metadata' && { spec }),
  }));

/** Keys with the values that policies compare them with. */
const CONDITIONS: readonly (readonly [
  operators: readonly string[],
  values: readonly unknown[],
  ...keys: readonly string[],
])[] = [
  [
    ['Equals', 'NotEquals', 'AnyIn', 'AnyNotIn', 'NotIn'],
    ['a', 'prod', ['a', 'b'], '?*'],
    '{{ request.object.metadata.labels.team }}',
    "{{ request.object.metadata.labels.team || 'none' }}",
    "{{ request.object.metadata.labels.app == 'web' && request.object.metadata.labels.team }}",
  ],
  [
    ['Equals', 'NotEquals', 'AnyIn'],
    ['x', 'keep', ['keep', 'a']],
    "{{ request.object.metadata.annotations.note || '' }}",
  ],
  [['Equals', 'AnyIn'], ['CREATE', ['CREATE', 'UPDATE']], '{{ request.operation }}'],
  [['Equals', 'NotEquals'], ['web', 'db'], '{{ request.object.metadata.labels.app }}'],
  [['Equals', 'NotEquals'], ['yes', 'no'], '{{ request.object.metadata.annotations.fixed }}'],
  [
    ['AnyIn', 'AllIn', 'AnyNotIn', 'AllNotIn'],
    [['nginx:*'], ['*:latest'], ['registry/*', 'nginx:1']],
    '{{ request.object.spec.containers[].image }}',
    "{{ request.object.spec.containers[?name=='side'].image }}",
    '{{ request.object.spec.containers[0].image }}',
  ],
  [
    ['AnyIn', 'AllIn', 'AnyNotIn'],
    [['team'], ['app', 'team'], ['other']],
    '{{ request.object.metadata.labels | keys(@) }}',
  ],
  [['AnyIn', 'AnyNotIn'], [['latest'], ['1', 'latest']], "{{ images.containers.*.tag || '' }}"],
  [['GreaterThan', 'LessThan', 'Equals'], [1, 2], '{{ request.object.spec.containers | length(@) }}'],
  [['GreaterThan', 'Equals'], [0, 1000], '{{ request.object.spec.containers[0].securityContext.runAsUser }}'],
  [['GreaterThan', 'Equals'], [0], '{{ request.object.spec.containers[?securityContext.privileged] | length(@) }}'],
  [['GreaterThan'], [1, 5], '{{ to_number(request.object.metadata.labels.team) }}'],
];

const condition = pick(...CONDITIONS).chain(([operators, compared, ...keys]) =>
  fc.record({ key: pick(...keys), operator: pick(...operators), value: pick(...compared) }),
);

const conditions = fc.oneof(
  { weight: 3, arbitrary: fc.record({ any: fc.array(condition, { minLength: 1, maxLength: 2 }) }) },
  { weight: 3, arbitrary: fc.record({ all: fc.array(condition, { minLength: 1, maxLength: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      any: fc.array(condition, { minLength: 1, maxLength: 2 }),
      all: fc.array(condition, { minLength: 1, maxLength: 2 }),
    }),
  },
);

const elementCondition = fc.record({
  key: pick('{{ element.image }}', '{{ element.name }}', "{{ element.securityContext.privileged || 'none' }}"),
  operator: pick('Equals', 'NotEquals', 'AnyIn'),
  value: pick<unknown>('nginx:1', 'web', true, ['nginx:*', 'side']),
});

const foreach = fc
  .tuple(
    pick<unknown>('request.object.spec.containers', 'request.object.spec.containers[].image'),
    seldom(fc.array(elementCondition, { minLength: 1, maxLength: 2 })),
    fc.oneof(
      fc.array(elementCondition, { minLength: 1, maxLength: 2 }).map((any) => ({ deny: { conditions: { any } } })),
      containerPattern.map((one) => ({ pattern: one })),
    ),
  )
  .map(([list, any, loop]) => ({ foreach: [{ list, ...(any && { preconditions: { any } }), ...loop }] }));

const message = pick('no', '', 'team {{ request.object.metadata.labels.team }}');

const validate = fc.oneof(
  { weight: 3, arbitrary: fc.record({ message, pattern }) },
  fc.record({ message, anyPattern: fc.array(pattern, { minLength: 1, maxLength: 3 }) }),
  { weight: 3, arbitrary: fc.record({ message, deny: fc.record({ conditions }) }) },
  foreach,
  fc.record({
    podSecurity: fc.record({ level: pick('baseline', 'restricted'), version: fc.constant('latest') }),
  }),
);

const resources = some({
  selector: pick(
    { matchLabels: { team: 'a' } },
    { matchLabels: { app: 'web' } },
    { matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] },
    { matchLabels: { 't*': '?*' } },
  ),
  annotations: pick({ note: 'x' }, { fixed: 'yes' }, { 'n*': '?*' }),
  namespaceSelector: pick({ matchLabels: { tier: 'web' } }, { matchLabels: { tier: 'db' } }),
});

const filters = (kind: string): fc.Arbitrary<object> =>
  fc.array(resources, { minLength: 1, maxLength: 2 }).chain((each) =>
    pick('any', 'all').map((form) => ({
      [form]: each.map((one) => ({ resources: { kinds: [kind], ...one } })),
    })),
  );

const plainMatch = fc.constant({ any: [{ resources: { kinds: ['Pod'] } }] });

function rule(action: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: plainMatch }, filters('Pod')),
      seldom(filters('Pod')),
      seldom(conditions),
      action,
    )
    .map(([match, exclude, preconditions, done]) => ({
      match,
      ...(exclude && { exclude }),
      ...(preconditions && { preconditions }),
      ...done,
    }));
}

function kyvernoPolicy(spec: object, rules: readonly object[]): object {
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'p' },
    spec: { background: false, ...spec, rules: rules.map((each, index) => ({ name: `r${index}`, ...each })) },
  };
}

const classic = fc
  .tuple(
    fc.array(rule(validate.map((each) => ({ validate: { failureAction: 'Enforce', ...each } }))), {
      minLength: 1,
      maxLength: 2,
    }),
    pick({}, {}, {}, { applyRules: 'One' }),
  )
  .map(([rules, spec]) => kyvernoPolicy(spec, rules));

const expression = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    {
      weight: 4,
      arbitrary: pick(
        "object.metadata.labels.team == 'a'",
        "object.metadata.labels.app == 'web'",
        "has(object.metadata.labels.team) && object.metadata.labels.team in ['a', 'b']",
        "object.metadata.annotations['note'] != 'keep'",
        "'fixed' in object.metadata.annotations",
        'size(object.metadata.labels) > 1',
        "variables.team.startsWith('p')",
        'request.operation == "CREATE"',
        'true',
        'false',
        'PODSPEC.containers.all(c, !c.image.endsWith(":latest"))',
        'PODSPEC.containers.exists(c, c.name == "web")',
        'PODSPEC.containers.exists(c, c.image.startsWith("registry/"))',
        'PODSPEC.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || c.securityContext.privileged == false)',
        'PODSPEC.containers.map(c, c.image).exists(i, i == "nginx:1")',
        'PODSPEC.containers.filter(c, c.name == "side").all(c, c.image != "nginx:latest")',
        '!has(PODSPEC.hostNetwork) || PODSPEC.hostNetwork == false',
        'PODSPEC.containers.size() < 3',
        'PODSPEC.containers[0].securityContext.runAsUser > 0',
        'oldObject == null',
      ),
    },
    fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `(${one}) && (${other})`),
    fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `(${one}) || (${other})`),
    tie('expression').map((one) => `!(${one})`),
  ),
})).expression;

const messages = some({ message: fc.constant('no'), messageExpression: pick("'team ' + object.metadata.labels.team") });

const validations = fc.array(
  fc.tuple(expression, messages).map(([text, rest]) => ({ expression: text, ...rest })),
  { minLength: 1, maxLength: 2 },
);

const VARIABLES = [{ name: 'team', expression: 'object.metadata.labels.team' }];

const objectSelector = pick<object>(
  {},
  {},
  { objectSelector: { matchLabels: { team: 'a' } } },
  { objectSelector: { matchLabels: { app: 'web' } } },
);

function placed(list: readonly { readonly expression: string }[], podSpec: string): readonly object[] {
  return list.map((each) => ({ ...each, expression: each.expression.replaceAll('PODSPEC', podSpec) }));
}

const matchConditions = fc.option(
  expression.map((text) => [
    { name: 'c', expression: text.replaceAll('variables.team', 'object.metadata.labels.team') },
  ]),
  { nil: [], freq: 3 },
);

const RULES = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };

const kyvernoCel = fc.tuple(validations, matchConditions, objectSelector).map(([list, when, selector]) => ({
  apiVersion: 'policies.kyverno.io/v1',
  kind: 'ValidatingPolicy',
  metadata: { name: 'p' },
  spec: {
    matchConstraints: { resourceRules: [RULES], ...selector },
    matchConditions: placed(when, 'object.spec'),
    variables: VARIABLES,
    validations: placed(list, 'object.spec'),
  },
}));

const admission = fc
  .tuple(pick('Pod', 'Deployment'), validations, matchConditions, objectSelector)
  .map(([kind, list, when, selector]) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: {
      matchConstraints: {
        resourceRules: [kind === 'Pod' ? RULES : { ...RULES, apiGroups: ['apps'], resources: ['deployments'] }],
        ...selector,
      },
      matchConditions: placed(when, kind === 'Pod' ? 'object.spec' : 'object.spec.template.spec'),
      variables: VARIABLES,
      validations: placed(list, kind === 'Pod' ? 'object.spec' : 'object.spec.template.spec'),
    },
  }));

const namespace = fc
  .record({
    'pod-security.kubernetes.io/enforce': pick('privileged', 'baseline', 'restricted'),
    'pod-security.kubernetes.io/warn': pick('baseline', 'restricted'),
    'pod-security.kubernetes.io/audit': pick('baseline', 'privileged'),
    tier: pick('web', 'db'),
  })
  .map((labels) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } }));

const ARBITRARIES: Readonly<Record<Language, fc.Arbitrary<object>>> = {
  CEL: admission,
  Kyverno: classic,
  'Kyverno CEL': kyvernoCel,
  'Pod Security': namespace,
};

export const LANGUAGES = Object.keys(ARBITRARIES) as readonly Language[];

export function openSamples(language: Language, tried = 6): fc.Arbitrary<OpenSample> {
  const policies = (
    language === 'Pod Security' ? [namespace] : [fc.constant(SHOP), ARBITRARIES[language]]
  ) as fc.Arbitrary<object>[];
  return fc.record({
    kind: pick<OpenSample['kind']>('Pod', 'Deployment'),
    policies: fc.tuple(...policies),
    values,
    open: fc.uniqueArray(pick(...NAMES), { minLength: 1, maxLength: 3 }),
    tried: fc.array(values, { minLength: tried, maxLength: tried }),
  });
}

const SHOP = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { tier: 'web' } } };

/** The answers of every rule that answers at least once, with the fields open and with each of the tried values. */
export function openAnswers(
  language: Language,
  { kind, policies, values: given, open, tried }: OpenSample,
): readonly OpenAnswer[] {
  const resources = policies
    .flatMap(bound)
    .flatMap((each) => resourcesIn(new SourceFile('policies.yaml', JSON.stringify(each))));
  const evaluator = testEvaluator({ policies: resources, resources: [], kubernetesVersion: '1.36' });
  const answers = (values: Values, isEncrypted: boolean): Answers | undefined => {
    const [resource] = resourcesIn(new SourceFile('object.yaml', manifest(kind, values, isEncrypted)));
    if (resource === undefined) return undefined;
    const { evaluated } = evaluator.evaluate({ operation: 'CREATE', resource });
    return evaluated && ruleAnswers(language, evaluated.outcomes);
  };
  const encrypted = Object.fromEntries(open.map((name) => [name, ENCRYPTED]));
  const unknown = answers({ ...given, ...encrypted }, true);
  if (unknown === undefined) throw new Error('the object with open fields was not evaluated');
  const fillings = tried.flatMap((each) => {
    const filled = answers({ ...given, ...Object.fromEntries(open.map((name) => [name, each[name]])) }, false);
    return filled === undefined ? [] : [filled];
  });
  const rules = new Set([...namedRules(language, policies), ...[unknown, ...fillings].flatMap((each) => each.rules)]);
  return [...rules].map((rule) => ({
    language,
    rule,
    policy: policies.at(-1),
    open: unknown.of(rule).answer,
    missing: unknown.of(rule).missing,
    // The server gives no warnings for a request that it denies.
    tried: fillings.map((each) =>
      rule === 'Warn' && each.of('Deny').answer === 'fail' ? unknown.of(rule).answer : each.of(rule).answer,
    ),
  }));
}

function bound(policy: object): readonly object[] {
  if ((policy as { kind?: string }).kind !== 'ValidatingAdmissionPolicy') return [policy];
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'p' },
    spec: { policyName: 'p', validationActions: ['Deny'] },
  };
  return [policy, binding];
}

interface Answers {
  readonly rules: readonly string[];
  of(rule: string): Given;
}

interface Given {
  readonly answer: RuleAnswer;
  readonly missing: readonly string[];
}

const RANK: Readonly<Record<RuleAnswer, number>> = { admit: 0, unknown: 1, error: 2, fail: 3 };

function ruleAnswers(language: Language, outcomes: readonly AdmissionOutcome[]): Answers {
  const answers = new Map<string, Given>();
  const questions = outcomes.flatMap(({ open = [] }) => open);
  for (const evaluation of outcomes.flatMap(({ evaluations }) => evaluations)) {
    const { result, action } = evaluation;
    if (action !== 'deny') continue;
    const answer = language === 'Kyverno CEL' && result === 'error' ? 'fail' : result;
    for (const rule of ruleNames(language, evaluation)) {
      const known = answers.get(rule)?.answer ?? 'admit';
      if (RANK[answer] > RANK[known]) answers.set(rule, { answer, missing: evaluation.missing });
    }
  }
  const missing = questions.map(({ sentence }) => sentence);
  const otherwise: Given = { answer: questions.length === 0 ? 'admit' : 'unknown', missing };
  return { rules: [...answers.keys()], of: (rule) => answers.get(rule) ?? otherwise };
}

/** Rules that always admit give no evaluation. */
function namedRules(language: Language, policies: readonly object[]): readonly string[] {
  const { spec = {} } = policies.at(-1) as { spec?: { rules?: readonly object[]; validations?: readonly object[] } };
  switch (language) {
    case 'Kyverno':
      return (spec.rules ?? []).map((_, index) => `spec/rules/${index}`);
    case 'CEL':
      return (spec.validations ?? []).map((_, index) => `spec/validations/${index}`);
    case 'Kyverno CEL':
      return ['policy'];
    case 'Pod Security':
      return ['Deny', 'Warn', 'Audit'];
    default:
      return language satisfies never;
  }
}

/** Pod Security: the mode. A Kyverno policy of CEL expressions gives one answer. */
function ruleNames(language: Language, { rule, validationActions }: Evaluation): readonly string[] {
  if (language === 'Pod Security') return validationActions;
  if (language === 'Kyverno CEL') return ['policy'];
  return [rule.slice(0, 3).join('/')];
}
