// Finds all objects that a target contains more than once, and no others.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Resource } from '../../../../src/kubernetes/api/resource.ts';
import { repeatedObjects } from '../../../../src/pipeline/clusters/repeated-objects.ts';

test('repeated objects have the same identity, in the order of first occurrence', () => {
  const name = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(undefined));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 60 }), fc.array(fc.nat(80)), (names, ofPolicies) => {
      const resources = names.map((number) => ({ number }) as unknown as Resource);
      const policies = [...new Set(ofPolicies)].flatMap((index) => resources[index] ?? []);
      const manifests = resources.filter((_, index) => index % 3 !== 0);
      const identityOf = (resource: Resource): string | undefined => {
        const { number } = resource as unknown as { readonly number: number | undefined };
        return number === undefined ? undefined : `apps\0Deployment\0default\0app-${number}`;
      };
      const expected = new Map<string, Resource[]>();
      for (const resource of new Set([...manifests, ...policies])) {
        const identity = identityOf(resource);
        if (identity !== undefined) expected.set(identity, [...(expected.get(identity) ?? []), resource]);
      }
      const repeated = [...expected].filter(([, same]) => same.length > 1);
      expect(repeatedObjects({ manifests, policies }, identityOf)).toEqual(repeated);
    }),
  );
});
