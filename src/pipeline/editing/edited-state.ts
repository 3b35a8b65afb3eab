// A state of a repository that is being edited: the files as read once, and the editor's text for some of them.
import type { DiscoveredFile } from '../../inventory/discovered-file.ts';
import { hasTooManyDocuments } from '../../inventory/document-count.ts';
import { isKustomization } from '../../inventory/kustomize-references.ts';
import { RootBuilder } from '../../render/sources/root/root-builder.ts';
import { isJsonObject } from '../../source/json/json.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { CheckInput } from '../check-state.ts';
import { PlannedBuilds } from '../state/planned-builds.ts';
import { PolicySourceReader } from '../state/policy-sources.ts';
import { DocumentReader, type FoundResource, type RepositoryContent } from '../state/read-repository.ts';
import { withGiven } from '../state/state-content.ts';
import { FileJudge, type JudgeStep, type StateToJudge } from './file-judge.ts';
import { WrittenContent } from './written-content.ts';

/** Objects of these groups declare roots. */
const DECLARING_GROUP = /^(?:.*\.toolkit\.fluxcd\.io|fluxcd\.controlplane\.io|argoproj\.io)\//;

export class EditedState {
  readonly #input: CheckInput;
  readonly #onDisk: ReadonlyMap<string, DiscoveredFile>;
  readonly #edited = new Map<string, SourceFile>();
  readonly #reader = new DocumentReader();
  readonly #builder = new RootBuilder(this.#reader.documents);
  readonly #written = new WrittenContent(this.#reader);
  readonly #given: PolicySourceReader;
  readonly #judge: FileJudge;
  readonly #tree: FileTree | undefined;
  /** Paths of files that exist only in the editor, with all other paths. */
  #added: { readonly names: string; readonly paths: ReadonlySet<string> } | undefined;
  #state: CheckInput | undefined;
  #content: RepositoryContent | undefined;
  #builds: PlannedBuilds | undefined;

  constructor(input: CheckInput) {
    this.#input = input;
    this.#onDisk = new Map(input.files.map((found) => [found.file.path, found]));
    this.#given = new PolicySourceReader(input.configuration, input.rendering?.engine);
    this.#judge = new FileJudge(input);
    this.#tree = input.rendering && this.#treeOver(input.rendering.tree);
  }

  /** `text`: the editor's text of the file; undefined if the editor closed it. */
  edit(path: string, text: string | undefined): void {
    const before = this.file(path);
    if (text === before?.text) return;
    const onDisk = this.#onDisk.get(path)?.file;
    if (text === undefined || text === onDisk?.text) this.#edited.delete(path);
    else this.#edited.set(path, new SourceFile(path, text));
    this.#state = undefined;
    this.#content = undefined;
    const isNew = before === undefined || this.file(path) === undefined;
    if (isNew || [before, this.file(path)].some((file) => file !== undefined && this.#decidesRoots(file))) {
      this.#builds = undefined;
    }
  }

  /** The current text; undefined if the file was not read. */
  file(path: string): SourceFile | undefined {
    return this.#edited.get(path) ?? this.#onDisk.get(path)?.file;
  }

  /** Reports on the current text of a file, step by step. After an edit the remaining steps are obsolete. */
  judge(path: string): Generator<JudgeStep, void> {
    return this.#judge.judge(path, this.#judged());
  }

  /** The resources that verdicts on any file depend on, besides its own objects. A new list if one of them changes. */
  facts(): readonly FoundResource[] {
    return this.#judge.factsOf(this.#stateOf(undefined));
  }

  /** True if a root renders the file, so that its objects are not applied as written. */
  isBuilt(path: string): boolean {
    return this.#judged().builds?.isBuilt(path) === true;
  }

  /** The written objects: nothing is rendered. */
  content(): RepositoryContent {
    const { policySources = [] } = this.#input;
    this.#content ??= withGiven(this.#written.of(this.input()), this.#given.read(policySources), 'everything');
    return this.#content;
  }

  input(): CheckInput {
    this.#state ??= this.#stateNow();
    return this.#state;
  }

  #judged(): StateToJudge {
    const input = this.input();
    const { rendering } = input;
    if (rendering !== undefined && this.#builds === undefined) {
      const { configuration, files, paths } = input;
      const readFiles = this.#written.documentsOf(files);
      const content = this.#written.of(input);
      this.#builds = new PlannedBuilds(rendering, { readFiles, paths, content, configuration }, this.#builder);
    }
    return this.#stateOf(this.#builds);
  }

  #stateOf(builds: PlannedBuilds | undefined): StateToJudge {
    const text = (path: string): SourceFile | undefined => this.file(path) ?? this.#otherFile(path);
    return { input: this.input(), content: this.content(), builds, reader: this.#reader, file: text };
  }

  /** A file that was not read but that the rendering engine may read. */
  #otherFile(path: string): SourceFile | undefined {
    const bytes = this.input().paths.has(path) ? this.#tree?.read(path) : undefined;
    return bytes && new SourceFile(path, new TextDecoder().decode(bytes));
  }

  #stateNow(): CheckInput {
    const { files, paths, notRead, rendering } = this.#input;
    const added = [...this.#edited.keys()].filter((path) => !this.#onDisk.has(path)).sort();
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
      paths: added.length === 0 ? paths : this.#pathsWith(added),
      notRead: added.length === 0 ? notRead : notRead.filter(({ path }) => !isNew.has(path)),
      reader: this.#reader,
      ...(rendering && this.#tree && { rendering: { ...rendering, tree: this.#tree } }),
    };
  }

  #pathsWith(added: readonly string[]): ReadonlySet<string> {
    const names = added.join('\0');
    if (this.#added?.names !== names) this.#added = { names, paths: new Set([...this.#input.paths, ...added]) };
    return this.#added.paths;
  }

  /** True for kustomizations, declarations of controllers, and ConfigMaps and Secrets that these read. */
  #decidesRoots(file: SourceFile): boolean {
    if (hasTooManyDocuments(file.text)) return false;
    return this.#reader.documentsOf(file).documents.some(({ value }) => {
      if (isKustomization(file.path, value)) return true;
      if (!isJsonObject(value)) return false;
      const apiVersion = value.get('apiVersion');
      if (typeof apiVersion === 'string' && DECLARING_GROUP.test(apiVersion)) return true;
      const isData = value.get('kind') === 'ConfigMap' || value.get('kind') === 'Secret';
      return isData && this.#builds?.takesValues === true;
    });
  }

  #treeOver(tree: FileTree): FileTree {
    return {
      ...tree,
      read: (path) => {
        const edited = this.#edited.get(path);
        return edited === undefined ? tree.read(path) : new TextEncoder().encode(edited.text);
      },
    };
  }
}
