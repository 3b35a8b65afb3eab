// Builds the static site into site/out: the playground, the documents and their search. `--serve` serves it on localhost.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, extname, join, normalize } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { NEWEST_VERSION, OLDEST_VERSION } from '../src/kubernetes/api/version.ts';
import { allDocuments } from './pages/all-documents.ts';
import { deadLinks } from './pages/dead-links.ts';
import { playgroundExamples } from './pages/examples.ts';
import { playgroundPage } from './pages/playground-page.ts';

const HERE = import.meta.dirname;
const OUT = join(HERE, 'out');
const SCRIPTS = ['playground', 'worker', 'rendering-worker', 'doc-search'];

const LICENSES = ['render/engine-licenses.txt', 'validation/validation-licenses.txt'];

export interface BuiltSite {
  /** Broken links; do not publish a site that has any. */
  readonly dead: readonly string[];
  readonly pages: number;
}

export async function buildSite(folder: string): Promise<BuiltSite> {
  const { pages, sections, dead } = allDocuments();
  const all = new Map([...pages, ['index.html', playgroundPage()]]);
  const files = new Map([
    ...all,
    ['search.json', JSON.stringify(sections)],
    ['style.css', readFileSync(join(HERE, 'style.css'), 'utf8')],
    ['icon.svg', readFileSync(join(HERE, 'icon.svg'), 'utf8')],
  ]);
  for (const [url, text] of files) {
    const path = join(folder, url);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  // Browsers cannot decompress brotli in scripts.
  const engine = packed('../render/engine.wasm.br');
  writeFileSync(join(folder, 'engine.wasm.gz'), engine);
  const validation = packed('../validation/validation.wasm.br');
  writeFileSync(join(folder, 'validation.wasm.gz'), validation);
  for (const name of LICENSES) copyFileSync(join(HERE, '..', name), join(folder, basename(name)));
  const versions: string[] = [];
  for (let { minor } = NEWEST_VERSION; minor >= OLDEST_VERSION.minor; minor--) versions.push(`1.${minor}`);
  await build({
    absWorkingDir: HERE,
    entryPoints: SCRIPTS.map((name) => `client/${name}.ts`),
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      EXAMPLES: JSON.stringify(playgroundExamples()),
      VERSIONS: JSON.stringify(versions),
      ENGINE_BYTES: String(engine.length),
      VALIDATION_BYTES: String(validation.length),
    },
  });
  const others = [...SCRIPTS.map((name) => `${name}.js`), ...LICENSES.map((name) => basename(name))];
  return { dead: [...dead, ...deadLinks(all, new Set([...files.keys(), ...others]))], pages: all.size };
}

function packed(compressed: string): Buffer {
  return gzipSync(brotliDecompressSync(readFileSync(join(HERE, compressed))), { level: 9 });
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Serves the folder on localhost and returns the address and a stop function. `hear` is called with each requested path. */
export async function serveSite(
  folder: string,
  port = 0,
  hear: (path: string) => void = () => {},
): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer(({ url = '/' }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname)).replace(
      /[\\/]$/,
      '/index.html',
    );
    hear(path);
    try {
      const bytes = readFileSync(join(folder, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const { port: given } = typeof address === 'object' && address !== null ? address : { port };
  return { url: `http://127.0.0.1:${given}/`, stop: () => void server.close() };
}

async function main(): Promise<void> {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const { dead, pages } = await buildSite(OUT);
  console.log(`${pages} pages in site/out`);
  if (dead.length > 0) {
    console.error(`broken links:\n  ${dead.join('\n  ')}`);
    process.exitCode = 1;
  }
  if (process.argv.includes('--serve')) console.log((await serveSite(OUT, 8080)).url);
}

if (import.meta.filename === process.argv[1]) await main();
