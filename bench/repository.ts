// Times a whole run over the generated repository: milliseconds by stage, memory, and the share of evaluation.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkRepository } from '../src/door/run/check-repository.ts';
import { createStageLog } from '../src/door/run/stage-log.ts';
import { FULL_SIZE, generateRepository } from './generate-repository.ts';

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-bench-'));
  try {
    generateRepository(folder, FULL_SIZE, 1);
    execFileSync('git', ['init', '-q'], { cwd: folder });
    execFileSync('git', ['add', '-A'], { cwd: folder });
    const stages = createStageLog({ debug: false, interactive: false, write: () => {}, now: () => performance.now() });
    const started = performance.now();
    const { report } = await checkRepository({ directory: folder, paths: [], overrides: {}, stages });
    stages.end();
    const total = performance.now() - started;
    console.log('| stage | ms | share |\n|---|---:|---:|');
    for (const [stage, spent] of stages.milliseconds) {
      console.log(`| ${stage} | ${spent.toFixed(0)} | ${((spent / total) * 100).toFixed(1)} % |`);
    }
    const peak = process.resourceUsage().maxRSS / 1024;
    const policies = report.targets.reduce((sum, target) => sum + target.policies.length, 0);
    console.log(`| total | ${total.toFixed(0)} | 100 % |`);
    console.log(`\n${report.coverage.evaluated} resources, ${policies} policies, ${report.findings.length} findings`);
    console.log(`peak memory ${peak.toFixed(0)} MiB, Node ${process.version}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
