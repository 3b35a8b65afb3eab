// Tests that policies of other languages are reported by name unless a language accepts them.
import { expect, it } from 'vitest';
import { unevaluatedPolicies } from '../../../src/engine/unknown/other-policies.ts';
import { LANGUAGES } from '../../../src/pipeline/state/languages.ts';
import { resourcesIn } from '../../support/validating-policy.ts';

const KYVERNO: Readonly<Record<string, readonly string[]>> = {
  'kyverno.io/v1': ['ClusterPolicy', 'Policy'],
  'kyverno.io/v2': ['PolicyException', 'CleanupPolicy', 'ClusterCleanupPolicy'],
  'kyverno.io/v2beta1': ['GlobalContextEntry'],
  'policies.kyverno.io/v1': [
    ...['ValidatingPolicy', 'MutatingPolicy', 'GeneratingPolicy', 'DeletingPolicy', 'ImageValidatingPolicy'],
    ...['NamespacedValidatingPolicy', 'NamespacedMutatingPolicy', 'NamespacedGeneratingPolicy'],
    ...['NamespacedDeletingPolicy', 'NamespacedImageValidatingPolicy', 'PolicyException'],
  ],
};

const all = Object.entries(KYVERNO).flatMap(([apiVersion, kinds]) =>
  kinds.flatMap((kind) => resourcesIn(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\nspec: {}\n`)),
);
const [language] = LANGUAGES;
if (language === undefined) throw new Error('no language');

it('reports every Kyverno kind by name', () => {
  expect(all).toHaveLength(17);
  const told = unevaluatedPolicies(all, [{ ...language, accepts: () => false }]);
  expect(told).toHaveLength(17);
  for (const { gvk } of all) {
    expect(told).toContainEqual(expect.stringMatching(`^1 ${gvk.kind} \\(${gvk.group.replaceAll('.', '\\.')}\\) not`));
  }
});

it('does not report kinds that a language accepts', () => {
  const kyverno = { ...language, accepts: ({ gvk }: (typeof all)[number]) => gvk.group === 'kyverno.io' };
  const told = unevaluatedPolicies(all, [kyverno]);
  expect(told).toHaveLength(11);
  expect(told.join('\n')).not.toContain('(kyverno.io)');
});
