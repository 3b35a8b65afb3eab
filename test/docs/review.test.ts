// The example of docs/review.md, done as the page says, through the command line.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runPrinted } from '../support/printed.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/review.md'), 'utf8');

/** The text of a code block by the file name beside its language. */
function block(name: string): string {
  const found = new RegExp(`^\`\`\`\\w+ ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(page);
  if (found?.[1] === undefined) throw new Error(`docs/review.md has no block ${name}`);
  return found[1];
}

describe('preadmit review', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'preadmit-review-'));
    for (const name of ['policies.yaml', 'cluster.yaml']) writeFileSync(join(folder, name), block(name));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function review(args: readonly string[], ...input: readonly string[]) {
    return runPrinted(folder, ['review', ...args], { input: input.join('') });
  }

  it('answers as the page says', async () => {
    const [, command = ''] = /^preadmit review (.*) < requests\.jsonl$/m.exec(page) ?? [];
    const { status, out, err } = await review(command.split(' '), block('requests.jsonl'));
    expect({ status, err, answer: JSON.parse(out) }).toEqual({
      status: 0,
      err: '',
      answer: JSON.parse(block('responses.jsonl')),
    });
  });

  it('reads files and folders once, and answers around broken lines', async () => {
    const request = JSON.stringify(JSON.parse(block('requests.jsonl')));
    const args = ['--policies', '.', '--resources', 'cluster.yaml'];
    const { status, out, err } = await review(args, `${request}\nwhat?\n`, `{"kind":"Pod"}\n${request}\n{`);
    expect(status).toBe(2);
    expect(out.trim().split('\n')).toHaveLength(2);
    expect(JSON.parse(out.trim().split('\n')[1] as string)).not.toHaveProperty('decisions');
    expect(err).toBe(
      [
        "preadmit: standard input:2: invalid character 'w' looking for beginning of value",
        'preadmit: standard input:3: expected admission.k8s.io/v1 AdmissionReview, found Pod',
        'preadmit: standard input:5: unexpected EOF',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [['--policies', 'missing.yaml'], 2, 'missing.yaml'],
    [[], 2, '`--policies <path>` is required'],
    [['requests.jsonl', '--policies', '.'], 2, 'requests are read from standard input'],
    [['--policies', '.', '--kubernetes-version', '1.20'], 2, '`1.20` is not supported'],
    [['--policies', 'cluster.yaml'], 3, 'no admission policy with a binding'],
  ])('says what is wrong with %j', async (args, expected, message) => {
    const { status, out, err } = await review(args, block('requests.jsonl'));
    expect({ status, out }).toEqual({ status: expected, out: '' });
    expect(err).toContain(message);
  });
});
