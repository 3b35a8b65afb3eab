// Diagnostics of an open document equal those of `check` for the file, although they are computed differently.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { linesChecked, lineTold } from '../conformance/editor/manifest-questions.ts';
import { startLanguageClient } from '../support/language-client.ts';
import { runPrinted } from '../support/printed.ts';

const TESTS = join(import.meta.dirname, '..');

/** Plain files, files of a single root, and files of several roots. */
test.each(['../examples/shop', 'cases/diff/rendered-cluster-added/head', 'cases/check/kyverno-validation'])(
  '%s',
  async (name) => {
    const client = await startLanguageClient(join(TESTS, name));
    const report = await checked(client.folder);
    const paths = readdirSync(client.folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.ya?ml$/.test(path),
    );
    let number = 0;
    for (const path of paths.filter((each) => !each.startsWith('.'))) {
      await client.open(path);
      const told = [...new Set((await client.settled(path)).map(lineTold))].sort();
      await client.close(path);
      expect(told, path).toEqual([...new Set(linesChecked(report, path))].sort());
      number += told.length;
    }
    expect(number).toBeGreaterThan(0);
    expect(await client.stop()).toBe(0);
    expect(client.complaints).toEqual([]);
  },
  120_000,
);

async function checked(directory: string): Promise<Report> {
  const { out } = await runPrinted(directory, ['check', '--format', 'json']);
  return JSON.parse(out) as Report;
}
