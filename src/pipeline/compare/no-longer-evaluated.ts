// What a change takes out of judgement: objects that base judged and head hides, and new ones that look like something else.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { isMeantToBeRead, looksLikeManifest } from '../../inventory/classify.ts';
import { SKIP_REASONS, type SkipReason } from '../../inventory/skip-reason.ts';
import { isSecretKind } from '../../kubernetes/api/group-version.ts';
import { type Resource, resourcesOf } from '../../kubernetes/api/resource.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import { reaches } from '../../render/sources/kustomization-graph.ts';
import type { RenderedRoot } from '../../render/sources/rendered-root.ts';
import { append } from '../../source/json/append.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { textField } from '../../source/json/json-field.ts';
import { folderOf, joinPaths } from '../../source/text/repository-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { RepositoryState } from '../scope/reading-scope.ts';
import type { LeftDocument, RepositoryContent } from '../state/read-repository.ts';
import { isOnlyPatch } from './patch-proof.ts';

export interface JudgedState {
  readonly content: RepositoryContent;
  readonly state: RepositoryState;
  /** Files that tests have for themselves, besides those in `content`. */
  readonly fixtures: ReadonlySet<string>;
}

/**
 * Errors, each at the document that is not judged. An object that base judged has to be judged by head wherever its text is left.
 * A document that looks like an object and that head passes over, for a reason that its author can bring about, has to be what
 * base knew it for; or a root of head that could be built shows that it is a patch and nothing else, or input that is no object.
 */
export function noLongerEvaluated(base: JudgedState, head: JudgedState): readonly (Diagnostic | ObjectDiagnostic)[] {
  return new Comparison(base, head).diagnostics();
}

/** What a root that could be built makes of a file, so that nothing but the root applies it. */
const BUILT_FROM: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'kustomize-patch',
  'kustomize-input',
  'helm-template',
  'helm-values',
  'helm-chart-file',
]);

const MANIFEST_NAME = /\.(?:ya?ml|json)$/i;

class Comparison {
  readonly #base: JudgedState;
  readonly #head: JudgedState;
  readonly #before: Judged;
  readonly #after: Judged;
  readonly #known: ReadonlySet<string>;
  /** Where base has fixtures. */
  readonly #fixtureFolders: ReadonlySet<string>;
  /** Roots of head that were not come to. */
  readonly #slow: readonly RenderedRoot[];
  #readers: ReadonlyMap<string, readonly RenderedRoot[]> | undefined;

  constructor(base: JudgedState, head: JudgedState) {
    this.#base = base;
    this.#head = head;
    this.#before = new Judged(base.content);
    this.#after = new Judged(head.content);
    this.#known = knownReasons(base.content, head.state.paths);
    this.#fixtureFolders = fixtureFolders(base);
    this.#slow = head.content.roots.filter(({ failure }) => failure?.reason === 'busy');
  }

