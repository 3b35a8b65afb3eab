// Files that lie among manifests and that probably nobody applies as they are: beside a kustomization, and among fixtures of tests.
import { baseName, folderOf } from '../source/text/repository-path.ts';

/** Completes the sentence "objects …". */
export const ASIDE = {
  unlisted: 'in files that lie beside a kustomization and that none lists',
  fixture: 'among fixtures of tests',
} as const;

export type Aside = keyof typeof ASIDE;

const TEST_FOLDER = /^(?:.*[._-])?(?:tests?|testdata|fixtures?|e2e)$/i;
const FIXTURE_NAME = /^(?:zz_)?fixture[._-]/i;
const TESTS: readonly string[] = ['chainsaw-test.yaml', 'chainsaw-test.yml', 'kyverno-test.yaml', 'kyverno-test.yml'];

export function isTestFolder(folder: string): boolean {
  return folder.split('/').some((name) => TEST_FOLDER.test(name));
}

/** By the words in its path, or by the test beside it. */
export function isFixture(path: string, paths: ReadonlySet<string>): boolean {
  const folder = folderOf(path);
  if (isTestFolder(folder) || FIXTURE_NAME.test(baseName(path))) return true;
  return TESTS.some((test) => paths.has(folder === '.' ? test : `${folder}/${test}`));
}
