// Reads the rules of CODEOWNERS from the work tree, or from the commit that a pull request cannot change.
import { CODEOWNERS_PATHS } from '../../report/owner/codeowners.ts';
import { OwnerRules } from '../../report/owner/owner-rules.ts';
import { type ConfigurationSource, readFirstFile } from '../../workspace/discover/configuration-file.ts';

/** Undefined without a CODEOWNERS file. */
export async function ownerRulesOf(
  source: Pick<ConfigurationSource, 'root' | 'commit'>,
): Promise<OwnerRules | undefined> {
  const file = await readFirstFile(source, CODEOWNERS_PATHS);
  return file && new OwnerRules(file);
}
