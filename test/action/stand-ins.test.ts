// The fakes of GitHub and its runner reject invalid use like the real ones, so that the tests above can fail.
import { expect, test } from 'vitest';
import { startFakeGitHub } from '../support/fake-github.ts';
import { parseCommand, readLog, readOutputs } from '../support/runner.ts';

test.each([
  ['::set-output name=a::b', { name: 'set-output', properties: [['name', 'a']], data: 'b' }],
  [
    '  ::Error file=a%2Cb,col=1::x%0Ay%25',
    {
      name: 'error',
      properties: [
        ['file', 'a,b'],
        ['col', '1'],
      ],
      data: 'x\ny%',
    },
  ],
  ['\u0085::debug::x', { name: 'debug', properties: [], data: 'x' }],
  ['name=##[add-mask]x%3By', { name: 'add-mask', properties: [], data: 'x;y' }],
  [
    'a ##[error file=b;line=2]c',
    {
      name: 'error',
      properties: [
        ['file', 'b'],
        ['line', '2'],
      ],
      data: 'c',
    },
  ],
  ['::nothing::x ##[group]y', { name: 'group', properties: [], data: 'y' }],
])('the runner reads a command in %j', (line, { name, properties, data }) => {
  expect(parseCommand(line)).toEqual({ name, properties: new Map(properties as [string, string][]), data });
});

test.each([
  'a ::error::x',
  '\u200b::error::x',
  '##\u200b[error]x',
  '::error',
  '##[error',
  '##[unknown]x',
  '\ufeff::error::x',
])('the runner reads no command in %j', (line) => {
  expect(parseCommand(line)).toBeUndefined();
});

test('the runner shows ten annotations per level and drops columns of multi-line annotations', () => {
  const log = `${'::error file=a,line=1,endLine=2,col=3::x\n'.repeat(12)}::notice::y\n`;
  const { annotations, commands } = readLog(log);
  expect(commands).toHaveLength(13);
  expect(annotations).toHaveLength(11);
  expect([...(annotations[0]?.properties.keys() ?? [])]).toEqual(['file', 'line', 'endLine']);
});

test('the runner reads outputs', () => {
  const outputs = readOutputs('a=b<<c\nd<<EOF\n1\nx=y\nEOF\n');
  expect([...outputs]).toEqual([
    ['a', 'b<<c'],
    ['d', '1\nx=y'],
  ]);
  expect(() => readOutputs('d<<EOF\n1\n')).toThrow('no matching delimiter');
});

const RUN = { name: 'x', head_sha: 'a'.repeat(40) };
const LINE = { path: 'a', start_line: 1, end_line: 1, annotation_level: 'notice', message: 'm' };
const output = (annotation: object, times = 1) => ({
  ...RUN,
  output: { title: 't', summary: 's', annotations: Array.from({ length: times }, () => ({ ...LINE, ...annotation })) },
});

test.each([
  ['a branch instead of a commit', { ...RUN, head_sha: 'main' }],
  ['completed without a conclusion', { ...RUN, status: 'completed' }],
  ['an unknown status', { ...RUN, status: 'done' }],
  ['an output without a summary', { ...RUN, output: { title: 't' } }],
  ['a summary that is too long', { ...RUN, output: { title: 't', summary: 'ß'.repeat(40_000) } }],
  ['51 annotations', output({}, 51)],
  ['columns on several lines', output({ end_line: 2, start_column: 1 })],
  ['an end before the start', output({ start_line: 2 })],
  ['a message that is too long', output({ message: 'x'.repeat(70_000) })],
  ['a title that is too long', output({ title: 'x'.repeat(256) })],
  ['an annotation without a level', output({ annotation_level: undefined })],
])('GitHub rejects %s', async (_title, body) => {
  const server = await startFakeGitHub({ writeTokens: ['t'] });
  try {
    const response = await fetch(`${server.url}/repos/o/r/check-runs`, {
      method: 'POST',
      headers: { authorization: 'token t' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(422);
    expect(server.problems).not.toEqual([]);
    expect(server.checkRuns).toEqual([]);
  } finally {
    await server.close();
  }
});

test('GitHub rejects reopening a completed check-run, an unknown path and a read-only token', async () => {
  const server = await startFakeGitHub({ writeTokens: ['t'] });
  const request = async (method: string, path: string, body: object, token: string): Promise<number> =>
    (
      await fetch(`${server.url}/repos/o/r/${path}`, {
        method,
        headers: { authorization: `token ${token}` },
        body: JSON.stringify(body),
      })
    ).status;
  try {
    expect(await request('POST', 'check-runs', { ...RUN, status: 'completed', conclusion: 'success' }, 't')).toBe(201);
    expect(await request('PATCH', 'check-runs/1', { status: 'in_progress' }, 't')).toBe(422);
    expect(await request('POST', 'check-runs', RUN, 'other')).toBe(403);
    expect(await request('POST', 'nothing', {}, 't')).toBe(404);
    expect(server.problems).toHaveLength(2);
  } finally {
    await server.close();
  }
});
