// Recorded conversations about examples/: requests of an editor at a position, edits, and the answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletionItem, Location, WorkspaceEdit } from 'vscode-languageserver-types';
import { edited, type LanguageClient, marked, startLanguageClient, textAt } from '../support/language-client.ts';

const EXAMPLES = new URL('../../examples', import.meta.url).pathname;
const RULES = 'shop/policies/container-rules.yaml';
const LIMIT = 'shop/policies/replica-limit.yaml';
const PORTS = 'shop/policies/no-node-ports.yaml';
const TEAM = 'shop/policies/team-label.yaml';
const STOREFRONT = 'shop/apps/storefront/deployment.yaml';
const SERVICE = 'shop/apps/storefront/service.yaml';
const CHECKOUT = 'shop/apps/checkout/checkout.yaml';
const CATALOG = 'shop/apps/catalog/catalog.yaml';

let client: LanguageClient;
beforeAll(async () => {
  client = await startLanguageClient(EXAMPLES);
});
afterAll(async () => {
  expect(await client.stop()).toBe(0);
  expect(client.complaints).toEqual([]);
});

type Written = readonly [path: string, old: string, text: string];

/** The edit, as it appears in the record. */
function title([path, old, text]: Written): string {
  return `${path}: ${JSON.stringify(old)} → ${JSON.stringify(text)}`;
}

/** The answer for the position of the mark. */
async function ask<T>([path, old, text]: Written, method: string): Promise<{ answer: T; text: string }> {
  const onDisk = await client.open(path);
  expect(onDisk.split(old).length, old).toBeGreaterThan(1);
  const { text: now, position } = marked(onDisk.replace(old, () => text));
  await client.change(path, now);
  const more = method === 'rename' ? { newName: 'renamed' } : { context: { includeDeclaration: true } };
  const params = { textDocument: { uri: client.uri(path) }, position, ...more };
  const answer = await client.connection.sendRequest(`textDocument/${method}`, params);
  await client.close(path);
  return { answer: answer as T, text: now };
}

/** Records twelve names; names of the object come first. */
async function completion(written: Written): Promise<string> {
  const { answer } = await ask<CompletionItem[] | null>(written, 'completion');
  const sorted = [...(answer ?? [])].sort((one, other) => ((one.sortText ?? '') < (other.sortText ?? '') ? -1 : 1));
  const shown = sorted
    .slice(0, 12)
    .map(({ label, detail }) => `  ${label}${detail === undefined ? '' : `: ${detail}`}`);
  return [`${sorted.length} names`, ...shown].join('\n');
}

async function hover(written: Written): Promise<string> {
  const { answer } = await ask<{ contents: { value: string } } | null>(written, 'hover');
  return answer?.contents.value.replace(/^/gm, '  ') ?? 'nothing';
}

async function signature(written: Written): Promise<string> {
  const { answer } = await ask<{ signatures: { label: string }[]; activeParameter: number } | null>(
    written,
    'signatureHelp',
  );
  if (answer === null) return 'nothing';
  return [`argument ${answer.activeParameter}`, ...answer.signatures.map(({ label }) => `  ${label}`)].join('\n');
}

function places(answer: readonly Location[] | null): string {
  const lines = (answer ?? []).map(({ uri, range }) => {
    return `  ${uri.slice(client.uri('').length).replace(/^\//, '')}:${range.start.line + 1}:${range.start.character + 1}`;
  });
  return lines.length === 0 ? 'nothing' : `leads to\n${lines.join('\n')}`;
}

async function rename(written: Written): Promise<string> {
  const { answer, text } = await ask<WorkspaceEdit | null>(written, 'rename');
  const edits = answer?.changes?.[client.uri(written[0])] ?? [];
  const lines = edited(text, edits).split('\n');
  return lines.flatMap((line, index) => (line === text.split('\n')[index] ? [] : [`  ${line.trim()}`])).join('\n');
}

/** The diagnostics after the server has finished. */
async function diagnostics([path, old, text]: Written): Promise<string> {
  const onDisk = await client.open(path);
  expect(onDisk.split(old).length, old).toBeGreaterThan(1);
  const now = onDisk.replace(old, () => text);
  await client.change(path, now);
  const found = await client.settled(path);
  await client.close(path);
  const lines = found
    .map((one) => ({ ...one, first: String(one.message).split('\n')[0] ?? '' }))
    .sort((one, other) => one.range.start.line - other.range.start.line || (one.first < other.first ? -1 : 1))
    .map(({ code, first, range }) => {
      const marked = textAt(now, range).split('\n')[0]?.slice(0, 40);
      return `  ${range.start.line + 1}:${range.start.character + 1} ${code}: ${first} [${marked}]`;
    });
  return lines.length === 0 ? 'nothing' : lines.join('\n');
}

const CONTAINERS = 'object.spec.template.spec.containers';
const LIMITS = 'int(params.data.maxReplicas)';
const at = (path: string, old: string, ...texts: string[]): readonly Written[] =>
  texts.map((text) => [path, old, text]);

