// Decides for each path whether its manifests are asked for, whether it is read only as context, or not at all.
import { baseName } from '../source/text/repository-path.ts';
import { compileGlobs, type PathFilter } from './path-filter.ts';

/** Every folder may hold one, whatever `include` says; they decide which other files are patches. */
export const KUSTOMIZATION_NAMES: ReadonlySet<string> = new Set([
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
]);

export const DEFAULT_INCLUDE: readonly string[] = ['**/*.{yaml,yml,json}'];
export const DEFAULT_EXCLUDE: readonly string[] = ['**/node_modules/**'];

export interface SelectionOptions {
  /** Globs of the files whose manifests are asked for. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Globs of further files to read: policies, facts of the cluster. */
  readonly context?: readonly string[];
  /** Files and folders the sweep is restricted to, from the root; none: all of it. Files named here are read whatever the globs say. */
  readonly restriction: Restriction;
}

export interface Restriction {
  readonly files: ReadonlySet<string>;
  /** Without a final `/`; the root is the empty string. */
  readonly folders: readonly string[];
}

export type Choice = 'selected' | 'context' | 'excluded' | 'outside';

export class Selection {
  readonly #include: PathFilter;
  readonly #exclude: PathFilter;
  readonly #context: PathFilter;
  readonly #restriction: Restriction;

  constructor(options: SelectionOptions) {
    this.#include = compileGlobs(options.include ?? DEFAULT_INCLUDE);
    this.#exclude = compileGlobs(options.exclude ?? DEFAULT_EXCLUDE);
    this.#context = compileGlobs(options.context ?? []);
    this.#restriction = options.restriction;
  }

  choose(file: string): Choice {
    if (this.#restriction.files.has(file)) return 'selected';
    const included = this.isInRestriction(file) && (this.#include(file) || this.#include(withPlainEnding(file)));
    const isContext = this.#context(file);
    const isKustomization = KUSTOMIZATION_NAMES.has(baseName(file));
    if (this.#exclude(file)) return isKustomization ? 'context' : included ? 'excluded' : 'outside';
    if (included) return 'selected';
    return isContext || isKustomization ? 'context' : 'outside';
  }

  isInRestriction(file: string): boolean {
    return this.#restriction.folders.some((folder) => folder === '' || file.startsWith(`${folder}/`));
  }

  isExcluded(file: string): boolean {
    return this.#exclude(file);
  }
}

/** What is named `evil.YAML` is applied like any other file that somebody names. */
function withPlainEnding(file: string): string {
  return file.replace(/\.(?:ya?ml|json)$/i, (ending) => ending.toLowerCase());
}
