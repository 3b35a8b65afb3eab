// `npm run bench -- <name>`: runs one benchmark; without a name, lists them.

const BENCHMARKS: Readonly<Record<string, () => Promise<{ run: (args: readonly string[]) => Promise<void> }>>> = {
  admission: () => import('./admission.ts'),
  cel: () => import('./cel.ts'),
  growth: () => import('./growth.ts'),
  kyverno: () => import('./kyverno.ts'),
  lsp: () => import('./lsp.ts'),
  memory: () => import('./memory.ts'),
  merges: () => import('./merges.ts'),
  mutation: () => import('./mutation.ts'),
  peers: () => import('./peers.ts'),
  organization: () => import('./organization.ts'),
  'pull-request': () => import('./pull-request.ts'),
  reading: () => import('./reading.ts'),
  'regular-expressions': () => import('./regular-expressions.ts'),
  reports: () => import('./reports.ts'),
  repository: () => import('./repository.ts'),
  'start-up': () => import('./start-up.ts'),
  validation: () => import('./validation.ts'),
};

const [name, ...args] = process.argv.slice(2);
const load = name === undefined ? undefined : BENCHMARKS[name];
if (load === undefined) {
  console.log(`usage: npm run bench -- <name>, one of: ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  const benchmark = await load();
  await benchmark.run(args);
}
