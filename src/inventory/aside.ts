// Detects files among the manifests that are probably not applied: unlisted files beside a kustomization, and test fixtures.
import { baseName, folderOf } from '../source/text/repository-path.ts';

/** Completes the sentence "objects …". */
export const ASIDE = {
  unlisted: 'in files beside a kustomization that no kustomization lists',
  fixture: 'in test fixtures',
} as const;

export type Aside = keyof typeof ASIDE;

const TEST_FOLDER = /^(?:.*[._-])?(?:tests?|testdata|fixtures?|e2e)$/i;
const FIXTURE_NAME = /^(?:zz_)?fixture[._-]/i;
const TESTS: readonly string[] = ['chainsaw-test.yaml', 'chainsaw-test.yml', 'kyverno-test.yaml', 'kyverno-test.yml'];

/** The outermost folder of the path that has the name of a test folder. */
export function topTestFolder(path: string): string | undefined {
  const names = folderOf(path).split('/');
  const index = names.findIndex((name) => TEST_FOLDER.test(name));
  return index < 0 ? undefined : names.slice(0, index + 1).join('/');
}

export function isTestFolder(folder: string): boolean {
  return folder.split('/').some((name) => TEST_FOLDER.test(name));
}

/** True for a file in a hidden folder or a folder of tests. No controller starts there. */
export function isSetAside(path: string): boolean {
  const folder = folderOf(path);
  return isTestFolder(folder) || folder.split('/').some((name) => /^\.[^./]/.test(name));
}

/** Detected by words in the path, or by a test file in the same folder. */
export function isFixture(path: string, paths: ReadonlySet<string>): boolean {
  const folder = folderOf(path);
  if (isTestFolder(folder) || FIXTURE_NAME.test(baseName(path))) return true;
  return TESTS.some((test) => paths.has(folder === '.' ? test : `${folder}/${test}`));
}
