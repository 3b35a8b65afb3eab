// Conversations with the language server about examples/shop: requests at a position, and their answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletionItem, Diagnostic, Location, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { ADDED_LABEL, broughtPolicy, SPOKEN_KINDS, type SpokenKind } from '../conformance/editor/brought-policy.ts';
import { edited, type LanguageClient, marked, startLanguageClient, textAt } from '../support/language-client.ts';

const RULES = 'policies/container-rules.yaml';
const LIMIT = 'policies/replica-limit.yaml';
const SPOKEN = SPOKEN_KINDS.find(({ kind }) => kind === 'ServiceAccount') as SpokenKind;
const SHOP = new URL('../../examples/shop', import.meta.url).pathname;

let client: LanguageClient;
beforeAll(async () => {
  client = await startLanguageClient(SHOP);
});
afterAll(async () => {
  expect(await client.stop()).toBe(0);
  expect(client.complaints).toEqual([]);
});

/** Opens a file with a replaced part that contains the mark, and sends the request for the mark. */
async function ask<T>(
  path: string,
  old: string,
  text: string,
  method: string,
  more: object = {},
): Promise<{ answer: T; text: string }> {
  const onDisk = await client.open(path);
  expect(onDisk.split(old).length, old).toBeGreaterThan(1);
  const { text: now, position } = marked(onDisk.replace(old, () => text));
  await client.change(path, now);
  const answer = await client.connection.sendRequest(`textDocument/${method}`, {
    textDocument: { uri: client.uri(path) },
    position,
    ...more,
  });
  await client.close(path);
  return { answer: answer as T, text: now };
}

describe('completion', () => {
  const EXPRESSION = 'object.spec.template.spec.containers';
  it.each<[what: string, path: string, old: string, text: string, has: string[], lacks: string[]]>([
    [
      'fields of the matched kinds',
      RULES,
      EXPRESSION,
      'object.¦',
      ['spec', 'metadata', 'status', 'apiVersion'],
      ['data', 'size', 'object'],
    ],
    [
      'fields of each matched kind',
      RULES,
      EXPRESSION,
      'object.spec.¦',
      ['replicas', 'serviceName', 'strategy'],
      ['containers'],
    ],
    ['half a name', RULES, EXPRESSION, 'object.spec.templ¦', ['template', 'replicas'], []],
    [
      'fields below',
      RULES,
      EXPRESSION,
      'object.spec.template.spec.¦',
      ['containers', 'hostNetwork', 'volumes'],
      ['replicas'],
    ],
    [
      'fields of an item by index',
      RULES,
      EXPRESSION,
      'object.spec.template.spec.containers[0].¦',
      ['image', 'resources'],
      ['containers'],
    ],
    [
      'methods of a list',
      RULES,
      EXPRESSION,
      'object.spec.template.spec.containers.¦',
      ['all', 'exists', 'filter', 'map', 'size'],
      ['image', 'startsWith'],
    ],
    [
      'methods of a string',
      RULES,
      EXPRESSION,
      'object.metadata.name.¦',
      ['startsWith', 'matches', 'lowerAscii', 'size'],
      ['all', 'image'],
    ],
    ['nothing for an untyped value', LIMIT, 'int(params.data.maxReplicas)', 'nothing.¦', [], ['spec', 'startsWith']],
    [
      'globals',
      RULES,
      EXPRESSION,
      '¦',
      ['object', 'oldObject', 'request', 'has', 'size', 'quantity', 'namespaceObject'],
      ['params', 'all'],
    ],
    ['params if the policy has them', LIMIT, 'int(params.data.maxReplicas)', 'par¦', ['params'], []],
    ['fields of params', LIMIT, 'int(params.data.maxReplicas)', 'params.¦', ['data', 'binaryData'], ['spec']],
    ['the request', RULES, EXPRESSION, 'request.¦', ['operation', 'userInfo', 'dryRun'], ['spec']],
    ['the user', RULES, EXPRESSION, 'request.userInfo.¦', ['username', 'groups'], ['operation']],
    ['only variables before', RULES, EXPRESSION, 'variables.¦', [], ['containers', 'untagged']],
    [
      'variables of a validation',
      RULES,
      'size(variables.untagged)',
      'size(variables.¦)',
      ['containers', 'untagged'],
      [],
    ],
    [
      'no variables in a match condition',
      RULES,
      '!has(object.metadata.labels) ||',
      'vari¦ ||',
      ['object'],
      ['variables'],
    ],
    ['an element in a macro', RULES, "!c.image.contains(':')", 'c.¦', ['image', 'name', 'resources'], ['spec']],
    [
      'an element in a broken expression',
      RULES,
      EXPRESSION,
      'object.spec.template.spec.containers.all(x, x.¦',
      ['image'],
      [],
    ],
    [
      'an element of an element',
      RULES,
      EXPRESSION,
      'object.spec.template.spec.containers.all(x, x.env.exists(e, e.¦))',
      ['name', 'valueFrom'],
      ['image'],
    ],
    ['a macro’s variable by name', RULES, EXPRESSION, 'object.spec.template.spec.containers.all(box, b¦)', ['box'], []],
    ['fields of items of a variable', RULES, 'size(variables.untagged)', 'variables.containers[0].¦', ['image'], []],
    ['a namespace of functions', RULES, EXPRESSION, 'sets.¦', ['contains', 'intersects'], ['sets.contains']],
    ['in a literal block', RULES, 'has(c.resources.limits)', 'has(c.resources.¦)', ['limits', 'requests'], []],
    [
      'in a quoted scalar',
      RULES,
      "('shop.example/exempt' in object.metadata.labels)",
      '(object.metadata.¦)',
      ['labels', 'name'],
      [],
    ],
    ['in a folded scalar', RULES, '.map(c, c.name)', '.map(c, c.¦)', ['name', 'image'], []],
    ['nothing in a string', RULES, "'memory' in", "'mem¦ory' in", [], ['object']],
    ['an optional field', RULES, EXPRESSION, 'object.?spec.¦', ['replicas'], []],
    ['not the authorizer in a message', RULES, "'pin the image of: '", '¦', ['object'], ['authorizer']],
    ['the authorizer in a rule', RULES, 'size(variables.untagged) == 0', '¦', ['authorizer'], []],
  ])('%s', async (_, path, old, text, has, lacks) => {
    const { answer } = await ask<CompletionItem[] | null>(path, old, text, 'completion');
    const names = answer?.map(({ label }) => label) ?? [];
    expect(names).toEqual(expect.arrayContaining(has));
    expect(names.filter((name) => lacks.includes(name))).toEqual([]);
  });

  it('replaces the existing name', async () => {
    const { answer, text } = await ask<CompletionItem[]>(RULES, EXPRESSION, 'object.spec.templ¦ == 1', 'completion');
    const edit = answer.find(({ label }) => label === 'template')?.textEdit as TextEdit;
    expect(edited(text, [edit])).toContain('expression: object.spec.template == 1\n');
  });

  it('offers nothing outside of expressions', async () => {
    const { answer } = await ask(RULES, 'name: untagged', 'name: unta¦gged', 'completion');
    expect(answer).toBeNull();
  });
});

