// Parses a policy source from one string, the form of the command line and of the action's input.
import { baseName } from '../source/text/repository-path.ts';
import {
  commitProblem,
  gitUrlProblem,
  integrityProblem,
  npmProblem,
  ociProblem,
  type PolicySource,
  resolveSource,
  SOURCE_NAME,
  sourceProblem,
  tagProblem,
  type WrittenSource,
} from './policy-source.ts';

export type ParsedSource = { readonly source: PolicySource } | { readonly problem: string };

/**
 * Format: `[name=]address`. An address is a folder, `https://….git#<tag or commit>`, `oci://…@sha256:…` or
 * `npm:<package>@<version>#<integrity>`. The default name is the last part of the address.
 */
export function parseSourceText(text: string): ParsedSource {
  const [, given, address = text] = /^([A-Za-z0-9][\w.-]*)=(.*)$/s.exec(text) ?? [];
  const { written, fallback } = read(address);
  const name = given ?? fallback;
  const problem = SOURCE_NAME.test(name) ? problemOf(written) : '` has no usable name: write it as `<name>=<source>`';
  if (problem === undefined) return { source: resolveSource(name, written) };
  return { problem: `the policy source \`${withoutCredentials(text)}${problem}` };
}

function read(address: string): { readonly written: WrittenSource; readonly fallback: string } {
  const [place = '', ...rest] = address.split('#');
  const pin = rest.length === 0 ? undefined : rest.join('#');
  if (address.startsWith('oci://')) {
    return { written: { oci: address }, fallback: baseName(address.replace(/[@].*$/s, '').replace(/:[^/]*$/, '')) };
  }
  if (address.startsWith('npm:')) {
    const npm = place.slice('npm:'.length);
    const fallback = baseName(npm.replace(/(?<=.)@.*$/s, ''));
    return { written: { npm, ...(pin !== undefined && { integrity: pin }) }, fallback };
  }
  if (/^(?:git\+)?[a-z]+:\/\//.test(address) || /^[\w.-]+@[\w.-]+:/.test(address)) {
    const git = place.replace(/^git\+/, '');
    const isCommit = pin !== undefined && commitProblem(pin) === undefined;
    const written = { git, ...(pin !== undefined && (isCommit ? { commit: pin } : { tag: pin })) };
    return {
      written,
      fallback: baseName(git)
        .replace(/\.git$/, '')
        .replace(/^.*:/, ''),
    };
  }
  return { written: { folder: address }, fallback: baseName(address) };
}

/** Describes the problem as a predicate that starts with the closing backquote of the source. */
function problemOf(written: WrittenSource): string | undefined {
  const { folder, git, tag, oci, npm, integrity } = written;
  if (folder === '') return '` is empty';
  const isGit = git !== undefined;
  if (isGit && written.commit === undefined && tag === undefined)
    return '` has no tag or commit: write it as `<url>#<tag or commit>`';
  if (npm !== undefined && integrity === undefined)
    return '` has no digest: write it as `npm:<package>@<version>#sha512-…`';
  const problem =
    (isGit ? gitUrlProblem(git) : undefined) ??
    (tag === undefined ? undefined : tagProblem(tag)) ??
    (oci === undefined ? undefined : ociProblem(oci)) ??
    (npm === undefined ? undefined : npmProblem(npm)) ??
    (integrity === undefined ? undefined : integrityProblem(integrity)) ??
    sourceProblem(written);
  return problem === undefined ? undefined : `\` ${problem}`;
}

function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//…@').slice(0, 200);
}
