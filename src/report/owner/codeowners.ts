// Reads CODEOWNERS by GitHub's or GitLab's rules. Lines that the host ignores are listed with the reason.
import { type CompiledPattern, githubPattern, gitlabPattern, type OwnerPattern } from './owner-pattern.ts';

export type OwnerSyntax = 'GitHub' | 'GitLab';

export interface OwnerRule {
  readonly pattern: OwnerPattern;
  /** Empty: the files have no owner. */
  readonly owners: readonly string[];
  /** GitLab: files that the section leaves out, regardless of its other rules. */
  readonly isExclusion: boolean;
}

/** Rules of which the last match decides. The owners of several sections add up. */
export interface OwnerSection {
  readonly name: string;
  readonly rules: readonly OwnerRule[];
}

export interface IgnoredOwnerLine {
  /** Counts from 1. */
  readonly line: number;
  readonly reason: string;
}

export interface Codeowners {
  readonly syntax: OwnerSyntax;
  readonly sections: readonly OwnerSection[];
  readonly ignored: readonly IgnoredOwnerLine[];
}

/** In GitHub's order, then GitLab's own folder. The first file that exists counts. */
export const CODEOWNERS_PATHS: readonly string[] = [
  '.github/CODEOWNERS',
  'CODEOWNERS',
  'docs/CODEOWNERS',
  '.gitlab/CODEOWNERS',
];

/** GitHub does not load larger files. */
export const MAX_CODEOWNERS_BYTES = 3 * 1024 * 1024;

const GITHUB_OWNER =
  /^(?:@[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9._-]+)?|[A-Za-z0-9._'%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,})$/;
const GITLAB_OWNER = /^(?:@@?[A-Za-z0-9_][A-Za-z0-9_./-]*|[A-Za-z0-9._'%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,})$/;
const SECTION = /^\^?\[([^\]]+)\](?:\[\d+\])?(?:\s+(.*))?$/;

/** GitHub has no sections, so a section heading means GitLab, unless the folder names the host. */
export function syntaxOf(path: string, text: string): OwnerSyntax {
  if (path.startsWith('.github/')) return 'GitHub';
  return path.startsWith('.gitlab/') || text.split('\n').some((line) => SECTION.test(line.trim()))
    ? 'GitLab'
    : 'GitHub';
}

export function parseCodeowners(text: string, syntax: OwnerSyntax): Codeowners {
  const ignored: IgnoredOwnerLine[] = [];
  const sections = new Map<string, { name: string; rules: OwnerRule[]; defaults: readonly string[] }>();
  const sectionOf = (name: string): { name: string; rules: OwnerRule[]; defaults: readonly string[] } => {
    const known = sections.get(name.toLowerCase()) ?? { name, rules: [], defaults: [] };
    sections.set(name.toLowerCase(), known);
    return known;
  };
  let section = sectionOf('');
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.trim();
    if (line === '' || line.startsWith('#')) continue;
    const heading = syntax === 'GitLab' ? SECTION.exec(line) : null;
    if (heading !== null) {
      section = sectionOf((heading[1] as string).trim());
      const defaults = ownersIn(words(heading[2] ?? '', syntax), syntax).owners;
      if (defaults.length > 0) section.defaults = defaults;
      continue;
    }
    const rule = ruleOf(line, syntax, section.defaults);
    if ('problem' in rule) ignored.push({ line: index + 1, reason: rule.problem });
    else section.rules.push(rule);
  }
  return { syntax, sections: [...sections.values()].filter(({ rules }) => rules.length > 0), ignored };
}

function ruleOf(
  line: string,
  syntax: OwnerSyntax,
  defaults: readonly string[],
): OwnerRule | { readonly problem: string } {
  const [written = '', ...names] = words(line, syntax);
  const isExclusion = syntax === 'GitLab' && written.startsWith('!');
  const compiled: CompiledPattern =
    syntax === 'GitHub' ? githubPattern(written) : gitlabPattern(isExclusion ? written.slice(1) : written);
  if ('problem' in compiled) return compiled;
  const { owners, wrong } = ownersIn(names, syntax);
  // GitHub skips the whole line, GitLab only the owner.
  if (syntax === 'GitHub' && wrong !== undefined)
    return { problem: 'an owner is neither `@name` nor an email address' };
  return { pattern: compiled.pattern, owners: names.length === 0 ? defaults : owners, isExclusion };
}

/** Splits at spaces that no backslash escapes. GitHub allows a comment after the owners; GitLab does not. */
function words(line: string, syntax: OwnerSyntax): readonly string[] {
  const all = (line.match(/(?:\\.|[^\s\\]|\\$)+/g) ?? []).map((word) => word.replace(/\\(?=\s)/g, ''));
  const comment = syntax === 'GitHub' ? all.findIndex((word, index) => index > 0 && word.startsWith('#')) : -1;
  return comment < 0 ? all : all.slice(0, comment);
}

function ownersIn(
  names: readonly string[],
  syntax: OwnerSyntax,
): { readonly owners: readonly string[]; readonly wrong: string | undefined } {
  const form = syntax === 'GitHub' ? GITHUB_OWNER : GITLAB_OWNER;
  const isOwner = (name: string): boolean => name.length <= MAX_OWNER && form.test(name);
  return { owners: [...new Set(names.filter(isOwner))], wrong: names.find((name) => !isOwner(name)) };
}

const MAX_OWNER = 300;
