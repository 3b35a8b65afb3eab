// Reinvocation: the rules of apiserver's `mutating/reinvocationcontext.go` and `mutating/dispatcher.go`, one case each.
import { describe, expect, it } from 'vitest';
import { answer, mutateOnce, type WrittenPolicy, type WrittenRequest } from './mutate.ts';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, labels: {tier: web}}
spec: {replicas: 1}`;
const MORE = 'Object{spec: Object.spec{replicas: object.spec.replicas + 1}}';
const SEES = '[JSONPatch{op: "add", path: "/metadata/labels/seen", value: object.metadata.labels["env"]}]';
const ENV = label('env', 'test');

function label(name: string, value: string): string {
  return `Object{metadata: Object.metadata{labels: {"${name}": "${value}"}}}`;
}

function never(mutation: string, more: Partial<WrittenPolicy> = {}): WrittenPolicy {
  return { mutations: [mutation], reinvocationPolicy: 'Never', ...more };
}

function ifNeeded(mutation: string, more: Partial<WrittenPolicy> = {}): WrittenPolicy {
  return { mutations: [mutation], reinvocationPolicy: 'IfNeeded', ...more };
}

/** Policies in name order, as `1 p, 2 p` for the passes in which they changed something. */
function changers(policies: WrittenRequest['policies'], more: Partial<WrittenRequest> = {}): string {
  const { changes } = mutateOnce({ policies, object: DEPLOYMENT, ...more });
  return changes.map(({ pass, policy }) => `${pass} ${policy.name}`).join(', ');
}

function labelsAfter(policies: WrittenRequest['policies']): unknown {
  const result = answer({ policies, object: DEPLOYMENT });
  return 'object' in result ? (result.object as { metadata: { labels: unknown } }).metadata.labels : result;
}

describe('in the second pass', () => {
  it('policies that request it run again, even if no other policy ran after them', () => {
    expect(changers({ p: ifNeeded(MORE) })).toBe('1 p, 2 p');
    expect(changers({ p: ifNeeded(MORE), q: ifNeeded(ENV) })).toBe('1 p, 1 q, 2 p');
    expect(changers({ p: never(ENV), q: ifNeeded(MORE) })).toBe('1 p, 1 q, 2 q');
  });

  it('policies that do not request it do not run', () => {
    expect(changers({ p: never(MORE), q: never(MORE) })).toBe('1 p, 1 q');
    expect(changers({ p: never(MORE), q: ifNeeded(MORE), r: never(ENV) })).toBe('1 p, 1 q, 1 r, 2 q');
  });

  it('a policy that changed nothing in the first pass runs and sees later changes', () => {
    const test =
      '[JSONPatch{op: "test", path: "/metadata/labels/env", value: "test"}, JSONPatch{op: "add", path: "/metadata/labels/seen", value: "yes"}]';
    expect(changers({ p: ifNeeded(test), q: never(ENV) })).toBe('1 q, 2 p');
  });

  it('a policy whose failure was ignored in the first pass runs', () => {
    const policies = { p: ifNeeded(SEES, { failurePolicy: 'Ignore' }), q: never(ENV) };
    expect(labelsAfter(policies)).toEqual({ tier: 'web', env: 'test', seen: 'test' });
  });

  it('no policy runs if the first pass rejects the object', () => {
    expect(changers({ p: ifNeeded(MORE), q: never(SEES) })).toBe('');
    expect(answer({ policies: { p: never(SEES), q: ifNeeded(ENV) }, object: DEPLOYMENT })).toMatchObject({ code: 403 });
  });

  it.each([
    ['a condition', { matchConditions: { first: '!("env" in object.metadata.labels)' } }],
    ['a selector', { objectSelector: { tier: 'web' } }],
  ])('a policy does not run if %s no longer matches', (_, only) => {
    const setter = never('Object{metadata: Object.metadata{labels: {"env": "test", "tier": "db"}}}');
    expect(changers({ p: ifNeeded(MORE, only), q: setter })).toBe('1 p, 1 q');
  });

  it.each([
    ['a condition', { matchConditions: { later: '"env" in object.metadata.labels' } }],
    ['a selector', { objectSelector: { env: 'test' } }],
  ])('a policy does not run if %s excluded it from the first pass', (_, only) => {
    expect(changers({ p: ifNeeded(MORE, only), q: ifNeeded(ENV) })).toBe('1 q');
  });

  it('conditions are evaluated again even for policies that run once', () => {
    const fails = '!("env" in object.metadata.labels) || object.metadata.labels["none"] == ""';
    const policies = { p: never(MORE, { matchConditions: { fails } }), q: never(ENV) };
    const message = `policy 'p' with binding 'b' denied request: expression '${fails}' resulted in error: no such key: none`;
    expect(answer({ policies, object: DEPLOYMENT })).toEqual({ code: 403, reason: 'Invalid', message });
  });

  it('each binding and param is evaluated again separately', () => {
    const names = ['c1', 'c2'];
    const cluster = names
      .map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\n`)
      .join('---\n');
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const paramRef = { selector: {}, parameterNotFoundAction: 'Deny' };
    const first = ifNeeded(
      'object.spec.replicas == 1 && params.metadata.name == "c1" ? [JSONPatch{op: "replace", path: "/spec/replicas", value: 2}] : []',
      {
        matchConditions: { one: 'object.spec.replicas == 1 || params.metadata.name == "c2"' },
        paramKind,
        bindings: { b: { paramRef } },
      },
    );
    const each = ifNeeded(MORE, { paramKind, bindings: { b: { paramRef }, c: {} } });
    expect(changers({ p: each }, { cluster })).toBe('1 p, 1 p, 1 p, 2 p, 2 p, 2 p');
    expect(changers({ p: first }, { cluster })).toBe('1 p');
  });
});

