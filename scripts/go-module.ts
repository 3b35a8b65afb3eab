// Compiles a Go program to a WebAssembly module, and collects the licences of what it links.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

export interface GoModule {
  /** Folder with `go.mod`. The compressed module and its licences are written there. */
  readonly folder: string;
  /** Name of the committed file, without `.wasm.br`. */
  readonly name: string;
  /** The npm script that builds it. */
  readonly script: string;
  /** Further settings of variables for the linker. */
  readonly linker?: string;
}

/** Writes the module and its licences; with `--check`, only compares the committed module with the sources. */
export function writeModule(of: GoModule): void {
  const file = join(of.folder, `${of.name}.wasm.br`);
  const module = build(of);
  if (process.argv.includes('--check')) {
    if (!module.equals(brotliDecompressSync(readFileSync(file)))) {
      console.error(`${file} does not match its sources; run \`npm run ${of.script}\` and commit`);
      process.exitCode = 1;
    }
    return;
  }
  const bytes = compressed(module);
  writeFileSync(file, bytes);
  writeFileSync(join(of.folder, `${of.name}-licenses.txt`), licences(of));
  console.log(
    `${String(module.length).padStart(9)}  ${of.name}.wasm\n${String(bytes.length).padStart(9)}  ${of.name}.wasm.br`,
  );
}

const LINKER = '-s -w -buildid=';
const BUILD = ['build', '-buildmode=c-shared', '-trimpath', '-buildvcs=false', '-mod=readonly'];
const ENVIRONMENT = { GOOS: 'wasip1', GOARCH: 'wasm', GOWASM: '', GOFLAGS: '', GOWORK: 'off' };

/** The same sources and the same Go give the same module on every machine. */
function build({ folder, linker = '' }: GoModule): Buffer {
  const output = mkdtempSync(join(tmpdir(), 'preadmit-engine-'));
  const module = join(output, 'engine.wasm');
  const toolchain = /^toolchain (\S+)$/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8'))?.[1] ?? 'local';
  try {
    execFileSync('go', [...BUILD, `-ldflags=${LINKER} ${linker}`.trimEnd(), '-o', module], {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, ...ENVIRONMENT, GOTOOLCHAIN: toolchain },
    });
    return readFileSync(module);
  } finally {
    rmSync(output, { recursive: true, force: true });
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

/** The licence of every linked module. Those of copied modules lie beside the copies. */
function licences({ folder, name: engine, script }: GoModule): string {
  const format =
    '{{if not .Standard}}{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}{{end}}';
  const env = { ...process.env, ...ENVIRONMENT };
  const listed = execFileSync('go', ['list', '-deps', '-f', format, '.'], { cwd: folder, env, encoding: 'utf8' });
  const root = execFileSync('go', ['env', 'GOROOT'], { cwd: folder, env, encoding: 'utf8' }).trim();
  const modules = [...new Set(listed.split('\n').filter((line) => line !== ''))].sort();
  const names = new Map<string, string[]>();
  for (const line of [`Go\t${root}`, ...modules]) {
    const [name = '', of = ''] = line.split('\t');
    if (of.startsWith(join(folder, 'stubs'))) continue;
    const file = readdirSync(of).find((entry) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    const text = readFileSync(join(of, file), 'utf8').replaceAll('\r\n', '\n').trim();
    names.set(text, [...(names.get(text) ?? []), name]);
  }
  const texts = [...termsOnce(names)].map(([text, of]) => `${of.join('\n')}\n\n${text}\n\n${'-'.repeat(80)}\n`);
  return `Licences of what is compiled into ${engine}.wasm.br; made by \`npm run ${script}\`.\n\n${texts.join('\n')}`;
}

const TERMS: Readonly<Record<string, RegExp>> = {
  'Apache License 2.0':
    /TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION[\s\S]*END OF TERMS AND CONDITIONS/,
  'MIT License': /Permission is hereby granted, free of charge[\s\S]*DEALINGS IN THE\s+SOFTWARE\./,
  'BSD License': /Redistribution and use in source and binary forms[\s\S]*SUCH DAMAGE\./,
};

/** The texts of a license differ in their notices. Equal terms are written once. */
export function termsOnce(names: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const seen = new Set<string>();
  return new Map(
    Array.from(names, ([text, of]) => {
      const shown = Object.entries(TERMS).reduce((left, [license, pattern]) => {
        const terms = pattern.exec(left)?.[0].replace(/\s+/g, ' ');
        if (terms === undefined) return left;
        const isRepeated = seen.has(terms);
        seen.add(terms);
        return isRepeated
          ? left.replace(pattern, () => `[The terms and conditions of the ${license}, as above.]`)
          : left;
      }, text);
      return [shown, of];
    }),
  );
}
