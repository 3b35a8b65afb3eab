// `npm run conformance -- lsp [FOLDER]`: conversations with the bundled language server about a copy of a repository, with known answers.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { bundleApart } from '../../scripts/bundle-apart.ts';
import type { Report } from '../../src/report/report.ts';
import { manifestPaths, withCorpus } from '../support/corpus.ts';
import { BROUGHT_FOLDER, broughtPolicy, policyName, SPOKEN_KINDS, type SpokenKind } from './editor/brought-policy.ts';
import { EditorSession } from './editor/editor-session.ts';
import { discussManifest, nothingYet, type Proposed } from './editor/manifest-questions.ts';
import { discussPolicy } from './editor/policy-questions.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const REPOSITORIES = ['redhat-appstudio+infra-deployments', 'xunholy+k8s-gitops'];
/** Number of kinds with added policies, the first ones in the repository, and of manifests per kind. */
const KINDS = 5;
const MANIFESTS = 2;
const LEAST_CONVERSATIONS = 60;
const MOST_MEGABYTES = 500;
const NOT_APPLIED = /\/(?:templates|\.chainsaw-test|tests?)\//;

/**
 * Default: `examples` and the available corpus repositories. False after a wrong answer, or if the server exceeds its
 * memory limit.
 */
export async function converse(folder: string | undefined): Promise<boolean> {
  const bundle = mkdtempSync(join(tmpdir(), 'preadmit-lsp-bundle-'));
  try {
    await bundleApart({ cli: 'src/cli.ts' }, bundle);
    const proposed = nothingYet();
    if (folder !== undefined) return await converseAbout(resolve(folder), bundle, proposed);
    let isRight = await converseAbout(EXAMPLES, bundle, proposed);
    for (const [what, count] of Object.entries(proposed)) {
      if (count > 0) continue;
      console.error(`in examples nothing was ${what}`);
      isRight = false;
    }
    for (const name of REPOSITORIES) {
      const asked = withCorpus(name, (own) => converseAbout(own, bundle, nothingYet()));
      if (asked === undefined) console.log(`${name}: absent, so nothing was asked`);
      else isRight = (await asked) && isRight;
    }
    return isRight;
  } finally {
    rmSync(bundle, { recursive: true, force: true });
  }
}

async function converseAbout(original: string, bundle: string, proposed: Proposed): Promise<boolean> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-lsp-')));
  try {
    cpSync(original, folder, { recursive: true });
    const files = manifestPaths(folder).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
    mkdirSync(join(folder, BROUGHT_FOLDER));
    const subjects = SPOKEN_KINDS.flatMap((spoken) => {
      const all = files.filter(({ path, text }) => !NOT_APPLIED.test(path) && namesIn(text, spoken).length > 0);
      return all.length === 0 ? [] : [{ spoken, manifests: spread(all, MANIFESTS) }];
    }).slice(0, KINDS);
    const brought = subjects.map(({ spoken, manifests }) => {
      const path = join(folder, BROUGHT_FOLDER, `${policyName(spoken)}.yaml`);
      const text = broughtPolicy(spoken, [...new Set(manifests.flatMap((each) => namesIn(each.text, spoken)))]);
      writeFileSync(path, text);
      return { path, text, spoken, manifests };
    });
    // Files that Git does not track are not applied; without Git, all files are.
    spawnSync('git', ['add', '--', BROUGHT_FOLDER], { cwd: folder });
    const report = checked(folder, bundle);
    const session = await EditorSession.start(folder, bundle);
    for (const { path, text: policy, spoken, manifests } of brought) {
      const document = await session.open(path, policy);
      await discussPolicy(session, document, spoken);
      await session.settled(document);
      await session.close(document);
      for (const { path: onDisk, text } of manifests) {
        await discussManifest(session, { onDisk, inRepository: relative(folder, onDisk) }, text, report, proposed);
      }
    }
    return await told(session, `${relative(join(original, '..'), original)}: ${files.length} documents`, proposed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function told(session: EditorSession, about: string, proposed: Proposed): Promise<boolean> {
  const megabytes = await session.end();
  const { conversations, problems } = session;
  if (conversations < LEAST_CONVERSATIONS) problems.push(`${conversations} conversations are too few`);
  if (megabytes > MOST_MEGABYTES) problems.push(`${megabytes} MB are more than ${MOST_MEGABYTES}`);
  console.log(`\n${about}, ${conversations} conversations, peak memory ${megabytes} MB`);
  console.log(
    `${Object.entries(proposed)
      .map(([what, count]) => `${what}: ${count}`)
      .join(', ')}\n`,
  );
  console.log('| what | asked | right | p50 ms | p95 ms | most ms |\n|---|--:|--:|--:|--:|--:|');
  for (const line of session.table()) console.log(line);
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

/** Names of the objects of a kind in a text, if they are written in the usual form. */
function namesIn(text: string, { kind, group }: SpokenKind): readonly string[] {
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  return text.split(/^---/m).flatMap((document) => {
    const isOf = new RegExp(`^kind: ${kind}$`, 'm').test(document) && document.includes(`apiVersion: ${apiVersion}\n`);
    const [, name] = /^metadata:\n(?: .*\n)*? {2}name: ([a-z0-9.-]+)$/m.exec(document) ?? [];
    return isOf && name !== undefined ? [name] : [];
  });
}

/** The report of a full check with rendering, which uses different code than the language server. */
function checked(folder: string, bundle: string): Report {
  const { stdout } = spawnSync(process.execPath, [join(bundle, 'cli.mjs'), 'check', '--format', 'json'], {
    cwd: folder,
    maxBuffer: 1024 ** 3,
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as Report;
}

/** `count` items, evenly distributed. */
function spread<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)] as T);
}
