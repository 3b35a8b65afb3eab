// Which of many kustomizations and tests can say something about a few files, told without parsing them: never too few.
import { baseName, folderOf, joinPaths } from '../../source/repository-path.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { plainValues } from './plain-values.ts';

/** Told of a text without parsing it: false only if no value of it contains the word. */
export type MayMention = (file: SourceFile, word: string) => boolean;

/**
 * Of the files that refer to others, in their order: those that refer to one of the files to read, and those that build on what
 * refers to an examined one.
 */
export function relevantReferences(
  referring: readonly SourceFile[],
  read: Iterable<SourceFile>,
  examined: Iterable<SourceFile>,
  mayMention: MayMention,
): readonly SourceFile[] {
  const references = new References(referring, mayMention);
  const relevant = new Set<SourceFile>();
  for (const { path } of read) for (const file of references.to(path)) relevant.add(file);
  const builtOn = new Set<string>();
  const pending = [...examined].map(({ path }) => path);
  for (let target = pending.pop(); target !== undefined; target = pending.pop()) {
    if (builtOn.has(target)) continue;
    builtOn.add(target);
    for (const file of references.to(target)) {
      relevant.add(file);
      pending.push(folderOf(file.path));
    }
  }
  // A folder that is built on may hold two kustomizations.
  return referring.filter((file) => relevant.has(file) || builtOn.has(folderOf(file.path)));
}

/** Names that are written as they are, whatever the style. */
const ORDINARY_NAME = /^[\w.~@-]+$/;
/** Inline patches are the one thing of several lines that kustomizations are full of; they refer to nothing. */
const INLINE_PATCH = 'patch';

interface Reference {
  readonly file: SourceFile;
  readonly text: string;
}

class References {
  readonly #mayMention: MayMention;
  readonly #files: readonly SourceFile[];
  /** By the last name in them; those that end in a step up or in none are under the empty name. */
  readonly #byName = new Map<string, Reference[]>();
  /** Files that have to be parsed to know what they refer to. */
  readonly #opaque: SourceFile[] = [];

  constructor(files: readonly SourceFile[], mayMention: MayMention) {
    this.#files = files;
    this.#mayMention = mayMention;
    for (const file of files) {
      const values = plainValues(file.text, INLINE_PATCH);
      if (values === undefined) this.#opaque.push(file);
      else for (const text of values) this.#add({ file, text });
    }
  }

  /** Files with a reference that may lead to the path, that of a file or a folder; but not from the folder itself. */
  *to(target: string): Iterable<SourceFile> {
    if (target.includes('\n')) yield* this.#files;
    const name = baseName(target);
    for (const { file, text } of [...(this.#byName.get(name) ?? []), ...(this.#byName.get('') ?? [])]) {
      const folder = folderOf(file.path);
      if (folder !== target && joinPaths(folder, text).replace(/\/$/, '') === target) yield file;
    }
    for (const file of this.#opaque) {
      const folder = folderOf(file.path);
      // The way to a folder around this one need not have its name, only steps up.
      const word = target === '.' || folder.startsWith(`${target}/`) ? '..' : name;
      if (folder !== target && (!ORDINARY_NAME.test(word) || this.#mayMention(file, word))) yield file;
    }
  }

  /** As kustomizations write references: a path, or `key=path`. */
  #add({ file, text }: Reference): void {
    this.#addPath({ file, text });
    const equals = text.indexOf('=');
    if (equals >= 0) this.#addPath({ file, text: text.slice(equals + 1) });
  }

  #addPath(reference: Reference): void {
    const last = baseName(reference.text);
    const name = last === '.' || last === '..' ? '' : last;
    const others = this.#byName.get(name);
    if (others === undefined) this.#byName.set(name, [reference]);
    else others.push(reference);
  }
}
