// The name of a repository from the address of its origin.
import { trimRight } from '../../go/strings/trim.ts';

const ADDRESS = /^(?:(?:https?|ssh|git):\/\/(?:[^@/]*@)?[^/]+\/+|(?:[^@/:]+@)?[A-Za-z0-9.-]+\.[A-Za-z]+:)(.+)$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9._-]+)+$/;

/** `acme/shop`, without host and credentials. Undefined for a folder, whose path would reveal names of the machine. */
export function repositoryName(url: string | undefined): string | undefined {
  const [, path = ''] = ADDRESS.exec(url ?? '') ?? [];
  const name = trimRight(path, '/').replace(/\.git$/, '');
  return NAME.test(name) && name.length <= 200 ? name : undefined;
}
