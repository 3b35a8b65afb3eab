// The parts of the user that a query reads.
import { expect, it } from 'vitest';
import { readsOfUser } from '../../../../src/policy/kyverno/variables/user-reads.ts';

it.each([
  ['request.object.spec.serviceAccountName', []],
  ['serviceAccountName', ['user']],
  ["to_upper(serviceAccountNamespace || 'x')", ['user']],
  ['request.userInfo.username', ['user']],
  ['request.roles[0]', ['roles']],
  ["contains(request.clusterRoles, 'admin') && request.operation == 'CREATE'", ['clusterRoles']],
  ['request.object.metadata.labels.request', []],
  ['to_string(request)', ['user', 'roles', 'clusterRoles']],
  ['request."userInfo"', ['user', 'roles', 'clusterRoles']],
  ['element.requests.cpu', []],
  ['request.namespace', []],
])('%s reads %j', (query, expected) => {
  expect(readsOfUser(query)).toEqual(expected);
});
