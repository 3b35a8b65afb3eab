// `preadmit cel` in the terminal: bindings, expressions of a policy by name, values as JSON and YAML, interactive sessions.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PromptOptions } from '../src/door/cli/terminal.ts';
import { runPrinted } from './support/printed.ts';

const DEPLOYMENT = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {team: commerce}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
`;

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [deployments]}]
  matchConditions:
    - name: not-system
      expression: object.metadata.namespace != 'kube-system'
  variables:
    - {name: limit, expression: int(params.data.limit)}
    - {name: broken, expression: object.spec.nothing}
  validations:
    - expression: object.spec.replicas <= variables.limit
      messageExpression: "'at most ' + string(variables.limit)"
    - expression: variables.broken > 1
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-cel-'));
  const files = {
    'web.yaml': DEPLOYMENT(12),
    'old.yaml': DEPLOYMENT(3),
    'limit.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limit}\ndata: {limit: "6"}\n',
    'shop.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {stage: production}}\n',
    'policy.yaml': POLICY,
    'two.yaml': `${POLICY}---\n${POLICY.replace('name: limit}\nspec', 'name: other}\nspec')}`,
    'broken.yaml': 'a: [',
    'plain.json': '{"answer": 42}',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

function cel(args: readonly string[], lines: readonly string[] = [], seen?: (prompt: PromptOptions) => void) {
  const prompt = (options: PromptOptions) => {
    seen?.(options);
    return Readable.from(lines);
  };
  return runPrinted(folder, ['cel', ...args], { input: lines.join('\n'), ...(seen && { prompt }) });
}

const value = async (...args: readonly string[]) => (await cel([...args, '--format', 'json'])).out.trim();

describe('bindings', () => {
  it.each([
    [['request.operation', '--object', 'web.yaml'], '"CREATE"'],
    [['request.operation', '--object', 'web.yaml', '--old-object', 'old.yaml'], '"UPDATE"'],
    [['request.operation', '--old-object', 'old.yaml'], '"DELETE"'],
    [['object == null', '--old-object', 'old.yaml'], 'true'],
    [['object.spec.replicas - oldObject.spec.replicas', '--object', 'web.yaml', '--old-object', 'old.yaml'], '9'],
    [['int(params.data.limit)', '--params', 'limit.yaml'], '6'],
    [['namespaceObject.metadata.labels.stage', '--namespace', 'shop.yaml'], '"production"'],
    [["namespaceObject.metadata.labels['kubernetes.io/metadata.name']", '--namespace', 'shop'], '"shop"'],
    [['namespaceObject == null', '--object', 'web.yaml'], 'true'],
    [['request.userInfo.username', '--object', 'web.yaml', '--user', 'ann'], '"ann"'],
    [
      ['request.userInfo.groups', '--object', 'web.yaml', '--user', 'system:serviceaccount:a:b'],
      '[\n  "system:serviceaccounts",\n  "system:serviceaccounts:a",\n  "system:authenticated"\n]',
    ],
    [
      ['request.userInfo', '--object', 'web.yaml', '--user', '{"username": "ann", "groups": []}'],
      '{\n  "username": "ann"\n}',
    ],
    [['object.answer', '--object', 'plain.json'], '42'],
  ])('%j', async (args, expected) => {
    expect(await value(...args)).toBe(expected);
  });

  it.each([
    [['1', '--policy', 'web.yaml'], '`web.yaml` contains no admission policy'],
    [
      ['1', '--policy', 'two.yaml'],
      '`two.yaml` contains 2 policies: name one of `limit`, `other`: `--policy two.yaml#<name>`',
    ],
    [['1', '--policy', 'two.yaml#othre'], '`two.yaml` contains no unique policy `othre`: did you mean `other`?'],
    [['1', '--namespace', 'web.yaml'], '`web.yaml` contains no Namespace'],
    [['1', '--object', 'broken.yaml'], 'broken.yaml:1: '],
    [['1', '--user', '{"name": "ann"}'], '`--user` is invalid'],
    [[], 'expected one expression'],
    [['1', '--repl'], 'expected one expression'],
  ])('%j is rejected', async (args, problem) => {
    expect(await cel(args)).toEqual({ status: 2, out: '', err: expect.stringContaining(problem) });
  });
});

