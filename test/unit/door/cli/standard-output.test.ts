// Standard output with a slow or closed reader, and reports written to it.
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { writeOutput } from '../../../../src/door/cli/report-output.ts';
import { standardOutput } from '../../../../src/door/cli/standard-output.ts';
import type { Terminal } from '../../../../src/door/cli/terminal.ts';
import { json } from '../../../../src/report/format/document/json.ts';
import { manyFindings } from '../../../report/rich-report.ts';

const OPTIONS = { color: false, width: 100, showSkipped: true, quiet: false };
const LARGE = manyFindings(2_000);

/** Reads one piece per turn of the event loop; closes after `most` pieces. */
class Reader extends Writable {
  text = '';
  waiting = 0;
  mostWaiting = 0;
  pieces = 0;
  readonly #most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    super({ decodeStrings: false, highWaterMark: 1_000 });
    this.#most = most;
  }

  override write(...args: unknown[]): boolean {
    const taken = super.write(...(args as Parameters<Writable['write']>));
    this.mostWaiting = Math.max(this.mostWaiting, this.writableLength);
    return taken;
  }

  override _write(piece: string, _encoding: unknown, done: (error?: Error) => void): void {
    setImmediate(() => {
      this.pieces += 1;
      this.text += piece;
      if (this.pieces < this.#most) done();
      else done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    });
  }
}

function terminalOf(reader: Writable, failures: Error[] = []): Terminal {
  return { directory: '/', ...standardOutput(reader, (error) => failures.push(error)) } as Terminal;
}

test('a slow reader gets everything, and at most one piece waits', async () => {
  const reader = new Reader();
  await writeOutput({ format: 'json', file: undefined }, LARGE, OPTIONS, terminalOf(reader));
  await new Promise<void>((resolve) => reader.end(resolve));
  expect(reader.text).toBe(json.render(LARGE, OPTIONS));
  expect(reader.pieces).toBeGreaterThan(10);
  expect(reader.mostWaiting).toBeLessThan(100_000);
});

test('a closed reader stops the output without an error', async () => {
  const reader = new Reader(3);
  const failures: Error[] = [];
  const terminal = terminalOf(reader, failures);
  let given = 0;
  const counting = {
    ...terminal,
    out: (text: string) => {
      given += 1;
      terminal.out(text);
    },
  };
  await writeOutput({ format: 'json', file: undefined }, LARGE, OPTIONS, counting);
  expect(json.render(LARGE, OPTIONS).startsWith(reader.text)).toBe(true);
  expect(given).toBe(3);
  expect(await terminal.taken?.()).toBe(false);
  expect(failures).toEqual([]);
});

test('other errors of standard output are reported', async () => {
  const failures: Error[] = [];
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
  const disk = new Writable({ highWaterMark: 1, write: (_piece, _encoding, done) => done(full) });
  const { out, taken } = standardOutput(disk, (error) => failures.push(error));
  out('text');
  expect(await taken()).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(failures).toEqual([full]);
});
