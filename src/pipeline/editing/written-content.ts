// The written content of an edited repository. After an edit, reads only the changed files again.
import { UNOBSERVED } from '../../engine/stages.ts';
import { Classifier } from '../../inventory/classify.ts';
import type { DiscoveredFile } from '../../inventory/discovered-file.ts';
import { hasTooManyDocuments } from '../../inventory/document-count.ts';
import { isKustomization } from '../../inventory/kustomize-references.ts';
import { isTest } from '../../inventory/test-files.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import {
  type DiscoveredDocuments,
  type DocumentReader,
  type RepositoryContent,
  readRepository,
} from '../state/read-repository.ts';
import type { StateOptions } from '../state/state-content.ts';

/** With more changed files, everything is read again. */
const MAX_APART = 20;

interface Known {
  readonly files: readonly DiscoveredFile[];
  readonly paths: ReadonlySet<string>;
  readonly classifier: Classifier;
  readonly content: RepositoryContent;
}

export class WrittenContent {
  readonly #reader: DocumentReader;
  #known: Known | undefined;

  constructor(reader: DocumentReader) {
    this.#reader = reader;
  }

  /** Without policy sources. The cache requires that states share `paths` if no file was added or deleted. */
  of({ rendering: _, ...state }: StateOptions): RepositoryContent {
    const known = this.#known;
    if (known?.files === state.files) return known.content;
    const isAlike = known?.paths === state.paths && known.files.length === state.files.length;
    const different = isAlike ? state.files.filter(({ file }, index) => known.files[index]?.file !== file) : [];
    const old = isAlike ? known.files.filter(({ file }, index) => state.files[index]?.file !== file) : [];
    const decideOthers = [...different, ...old].some(({ file }) => this.#decidesOthers(file));
    const isApart = known !== undefined && isAlike && different.length <= MAX_APART && !decideOthers;
    this.#known = isApart ? this.#spliced(known, different, state) : this.#whole(state);
    return this.#known.content;
  }

  /** All documents of the files, including those that are no manifests. */
  documentsOf(files: readonly DiscoveredFile[]): readonly DiscoveredDocuments[] {
    return files
      .filter(({ file }) => !hasTooManyDocuments(file.text))
      .map(({ file, selected }) => this.#reader.discovered(file, selected));
  }

  /** True for kustomizations and tests, which decide how other files are read. */
  #decidesOthers(file: SourceFile): boolean {
    if (hasTooManyDocuments(file.text)) return false;
    const { documents } = this.#reader.documentsOf(file);
    return documents.some(({ value }) => isKustomization(file.path, value) || isTest(value));
  }

  #whole(state: StateOptions): Known {
    const { files, paths, configuration } = state;
    const classifier = new Classifier(paths, this.documentsOf(files), configuration);
    return { files, paths, classifier, content: readRepository({ ...state, classifier }, UNOBSERVED, this.#reader) };
  }

  #spliced({ classifier, content }: Known, different: readonly DiscoveredFile[], state: StateOptions): Known {
    const own = readRepository({ ...state, files: different, notRead: [], classifier }, UNOBSERVED, this.#reader);
    const paths = new Set(different.map(({ file }) => file.path));
    const pathOf = ({ resource }: RepositoryContent['resources'][number]): string => resource.manifest.file.path;
    const others = content.resources.filter((found) => !paths.has(pathOf(found)));
    const order = new Map(state.files.map(({ file }, index) => [file.path, index]));
    const placeOf = (found: RepositoryContent['resources'][number]): number => order.get(pathOf(found)) ?? 0;
    const resources = [...others, ...own.resources].sort((one, other) => placeOf(one) - placeOf(other));
    return {
      files: state.files,
      paths: state.paths,
      classifier,
      content: {
        ...own,
        resources,
        written: resources,
        left: [...content.left.filter(({ file }) => !paths.has(file.path)), ...own.left],
        skipped: [...content.skipped.filter(({ path }) => !paths.has(path)), ...own.skipped],
        diagnostics: [
          ...content.diagnostics.filter(({ primary }) => !paths.has(primary?.file.path ?? '')),
          ...own.diagnostics,
        ],
      },
    };
  }
}
