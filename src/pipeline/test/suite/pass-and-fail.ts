// Runs folders `pass/` and `fail/` beside policies: creating an object in them must pass all policies, or fail one.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { PolicyTest, TestDifference } from '../../../report/explanation/policy-test.ts';
import { failureLine, type SuiteTester } from './suite-tester.ts';

/** `tester` must read from the folder of the policies. */
export function runPassAndFail(tester: SuiteTester, folder: 'pass' | 'fail'): readonly PolicyTest[] {
  const policies = tester.beside();
  return tester.objects([folder]).found.flatMap((resource) => {
    const name = `${resource.gvk.kind}${resource.namespace === '' ? '' : `/${resource.namespace}`}/${resource.name}`;
    const place = tester.place(resource.manifest, [...resource.rootPath, 'kind']);
    return tester.test(name, place, () => differences(tester, policies, resource, folder));
  });
}

function differences(
  tester: SuiteTester,
  policies: readonly Resource[],
  resource: Resource,
  folder: 'pass' | 'fail',
): readonly TestDifference[] {
  const { failures, undecided, refused } = tester.judge({
    policies,
    resources: [],
    change: { operation: 'CREATE', resource },
  });
  if (refused !== undefined) return [{ message: 'the API server refuses the object itself', actual: refused }];
  const unsure = undecided.map((each) => ({ message: 'undecided', actual: failureLine(each), policy: each.policy }));
  if (unsure.length > 0) return unsure;
  if (folder === 'fail') return failures.length > 0 ? [] : [{ message: 'no policy fails on the object' }];
  return failures.map((failure) => ({
    message: 'a policy fails on the object',
    actual: failureLine(failure),
    policy: failure.policy,
  }));
}
