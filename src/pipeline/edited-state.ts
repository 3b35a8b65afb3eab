// A state of a repository that is being edited: what was read of it once, with the texts that editors hold instead of some files.
import { UNOBSERVED } from '../engine/stages.ts';
import type { DiscoveredFile } from '../inventory/discovered-file.ts';
import type { FileTree } from '../render/file-tree.ts';
import { RootBuilder } from '../render/sources/root-builder.ts';
import type { Report } from '../report/report.ts';
import { SourceFile } from '../source/source-file.ts';
import type { CheckInput } from './check-state.ts';
import { checkState } from './check-state.ts';
import { DocumentReader, type RepositoryContent } from './read-repository.ts';
import type { StateRendering } from './rendering.ts';
import { stateContent } from './state-content.ts';

/** What was rendered of so many states is remembered at most. */
const MAX_REMEMBERED = 200;

export class EditedState {
  readonly #input: CheckInput;
  readonly #onDisk: ReadonlyMap<string, DiscoveredFile>;
  readonly #edited = new Map<string, SourceFile>();
  readonly #reader = new DocumentReader();
  #builder = new RootBuilder();
  #asked = 0;
  #state: CheckInput | undefined;
  #content: RepositoryContent | undefined;

  constructor(input: CheckInput) {
    this.#input = input;
    this.#onDisk = new Map(input.files.map((found) => [found.file.path, found]));
  }

  /** `text`: what an editor holds instead of the file; undefined: it is as it was read. */
  edit(path: string, text: string | undefined): void {
    if (text === (this.#edited.get(path) ?? this.#onDisk.get(path)?.file)?.text) return;
    const onDisk = this.#onDisk.get(path)?.file;
    if (text === undefined || text === onDisk?.text) this.#edited.delete(path);
    else this.#edited.set(path, new SourceFile(path, text));
    this.#state = undefined;
    this.#content = undefined;
  }

  /** The text as it is now; undefined for what was not read. */
  file(path: string): SourceFile | undefined {
    return this.#edited.get(path) ?? this.#onDisk.get(path)?.file;
  }

  /** `only`: paths of the files whose objects are judged; absent: all are. */
  check(only?: ReadonlySet<string>): Report {
    return checkState({ ...this.input(), ...(only && { only }) });
  }

  /** As everything is written: nothing is rendered. */
  content(): RepositoryContent {
    if (this.#content === undefined) {
      const { rendering: _, ...written } = this.input();
      this.#content = stateContent(written, UNOBSERVED);
    }
    return this.#content;
  }

  input(): CheckInput {
    this.#state ??= this.#stateNow();
    return this.#state;
  }

  #stateNow(): CheckInput {
    const { files, paths, notRead, rendering } = this.#input;
    const added = [...this.#edited.keys()].filter((path) => !this.#onDisk.has(path));
    const now = files.map((found): DiscoveredFile => {
      const file = this.#edited.get(found.file.path);
      return file === undefined ? found : { ...found, file };
    });
    for (const path of added) now.push({ file: this.#edited.get(path) as SourceFile, selected: true });
    if (added.length > 0) now.sort((one, other) => (one.file.path < other.file.path ? -1 : 1));
    const isNew = new Set(added);
    return {
      ...this.#input,
      files: now,
      paths: added.length === 0 ? paths : new Set([...paths, ...added]),
      notRead: added.length === 0 ? notRead : notRead.filter(({ path }) => !isNew.has(path)),
      reader: this.#reader,
      ...(rendering && { rendering: this.#rendering(rendering) }),
    };
  }

  #rendering(rendering: StateRendering): StateRendering {
    this.#asked += 1;
    if (this.#asked % MAX_REMEMBERED === 0) this.#builder = new RootBuilder();
    return { ...rendering, tree: this.#tree(rendering.tree), builder: this.#builder };
  }

  #tree(tree: FileTree): FileTree {
    const edited = new Map([...this.#edited].map(([path, { text }]) => [path, new TextEncoder().encode(text)]));
    return { ...tree, read: (path) => edited.get(path) ?? tree.read(path) };
  }
}