describe('hover', () => {
  it.each<[what: string, path: string, old: string, text: string, tells: string[]]>([
    ['a field', LIMIT, 'object.spec.replicas <=', 'object.spec.repl¦icas <=', ['object.spec.replicas: int']],
    ['the object', LIMIT, 'object.spec.replicas <=', 'obj¦ect.spec.replicas <=', ['that the request would store']],
    [
      'a variable',
      LIMIT,
      '<= variables.limit',
      '<= variables.lim¦it',
      ['variables.limit: int', 'int(params.data.maxReplicas)', 'estimated cost'],
    ],
    ['a function', LIMIT, 'int(params', 'i¦nt(params', ['int(string) -> int']],
    [
      'a method',
      RULES,
      "c.image.endsWith(':latest')",
      "c.image.ends¦With(':latest')",
      ['string.endsWith(string) -> bool'],
    ],
    ['a macro', RULES, '.filter(c', '.fil¦ter(c', ['list.filter(x, condition) -> list']],
    ['an element', RULES, '!c.image.contains', '!¦c.image.contains', ['c: core/v1.Container']],
    [
      'a field of one kind only',
      RULES,
      'object.spec.template.spec.containers',
      'object.spec.serv¦iceName',
      ['apps/v1 StatefulSet'],
    ],
  ])('%s', async (_, path, old, text, tells) => {
    const { answer } = await ask<{ contents: { value: string } } | null>(path, old, text, 'hover');
    for (const told of tells) expect(answer?.contents.value).toContain(told);
  });

  it('is empty for an operator', async () => {
    expect((await ask(LIMIT, 'replicas <= v', 'replicas ¦<= v', 'hover')).answer).toMatchObject({});
    expect((await ask(LIMIT, 'replicas <= v', 'replicas <¦= v', 'hover')).answer).toBeNull();
  });
});

