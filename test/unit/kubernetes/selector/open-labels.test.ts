// Selectors and Namespaces whose labels are unknown: a decided answer holds for all labels that the cluster may have.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LabelSelector,
  type Labels,
  selectorMatches,
} from '../../../../src/kubernetes/selector/label-selector.ts';
import {
  METADATA_NAME_LABEL,
  type OpenNamespaceLabels,
  type OpenNamespaceReason,
  openLabelKeys,
} from '../../../../src/kubernetes/selector/open-labels.ts';

const key = fc.constantFrom('a', 'b', METADATA_NAME_LABEL);
const value = fc.constantFrom('x', 'y', 'shop');
const requirement = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: fc.array(value, { minLength: 1 }),
  }),
  fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const), values: fc.constant([]) }),
);
const selectors: fc.Arbitrary<LabelSelector> = fc.record({ requirements: fc.array(requirement, { maxLength: 3 }) });
const ownLabels = fc.dictionary(fc.constantFrom('a', 'b'), value);

const named = (labels: Readonly<Record<string, string>>, name: string): Labels =>
  new Map([...Object.entries(labels), [METADATA_NAME_LABEL, name]]);

const because = (reason: OpenNamespaceReason, ...valueless: readonly string[]): OpenNamespaceLabels => {
  return { reason, valueless: new Set(valueless) };
};

describe('open label keys', () => {
  it.each([
    ['undefined', {}, ['a']],
    ['claimed', {}, ['a']],
    ['claimed', { a: 'x' }, []],
    ['claimed', { a: 'y' }, ['a']],
    ['unnamed', {}, ['a']],
    [undefined, { a: 'y' }, []],
  ] as const)('of a Namespace that is %s with the labels %j', (reason, labels, expected) => {
    const selector: LabelSelector = { requirements: [{ key: 'a', operator: 'In', values: ['x'] }] };
    expect(openLabelKeys(selector, named(labels, 'shop'), reason && because(reason))).toEqual(expected);
  });

  it('are none only if no label of the cluster changes the answer', () => {
    const reasons = fc.constantFrom<OpenNamespaceReason>('undefined', 'claimed', 'unnamed');
    const uses = fc.constantFrom('match' as const, 'exclude' as const);
    fc.assert(
      fc.property(selectors, reasons, uses, ownLabels, ownLabels, value, (selector, reason, use, own, live, name) => {
        const written = reason === 'claimed' ? own : {};
        const known = named(written, 'shop');
        if (openLabelKeys(selector, known, because(reason), use).length > 0) return;
        const inCluster = named({ ...live, ...written }, reason === 'unnamed' ? name : 'shop');
        expect(selectorMatches(selector, inCluster)).toBe(selectorMatches(selector, known));
      }),
      { numRuns: 2000, seed: 7 },
    );
  });

  it('without a value are none only if no value changes the answer', () => {
    fc.assert(
      fc.property(selectors, ownLabels, fc.constantFrom('a', 'b'), value, value, (selector, own, open, one, other) => {
        const [known, changed] = [named({ ...own, [open]: one }, 'shop'), named({ ...own, [open]: other }, 'shop')];
        if (openLabelKeys(selector, known, because('valued', open)).length > 0) return;
        expect(selectorMatches(selector, changed)).toBe(selectorMatches(selector, known));
      }),
      { numRuns: 2000, seed: 7 },
    );
  });

  it('of a claimed Namespace never let its own labels take an object out of a rule', () => {
    fc.assert(
      fc.property(selectors, ownLabels, (selector, own) => {
        const [labels, bare] = [named(own, 'shop'), named({}, 'shop')];
        const isOutByName = selector.requirements.some(
          (each) => each.key === METADATA_NAME_LABEL && !selectorMatches({ requirements: [each] }, bare),
        );
        if (isOutByName) return;
        if (openLabelKeys(selector, labels, because('claimed')).length === 0)
          expect(selectorMatches(selector, labels)).toBe(true);
        const isByName = selector.requirements.every((each) => each.key === METADATA_NAME_LABEL);
        if (!isByName && openLabelKeys(selector, labels, because('claimed'), 'exclude').length === 0) {
          expect(selectorMatches(selector, labels)).toBe(false);
        }
      }),
      { numRuns: 2000, seed: 7 },
    );
  });
});
