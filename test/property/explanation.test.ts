// The results of `why` for an object match those of a check.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkState } from '../../src/pipeline/check-state.ts';
import { explainObject } from '../../src/pipeline/explain-object.ts';
import type { ExplainedStep } from '../../src/report/explanation/explanation.ts';
import type { Finding } from '../../src/report/report.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { admissionObjects, everything } from '../support/admission-objects.ts';
import type { Json } from '../support/review.ts';
import { IS_THOROUGH, tries } from '../support/tries.ts';

const gadget = fc.record({
  namespace: fc.constantFrom('shop', 'other'),
  version: fc.constantFrom('v1', 'v1beta1'),
  labels: fc.constantFrom({}, { env: 'prod' }, { env: 'test' }),
  replicas: fc.constantFrom(undefined, 1, 5),
});

const RESULTS = { fail: 'fails', error: 'error', unknown: 'unknown' } as const;

function leaves(steps: readonly ExplainedStep[]): readonly ExplainedStep[] {
  return steps.flatMap((step) => (step.steps === undefined ? [step] : leaves(step.steps)));
}

/** A mutating policy that changes the input of validating policies, or fails. */
const mutating = fc.record({
  failurePolicy: fc.constantFrom('Fail', 'Ignore'),
  condition: fc.constantFrom(undefined, 'true', 'false', 'object.spec.replicas > 1', 'object.nothing'),
  expression: fc.constantFrom(
    'Object{spec: Object.spec{replicas: 9}}',
    "Object{metadata: Object.metadata{labels: {'env': 'prod'}}}",
    'Object{spec: Object.spec{replicas: object.nothing}}',
  ),
});

const classic = fc.record({
  kinds: fc.constantFrom(['Gadget'], ['ConfigMap'], ['*']),
  namespaces: fc.constantFrom(undefined, ['shop']),
  action: fc.constantFrom('Enforce', 'Audit'),
  precondition: fc.constantFrom(undefined, '1', '5'),
  validate: fc.constantFrom(
    { message: 'few', pattern: { spec: { replicas: '<=3' } } },
    { message: 'env', pattern: { metadata: { labels: { env: '?*' } } } },
    { message: 'cel', cel: { expressions: [{ expression: 'object.spec.replicas <= 3' }] } },
    { message: 'no', deny: {} },
  ),
});

type Made<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

function mutatingObjects(
  { failurePolicy, condition, expression }: Made<typeof mutating>,
  index: number,
): readonly Json[] {
  const name = `mutating-${index}`;
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy,
        reinvocationPolicy: 'Never',
        matchConstraints: { resourceRules: [everything] },
        ...(condition !== undefined && { matchConditions: [{ name: 'c', expression: condition }] }),
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name },
    },
  ];
}

function classicObject(
  { kinds, namespaces, action, precondition, validate }: Made<typeof classic>,
  index: number,
): Json {
  const conditions = {
    all: [{ key: '{{ request.object.spec.replicas || `0` }}', operator: 'Equals', value: precondition }],
  };
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: `classic-${index}` },
    spec: {
      background: false,
      rules: [
        {
          name: 'rule',
          match: { any: [{ resources: { kinds, ...(namespaces && { namespaces }) } }] },
          ...(precondition !== undefined && { preconditions: conditions }),
          validate: { failureAction: action, ...validate },
        },
      ],
    },
  };
}

/** Policies of every language. */
const others = fc
  .tuple(fc.array(mutating, { maxLength: 1 }), fc.array(classic, { minLength: 1, maxLength: 2 }))
  .map(([mutations, rules]) => [...mutations.flatMap(mutatingObjects), ...rules.map(classicObject)]);

/** The numbers of `preadmit policies`, computed from the findings alone. */
function counted(findings: readonly Finding[], name: string, action: string): number {
  return findings.filter(
    ({ policy, actions, result }) =>
      policy.name === name && result !== 'unknown' && actions.some((each) => each === action),
  ).length;
}

it('a policy fails in an explanation if and only if it fails in a check', () => {
  let pairs = 0;
  fc.assert(
    fc.property(admissionObjects, others, gadget, (given, more, { namespace, version, labels, replicas }) => {
      const object = {
        apiVersion: `example.com/${version}`,
        kind: 'Gadget',
        metadata: { name: 'web', namespace, labels },
        spec: { replicas },
      };
      const files = [...given, ...more, object].map(
        (each, index) => new SourceFile(`${index}.json`, JSON.stringify(each)),
      );
      const input = {
        files: files.map((file) => ({ file, selected: true })),
        paths: new Set(files.map(({ path }) => path)),
        notRead: [],
        configuration: defaultConfiguration(),
      };
      const report = checkState({ ...input, describesPolicies: true });
      const outcome = explainObject({ ...input, object: { kind: 'gadget', namespace, name: 'web' } });
      if (!('explanation' in outcome)) throw new Error('the object is not found');
      const [explained] = outcome.explanation.objects;
      const findings = report.findings.filter(({ resource }) => resource.name === 'web');
      const said = (name: string): ReadonlySet<string> =>
        new Set(findings.filter(({ policy }) => policy.name === name).map(({ result }) => RESULTS[result]));
      for (const { name, result, steps } of explained?.policies ?? []) {
        const told = leaves(steps).filter((step) => step.result !== 'passes' && step.result !== 'stops');
        const counted = told.filter(({ says }) => !says.includes('failurePolicy is Ignore'));
        const results = new Set(counted.map((step) => step.result));
        // Missing params are reported once for the policy, not for each object.
        const sentences = (report.targets[0]?.unknowns ?? []).join(' ');
        if (!said(name).has('unknown') && sentences.includes(`${name} with binding`)) results.delete('unknown');
        expect(results, name).toEqual(said(name));
        const summary = report.targets[0]?.policies.find((policy) => policy.name === name);
        // Kyverno counts requests that match a rule, except those that its preconditions skip.
        const isAsked = result === 'fails' || (result === 'passes' && !name.startsWith('classic'));
        if (isAsked) expect(summary?.matched, name).toBeGreaterThan(0);
        pairs += 1;
      }
      for (const { name, denied, warned, audited } of report.targets[0]?.policies ?? []) {
        const tally = ['Deny', 'Warn', 'Audit'].map((action) => counted(report.findings, name, action));
        expect([denied, warned, audited], name).toEqual(tally);
      }
    }),
    IS_THOROUGH ? tries(280, 6) : tries(25, 6),
  );
  // Pairs of a policy and an object: over a thousand in a full run.
  expect(pairs).toBeGreaterThan(IS_THOROUGH ? 1000 : 80);
});
