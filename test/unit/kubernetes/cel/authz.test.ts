import { describe, expect, it } from 'vitest';
import { DEFAULT_VERSION } from '../../../../src/kubernetes/api/version.ts';
import type { AccessAttributes, AuthorizationSource } from '../../../../src/kubernetes/cel/authorization-source.ts';
import { AuthorizerValue, ResourceCheckValue } from '../../../../src/kubernetes/cel/library/authz.ts';
import { evaluateKubernetes, type Outcome } from '../../../support/kubernetes-cel.ts';

const alice = { username: 'alice', uid: '7', groups: ['dev'], extra: new Map() };

/** Allows `get`, fails on `err`, and records its calls. */
class Recorder implements AuthorizationSource {
  readonly asked: AccessAttributes[] = [];

  check(attributes: AccessAttributes): ReturnType<AuthorizationSource['check']> {
    this.asked.push(attributes);
    if (attributes.verb === 'err') return { decision: 'noOpinion', reason: '', error: 'boom' };
    return { decision: attributes.verb === 'get' ? 'allow' : 'deny', reason: `no ${attributes.verb}` };
  }
}

function ask(text: string): { readonly outcome: Outcome; readonly asked: readonly AccessAttributes[] } {
  const source = new Recorder();
  const authorizer = new AuthorizerValue(source, alice);
  const fields = { group: 'apps', resource: 'deployments', subResource: '', namespace: 'n', name: 'x' };
  const requestResource = new ResourceCheckValue(authorizer, { ...fields, fieldSelector: '', labelSelector: '' });
  const outcome = evaluateKubernetes(text, DEFAULT_VERSION, [
    { name: 'authorizer', type: authorizer.type, value: authorizer },
    { name: 'authorizer.requestResource', type: requestResource.type, value: requestResource },
  ]);
  return { outcome, asked: source.asked };
}

describe('authorizer', () => {
  it.each([
    ["authorizer.group('').resource('pods').check('get').allowed()", true],
    ["authorizer.group('').resource('pods').check('create').allowed()", false],
    ["authorizer.path('/healthz').check('list').reason()", 'no list'],
    ["authorizer.path('/healthz').check('err').errored()", true],
    ["authorizer.path('/healthz').check('err').error()", 'boom'],
    ["authorizer.path('/healthz').check('get').error()", ''],
    ['authorizer != authorizer', true],
  ])('%s', (text, value) => {
    expect(ask(text).outcome.value).toBe(value);
  });

  it.each([
    ["authorizer.path(' ')", 'path must not be empty'],
    ["authorizer.group('').resource('\\t')", 'resource must not be empty'],
    ["authorizer.serviceAccount('ns', 'A')", 'Invalid service account name'],
    ["authorizer.serviceAccount('n.s', 'a')", 'Invalid service account namespace'],
    ['authorizer == authorizer', 'no such overload'],
    [
      "authorizer.group('').check('get')",
      "found no matching overload for 'check' applied to 'kubernetes.authorization.GroupCheck.(string)'",
    ],
    ['authorizer.foo', "unexpected failed resolution of 'kubernetes.authorization.Authorizer'"],
  ])('%s fails', (text, error) => {
    expect(ask(text).outcome.error).toBe(error);
  });

  it('passes all attributes of the builders to the authorizer', () => {
    const text =
      "authorizer.group('apps').resource('deployments').subresource('scale').namespace('n').name('x')" +
      ".fieldSelector('a=b').labelSelector('c in (e, d)').check('get').allowed()";
    expect(ask(text).asked).toEqual([
      {
        user: alice,
        verb: 'get',
        path: '',
        resource: {
          group: 'apps',
          resource: 'deployments',
          subResource: 'scale',
          namespace: 'n',
          name: 'x',
          fieldSelector: [{ key: 'a', operator: '=', values: ['b'] }],
          labelSelector: [{ key: 'c', operator: 'in', values: ['d', 'e'] }],
        },
      },
    ]);
  });

  it('ignores invalid selectors', () => {
    const text = "authorizer.group('').resource('pods').fieldSelector('x').labelSelector('!!').check('get').allowed()";
    const { asked } = ask(text);
    expect(asked[0]?.resource).toMatchObject({ fieldSelector: [], labelSelector: [] });
  });

  it('checks a service account with its groups', () => {
    expect(ask("authorizer.serviceAccount('ns', 'sa').path('/x').check('get').allowed()").asked[0]?.user).toEqual({
      username: 'system:serviceaccount:ns:sa',
      uid: '',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      extra: new Map(),
    });
  });

  it('provides the resource of the request', () => {
    expect(ask("authorizer.requestResource.check('get').allowed()").asked[0]?.resource?.resource).toBe('deployments');
  });
});