describe('an order that rejects the request', () => {
  const told = (policies: WrittenRequest['policies'], object = DEPLOYMENT) => {
    const { remarks } = mutateOnce({ policies, object });
    return remarks.map(({ code, message, help }) => [code, message, help]);
  };
  const MESSAGE = 'the result of `a` and `b` depends on their order, which the API server does not define';

  it('is reported for name order', () => {
    const help = 'Deployment default/shop is rejected in name order and accepted in reverse order';
    expect(told({ a: never(SEES), b: never(ENV) })).toEqual([['order-dependent-mutation', MESSAGE, help]]);
    const condition = never(MORE, { matchConditions: { env: 'object.metadata.labels["env"] == "test"' } });
    expect(told({ a: condition, b: never(ENV) })).toEqual([['order-dependent-mutation', MESSAGE, help]]);
  });

  it('is reported for reverse order', () => {
    const help = 'Deployment default/shop is accepted in name order and rejected in reverse order';
    expect(told({ a: never(ENV), b: never(SEES) })).toEqual([['order-dependent-mutation', MESSAGE, help]]);
  });

  it('is reported if a server error stops the other policies', () => {
    const field = 'has(object.metadata.labels.env) ? "paused" : "nope"';
    const fault = `[JSONPatch{op: "add", path: "/spec/" + (${field}), value: true}]`;
    const help = 'Deployment default/shop is rejected in name order and accepted in reverse order';
    expect(told({ a: never(fault), b: never(ENV) })).toEqual([['order-dependent-mutation', MESSAGE, help]]);
  });

  it('is not reported if both orders reject', () => {
    expect(told({ a: never(SEES), b: never(MORE) })).toEqual([]);
    expect(told({ a: never('[JSONPatch{op: "add", path: "/spec/nope", value: 1}]'), b: never(ENV) })).toEqual([]);
    expect(told({ a: never(SEES), b: never(label('other', 'x')) })).toEqual([]);
  });

  it('is not reported if the reverse order exceeds the work limit', () => {
    const grown = 'object.metadata.annotations.transformMapEntry(k, v, {k + "x": v, k + "y": v})';
    const double = `object.metadata.labels[?"env"].orValue("") == "" ? [] : [JSONPatch{op: "add", path: "/metadata/annotations", value: ${grown}}]`;
    const object = DEPLOYMENT.replace('labels:', 'annotations: {a: x}, labels:');
    const endless = { mutations: Array.from({ length: 40 }, () => double), reinvocationPolicy: 'Never' as const };
    expect(told({ a: endless, b: never(ENV) }, object)).toEqual([]);
  });
});
