// The parts of owners: each finding is in the part of some owner, whatever texts name the owners.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOwnedBy, ownersIn } from '../../../../src/report/owner/owner-part.ts';
import { auditReport, finding } from '../../../support/audit-days.ts';
import { hostileText } from '../../../support/hostile-text.ts';

const names = fc.array(
  fc.oneof(fc.constantFrom('none', 'None', '@none', '@acme/shop', '@Acme/Shop', 'acme/shop', '@'), hostileText),
  { maxLength: 3 },
);

test('each finding is in the part of an owner', () => {
  fc.assert(
    fc.property(fc.array(names, { minLength: 1, maxLength: 5 }), (lists) => {
      const findings = lists.map((owners, index) => ({
        ...finding({ object: `web-${index}` }),
        ...(owners.length > 0 && { owners }),
      }));
      const owners = ownersIn(auditReport(findings));
      expect(findings.filter((each) => !owners.some((owner) => isOwnedBy(each, owner)))).toEqual([]);
      expect(new Set(owners).size).toBe(owners.length);
    }),
  );
});

test('an object that names the owner `none` has no owner', () => {
  const unowned = { ...finding({ object: 'web' }), owners: ['None'] };
  const user = { ...finding({ object: 'cart' }), owners: ['@none'] };
  expect(ownersIn(auditReport([unowned, user]))).toEqual(['@none', 'none']);
  expect([unowned, user].map((each) => [isOwnedBy(each, 'none'), isOwnedBy(each, '@none')])).toEqual([
    [true, false],
    [false, true],
  ]);
});
