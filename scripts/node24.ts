// Prints the path of a Node 24 binary for the bundled action, downloaded once into the temporary folder: `npx tsx scripts/node24.ts`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** This package contains only the binary, without install scripts; its version is the Node release. */
const PACKAGE = `node-${process.platform}-${process.arch}@24`;
const FOLDER = join(tmpdir(), 'preadmit-node24');
const BINARY = join(FOLDER, 'node_modules', PACKAGE.split('@')[0] as string, 'bin/node');

if (!existsSync(BINARY)) {
  mkdirSync(FOLDER, { recursive: true });
  execFileSync('npm', ['install', '--prefix', FOLDER, '--no-save', '--ignore-scripts', '--silent', PACKAGE], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
console.log(BINARY);