describe('signature help', () => {
  it.each<[what: string, text: string, label: string, argument: number]>([
    ['a function', 'size(¦', 'size(string) -> int', 0],
    ['a method', "object.metadata.name.replace('a', ¦)", 'string.replace(string, string) -> string', 1],
    ['a macro', 'object.spec.template.spec.containers.all(c, ¦)', 'list.all(x, condition) -> bool', 1],
    ['a qualified function', 'sets.contains([1], ¦)', 'sets.contains', 1],
  ])('%s', async (_, text, label, argument) => {
    const { answer } = await ask<{ signatures: { label: string }[]; activeParameter: number }>(
      RULES,
      'object.spec.template.spec.containers',
      text,
      'signatureHelp',
    );
    expect(answer.signatures.map((one) => one.label).join('\n')).toContain(label);
    expect(answer.activeParameter).toBe(argument);
  });

  it('is empty outside of calls', async () => {
    expect(
      (await ask(LIMIT, 'object.spec.replicas <=', 'obj¦ect.spec.replicas <=', 'signatureHelp')).answer,
    ).toBeNull();
  });
});

describe('definition', () => {
  it.each<[what: string, path: string, old: string, text: string, leads: string[]]>([
    ['a variable', RULES, 'size(variables.untagged)', 'size(variables.unt¦agged)', [`${RULES}: untagged`]],
    [
      'a policy of a binding',
      LIMIT,
      'policyName: replica-limit',
      'policyName: replica¦-limit',
      [`${LIMIT}: replica-limit`],
    ],
    [
      'a param of a binding',
      LIMIT,
      'name: replica-limit-staging\n    namespace',
      'name: replica-limit-sta¦ging\n    namespace',
      ['platform/replica-limits.yaml: replica-limit-staging'],
    ],
    [
      'the params of an expression',
      LIMIT,
      'int(params.data',
      'int(par¦ams.data',
      ['platform/replica-limits.yaml: replica-limit-production', 'platform/replica-limits.yaml: replica-limit-staging'],
    ],
    ['nothing for a field', LIMIT, 'object.spec.replicas <=', 'object.spec.repl¦icas <=', []],
  ])('%s', async (_, path, old, text, leads) => {
    const { answer } = await ask<Location[]>(path, old, text, 'definition');
    const { readFileSync } = await import('node:fs');
    const told = answer.map(
      ({ uri, range }) =>
        `${uri.slice(client.uri('').length).replace(/^\//, '')}: ${textAt(readFileSync(new URL(uri), 'utf8'), range)}`,
    );
    expect(told).toEqual(leads);
  });
});

describe('references and renaming', () => {
  it('finds every use of a variable', async () => {
    const { answer, text } = await ask<Location[]>(RULES, 'name: containers', 'name: cont¦ainers', 'references', {
      context: { includeDeclaration: true },
    });
    expect(answer.map(({ range }) => textAt(text, range))).toEqual(['containers', 'containers', 'containers']);
  });

  it('finds the bindings of a policy', async () => {
    const { answer, text } = await ask<Location[]>(
      LIMIT,
      'policyName: replica-limit',
      'policyName: repl¦ica-limit',
      'references',
      { context: {} },
    );
    expect(answer.map(({ range }) => textAt(text, range))).toEqual(['replica-limit', 'replica-limit', 'replica-limit']);
  });

  it('renames a variable in all expressions of its policy', async () => {
    const { answer, text } = await ask<WorkspaceEdit>(
      RULES,
      'variables.untagged.join',
      'variables.unt¦agged.join',
      'rename',
      { newName: 'loose' },
    );
    const [[uri, edits] = ['', []]] = Object.entries(answer.changes ?? {});
    expect(uri).toBe(client.uri(RULES));
    const after = edited(text, edits);
    expect(after).toBe(
      text.replaceAll('variables.untagged', 'variables.loose').replace('name: untagged', 'name: loose'),
    );
  });

  it('rejects invalid names', async () => {
    await expect(
      ask(RULES, 'variables.untagged.join', 'variables.unt¦agged.join', 'rename', { newName: 'a b' }),
    ).rejects.toThrow('not a valid variable name');
    expect((await ask(RULES, 'object.spec.template', 'obj¦ect.spec.template', 'prepareRename')).answer).toBeNull();
  });
});

describe('colours', () => {
  it('match the tokens, line by line', async () => {
    const text = await client.open(RULES);
    const { data } = (await client.connection.sendRequest('textDocument/semanticTokens/full', {
      textDocument: { uri: client.uri(RULES) },
    })) as { data: number[] };
    await client.close(RULES);
    const lines = text.split('\n');
    const words: string[] = [];
    for (let [at, line, character] = [0, 0, 0]; at < data.length; at += 5) {
      const [down = 0, right = 0, length = 0, type = 0] = data.slice(at, at + 4);
      character = down === 0 ? character + right : right;
      line += down;
      words.push(
        `${['variable', 'property', 'function', 'keyword', 'string', 'number', 'operator'][type]} ${lines[line]?.slice(character, character + length)}`,
      );
    }
    expect(words).toEqual(
      expect.arrayContaining([
        'function has',
        "string 'memory'",
        'keyword in',
        'property containers',
        'variable variables',
        'number 0',
        'operator &&',
        "string ':latest'",
      ]),
    );
  });
});

