// Locates fields that kustomize built: the last transformation that sets the value, else the original file.
import { append } from '../../go/slices/append.ts';
import { isKustomizationName } from '../../inventory/kustomize-references.ts';
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import type { JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { LocatedPart } from '../../source/manifest/manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { joinPaths } from '../../source/text/repository-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import { changesBelow, decidingChange } from '../engine/field-change.ts';
import type { FieldChange, KustomizeOrigin, RenderedObject, RenderStep } from '../engine/render-request.ts';
import { alignedPath } from './aligned-path.ts';
import { type AskedField, type FieldDecision, writtenAs } from './decision.ts';
import { generatedNameDecision, generatorDecisions } from './generator-decisions.ts';
import { helmChartDecisions } from './helm-chart-decisions.ts';
import { patchDecisions, patchesOf } from './patch-decisions.ts';
import type { PlaceFinder } from './place-finder.ts';
import { IDENTITY_PATHS, identityKey, mayRename } from './plain-identity.ts';
import { replacementDecisions } from './replacement-decisions.ts';
import { SETTING_DECISIONS } from './setting-decisions.ts';
import { TransformerFile } from './transformer-settings.ts';
import { objectIdentity, type Written, type WrittenFiles } from './written.ts';

const PATCHES: ReadonlySet<string> = new Set([
  'PatchTransformer',
  'PatchStrategicMergeTransformer',
  'PatchJson6902Transformer',
]);

const AFFIXES: ReadonlySet<string> = new Set(['PrefixTransformer', 'SuffixTransformer']);

/** Fields of a kustomization that run a builtin transformer. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['PatchTransformer', ['patches']],
  ['PatchStrategicMergeTransformer', ['patchesStrategicMerge']],
  ['PatchJson6902Transformer', ['patchesJson6902']],
  ['NamespaceTransformer', ['namespace']],
  ['PrefixTransformer', ['namePrefix']],
  ['SuffixTransformer', ['nameSuffix']],
  ['LabelTransformer', ['labels', 'commonLabels']],
  ['AnnotationsTransformer', ['commonAnnotations']],
  ['ReplicaCountTransformer', ['replicas']],
  ['ImageTagTransformer', ['images']],
  ['ReplacementTransformer', ['replacements']],
  ['ConfigMapGenerator', ['configMapGenerator']],
  ['SecretGenerator', ['secretGenerator']],
  ['HelmChartInflationGenerator', ['helmCharts', 'helmChartInflationGenerator']],
]);

const MAXIMUM_KUSTOMIZATIONS = 1000;
/** Limit for documents of a kind that are compared if no name matches. */
const MAXIMUM_TRIED = 100;
/** kustomize's builtin transformers, in the order in which a kustomization runs them. */
const BUILTIN_ORDER: readonly string[] = [
  'PatchStrategicMergeTransformer',
  'PatchTransformer',
  'NamespaceTransformer',
  'PrefixTransformer',
  'SuffixTransformer',
  'LabelTransformer',
  'AnnotationsTransformer',
  'PatchJson6902Transformer',
  'ReplicaCountTransformer',
  'ImageTagTransformer',
  'ReplacementTransformer',
];
const NAMES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** State shared by the finders of all objects of one root. */
export class KustomizeRoot {
  readonly folder: string;
  readonly files: WrittenFiles;
  readonly declared: () => SourceLocation;
  readonly #transformers = new Map<string, TransformerFile>();
  #kustomizations: readonly TransformerFile[] | undefined;
  #steps: readonly Step[] | undefined;
  #single: ReadonlyMap<string, Written | undefined> | undefined;
  #mayRename: boolean | undefined;

  constructor(folder: string, files: WrittenFiles, declared: () => SourceLocation) {
    this.folder = folder;
    this.files = files;
    this.declared = declared;
  }

  transformerFile(path: string, kind = '', name = ''): TransformerFile {
    const key = isKustomizationName(path) ? path : [path, kind, name].join('\0');
    let file = this.#transformers.get(key);
    if (file === undefined) {
      file = new TransformerFile(this.files, path, kind, name);
      this.#transformers.set(key, file);
    }
    return file;
  }

  /** The root's kustomization first, then its bases, components before resources, each once. */
  kustomizations(): readonly TransformerFile[] {
    if (this.#kustomizations !== undefined) return this.#kustomizations;
    const found: TransformerFile[] = [];
    const seen = new Set<string>();
    const pending = [this.folder];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const here = folder === '' ? '.' : folder.replace(/\/$/, '');
      if (seen.has(here) || found.length >= MAXIMUM_KUSTOMIZATIONS) continue;
      seen.add(here);
      const path = this.#kustomizationIn(here);
      if (path === undefined) continue;
      const file = this.transformerFile(path);
      found.push(file);
      append(
        pending,
        file.bases().map((base) => joinPaths(here, base)),
      );
    }
    this.#kustomizations = found;
    return found;
  }

  /** The kustomization of a folder, or the separate transformer file that it refers to. */
  fileOfStep(folder: string, kind: string, name: string | undefined): TransformerFile {
    const here = folder === '' ? '.' : folder;
    const path = this.#kustomizationIn(here) ?? joinPaths(here, NAMES[0] as string);
    const kustomization = this.transformerFile(path);
    if (name === undefined) return kustomization;
    for (const reference of kustomization.ownTransformers()) {
      const file = joinPaths(here, reference);
      if (this.files.objects(file).named(kind, name).length > 0) return this.transformerFile(file, kind, name);
    }
    return kustomization;
  }

  #kustomizationIn(folder: string): string | undefined {
    return NAMES.map((name) => joinPaths(folder, name)).find((name) => this.files.file(name) !== undefined);
  }

  /** Every transformation of every kustomization, the last first. Used for objects that lost their origin annotations. */
  allSteps(): readonly Step[] {
    const kinds = [...BUILTIN_ORDER].reverse();
    this.#steps ??= this.kustomizations().flatMap((file) => kinds.map((kind) => ({ kind, file })));
    return this.#steps;
  }

  /**
   * Location of an object's kind or name, if it is certain without a traced build: nothing in the root renames objects, and exactly one
   * object in files or one generator entry has this kind and name.
   */
  plainPlace(path: FieldPath, value: JsonValue, part: LocatedPart): SourceLocation | undefined {
    this.#mayRename ??= this.kustomizations().some(mayRename);
    if (this.#mayRename) return undefined;
    this.#single ??= this.#singleObjects();
    const { name } = objectIdentity(value);
    const names = [name, name.replace(/-[a-z0-9]{10}$/, '')];
    const asked = { path, value: valueAt(value, path), object: value, before: undefined, names, namespaces: [] };
    const generated = this.kustomizations().flatMap((file) => generatorDecisions(file, this.files, asked));
    const key = identityKey(value);
    if (this.#single.has(key)) return generated.length > 0 ? undefined : this.#single.get(key)?.place(path, part);
    return generated.length === 1 ? generated[0]?.place(part) : undefined;
  }

  /** Undefined for a kind and name that several objects share. */
  #singleObjects(): ReadonlyMap<string, Written | undefined> {
    const found = new Map<string, Written | undefined>();
    for (const file of this.kustomizations()) {
      for (const base of file.bases()) {
        for (const object of this.files.objects(joinPaths(file.folder, base)).all) {
          const key = identityKey(object.value);
          found.set(key, found.has(key) ? undefined : object);
        }
      }
    }
    return found;
  }

  findObject(kind: string, names: readonly string[]): Written | undefined {
    for (const file of this.kustomizations()) {
      for (const base of file.bases()) {
        const objects = this.files.objects(joinPaths(file.folder, base));
        for (const name of names) {
          const [found] = objects.named(kind, name);
          if (found !== undefined) return found;
        }
      }
    }
    return undefined;
  }
}

/** The engine's trace of an object, and all steps of the build. */
export interface TracedObject {
  readonly object: RenderedObject;
  readonly steps: readonly RenderStep[];
}

/** `value`: the rendered object. `traced`: undefined if the engine has no trace. */
export function kustomizePlaces(
  root: KustomizeRoot,
  traced: () => TracedObject | undefined,
  value: JsonValue,
): PlaceFinder {
  return new KustomizePlaces(root, traced, value);
}

interface Step {
  readonly kind: string;
  readonly file: TransformerFile;
  /** Settings of the step; undefined means all settings in the file. */
  readonly config?: RenderStep['config'];
}

class KustomizePlaces implements PlaceFinder {
  readonly #root: KustomizeRoot;
  readonly #trace: () => TracedObject | undefined;
  readonly #value: JsonValue;
  #known: { readonly traced: TracedObject | undefined } | undefined;
  #steps: readonly Step[] | undefined;
  #origin: { readonly document: Written | undefined } | undefined;
  #names: readonly string[] | undefined;
  readonly #patches = new Map<Step, readonly Written[]>();
  readonly #chains = new Map<string, readonly FieldDecision[]>();

  constructor(root: KustomizeRoot, trace: () => TracedObject | undefined, value: JsonValue) {
    this.#root = root;
    this.#trace = trace;
    this.#value = value;
  }

  /** Lazy, because tracing costs a second build. */
  get #traced(): TracedObject | undefined {
    this.#known ??= { traced: this.#trace() };
    return this.#known.traced;
  }

  place(path: FieldPath, part: Parameters<FieldDecision['place']>[0]): SourceLocation {
    const plain = IDENTITY_PATHS.has(path.join('\0')) ? this.#root.plainPlace(path, this.#value, part) : undefined;
    if (plain !== undefined) return plain;
    const [first] = this.#chain(path);
    return first === undefined ? this.#root.declared() : first.place(part);
  }

  placeText(path: FieldPath, start: number, end: number): SourceLocation {
    const [first] = this.#chain(path);
    return first?.placeText?.(start, end) ?? this.place(path, 'value');
  }

  alsoFrom(path: FieldPath): ReturnType<PlaceFinder['alsoFrom']> {
    const [, ...others] = this.#chain(path);
    const places = others.map(({ message, place }) => ({ message, location: place('value') }));
    return [...places, { message: 'rendered by', location: this.#root.declared() }];
  }

  /** The deciding source first, then the others, latest first. */
  #chain(path: FieldPath): readonly FieldDecision[] {
    const key = JSON.stringify(path);
    let chain = this.#chains.get(key);
    if (chain === undefined) {
      chain = this.#decisions(path);
      this.#chains.set(key, chain);
    }
    return chain;
  }

  #decisions(path: FieldPath): readonly FieldDecision[] {
    const asked = this.#asked(path);
    const origin = this.#originDocument();
    const aligned = origin && alignedPath(this.#value, path, origin.value);
    const written = origin === undefined || aligned === undefined ? [] : [originDecision(origin, aligned, asked)];
    const { changes } = this.#traced?.object ?? {};
    // kustomize updates references to names with a hash after the last step.
    const isRenamed =
      typeof asked.before === 'string' && typeof asked.value === 'string' && asked.before !== asked.value;
    const found = changes && decidingChange(changes, path);
    const deciding = found ?? (isRenamed ? ({ step: 'rename', path } as const) : undefined);
    const isWritten = changes !== undefined && deciding === undefined && changesBelow(changes, path).length === 0;
    const fromSteps = this.#stepsOf().flatMap((step) => this.#stepDecisions(step, asked));
    const isAsWritten = written.some(({ isExact }) => isExact) || !fromSteps.some(({ isExact }) => isExact);
    if (isWritten && isAsWritten && origin !== undefined) return withoutRepeats([...written, ...ordered(fromSteps)]);
    const others = ordered([...fromSteps, ...this.#generated(asked), ...written]);
    return withoutRepeats([...this.#deciding(deciding, asked), ...others]);
  }

  #asked(path: FieldPath): AskedField {
    const origin = this.#originDocument();
    const before = origin && alignedPath(this.#value, path, origin.value);
    return {
      path,
      value: valueAt(this.#value, path),
      object: this.#value,
      before: origin && before?.length === path.length ? valueAt(origin.value, before) : undefined,
      names: this.#allNames(),
      namespaces: this.#namespaces(origin),
    };
  }

  /** Sources of the step that set the field; empty if the engine names no step. */
  #deciding(change: FieldChange | undefined, asked: AskedField): readonly FieldDecision[] {
    if (change === undefined) return [];
    if (change.step === 'rename') {
      const isOwnName = asked.path.length === 2 && asked.path[0] === 'metadata' && asked.path[1] === 'name';
      if (isOwnName) return this.#generated(asked).filter(({ isExact }) => isExact);
      const affixes = this.#root.allSteps().filter(({ kind }) => AFFIXES.has(kind));
      return [
        ...this.#root.kustomizations().flatMap((file) => generatedNameDecision(file, asked)),
        ...affixes.flatMap((step) => this.#stepDecisions(step, asked)),
      ];
    }
    const told = this.#traced?.steps[change.step];
    if (told === undefined) return [];
    const step = this.#stepOf(told);
    const decisions = ordered(this.#stepDecisions(step, asked));
    if (decisions.length > 0) return decisions;
    const field = FIELDS.get(step.kind)?.find((name) => step.file.field([name]) !== undefined);
    const document = step.file.document;
    return document === undefined ? [] : [stepDecision(document, field)];
  }

  #stepDecisions(step: Step, asked: AskedField): readonly FieldDecision[] {
    const { kind, file } = step;
    if (PATCHES.has(kind)) {
      let patches = this.#patches.get(step);
      if (patches === undefined) {
        patches = patchesOf(file.patches(kind), asked, step.config);
        this.#patches.set(step, patches);
      }
      return patchDecisions(patches, asked);
    }
    if (kind === 'ReplacementTransformer') return replacementDecisions(file, asked);
    if (kind === 'ConfigMapGenerator' || kind === 'SecretGenerator') {
      return generatorDecisions(file, this.#root.files, asked);
    }
    if (kind === 'HelmChartInflationGenerator') return helmChartDecisions(file, this.#root.files, asked);
    return SETTING_DECISIONS.get(kind)?.(file, asked) ?? [];
  }

  #generated(asked: AskedField): readonly FieldDecision[] {
    if (this.#originDocument() !== undefined) return [];
    return this.#root.kustomizations().flatMap((file) => generatorDecisions(file, this.#root.files, asked));
  }

  /** Steps that changed the object, the last first; all steps if the engine has no trace. */
  #stepsOf(): readonly Step[] {
    if (this.#steps !== undefined) return this.#steps;
    const { changes } = this.#traced?.object ?? {};
    if (changes === undefined) return this.#root.allSteps();
    const numbers = new Set(changes.flatMap(({ step }) => (step === 'rename' ? [] : [step])));
    const told = [...numbers].sort((one, other) => other - one).flatMap((number) => this.#traced?.steps[number] ?? []);
    this.#steps = told.map((step) => this.#stepOf(step));
    return this.#steps;
  }

  #stepOf({ by, in: folder, config }: RenderStep): Step {
    const file = this.#root.fileOfStep(folder, by, nameIn(config));
    return { kind: by, file, ...(config !== undefined && { config }) };
  }

  /** The source document of the object, by its name before prefixes and suffixes. */
  #originDocument(): Written | undefined {
    this.#origin ??= { document: this.#findOrigin(this.#traced?.object.origin) };
    return this.#origin.document;
  }

  #findOrigin(origin: KustomizeOrigin | undefined): Written | undefined {
    const { kind, name, namespace } = objectIdentity(this.#value);
    const written = this.#traced?.object.written;
    const names = written === undefined ? [...this.#withoutAffixes(name), name] : [written.name];
    if (isLost(origin)) return this.#root.findObject(written?.kind ?? kind, names);
    if (origin?.path === undefined) return undefined;
    const objects = this.#root.files.objects(origin.path);
    const candidates = names.flatMap((each) => objects.named(written?.kind ?? kind, each));
    const inNamespace = candidates.find(
      (each) =>
        objectIdentity(each.value).namespace === (written === undefined ? namespace : (written.namespace ?? '')),
    );
    const [named] = candidates;
    if (named !== undefined) return inNamespace ?? named;
    const ofKind = objects.ofKind(kind);
    const [only] = ofKind;
    if (ofKind.length === 1) return only;
    return ofKind.slice(0, MAXIMUM_TRIED).find((each) => name.includes(objectIdentity(each.value).name));
  }

  /** Possible original names of a rendered name, innermost first. */
  #withoutAffixes(rendered: string): readonly string[] {
    const names = [rendered];
    for (const { kind, file } of this.#root.allSteps()) {
      const name = names.at(-1) as string;
      const affix = affixOf(kind, file);
      if (affix === '') continue;
      if (kind === 'PrefixTransformer' && name.startsWith(affix)) names.push(name.slice(affix.length));
      if (kind === 'SuffixTransformer' && name.endsWith(affix)) names.push(name.slice(0, -affix.length));
    }
    return names.reverse();
  }

  #allNames(): readonly string[] {
    if (this.#names !== undefined) return this.#names;
    const origin = this.#originDocument();
    const { name } = objectIdentity(this.#value);
    const isGenerated = origin === undefined;
    const bare = isGenerated ? [name, name.replace(/-[a-z0-9]{10}$/, '')] : [name];
    const traced = this.#traced?.object.written;
    const written = [
      ...(origin === undefined ? [] : [objectIdentity(origin.value).name]),
      ...(traced ? [traced.name] : []),
    ];
    this.#names = [...new Set([...written, ...bare.flatMap((each) => this.#withoutAffixes(each))])];
    return this.#names;
  }

  #namespaces(origin: Written | undefined): readonly string[] {
    const namespaces = [this.#value, ...(origin === undefined ? [] : [origin.value])].map(
      (value) => objectIdentity(value).namespace,
    );
    return namespaces.includes('') ? [...namespaces, 'default'] : namespaces;
  }
}

/** Fallback: the field of a kustomization that runs the step. */
function stepDecision(document: Written, field: string | undefined): FieldDecision {
  return {
    message: 'set by',
    isExact: false,
    depth: 0,
    place: () => document.place(field === undefined ? [] : [field], 'key'),
  };
}

function nameIn(config: RenderStep['config']): string | undefined {
  const metadata = config?.['metadata'];
  const name = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

function withoutRepeats(decisions: readonly FieldDecision[]): readonly FieldDecision[] {
  const seen = new Set<string>();
  return decisions.filter((decision) => {
    const { file, range } = decision.place('value');
    const key = `${file.path}\0${range.start}\0${range.end}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** A patch that replaces all annotations removes the origin; kustomize then reports a transformer as the origin. */
function isLost(origin: KustomizeOrigin | undefined): boolean {
  return origin === undefined || (origin.path === undefined && /Transformer$/.test(origin.configuredBy?.kind ?? ''));
}

function affixOf(kind: string, file: TransformerFile): string {
  if (kind !== 'PrefixTransformer' && kind !== 'SuffixTransformer') return '';
  const setting =
    kind === 'PrefixTransformer' ? file.field(['namePrefix'], ['prefix']) : file.field(['nameSuffix'], ['suffix']);
  return typeof setting?.value === 'string' ? setting.value : '';
}

function originDecision(origin: Written, aligned: FieldPath, { value, before }: AskedField): FieldDecision {
  const isExact = value !== undefined && before !== undefined && isSameJson(before, value);
  return writtenAs('written in', origin, aligned, { isExact, depth: aligned.length });
}

/** Exact sources come first. Others follow by matched depth; at equal depth, the original document comes first. */
function ordered(decisions: readonly FieldDecision[]): readonly FieldDecision[] {
  const exact = decisions.filter(({ isExact }) => isExact);
  const others = decisions
    .filter(({ isExact, depth }) => !isExact && depth > 0)
    .map((decision, index) => ({ decision, index }))
    .sort((one, other) => other.decision.depth - one.decision.depth || other.index - one.index)
    .map(({ decision }) => decision);
  const rest = decisions.filter(({ isExact, depth }) => !isExact && depth === 0);
  return [...exact, ...others, ...rest];
}
