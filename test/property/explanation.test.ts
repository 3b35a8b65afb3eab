// What `why` tells of an object is what a check says of it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkState } from '../../src/pipeline/check-state.ts';
import { explainObject } from '../../src/pipeline/explain-object.ts';
import type { ExplainedStep } from '../../src/report/explanation.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { SourceFile } from '../../src/source/source-file.ts';
import { admissionObjects } from '../support/admission-objects.ts';
import { tries } from '../support/tries.ts';

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

it('a policy fails in an explanation exactly where it fails in a check', () => {
  fc.assert(
    fc.property(admissionObjects, gadget, (given, { namespace, version, labels, replicas }) => {
      const object = {
        apiVersion: `example.com/${version}`,
        kind: 'Gadget',
        metadata: { name: 'web', namespace, labels },
        spec: { replicas },
      };
      const files = [...given, object].map((each, index) => new SourceFile(`${index}.json`, JSON.stringify(each)));
      const input = {
        files: files.map((file) => ({ file, selected: true })),
        paths: new Set(files.map(({ path }) => path)),
        notRead: [],
        configuration: defaultConfiguration(),
      };
      const report = checkState(input);
      const outcome = explainObject({ ...input, object: { kind: 'gadget', namespace, name: 'web' } });
      if (!('explanation' in outcome)) throw new Error('the object is not found');
      const [explained] = outcome.explanation.objects;
      const findings = report.findings.filter(({ resource }) => resource.name === 'web');
      const said = (name: string): ReadonlySet<string> =>
        new Set(findings.filter(({ policy }) => policy.name === name).map(({ result }) => RESULTS[result]));
      for (const { name, result, steps } of explained?.policies ?? []) {
        const told = leaves(steps).filter((step) => step.result !== 'passes' && step.result !== 'stops');
        const counted = told.filter(({ says }) => !says.includes('failurePolicy Ignore'));
        expect(new Set(counted.map((step) => step.result)), name).toEqual(said(name));
        const summary = report.targets[0]?.policies.find((policy) => policy.name === name);
        if (result === 'fails' || result === 'passes') expect(summary?.matched, name).toBeGreaterThan(0);
      }
    }),
    tries(150, 6),
  );
});
