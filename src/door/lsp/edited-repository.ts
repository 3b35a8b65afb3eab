// The repository of an editor, read from disk once and again when a file changes outside the editor.
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EditedPolicies } from '../../pipeline/editing/edited-policies.ts';
import { EditedState } from '../../pipeline/editing/edited-state.ts';
import { type WrittenMutations, writtenMutations } from '../../pipeline/editing/written-mutations.ts';
import type { Report } from '../../report/report.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { askRepository, type CheckOptions } from '../run/check-repository.ts';
import type { KnownDocuments } from './reported-diagnostics.ts';

/** Configuration and baseline files; a change to one reloads the repository. */
const SETTINGS = /(?:^|\/)\.preadmit(?:-baseline)?\.ya?ml$/;

const DOCUMENT = /\.(?:ya?ml|json)$/;

export class EditedRepository implements KnownDocuments {
  readonly root: string;
  /** Absent if the configuration is unusable; `unusable` says why. */
  readonly state: EditedState | undefined;
  readonly unusable: Report | undefined;
  readonly policies: EditedPolicies | undefined;
  #mutations: { readonly of: object; readonly byPath: Map<string, WrittenMutations | undefined> } | undefined;
  /** URIs as the editor wrote them, by path. */
  readonly #uris = new Map<string, string>();
  readonly #release: () => void;

  private constructor(
    root: string,
    found: { readonly state?: EditedState; readonly unusable?: Report },
    release: () => void,
  ) {
    this.root = root;
    this.state = found.state;
    this.unusable = found.unusable;
    this.policies = found.state && new EditedPolicies(found.state);
    this.#release = release;
  }

  /** Throws WorkspaceError. Policy sources stay open until `close`. */
  static open(options: CheckOptions): Promise<EditedRepository> {
    return new Promise((resolve, reject) => {
      askRepository(options, (input, root) => {
        return new Promise<void>((release) => {
          resolve(new EditedRepository(root, { state: new EditedState(input) }, release));
        });
      }).then((asked) => {
        if (!('stopped' in asked)) return;
        const root = options.directory;
        resolve(new EditedRepository(root, { unusable: asked.stopped.report }, () => {}));
      }, reject);
    });
  }

  close(): void {
    this.#release();
  }

  /** Path from the repository root; undefined for other URIs and for files outside the repository. */
  pathOf(uri: string): string | undefined {
    const file = fileOf(uri);
    const path = file === undefined ? undefined : relative(this.root, file).split(sep).join('/');
    if (path === undefined || path === '' || path === '..' || path.startsWith('../') || /^[A-Za-z]:/.test(path)) {
      return undefined;
    }
    this.#uris.set(path, uri);
    return path;
  }

  uriOf(path: string): string {
    return this.#uris.get(path) ?? pathToFileURL(join(this.root, path)).href;
  }

  file(path: string): SourceFile | undefined {
    return this.state?.file(path);
  }

  /** Changes that mutating policies would write into a file; computed once per state. */
  mutationsOf(path: string): WrittenMutations | undefined {
    const input = this.state?.input();
    if (this.state === undefined || input === undefined) return undefined;
    if (this.#mutations?.of !== input) this.#mutations = { of: input, byPath: new Map() };
    const { byPath } = this.#mutations;
    if (!byPath.has(path)) byPath.set(path, writtenMutations(this.state, path));
    return byPath.get(path);
  }

  edit(path: string, text: string | undefined): void {
    if (DOCUMENT.test(path) && !SETTINGS.test(path)) this.state?.edit(path, text);
  }
}

/** Resolves symbolic links, because an editor's path may contain them. */
function fileOf(uri: string): string | undefined {
  try {
    const file = fileURLToPath(uri);
    return join(realpathSync(dirname(file)), basename(file));
  } catch {
    return undefined;
  }
}
