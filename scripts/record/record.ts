// Records the answers of the Go packages to our own test lines in test/conformance/own (see README.md). Requires Go.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { askedLines, OWN_SUITES, type OwnSuite } from '../../test/conformance/own/asked.ts';
import { openApiFolder, ownPath } from '../../test/conformance/recordings.ts';

const LARGEST_RECORDING = 256 * 1024 * 1024;

const names = process.argv.slice(2);
const suites = OWN_SUITES.filter((suite) => names.length === 0 || names.includes(suite));
if (suites.length < names.length) throw new Error(`usage: record.ts [${OWN_SUITES.join('|')} …]`);

const scratch = mkdtempSync(join(tmpdir(), 'preadmit-record-'));
try {
  const program = join(scratch, 'record');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: import.meta.dirname, stdio: 'inherit' });
  for (const suite of suites) record(program, suite);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function record(program: string, suite: OwnSuite): void {
  const asked = askedLines(suite);
  const recorded = execFileSync(program, [suite], {
    input: `${asked.join('\n')}\n`,
    env: { ...process.env, PREADMIT_OPENAPI: openApiFolder({ isOwn: true }) },
    maxBuffer: LARGEST_RECORDING,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const compressed = gzipSync(recorded, { level: 9 });
  writeFileSync(ownPath(suite), compressed);
  console.log(`${suite.padEnd(10)} ${asked.length} lines, ${compressed.length} octets`);
}
