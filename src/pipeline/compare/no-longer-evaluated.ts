// Finds objects that a change hides from policies: objects that base evaluated, and new ones that are disguised as something else.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { append } from '../../go/slices/append.ts';
import { topTestFolder } from '../../inventory/aside.ts';
import { isMeantToBeRead, looksLikeManifest } from '../../inventory/classify.ts';
import { SKIP_REASONS, type SkipReason, type SkipReasonEntry } from '../../inventory/skip-reason.ts';
import { isSecretKind } from '../../kubernetes/api/group-version.ts';
import { type Resource, resourcesOf } from '../../kubernetes/api/resource.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import { reaches } from '../../render/sources/kustomization/kustomization-graph.ts';
import { isUnknown, type RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { textField } from '../../source/json/json-field.ts';
import { folderOf } from '../../source/text/repository-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { RepositoryState } from '../scope/reading-scope.ts';
import { linkedFile, MANIFEST_NAME } from '../state/applied-unread.ts';
import type { LeftDocument, RepositoryContent } from '../state/read-repository.ts';
import { appliedRoots } from '../state/unreached.ts';
import { isOnlyPatch } from './patch-proof.ts';
import { isServiceTemplate } from './service-templates.ts';

export interface JudgedState {
  readonly content: RepositoryContent;
  readonly state: RepositoryState;
  /** Files that tests use as fixtures, in addition to those in `content`. */
  readonly fixtures: ReadonlySet<string>;
  /** Paths that the change touches. Empty if only the states are known. */
  readonly touched: ReadonlySet<string>;
}

/**
 * Reports an error at each document that is not evaluated. Head must evaluate each object that base evaluated, if its text still exists.
 * If head skips a document that looks like an object, for a reason that its author controls, then base must have skipped it for the same
 * reason. Otherwise a rendered root of head must show that the document is only a patch or another input.
 */
export function noLongerEvaluated(base: JudgedState, head: JudgedState): readonly (Diagnostic | ObjectDiagnostic)[] {
  return new Comparison(base, head).diagnostics();
}

/** Reasons for files that only a rendered root can apply. */
const BUILT_FROM: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'kustomize-patch',
  'kustomize-input',
  'helm-template',
  'helm-values',
  'helm-chart-file',
]);

const TEST_REASONS: ReadonlySet<SkipReason> = new Set<SkipReason>(['test-fixture', 'test-assertion']);

class Comparison {
  readonly #base: JudgedState;
  readonly #head: JudgedState;
  readonly #before: Judged;
  readonly #after: Judged;
  readonly #known: ReadonlySet<string>;
  /** Folders in which base has test fixtures. */
  readonly #fixtureFolders: ReadonlySet<string>;
  /** Roots of head that were not rendered because the time was over. */
  readonly #slow: readonly RenderedRoot[];
  /** Roots of head that have an error of their own, because base rendered them. */
  #failing: readonly RenderedRoot[] = [];
  /** Roots of head that were unknown in base already, completely or in part. */
  readonly #unknownBefore: readonly RenderedRoot[];
  #readers: ReadonlyMap<string, readonly RenderedRoot[]> | undefined;

