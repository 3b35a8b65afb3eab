// Prepares a Go module that builds fields/, names/ and stages/ against one release of k8s.io/kubernetes (see README.md).
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [release = '', target = ''] = process.argv.slice(2);
const match = /^1\.(\d+)\.(\d+)=(.+)$/.exec(release);
if (match === null || target === '')
  throw new Error('usage: scratch.ts 1.<minor>.<patch>=<folder of k8s.io/kubernetes> <target>');
const [, minor = '', patch = '', kubernetes = ''] = match;
const here = new URL('.', import.meta.url).pathname;

/** Exceptions: groups whose registry folder is not the first word of their name. */
const GROUPS: Readonly<Record<string, string>> = {
  admissionregistration: 'admissionregistration.k8s.io',
  apiserverinternal: 'internal.apiserver.k8s.io',
  certificates: 'certificates.k8s.io',
  coordination: 'coordination.k8s.io',
  core: '',
  discovery: 'discovery.k8s.io',
  flowcontrol: 'flowcontrol.apiserver.k8s.io',
  lifecycle: 'lifecycle.k8s.io',
  networking: 'networking.k8s.io',
  node: 'node.k8s.io',
  rbac: 'rbac.authorization.k8s.io',
  resource: 'resource.k8s.io',
  scheduling: 'scheduling.k8s.io',
  storage: 'storage.k8s.io',
  storagemigration: 'storagemigration.k8s.io',
};

for (const folder of ['fields', 'names', 'stages']) {
  mkdirSync(join(target, folder), { recursive: true });
  for (const file of readdirSync(join(here, folder)))
    copyFileSync(join(here, folder, file), join(target, folder, file));
}
writeModule();
writeInstall();
writeStrategies();

/** The requirements of k8s.io/kubernetes, with modules of its own repository from the proxy. */
function writeModule(): void {
  const source = readFileSync(join(kubernetes, 'go.mod'), 'utf8');
  const blocks = [...source.matchAll(/^require \(([\s\S]*?)^\)/gm)].map((block) => block[1] ?? '');
  const required = blocks.flatMap((block) => block.split('\n')).filter((line) => line.trim() !== '');
  const staged = new Set(
    [...source.matchAll(/(k8s\.io\/[a-z0-9-]+) v0\.0\.0\s/g)].map((module) => module[1] as string),
  );
  const replaced = [...staged].map((module) => `\t${module} => ${module} v${availableVersion(module)}`);
  const lines = [
    'module preadmit.scratch',
    'go 1.26.0',
    `require (\n\tk8s.io/kubernetes v1.${minor}.${patch}\n${required.join('\n')}\n)`,
    `replace (\n${replaced.join('\n')}\n)`,
  ];
  writeFileSync(join(target, 'go.mod'), `${lines.join('\n\n')}\n`);
}

/** The proxy lacks some patch releases of some modules: uses the nearest older one, else the newest. */
function availableVersion(module: string): string {
  const patches = [...Array(Number(patch) + 1).keys()].reverse();
  const found = patches.find((candidate) => {
    try {
      execFileSync('go', ['mod', 'download', `${module}@v0.${minor}.${candidate}`], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`no release of ${module} for 1.${minor}`);
  return `0.${minor}.${found}`;
}

/** Imports all API groups that the server installs. */
function writeInstall(): void {
  const source = readFileSync(join(kubernetes, 'pkg/controlplane/import_known_versions.go'), 'utf8');
  const imports = /^import \([\s\S]*?^\)/m.exec(source)?.[0] ?? '';
  mkdirSync(join(target, 'install'), { recursive: true });
  writeFileSync(join(target, 'install/install.go'), `package install\n\n${imports}\n`);
}

/** The creation strategies in upstream's pkg/registry, by kind. */
function writeStrategies(): void {
  const registry = join(kubernetes, 'pkg/registry');
  const found = strategyFolders(registry).map((folder, index) => {
    const source = readFileSync(join(folder, 'strategy.go'), 'utf8');
    const newStrategy = /^func NewStrategy\(([^)]*)\)/m.exec(source);
    const count = newStrategy?.[1]?.split(',').filter((argument) => argument.trim() !== '').length ?? 0;
    const value = newStrategy === null ? 'Strategy' : `NewStrategy(${Array(count).fill('nil').join(', ')})`;
    const path = relative(registry, folder);
    const group = path.split('/')[0] as string;
    const kind = /obj\.\(\*\w+\.(\w+)\)/.exec(source)?.[1];
    return { path, alias: `s${index}`, value, group: GROUPS[group] ?? group, kind };
  });
  const known = found.filter(({ kind }) => kind !== undefined);
  const imports = known.map(({ alias, path }) => `\t${alias} "k8s.io/kubernetes/pkg/registry/${path}"`);
  const rows = known.map(
    ({ alias, value, group, kind }) => `\t{Group: "${group}", Kind: "${kind}"}: ${alias}.${value},`,
  );
  const text = [
    '// Package strategies lists the creation strategies of one release.',
    'package strategies',
    '',
    'import (',
    '\t"k8s.io/apimachinery/pkg/runtime/schema"',
    '\t"k8s.io/apiserver/pkg/registry/rest"',
    ...imports,
    ')',
    '',
    'var ByKind = map[schema.GroupKind]rest.RESTCreateStrategy{',
    ...rows,
    '}',
    '',
  ];
  mkdirSync(join(target, 'strategies'), { recursive: true });
  writeFileSync(join(target, 'strategies/strategies.go'), text.join('\n'));
}

function strategyFolders(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const inner = entries
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => strategyFolders(join(folder, entry.name)));
  const skipped = /\/(?:testapigroup|ensurer|rangeallocation)\b/;
  const own = entries.some((entry) => entry.name === 'strategy.go') && !skipped.test(folder) ? [folder] : [];
  return [...own, ...inner];
}