  diagnostics(): readonly (Diagnostic | ObjectDiagnostic)[] {
    const { left, written } = this.#head.content;
    const found: (Diagnostic | ObjectDiagnostic)[] = left.flatMap((document) => this.#ofLeft(document));
    for (const { resource, selected } of written) {
      if (selected) append(found, this.#ofBuilt(resource));
    }
    for (const root of this.#head.content.roots) append(found, this.#ofRoot(root));
    append(found, this.#ofFiles());
    return found;
  }

  /** A document that is no manifest, as far as its words, its place and other files say. */
  #ofLeft(document: LeftDocument): readonly (Diagnostic | ObjectDiagnostic)[] {
    const { file, reason, manifest } = document;
    if (reason === 'configured-skip' || reason === 'empty-document' || reason === 'kustomization') return [];
    if (this.#isLeftToSlowMachine(file.path)) return [];
    if (manifest === undefined) return this.#ofUnreadable(document);
    const meaning = SKIP_REASONS[reason].meaning;
    return objectsIn(document).flatMap((resource) => {
      const identity = identityOf(resource);
      const wasJudgedHere = this.#before.judges(file.path, identity);
      // Its twin may be gone: a test still says what it is compared with.
      if (!wasJudgedHere && this.#isKnown(document, identity)) return [];
      const wasJudged = wasJudgedHere || this.#vanished(identity);
      if (!wasJudged && (!SKIP_REASONS[reason].mayHideManifest || !isShaped(resource.value))) return [];
      if (this.#isProven(file.path, reason, resource, wasJudged)) return [];
      const isEncryption = reason === 'sops-encrypted' && !wasJudged && isSecretKind(resource.gvk);
      return [diagnosticOf(resource, wasJudged, meaning, isEncryption ? 'notice' : 'error')];
    });
  }

  /** What a controller would refuse too, or fill in first; only what looks like an object is missed. */
  #ofUnreadable({ file, reason, range }: LeftDocument): readonly Diagnostic[] {
    const { path } = file;
    const gone = this.#before.at(path).filter((identity) => !this.#after.hasAt(path, identity));
    // The reader's own words are an error already.
    if (reason === 'does-not-parse' && isMeantToBeRead(file)) return [];
    const isObject = looksLikeManifest(file.text.replaceAll('\0', ''));
    if (gone.length === 0 && (!isObject || this.#isKnown({ file, reason }, ''))) return [];
    if (gone.length === 0 && BUILT_FROM.has(reason) && this.#head.content.inputs.get(path) === true) return [];
    if (reason === 'helm-template' && this.#head.content.inputs.get(path) === true) return [];
    const what = gone.length === 0 ? 'what looks like an object' : nameOf(gone[0] as string);
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

  /** A manifest that something is built of: the root has to make an object of it. */
  #ofBuilt(resource: Resource): readonly ObjectDiagnostic[] {
    const { path } = resource.manifest.file;
    const isBuilt = this.#head.content.inputs.get(path);
    if (isBuilt === undefined || (!isBuilt && this.#isLeftToSlowMachine(path))) return [];
    const identity = identityOf(resource);
    const wasBuilt = this.#base.content.inputs.get(path);
    const wasWritten = this.#before.isWrittenAt(path, identity);
    if (wasWritten && wasBuilt === isBuilt) return [];
    const wasJudged = this.#before.judges(path, identity) || this.#vanished(identity);
    if (isBuilt && this.#isEmitted(path, resource)) return [];
    const reason = isBuilt ? 'what reads the file makes no object of it' : SKIP_REASONS['not-rendered'].meaning;
    return [diagnosticOf(resource, wasJudged, reason, 'error')];
  }

  #isLeftToSlowMachine(path: string): boolean {
    return this.#slow.some(({ reach }) => reaches(reach, path));
  }

  /** A root that applied something and of which nothing is known any more. */
  #ofRoot(root: RenderedRoot): readonly Diagnostic[] {
    const { name, failure, location } = root;
    // What a slow machine did not come to is not the author's doing; that it is not known is told.
    if (failure === undefined || failure.reason === 'busy') return [];
    const failing = (roots: readonly RenderedRoot[]): number =>
      roots.filter((other) => isSameRoot(root, other) && other.failure?.message === failure.message).length;
    // Of what a declaration applies a part may not be known, and never was.
    if (failing(this.#head.content.roots) <= failing(this.#base.content.roots)) return [];
    const before = this.#base.content.roots.filter((other) => other.name === name);
    const lost = before.flatMap((root) => (root.failure === undefined ? root.manifests : []));
    if (lost.length === 0) return [];
    return [
      {
        code: 'no-longer-evaluated',
        severity: 'error',
        message: `what ${name} applies is not evaluated any more, ${lost.length} ${lost.length === 1 ? 'document' : 'documents'} before the change: it cannot be rendered`,
        primary: location,
        related: [],
        help: HELP,
      },
    ];
  }

  /** Files of which nothing is known but the name. */
  #ofFiles(): readonly Diagnostic[] {
    const before = new Set(
      [...this.#base.state.notRead, ...unparsed(this.#base.content)].map(({ path, reason }) => `${reason}\0${path}`),
    );
    const entries = [...this.#head.state.notRead, ...unparsed(this.#head.content)];
    return entries.flatMap(({ path, reason }): Diagnostic[] => {
      if (reason === 'excluded' || reason === 'untracked' || before.has(`${reason}\0${path}`)) return [];
      const gone = this.#before.at(path);
      if (gone.length === 0 && (!MANIFEST_NAME.test(path) || this.#leadsToRead(path, reason))) return [];
      if (gone.length === 0 && this.#head.content.inputs.get(path) === true) return [];
      const what = gone.length === 0 ? 'a file named like a manifest' : nameOf(gone[0] as string);
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

  #leadsToRead(path: string, reason: SkipReason): boolean {
    const target = reason === 'symbolic-link' ? this.#head.state.tree?.target(path) : undefined;
    if (target === undefined || target.startsWith('/')) return false;
    const file = joinPaths(folderOf(path), target);
    return this.#head.state.files.some((found) => found.selected && found.file.path === file);
  }

  #isKnown(document: Pick<LeftDocument, 'file' | 'reason'>, identity: string): boolean {
    const { path } = document.file;
    const isNewFile = !this.#base.state.paths.has(path);
    // Who applied the folder would have applied the fixtures that it had before.
    if (isNewFile && document.reason === 'test-fixture' && this.#fixtureFolders.has(folderOf(path))) return true;
    return (
      this.#known.has(knownKey(document, identity)) || (isNewFile && this.#known.has(`${document.reason}\0${identity}`))
    );
  }

  /** Judged at base, somewhere, and nowhere now; one that is still written as a manifest somewhere is looked at there. */
  #vanished(identity: string): boolean {
    return this.#before.has(identity) && !this.#after.has(identity) && !this.#after.isWritten(identity);
  }

  #isProven(path: string, reason: SkipReason, resource: Resource, wasJudged: boolean): boolean {
    if (!wasJudged && reason === 'kustomize-input' && isPlugin(resource)) return true;
    if (this.#head.content.inputs.get(path) !== true) return false;
    if (!wasJudged && reason === 'kustomize-patch' && isOnlyPatch(resource, this.#rootsReading(path))) return true;
    return this.#isEmitted(path, resource);
  }

  /** True if a root that could be built applies an object that this document is the text of. */
  #isEmitted(path: string, { gvk }: Resource): boolean {
    return this.#rootsReading(path).some(({ manifests }) =>
      manifests.some(
        (manifest) => kindOf(manifest.value) === gvk.kind && manifest.place(['kind'], 'key').file.path === path,
      ),
    );
  }

  /** Those that could be built. */
  #rootsReading(path: string): readonly RenderedRoot[] {
    this.#readers ??= readersOf(this.#head.content.roots);
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

/** A generator or transformer that is part of kustomize; no server has such a version. */
function isPlugin({ gvk }: Resource): boolean {
  return gvk.group === '' && gvk.version === 'builtin';
}

/** Objects of one state that policies were asked about. */
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
  'undo what hides it, or have `skip` of the configuration say why it is never applied, in a change of its own before this one';

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

function messageOf(what: string, wasJudged: boolean, meaning: string): string {
  return wasJudged ? `${what} is not evaluated any more: ${meaning}` : `${what} is new and not evaluated: ${meaning}`;
}

/** What base passed over for the same reason, in the same place or in a file that moved. */
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

/** What a document would be if nothing spoke against it; one that lacks a version or a kind is none. */
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