  constructor(base: JudgedState, head: JudgedState) {
    this.#base = base;
    this.#head = head;
    this.#before = new Judged(base.content);
    this.#after = new Judged(head.content);
    this.#known = knownReasons(base.content, head.state.paths);
    this.#fixtureFolders = fixtureFolders(base);
    const unknown = base.content.roots.filter(isUnknown);
    this.#unknownBefore = head.content.roots.filter(
      (root) => isUnknown(root) && unknown.some((other) => isSameRoot(root, other)),
    );
    this.#slow = appliedRoots(head.content).filter(({ failure }) => failure?.reason === 'busy');
  }

  diagnostics(): readonly (Diagnostic | ObjectDiagnostic)[] {
    const { left, written } = this.#head.content;
    const found: (Diagnostic | ObjectDiagnostic)[] = left.flatMap((document) => this.#ofLeft(document));
    const ofRoots = appliedRoots(this.#head.content).map((root) => ({ root, own: this.#ofRoot(root) }));
    this.#failing = ofRoots.flatMap(({ root, own }) => (own.length > 0 ? [root] : []));
    for (const { resource, selected } of written) {
      if (selected) append(found, this.#ofBuilt(resource));
    }
    for (const { own } of ofRoots) append(found, own);
    append(found, this.#ofFiles());
    return found;
  }

  /** Reports hidden objects in a document that is not read as a manifest because of its content, its path or other files. */
  #ofLeft(document: LeftDocument): readonly (Diagnostic | ObjectDiagnostic)[] {
    const { file, reason, manifest } = document;
    if (reason === 'configured-skip' || reason === 'empty-document' || reason === 'kustomization') return [];
    if (this.#isLeftToSlowMachine(file.path)) return [];
    if (
      reason === 'template' &&
      isServiceTemplate(document, this.#head.state.paths) &&
      this.#before.at(file.path).length === 0
    )
      return [];
    if (manifest === undefined) return this.#ofUnreadable(document);
    const meaning = SKIP_REASONS[reason].meaning;
    return objectsIn(document).flatMap((resource) => {
      const identity = identityOf(resource);
      const wasJudgedHere = this.#before.judges(file.path, identity);
      // The matching file may be deleted: a test may still compare the object with it.
      if (!wasJudgedHere && this.#isKnown(document, identity)) return [];
      const wasJudged = wasJudgedHere || this.#vanished(identity);
      // The report counts an unread document as undecided. Only one in place of an object that base evaluated here is an error too.
      if (
        !wasJudged &&
        (SKIP_REASONS[reason] as SkipReasonEntry).isUnread === true &&
        this.#goneFrom(file.path).length === 0
      )
        return [];
      if (!wasJudged && (!SKIP_REASONS[reason].mayHideManifest || !isShaped(resource.value))) return [];
      if (!wasJudged && this.#isOfUnknownRoot(file.path)) return [];
      if (this.#isProven(file.path, reason, resource, wasJudged)) return [];
      const isEncryption = reason === 'sops-encrypted' && !wasJudged && isSecretKind(resource.gvk);
      return [diagnosticOf(resource, wasJudged, meaning, isEncryption ? 'notice' : 'error')];
    });
  }

  /** Objects that base evaluates from the file and head does not evaluate. */
  #goneFrom(path: string): readonly string[] {
    return this.#before.at(path).filter((identity) => !this.#after.hasAt(path, identity));
  }

  /** Controllers reject most unreadable documents, or fill in their templates first. Only documents that look like objects are reported. */
  #ofUnreadable({ file, reason, range }: LeftDocument): readonly Diagnostic[] {
    const { path } = file;
    const gone = this.#goneFrom(path);
    // The reader reports this error already.
    if (reason === 'does-not-parse' && isMeantToBeRead(file)) return [];
    if (gone.length === 0 && this.#isOfUnknownRoot(path)) return [];
    const isObject = looksLikeManifest(file.text.replaceAll('\0', ''));
    if (gone.length === 0 && (!isObject || this.#isKnown({ file, reason }, ''))) return [];
    if (gone.length === 0 && BUILT_FROM.has(reason) && this.#head.content.inputs.get(path) === true) return [];
    if (reason === 'helm-template' && this.#head.content.inputs.get(path) === true) return [];
    const what = gone.length === 0 ? 'a document that looks like an object' : nameOf(gone[0] as string);
    return [
      {
        code: 'no-longer-evaluated',
        severity: 'error',
        message: messageOf(what, gone.length > 0, SKIP_REASONS[reason].meaning),
        primary: { file, range: range ?? { start: 0, end: 0 } },
        related: [],
        help: HELP,
      },
    ];
  }

  /** A manifest that a root reads: the root must apply it as an object. */
  #ofBuilt(resource: Resource): readonly ObjectDiagnostic[] {
    const { path } = resource.manifest.file;
    const isBuilt = this.#head.content.inputs.get(path);
    if (isBuilt === undefined || (!isBuilt && this.#isLeftToSlowMachine(path))) return [];
    const identity = identityOf(resource);
    const wasBuilt = this.#base.content.inputs.get(path);
    const wasWritten = this.#before.isWrittenAt(path, identity);
    if (wasWritten && wasBuilt === isBuilt) return [];
    const wasJudged = this.#before.judges(path, identity) || this.#vanished(identity);
    if (!wasJudged && this.#isOfUnknownRoot(path)) return [];
    if (isBuilt && this.#isEmitted(path, resource)) return [];
    // The error of the root counts the object.
    if (!isBuilt && this.#failing.some((root) => reaches(root.reach, path))) return [];
    const reason = isBuilt
      ? 'the root that reads the file applies no object from it'
      : SKIP_REASONS['not-rendered'].meaning;
    return [diagnosticOf(resource, wasJudged, reason, 'error')];
  }

  /**
   * True if a root that reads the file was unknown in base too. The change touches the root (`touchedRoots`), so it counts as undecided. An
   * object that base judged elsewhere is still hidden by the change.
   */
  #isOfUnknownRoot(path: string): boolean {
    return this.#unknownBefore.some(({ source }) => source !== undefined && reaches(source.own, path));
  }

  #isLeftToSlowMachine(path: string): boolean {
    return this.#slow.some(({ reach }) => reaches(reach, path));
  }

  /** Reports a root that applied objects in base and fails in head. */
  #ofRoot(root: RenderedRoot): readonly Diagnostic[] {
    const { name, failure, location } = root;
    // A slow machine is not the author's mistake, and another revision may be right. The report says that the root is unknown.
    if (failure === undefined || failure.reason === 'busy' || failure.reason === 'other-revision') return [];
    const failing = (roots: readonly RenderedRoot[]): readonly RenderedRoot[] =>
      roots.filter((other) => isSameRoot(root, other) && other.failure !== undefined);
    const [now, then] = [failing(this.#head.content.roots), failing(this.#base.content.roots)];
    const alike = (roots: readonly RenderedRoot[]): number =>
      roots.filter((other) => other.failure?.message === failure.message).length;
    // If a root of a declaration failed in base too, the change did not cause it. The message may contain the version of a chart.
    if (now.length <= then.length || alike(now) <= alike(then)) return [];
    const before = this.#base.content.roots.filter((other) => other.name === name);
    const lost = before.flatMap((root) => (root.failure === undefined ? root.manifests : []));
    if (lost.length === 0) return [];
    return [
      {
        code: 'no-longer-evaluated',
        severity: 'error',
        message: `${name} cannot be rendered, so ${lost.length} ${lost.length === 1 ? 'document is' : 'documents are'} no longer evaluated`,
        primary: location,
        related: [],
        help: HELP,
      },
    ];
  }

  /** Reports files whose content was not read. */
  #ofFiles(): readonly Diagnostic[] {
    const before = new Set(
      [...this.#base.state.notRead, ...unparsed(this.#base.content)].map(({ path, reason }) => `${reason}\0${path}`),
    );
    const entries = [...this.#head.state.notRead, ...unparsed(this.#head.content)];
    return entries.flatMap(({ path, reason }): Diagnostic[] => {
      const wasUnread = before.has(`${reason}\0${path}`);
      const isTouched = this.#isTouched(path, reason);
      if (reason === 'untracked' || (wasUnread && !isTouched) || this.#isUnreached(path)) return [];
      const gone = this.#before.at(path);
      const isHidden =
        reason === 'excluded'
          ? isTouched && this.#isAppliedAnyway(path)
          : reason === 'submodule'
            ? this.#isApplied(`${path}/`)
            : MANIFEST_NAME.test(path) && (!wasUnread || mayHide(reason)) && !this.#leadsToRead(path, reason);
      if (gone.length === 0 && (!isHidden || this.#head.content.inputs.get(path) === true)) return [];
      const what = gone.length > 0 ? nameOf(gone[0] as string) : unreadName(reason, wasUnread);
      return [
        {
          code: 'no-longer-evaluated',
          severity: 'error',
          message: messageOf(what, gone.length > 0, SKIP_REASONS[reason].meaning),
          primary: { file: new SourceFile(path, ''), range: { start: 0, end: 0 } },
          related: [],
          help: HELP,
        },
      ];
    });
  }

  /** A link is touched if the file that it leads to is. */
  #isTouched(path: string, reason: SkipReason): boolean {
    const { touched } = this.#head;
    const target = reason === 'symbolic-link' ? this.#linkedFile(path) : undefined;
    return touched.has(path) || (target !== undefined && touched.has(target));
  }

  #linkedFile(path: string): string | undefined {
    const { tree } = this.#head.state;
    return tree && linkedFile(path, tree);
  }

  /** A root may read a folder without reading this file of it. */
  #isUnreached(path: string): boolean {
    return this.#head.content.unreached.has(path) && !this.#isApplied(`${path}/`);
  }

  /** True if a controller applies the folder of the path. */
  #isApplied(path: string): boolean {
    return appliedRoots(this.#head.content).some(({ reach, entry }) => entry !== undefined && reaches(reach, path));
  }

  /** The default excludes node_modules without a decision of the user. A controller ignores `exclude` of the configuration. */
  #isAppliedAnyway(path: string): boolean {
    if (!MANIFEST_NAME.test(path) || !(path.split('/').includes('node_modules') || this.#isApplied(path))) return false;
    const content = this.#head.state.tree?.read(path);
    return content !== undefined && looksLikeManifest(new TextDecoder().decode(content));
  }

  #leadsToRead(path: string, reason: SkipReason): boolean {
    const file = reason === 'symbolic-link' ? this.#linkedFile(path) : undefined;
    if (file === undefined) return false;
    if (this.#rootsReading(file).some(({ reach }) => reaches(reach, path))) return true;
    return this.#head.state.files.some((found) => found.selected && found.file.path === file);
  }

  #isKnown(document: Pick<LeftDocument, 'file' | 'reason'>, identity: string): boolean {
    const { path } = document.file;
    const isNewFile = !this.#base.state.paths.has(path);
    // A command that applies the folder would already have applied the fixtures in base.
    if (isNewFile && document.reason === 'test-fixture' && this.#fixtureFolders.has(folderOf(path))) return true;
    if (isNewFile && TEST_REASONS.has(document.reason) && this.#isApartFromManifests(path)) return true;
    return (
      this.#known.has(knownKey(document, identity)) || (isNewFile && this.#known.has(`${document.reason}\0${identity}`))
    );
  }

  /** True for a folder of tests that base has or that is at the top, if base evaluates nothing in this folder or beside it. */
  #isApartFromManifests(path: string): boolean {
    const top = topTestFolder(path);
    if (top === undefined) return false;
    const parent = folderOf(top);
    const isInBase = (): boolean => [...this.#base.state.paths].some((other) => other.startsWith(`${top}/`));
    if (parent !== '.' && !isInBase()) return false;
    return this.#before.paths.every((other) => !other.startsWith(`${top}/`) && folderOf(other) !== parent);
  }

  /** True if base evaluates the object and head does not. If head has its manifest elsewhere, `#ofBuilt` checks it there. */
  #vanished(identity: string): boolean {
    return this.#before.has(identity) && !this.#after.has(identity) && !this.#after.isWritten(identity);
  }

  #isProven(path: string, reason: SkipReason, resource: Resource, wasJudged: boolean): boolean {
    if (!wasJudged && reason === 'kustomize-input' && (isPlugin(resource) || this.#isContent(path))) return true;
    if (this.#head.content.inputs.get(path) !== true) return false;
    if (!wasJudged && reason === 'kustomize-patch' && isOnlyPatch(resource, this.#rootsReading(path))) return true;
    return this.#isEmitted(path, resource);
  }

  /** True if only roots that base has as well read the file. They built its folder before, so the file is not applied as it stands. */
  #isContent(path: string): boolean {
    const readers = this.#rootsReading(path);
    const { roots } = this.#base.content;
    return readers.length > 0 && readers.every((root) => roots.some((other) => isSameRoot(root, other)));
  }

  /** True if a rendered root applies an object whose text is in the file. */
  #isEmitted(path: string, { gvk }: Resource): boolean {
    return this.#rootsReading(path).some(({ manifests }) =>
      manifests.some(
        (manifest) => kindOf(manifest.value) === gvk.kind && manifest.place(['kind'], 'key').file.path === path,
      ),
    );
  }

  /** Roots that were rendered. */
  #rootsReading(path: string): readonly RenderedRoot[] {
    this.#readers ??= readersOf(appliedRoots(this.#head.content));
    return this.#readers.get(path) ?? [];
  }
}

function isSameRoot(one: RenderedRoot, other: RenderedRoot): boolean {
  return one.name === other.name && one.entry === other.entry && one.destination === other.destination;
}

function readersOf(roots: readonly RenderedRoot[]): ReadonlyMap<string, readonly RenderedRoot[]> {
  const readers = new Map<string, RenderedRoot[]>();
  for (const root of roots) {
    if (root.failure !== undefined) continue;
    for (const path of root.inputs) {
      const known = readers.get(path);
      if (known === undefined) readers.set(path, [root]);
      else known.push(root);
    }
  }
  return readers;
}

/** A generator or transformer of kustomize itself. No server serves this version. */
function isPlugin({ gvk }: Resource): boolean {
  return gvk.group === '' && gvk.version === 'builtin';
}

/** The objects of one state that policies evaluate. */
class Judged {
  readonly #identities = new Set<string>();
  readonly #atPath = new Map<string, Set<string>>();
  readonly #written = new Set<string>();
  readonly #writtenAnywhere = new Set<string>();

  constructor({ resources, written, inputs }: RepositoryContent) {
    for (const { resource, selected } of resources) if (selected) this.#identities.add(identityOf(resource));
    for (const { resource, selected } of written) {
      const { path } = resource.manifest.file;
      const identity = identityOf(resource);
      if (!selected) continue;
      this.#writtenAnywhere.add(identity);
      this.#written.add(`${path}\0${identity}`);
      if (inputs.get(path) === false) continue;
      const known = this.#atPath.get(path);
      if (known === undefined) this.#atPath.set(path, new Set([identity]));
      else known.add(identity);
    }
  }

  has(identity: string): boolean {
    return this.#identities.has(identity);
  }

  judges(path: string, identity: string): boolean {
    return this.#atPath.get(path)?.has(identity) === true;
  }

  hasAt(path: string, identity: string): boolean {
    return this.judges(path, identity) || this.has(identity);
  }

  /** Files that are evaluated as written. */
  get paths(): readonly string[] {
    return [...this.#atPath.keys()];
  }

  at(path: string): readonly string[] {
    return [...(this.#atPath.get(path) ?? [])];
  }

  isWritten(identity: string): boolean {
    return this.#writtenAnywhere.has(identity);
  }

  isWrittenAt(path: string, identity: string): boolean {
    return this.#written.has(`${path}\0${identity}`);
  }
}

const HELP =
  'undo the change that hides it, or add it to `skip` in the configuration with the reason, in a separate change before this one';

function diagnosticOf(
  resource: Resource,
  wasJudged: boolean,
  meaning: string,
  severity: 'error' | 'notice',
): ObjectDiagnostic {
  return {
    code: 'no-longer-evaluated',
    severity,
    message: messageOf('this object', wasJudged, meaning),
    primary: resource.locate(['kind'], 'value'),
    related: [],
    help: HELP,
    resource,
    namespace: resource.namespace,
  };
}

/** True if a controller may read the file. */
function mayHide(reason: SkipReason): boolean {
  const entry: SkipReasonEntry = SKIP_REASONS[reason];
  return entry.isUnread === true || reason === 'symbolic-link';
}

function unreadName(reason: SkipReason, wasUnread: boolean): string {
  if (reason === 'submodule') return 'what a controller applies from here';
  return wasUnread ? 'the changed content of a file named like a manifest' : 'a file named like a manifest';
}

function messageOf(what: string, wasJudged: boolean, meaning: string): string {
  return wasJudged ? `${what} is no longer evaluated: ${meaning}` : `${what} is new and not evaluated: ${meaning}`;
}

/** Documents that base skips for the same reason, in the same file or in a file that moved. */
function knownReasons({ left }: RepositoryContent, headPaths: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Set<string>();
  for (const document of left) {
    const identities = document.manifest === undefined ? [''] : objectsIn(document).map(identityOf);
    for (const identity of identities) {
      known.add(knownKey(document, identity));
      if (!headPaths.has(document.file.path)) known.add(`${document.reason}\0${identity}`);
    }
  }
  return known;
}

function fixtureFolders({ content, state, fixtures }: JudgedState): ReadonlySet<string> {
  const left = content.left.flatMap(({ file, reason }) => (reason === 'test-fixture' ? [file.path] : []));
  return new Set([...left, ...fixtures].filter((path) => state.paths.has(path)).map(folderOf));
}

function knownKey({ file, reason }: Pick<LeftDocument, 'file' | 'reason'>, identity: string): string {
  return `${reason}\0${file.path}\0${identity}`;
}

function unparsed({ skipped }: RepositoryContent): readonly { readonly path: string; readonly reason: SkipReason }[] {
  return skipped.flatMap(({ path, reason }) => (reason === 'too-many-documents' ? [{ path, reason }] : []));
}

/** The objects of the document, even if it is skipped. A document without apiVersion or kind has none. */
function objectsIn({ manifest }: LeftDocument): readonly Resource[] {
  if (manifest === undefined) return [];
  return resourcesOf(manifest).flatMap((result) => ('resource' in result ? [result.resource] : []));
}

function isShaped(value: JsonValue): boolean {
  return isJsonObject(value) && isJsonObject(value.get('metadata')) && !isJsonArray(value.get('items'));
}

function kindOf(value: JsonValue): string {
  return isJsonObject(value) ? textField(value, 'kind') : '';
}

function identityOf({ gvk, namespace, name, generateName }: Resource): string {
  return [gvk.group, gvk.kind, namespace, name === '' ? `${generateName}*` : name].join('\0');
}

function nameOf(identity: string): string {
  const [, kind = '', namespace = '', name = ''] = identity.split('\0');
  return `\`${kind} ${namespace === '' ? '' : `${namespace}/`}${name}\``;
}
