// Tests that shards of real repositories merge into the unsharded report, byte for byte. More shard counts with PREADMIT_TRIES. Needs PREADMIT_CORPUS, or `corpus` in the temporary folder.
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Shard } from '../../src/pipeline/check/shard.ts';
import { checkState } from '../../src/pipeline/check-state.ts';
import { mergeReports } from '../../src/report/builder/merge.ts';
import { json } from '../../src/report/format/document/json.ts';
import { readReport } from '../../src/report/json/read-report.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { discover } from '../../src/workspace/discover/discover.ts';
import { needs } from '../support/evidence.ts';
import { IS_THOROUGH } from '../support/tries.ts';

const CORPUS = process.env['PREADMIT_CORPUS'] ?? join(tmpdir(), 'corpus');
const repositories = existsSync(CORPUS) ? readdirSync(CORPUS).filter((name) => name.includes('+')) : [];
const MINUTES = 60_000;
/** `../shards.test.ts` tests the other counts, on the example. */
const COUNTS = IS_THOROUGH ? [1, 2, 3, 7] : [3];

async function check(directory: string, shard?: Shard): Promise<string> {
  // Without rendering, because every shard would render every root of the repository again.
  const sweep = await discover({ directory });
  const report = checkState({ ...sweep, configuration: defaultConfiguration(), ...(shard && { shard }) });
  return json.render(report, { color: false, width: 100, showSkipped: true, quiet: false });
}

needs('unpacked-corpus', repositories.length > 0).describe('the corpus (skipped if absent)', () => {
  it.each(repositories)('%s', { timeout: 20 * MINUTES }, async (name) => {
    const directory = join(CORPUS, name);
    const whole = await check(directory);
    for (const count of COUNTS) {
      const parts = [];
      for (let index = 1; index <= count; index++) {
        const read = readReport(await check(directory, { index, count }));
        if ('problem' in read) throw new Error(read.problem);
        parts.push({ name: `${index}`, report: read.report });
      }
      const merged = mergeReports(parts);
      if ('problems' in merged) throw new Error(merged.problems.join());
      expect(json.render(merged.report, { color: false, width: 100, showSkipped: true, quiet: false })).toBe(whole);
    }
  });
});
