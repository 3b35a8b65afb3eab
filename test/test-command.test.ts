// `preadmit test` on disk: `--update`, `--watch`, and annotations for coverage.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileChanges } from '../src/workspace/files/watch-files.ts';
import { runPrinted } from './support/printed.ts';
import { sizePolicy } from './support/workspace.ts';

const TESTS = `# What the limit says.
tests:
  - name: too large   # the usual case
    object: &large
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: a, namespace: b}
      data: {size: '9'}
    expect:
      denied: 'old words'   # as people read it
  - name: by rule
    object: *large
    expect:
      denied:
        - policy: size-limit
          rule: validations[0]
          message: old words
  - name: a part
    object: *large
    expect: {denied: [{contains: other}]}
  - name: another rule
    object: *large
    expect: {denied: [{policy: other, message: old words}]}
  - name: rows
    object: *large
    expect: {denied: [old words]}
    each:
      - {name: one}
      - name: two
        with: {data: {size: '8'}}
`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-test-'));
  writeFileSync(join(folder, 'policy.yaml'), sizePolicy());
  writeFileSync(join(folder, 'size.preadmit-test.yaml'), TESTS);
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], changes?: () => AsyncIterable<void>) {
  return runPrinted(folder, ['test', ...args], changes && { changes });
}

describe('--update', () => {
  it('writes whole messages of the same rule, and nothing else', async () => {
    const { status, out, err } = await run(['--update']);
    expect(err).toBe('preadmit: size.preadmit-test.yaml: 3 messages written\n');
    expect(status).toBe(1);
    expect(out).toContain('4 tests passed, 2 failed');
    expect(readFileSync(join(folder, 'size.preadmit-test.yaml'), 'utf8')).toBe(
      TESTS.replace("'old words'   #", "'size is at most 3'   #")
        .replace('message: old words\n  - name: a part', 'message: size is at most 3\n  - name: a part')
        .replace('denied: [old words]', 'denied: [size is at most 3]'),
    );
  });

  it('skips expectations shared by several requests with different results', async () => {
    const expression = /message: "size is at most 3"/;
    const worded = sizePolicy().replace(expression, 'messageExpression: "\'not \' + object.data.size"');
    writeFileSync(join(folder, 'policy.yaml'), worded);
    const { err } = await run(['--update', '--filter', 'rows']);
    expect(err).toBe(
      'preadmit: size.preadmit-test.yaml: not changed: tests[4].expect.denied[0]: several requests share this expectation but get different messages\n',
    );
    expect(readFileSync(join(folder, 'size.preadmit-test.yaml'), 'utf8')).toBe(TESTS);
  });

  it('does nothing if all tests pass', async () => {
    await run(['--update']);
    const before = readFileSync(join(folder, 'size.preadmit-test.yaml'), 'utf8');
    expect((await run(['--update'])).err).toBe('');
    expect(readFileSync(join(folder, 'size.preadmit-test.yaml'), 'utf8')).toBe(before);
  });
});

describe('--watch', () => {
  it('runs again when files change, with the status of the last run', async () => {
    const { status, out } = await run(['--watch', '--filter', 'too large', '--quiet'], async function* () {
      writeFileSync(join(folder, 'policy.yaml'), sizePolicy({ message: 'old words' }));
      yield;
    });
    expect(status).toBe(0);
    expect(out).toMatch(/0 tests passed, 1 failed\n\n1 test passed, 0 failed\n$/);
  });

  it('combines simultaneous changes into one run', async () => {
    const rounds = fileChanges(folder)[Symbol.asyncIterator]();
    const first = rounds.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    writeFileSync(join(folder, 'one.yaml'), '1');
    writeFileSync(join(folder, 'two.yaml'), '2');
    expect(await first).toEqual({ done: false, value: undefined });
    await rounds.return?.();
  });
});

it('annotates validations that no test fails if coverage is enabled', async () => {
  const tests =
    "tests: [{name: fine, object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {size: '1'}}, expect: allowed}]\n";
  writeFileSync(join(folder, 'size.preadmit-test.yaml'), tests);
  const line = 'title=no test fails size-limit validations[0]::';
  expect((await run(['--format', 'github', '--coverage'])).out).toContain(line);
  expect((await run(['--format', 'github'])).out).not.toContain(line);
  writeFileSync(
    join(folder, 'size.preadmit-test.yaml'),
    tests.replace("'1'", "'9'").replace('allowed', '{denied: size is at most 3}'),
  );
  expect((await run(['--format', 'github', '--coverage'])).out).not.toContain(line);
});