describe('diagnostics', () => {
  const DEPLOYMENT = 'apps/storefront/deployment.yaml';

  it('match those of check, and follow edits', async () => {
    const text = await client.open(DEPLOYMENT);
    const before = await client.diagnostics(DEPLOYMENT, (found) => found.length > 0);
    expect(before.map(({ message }) => String(message).split('\n')[0])).toContain(
      'at most 6 replicas are allowed here, not 12',
    );
    await client.change(DEPLOYMENT, text.replace('replicas: 12', 'replicas: 99'));
    const after = await client.diagnostics(DEPLOYMENT, (found) =>
      found.some(({ message }) => String(message).includes('not 99')),
    );
    expect(after.some(({ message }) => String(message).includes('not 12'))).toBe(false);
    await client.close(DEPLOYMENT);
  });

  it('mark the wrong part of an expression, and offer a fix', async () => {
    const text = (await client.open(LIMIT))
      .replace('object.spec.replicas <=', '"🚢" == objct.spec.name ||\n        objct.spec.replicas <=')
      .replace('- expression: "', '- expression: >-\n        "');
    await client.change(LIMIT, text);
    const isWrong = ({ code }: Diagnostic): boolean => code === 'invalid-expression';
    const found = await client.diagnostics(LIMIT, (all) => all.filter(isWrong).length === 2);
    const wrong = found.filter(isWrong);
    expect(wrong.map(({ range }) => textAt(text, range))).toEqual(['objct', 'objct']);
    const [first] = wrong as [Diagnostic];
    const actions = (await client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri: client.uri(LIMIT) },
      range: first.range,
      context: { diagnostics: [first] },
    })) as { title: string; edit: WorkspaceEdit }[];
    const mend = actions.find(({ title }) => title === 'Replace with `object`');
    expect(edited(text, mend?.edit.changes?.[client.uri(LIMIT)] ?? [])).toContain('"🚢" == object.spec.name');
    await client.close(LIMIT);
  });

  it('can be accepted into the baseline, with the reason left to write', async () => {
    const text = await client.open(DEPLOYMENT);
    const isLimit = ({ message }: Diagnostic): boolean => String(message).includes('not 12');
    const found = await client.diagnostics(DEPLOYMENT, (all) => all.some(isLimit));
    const first = found.find(isLimit) as Diagnostic;
    const actions = (await client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri: client.uri(DEPLOYMENT) },
      range: first.range,
      context: { diagnostics: [first] },
    })) as { title: string; edit: WorkspaceEdit }[];
    const accept = actions.find(({ title }) => title.startsWith('Accept `replica-limit`'));
    const after = edited(text, accept?.edit.changes?.[client.uri(DEPLOYMENT)] ?? []);
    expect(after).toMatch(/preadmit\.dev\/ignore: ['"]replica-limit: ['"]\n/);
    await client.change(DEPLOYMENT, after);
    const pending = await client.diagnostics(DEPLOYMENT, (all) =>
      all.some(({ code }) => code === 'invalid-suppression'),
    );
    expect(pending.some(({ message }) => String(message).includes('no reason for suppressing'))).toBe(true);
    await client.close(DEPLOYMENT);
  });

  it('include added fields of mutating policies, once', async () => {
    const [mark, account] = ['policies/mark.yaml', 'platform/account.yaml'];
    await client.open(mark, broughtPolicy(SPOKEN));
    const text = await client.open(account, 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: shop # ours\n');
    const asked = async (): Promise<{ title: string; edit: WorkspaceEdit } | undefined> => {
      const start = { line: 1, character: 0 };
      const params = { textDocument: { uri: client.uri(account) }, range: { start, end: start }, context: {} };
      const actions = await client.connection.sendRequest('textDocument/codeAction', params);
      return (actions as { title: string; edit: WorkspaceEdit }[]).find(({ title }) => title.includes('mutating'));
    };
    const after = edited(text, (await asked())?.edit.changes?.[client.uri(account)] ?? []);
    expect(after).toBe(`${text}  labels:\n    ${ADDED_LABEL}: "yes"\n`);
    await client.change(account, after);
    expect(await asked()).toBeUndefined();
    for (const path of [account, mark]) await client.close(path);
  });
});
