// `npm run render-engine`: compiles render/ to WebAssembly, and writes render/engine.wasm.br and its licences. `-- --check` only compares
// the committed module with the sources. The same sources and the same Go give the same module on every machine.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const SOURCES = join(import.meta.dirname, '../render');
const ENGINE = join(SOURCES, 'engine.wasm.br');

/** The release that contains this api module and its sort order. Objects show it if `buildMetadata` contains `managedByLabel`. */
const KUSTOMIZE = 'kustomize/v5.7.1';
const LINKER = `-s -w -buildid= -X sigs.k8s.io/kustomize/api/provenance.version=${KUSTOMIZE}`;

function build(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-engine-'));
  const module = join(folder, 'engine.wasm');
  const toolchain = /^toolchain (\S+)$/m.exec(readFileSync(join(SOURCES, 'go.mod'), 'utf8'))?.[1] ?? 'local';
  try {
    execFileSync(
      'go',
      [
        'build',
        '-buildmode=c-shared',
        '-trimpath',
        '-buildvcs=false',
        '-mod=readonly',
        `-ldflags=${LINKER}`,
        '-o',
        module,
      ],
      {
        cwd: SOURCES,
        stdio: 'inherit',
        env: {
          ...process.env,
          GOOS: 'wasip1',
          GOARCH: 'wasm',
          GOWASM: '',
          GOFLAGS: '',
          GOWORK: 'off',
          GOTOOLCHAIN: toolchain,
        },
      },
    );
    return readFileSync(module);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compressed(module: Buffer): Buffer {
  return brotliCompressSync(module, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: module.length,
    },
  });
}

/** The licence of every linked module. */
function licences(): string {
  const format =
    '{{if not .Standard}}{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}{{end}}';
  const env = { ...process.env, GOOS: 'wasip1', GOARCH: 'wasm', GOFLAGS: '', GOWORK: 'off' };
  const listed = execFileSync('go', ['list', '-deps', '-f', format, '.'], { cwd: SOURCES, env, encoding: 'utf8' });
  const root = execFileSync('go', ['env', 'GOROOT'], { cwd: SOURCES, env, encoding: 'utf8' }).trim();
  const modules = [...new Set(listed.split('\n').filter((line) => line !== ''))].sort();
  const names = new Map<string, string[]>();
  for (const line of [`Go\t${root}`, ...modules]) {
    const [name = '', folder = ''] = line.split('\t');
    if (folder.startsWith(SOURCES)) continue;
    const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
    names.set(text, [...(names.get(text) ?? []), name]);
  }
  const texts = [...names].map(([text, of]) => `${of.join('\n')}\n\n${text}\n\n${'-'.repeat(80)}\n`);
  return `Licences of what is compiled into engine.wasm.br; made by scripts/render-engine.ts.\n\n${texts.join('\n')}`;
}

const module = build();
if (process.argv.includes('--check')) {
  if (!module.equals(brotliDecompressSync(readFileSync(ENGINE)))) {
    console.error('render/engine.wasm.br does not match render/; run `npm run render-engine` and commit');
    process.exitCode = 1;
  }
} else {
  const bytes = compressed(module);
  writeFileSync(ENGINE, bytes);
  writeFileSync(join(SOURCES, 'engine-licenses.txt'), licences());
  console.log(`${String(module.length).padStart(9)}  engine.wasm\n${String(bytes.length).padStart(9)}  engine.wasm.br`);
}
