// `npm run validation-engine`: compiles validation/ to WebAssembly, and writes validation/validation.wasm.br and its licences. `-- --check`
// only compares the committed module with the sources. Needs Go and its module proxy.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { writeModule } from './go-module.ts';

const folder = join(import.meta.dirname, '../validation');
// `prepare` needs no module of its own, so it runs before the modules that go.mod names exist.
execFileSync('go', ['run', '.'], {
  cwd: join(folder, 'prepare'),
  stdio: 'inherit',
  env: { ...process.env, GOFLAGS: '', GOWORK: 'off' },
});
writeModule({ folder, name: 'validation', script: 'validation-engine' });