const CONVERSATIONS: readonly (readonly [about: string, (written: Written) => Promise<string>, readonly Written[]])[] =
  [
    [
      'completion',
      completion,
      [
        ...at(RULES, CONTAINERS, 'object.¦', 'object.spec.¦', 'object.spec.template.spec.containers[0].¦', 'request.¦'),
        ...at(RULES, CONTAINERS, 'object.metadata.name.¦', 'namespaceObject.metadata.¦', 'size(¦', 'sets.¦', 'quan¦'),
        ...at(RULES, 'c.image.contains', 'c.¦', 'c.env[0].¦', 'c.resources.¦'),
        ...at(RULES, 'size(variables.untagged)', 'variables.¦', 'variables.untagged.¦'),
        ...at(LIMIT, LIMITS, 'params.¦', 'params.data.¦', 'oldObject.spec.¦', '¦'),
        ...at(LIMIT, 'name: replica-limit\n', 'name: replica¦-limit\n'),
      ],
    ],
    [
      'hover',
      hover,
      [
        ...at(
          LIMIT,
          'object.spec.replicas <=',
          'object.spec.repl¦icas <=',
          'ob¦ject.spec.replicas <=',
          'object.sp¦ec.replicas <=',
        ),
        ...at(LIMIT, '<= variables.limit', '<= variables.lim¦it'),
        ...at(
          LIMIT,
          LIMITS,
          'i¦nt(params.data.maxReplicas)',
          'int(par¦ams.data.maxReplicas)',
          'int(params.da¦ta.maxReplicas)',
        ),
        ...at(RULES, '.filter(c', '.fil¦ter(c'),
        ...at(RULES, "c.image.endsWith(':latest')", "c.im¦age.endsWith(':latest')", "c.image.ends¦With(':latest')"),
        ...at(RULES, 'has(c.resources', 'h¦as(c.resources'),
      ],
    ],
    [
      'signatures',
      signature,
      [
        ...at(RULES, CONTAINERS, 'size(¦', "object.metadata.name.replace('a', ¦)", 'sets.contains([1], ¦)'),
        ...at(RULES, CONTAINERS, 'object.spec.template.spec.containers.all(c, ¦)', 'quantity(¦)', "'a'.matches(¦)"),
      ],
    ],
    [
      'definitions',
      async (written) => places((await ask<Location[] | null>(written, 'definition')).answer),
      [
        ...at(RULES, 'size(variables.untagged)', 'size(variables.unt¦agged)'),
        ...at(LIMIT, LIMITS, 'int(par¦ams.data.maxReplicas)'),
        ...at(LIMIT, 'policyName: replica-limit', 'policyName: replica¦-limit', 'policyName: no¦-node-ports'),
        ...at(LIMIT, 'name: replica-limit-staging\n    namespace', 'name: replica-limit-sta¦ging\n    namespace'),
      ],
    ],
    [
      'references',
      async (written) => places((await ask<Location[] | null>(written, 'references')).answer),
      [
        ...at(RULES, 'name: containers', 'name: cont¦ainers'),
        ...at(LIMIT, 'policyName: replica-limit', 'policyName: repl¦ica-limit'),
        ...at(LIMIT, '<= variables.limit', '<= variables.lim¦it'),
      ],
    ],
    [
      'renaming',
      rename,
      [
        ...at(RULES, 'variables.untagged.join', 'variables.unt¦agged.join'),
        ...at(LIMIT, 'name: limit', 'name: li¦mit'),
      ],
    ],
    [
      'diagnostics',
      diagnostics,
      [
        ...at(
          STOREFRONT,
          'replicas: 12',
          'replicas: 12',
          'replicas: 6',
          'replicas: many',
          'replicas: -1',
          'replica: 12',
        ),
        ...at(STOREFRONT, 'shop-production', 'shop-staging', 'nowhere'),
        ...at(STOREFRONT, 'team: commerce', 'squad: commerce'),
        ...at(STOREFRONT, 'kind: Deployment', 'kind: Deploymnt', 'kind: [Deployment'),
        ...at(SERVICE, 'type: NodePort', 'type: NodePort', 'type: ClusterIP', 'type: Sometimes'),
        ...at(
          LIMIT,
          'object.spec.replicas <=',
          'objct.spec.replicas <=',
          'object.spec.replicaz <=',
          'object.spec.replicas <',
        ),
        ...at(LIMIT, 'policyName: replica-limit\n', 'policyName: replica-limits\n'),
        ...at(LIMIT, 'name: replica-limit-staging\n    namespace', 'name: replica-limit-none\n    namespace'),
        ...at(LIMIT, 'failurePolicy: Fail', 'failurePolicy: Maybe'),
        ...at(RULES, 'policyName: container-rules', 'policyName: others'),
        ...at(RULES, 'size(variables.untagged) == 0', 'size(variables.untagged)', 'size(variables.tagged) == 0'),
        ...at(PORTS, 'spec:', 'spec:'),
        ...at(TEAM, 'spec:', 'specs:'),
        ...at(CHECKOUT, 'image:', 'image:'),
        ...at(CATALOG, 'image:', 'immage:'),
      ],
    ],
  ];

describe('conversations about examples/', () => {
  it.each(CONVERSATIONS)('%s', async (about, talk, all) => {
    const told: string[] = [];
    for (const written of all) told.push(`${title(written)}\n${await talk(written)}\n`);
    await expect(told.join('\n')).toMatchFileSnapshot(`recorded/${about}.txt`);
  });

  it('are at least sixty', () => {
    expect(CONVERSATIONS.flatMap(([, , all]) => all).length).toBeGreaterThanOrEqual(60);
  });
});
