// Splits the Node bundles into parts that load when one of their functions is first called, because most runs need few parts.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { OnLoadResult, Plugin } from 'esbuild';

/**
 * The modules of each part. They export only functions. Modules outside the part get functions of the same names that load the part and
 * call the real ones. Sources, tests and the browser bundle do not depend on this.
 */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  kyverno: [
    'src/policy/kyverno/language/load-policies.ts',
    'src/policy/kyverno/migrate/kyverno-migration.ts',
    'src/policy/kyverno/suite/kyverno-suites.ts',
  ],
  rendering: ['src/render/places/root-places.ts', 'src/workspace/render/render-cache.ts'],
  controllers: [
    'src/render/argo/application.ts',
    'src/render/argo/application-set.ts',
    'src/render/flux/flux-helm-release.ts',
    'src/render/flux/flux-kustomization.ts',
  ],
  patterns: ['src/go/regexp/regex.ts'],
  re2: ['src/go/regexp/re2.ts'],
  customResources: ['src/kubernetes/custom-resource/kind-of-definition.ts'],
  syntaxErrors: ['src/cel/syntax/recovery/recovery.ts', 'src/policy/expression/expression-help.ts'],
  network: [
    'src/workspace/network/https-transport.ts',
    'src/workspace/schemas/fetch-schemas.ts',
    'src/workspace/sources/git-source.ts',
    'src/workspace/sources/npm-source.ts',
    'src/workspace/sources/oci-source.ts',
    'src/door/run/fetch-remotes.ts',
  ],
  largeRepositories: ['src/workspace/files/large-repository.ts'],
  globs: ['src/settings/any-glob.ts'],
  podSecurity: ['src/kubernetes/pod-security/checks-of.ts'],
  roles: ['src/kubernetes/access/default-roles.ts'],
  releases: ['src/door/cli/command/check-releases-command.ts'],
  formats: ['src/report/format/seldom-formats.ts'],
  changes: [
    'src/policy/admission/mutating/mutator-of.ts',
    'src/kubernetes/patch/patch-targets-of.ts',
    'src/engine/target/mutation-drift.ts',
    'src/policy/mutation/policy-writes.ts',
    'src/report/location/line-fix.ts',
  ],
};

/** Long-running entry points and libraries load all parts at start, so that a later update of the files cannot mix versions. */
const READ_ALL = "import 'parts:all';";
/**
 * Loads the modules of every check in all entry points. esbuild puts code shared by two files into a third one, so common code of parts and
 * commands ends up in one file instead of one file per combination.
 */
const READ_CORE = "import 'parts:core';";
/** Before 20.19 and 22.12, Node cannot load an ES module synchronously. */
const READ_ALL_IF_OLD = "if (process.features.require_module !== true) await import('parts:all');";

const FIRST_LINES: ReadonlyMap<string, string> = new Map([
  ['src/index.ts', READ_ALL],
  ['src/door/lsp/lsp-command.ts', READ_ALL],
  ['src/door/cli/commands.ts', READ_CORE],
  ['src/door/cli/init/init-command.ts', READ_CORE],
  ['src/door/cli/command/test-command.ts', READ_CORE],
  ['src/cli.ts', READ_ALL_IF_OLD],
  ['src/action.ts', `${READ_CORE}\n${READ_ALL_IF_OLD}`],
]);

const PART_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(PARTS).flatMap(([part, modules]) => modules.map((module) => [module, part] as const)),
);

/** Inserts the calls into parts. Apply `readPartsNow` to the output. `root`: the top of the project. */
export function partsPlugin(root: string): Plugin {
  const nameOf = (path: string): string => relative(root, path).replaceAll(sep, '/');
  const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
  return {
    name: 'parts',
    setup(build) {
      build.onResolve({ filter: /^parts:/ }, ({ path }) => ({ path, namespace: 'parts' }));
      build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, namespace, resolveDir }) => {
        const name = nameOf(join(resolveDir, path));
        return namespace === 'file' && PART_OF.has(name) ? { path: name, namespace: 'part-calls' } : undefined;
      });
      build.onLoad({ filter: /./, namespace: 'part-calls' }, ({ path }) =>
        generated(callsOf(PART_OF.get(path) as string, exportedFunctions(path, textOf(path))), root),
      );
      build.onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => generated(virtualModule(path), root));
      // Parsing it as JSON is many times faster than as JavaScript.
      build.onLoad({ filter: /\.generated\.json$/ }, ({ path }) => {
        const table = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
        return { contents: `export default JSON.parse(${JSON.stringify(table)});`, loader: 'js' };
      });
      build.onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => {
        const line = FIRST_LINES.get(nameOf(path));
        if (line === undefined) return undefined;
        const contents = textOf(nameOf(path)).replace(/^(?:#!.*\n)?/, (start) => `${start}${line}\n`);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** Rewrites esbuild's output, which contains the path of each part's file. */
export function readPartsNow(text: string): string {
  const written = text.replace(/\breadPartNow\(import\(("[^"]+")\)\)/g, 'require($1)');
  if (written.includes('readPartNow('))
    throw new Error('unexpected form of imports in the output of esbuild: no part would be loaded');
  return written;
}

/** `parts:all`, `parts:kept`, and `parts:of/…`, which is a single part. */
function virtualModule(path: string): string {
  if (path === 'parts:kept') return 'export const kept = new Map();';
  if (path === 'parts:all') {
    const names = Object.keys(PARTS);
    return [
      "import { kept } from 'parts:kept';",
      ...names.map((name) => `import * as ${name} from 'parts:of/${name}';`),
      ...names.map((name) => `kept.set('${name}', ${name});`),
    ].join('\n');
  }
  if (path === 'parts:core') return "import './src/door/cli/command/check-command.ts';";
  const modules = PARTS[path.slice('parts:of/'.length)] as readonly string[];
  return [READ_CORE, ...modules.map((module) => `export * from './${module}';`)].join('\n');
}

function callsOf(part: string, names: readonly string[]): string {
  return [
    "import { kept } from 'parts:kept';",
    'function read() {',
    `  if (!kept.has('${part}')) kept.set('${part}', readPartNow(import('parts:of/${part}')));`,
    `  return kept.get('${part}');`,
    '}',
    ...names.map((name) => `export function ${name}(...given) { return read().${name}(...given); }`),
  ].join('\n');
}

/** Throws for a module that exports anything but functions. */
function exportedFunctions(path: string, text: string): readonly string[] {
  const names: string[] = [];
  for (const [line, kind, name] of text.matchAll(/^export (?:async )?(\S+) (\w+)?.*$/gm)) {
    if (kind === 'type' || kind === 'interface') continue;
    if (kind !== 'function' || name === undefined)
      throw new Error(`${path} exports something other than a function: ${line}`);
    names.push(name);
  }
  return names;
}

function generated(contents: string, root: string): OnLoadResult {
  return { contents, loader: 'js', resolveDir: root };
}
