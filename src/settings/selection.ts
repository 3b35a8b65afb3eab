// Decides for each path whether its manifests are evaluated, read only as context, or ignored.
import { baseName } from '../source/text/repository-path.ts';
import { compileGlobs, type PathFilter } from './path-filter.ts';

/** Read in every folder regardless of `include`, because they determine which other files are patches. */
export const KUSTOMIZATION_NAMES: ReadonlySet<string> = new Set([
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
]);

export const DEFAULT_INCLUDE: readonly string[] = ['**/*.{yaml,yml,json}'];
export const DEFAULT_EXCLUDE: readonly string[] = ['**/node_modules/**'];

export interface SelectionOptions {
  /** Globs of the files to evaluate. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Globs of files to read as context: policies and cluster facts. */
  readonly context?: readonly string[];
  /** Files and folders to search, relative to the root; none: everything. Files named here are read regardless of the globs. */
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

/** Lets lower-case globs match upper-case extensions, e.g. `evil.YAML`: kubectl applies such a file when it is named. */
function withPlainEnding(file: string): string {
  return file.replace(/\.(?:ya?ml|json)$/i, (ending) => ending.toLowerCase());
}