describe('a variable without a value', () => {
  const OBJECT = 'preadmit: `object` is null: name a manifest with `--object <file>`\n';
  const PARAMS = 'preadmit: `params` is null: name a manifest with `--params <file>`\n';

  it.each([
    [['object.spec.replicas > 1'], OBJECT],
    [['has(object.spec)', '--format', 'json'], OBJECT],
    [['request.name'], 'preadmit: there is no `request`: name a manifest with `--object <file>`\n'],
    [['params.data.limit', '--object', 'web.yaml'], PARAMS],
    [
      ['oldObject.spec', '--object', 'web.yaml'],
      'preadmit: `oldObject` is null: name a manifest with `--old-object <file>`\n',
    ],
    [['validations[0]', '--policy', 'policy.yaml'], `${OBJECT}${PARAMS}`],
    [['--policy', 'policy.yaml'], `${OBJECT}${PARAMS}`],
    [['oldObject == null', '--object', 'web.yaml'], ''],
    [['object.spec.nothing', '--object', 'web.yaml'], ''],
    [['1 + 1'], ''],
  ])('%j', async (args, remark) => {
    expect((await cel(args)).err).toBe(remark);
  });
});

describe('the expressions of a policy', () => {
  const SUBJECT = ['--policy', 'policy.yaml', '--object', 'web.yaml', '--params', 'limit.yaml'];

  it('are evaluated by name', async () => {
    expect(await value('validations[0]', ...SUBJECT)).toBe('false');
    expect(await value('validations[0].messageExpression', ...SUBJECT)).toBe('"at most 6"');
    expect(await value('matchConditions.not-system', ...SUBJECT)).toBe('true');
    expect(await value('variables.limit + 1', ...SUBJECT)).toBe('7');
    expect((await cel(['validations[0]', ...SUBJECT, '--explain'])).out).toContain(
      'object.spec.replicas  dyn  {"int":"12"}',
    );
  });

  it('are all listed without an expression, each with its error', async () => {
    expect(await cel(SUBJECT)).toEqual({
      status: 1,
      out: [
        'matchConditions.not-system        true',
        'variables.limit                   6',
        'variables.broken                  error: no such key: nothing',
        'validations[0]                    false',
        'validations[1]                    error: composited variable "broken" fails to evaluate: no such key: nothing',
        'validations[0].messageExpression  "at most 6"',
        '',
      ].join('\n'),
      err: '',
    });
    expect((await cel([...SUBJECT, '--format', 'yaml'])).out).toContain('variables.limit:\n  value: 6\n');
  });
});

describe('values', () => {
  it.each([
    [
      "[dyn(1), dyn(2u), dyn(1.5), dyn(b'a'), dyn(null), dyn(duration('90s')), dyn(timestamp('2026-01-02T03:04:05Z')), dyn(type(1)), dyn(optional.none())]",
      '- 1\n- 2\n- 1.5\n- YQ==\n- null\n- "1m30s"\n- "2026-01-02T03:04:05Z"\n- int\n- null\n',
    ],
    ["{dyn(1): dyn('a'), dyn('b'): dyn({'c': [true]})}", '"1": a\nb:\n  c:\n  - true\n'],
    ["quantity('12Mi')", '"12Mi"\n'],
    ['9223372036854775807', '9223372036854775807\n'],
  ])('%s is written as YAML', async (expression, yaml) => {
    expect(await cel([expression, '--format', 'yaml'])).toEqual({ status: 0, out: yaml, err: '' });
  });

  it('are the only text on standard output', async () => {
    expect(await cel(['1 +', '--format', 'json'])).toEqual({
      status: 1,
      out: '',
      err: expect.stringContaining('Syntax error'),
    });
  });
});

describe('an interactive session', () => {
  it('continues after errors, and ends with :quit', async () => {
    const lines = ['1 + 1', 'object.metadata.name.startWith("w")', ':names', ':what', ':quit', '3'];
    const { status, out } = await cel(
      ['--repl', '--policy', 'policy.yaml', '--object', 'web.yaml', '--format', 'yaml'],
      lines,
    );
    expect(status).toBe(0);
    expect(out).toMatch(
      /^2\nERROR: .*help: did you mean `startsWith`\?\nmatchConditions\.not-system {2}object.*unknown `:what`/s,
    );
    expect(out).not.toContain('\n3\n');
  });

  it('completes like editors, by the types of the object', async () => {
    let complete: PromptOptions['complete'] = () => [[], ''];
    const options = ['--repl', '--policy', 'policy.yaml', '--object', 'web.yaml'];
    const { out } = await cel(options, ['1'], (prompt) => {
      complete = prompt.complete;
    });
    expect(out).toContain('`:names` lists');
    expect(complete('object.spec.repl')).toEqual([['replicas'], 'repl']);
    expect(complete('object.spec.template.spec.containers.all(c, c.imageP')).toEqual([['imagePullPolicy'], 'imageP']);
    expect(complete('variables.li')[0]).toEqual(['limit']);
    expect(complete('object.metadata.name.starts')[0]).toEqual(['startsWith']);
    expect(complete('validations[')).toEqual([
      ['validations[0]', 'validations[1]', 'validations[0].messageExpression'],
      'validations[',
    ]);
    expect(complete(':q')[0]).toEqual([':quit']);
  });
});
