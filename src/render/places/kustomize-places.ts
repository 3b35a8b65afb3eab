// Finds where a field of what kustomize built is decided: in the last transformation that gives its value, else where it was written.
import { isKustomizationName } from '../../inventory/kustomize-references.ts';
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import type { FieldPath } from '../../source/field-path.ts';
import type { JsonValue } from '../../source/json.ts';
import { valueAt } from '../../source/json-field.ts';
import { joinPaths } from '../../source/repository-path.ts';
import type { SourceLocation } from '../../source/source-file.ts';
import type { KustomizeOrigin, RenderedObject } from '../render-request.ts';
import { alignedPath } from './aligned-path.ts';
import { type AskedField, type Decision, writtenAs } from './decision.ts';
import { generatedNameDecision, generatorDecisions } from './generator-decisions.ts';
import { patchDecisions, patchesOf } from './patch-decisions.ts';
import type { PlaceFinder } from './place-finder.ts';
import { replacementDecisions } from './replacement-decisions.ts';
import { SETTING_DECISIONS } from './setting-decisions.ts';
import { TransformerFile } from './transformer-settings.ts';
import { identityOf, type Written, type WrittenFiles } from './written.ts';

const PATCHES: ReadonlySet<string> = new Set([
  'PatchTransformer',
  'PatchStrategicMergeTransformer',
  'PatchJson6902Transformer',
]);

/** Kustomizations of one root whose generators are looked at. */
const MAXIMUM_KUSTOMIZATIONS = 1000;
/** Documents of a kind that are tried where no name fits. */
const MAXIMUM_TRIED = 100;
/** kustomize's builtin transformers in the order in which a kustomization runs them. */
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

/** What the finders of all objects of one root share. */
export class KustomizeRoot {
  readonly folder: string;
  readonly files: WrittenFiles;
  /** Where the root is declared. */
  readonly declared: () => SourceLocation;
  readonly #transformers = new Map<string, TransformerFile>();
  #kustomizations: readonly TransformerFile[] | undefined;
  #steps: readonly Step[] | undefined;

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

  /** The root's first, then what it takes objects from, components before resources, each once. */
  kustomizations(): readonly TransformerFile[] {
    if (this.#kustomizations !== undefined) return this.#kustomizations;
    const found: TransformerFile[] = [];
    const seen = new Set<string>();
    const pending = [this.folder];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const here = folder === '' ? '.' : folder.replace(/\/$/, '');
      if (seen.has(here) || found.length >= MAXIMUM_KUSTOMIZATIONS) continue;
      seen.add(here);
      const path = NAMES.map((name) => joinPaths(here, name)).find((name) => this.files.file(name) !== undefined);
      if (path === undefined) continue;
      const file = this.transformerFile(path);
      found.push(file);
      pending.push(...file.bases().map((base) => joinPaths(here, base)));
    }
    this.#kustomizations = found;
    return found;
  }

  /** Every transformation that any kustomization asks for, the last first: for objects that lost the annotations about theirs. */
  allSteps(): readonly Step[] {
    const kinds = [...BUILTIN_ORDER].reverse();
    this.#steps ??= this.kustomizations().flatMap((file) => kinds.map((kind) => ({ kind, file })));
    return this.#steps;
  }

  /** The object of a file that some kustomization takes objects from. */
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

/** `value`: the object as it was rendered. */
export function kustomizePlaces(root: KustomizeRoot, rendered: RenderedObject, value: JsonValue): PlaceFinder {
  return new KustomizePlaces(root, rendered, value);
}

interface Step {
  readonly kind: string;
  readonly file: TransformerFile;
}

class KustomizePlaces implements PlaceFinder {
  readonly #root: KustomizeRoot;
  readonly #rendered: RenderedObject;
  readonly #value: JsonValue;
  #steps: readonly Step[] | undefined;
  #origin: { readonly document: Written | undefined } | undefined;
  #names: readonly string[] | undefined;
  readonly #patches = new Map<Step, readonly Written[]>();
  readonly #chains = new Map<string, readonly Decision[]>();

  constructor(root: KustomizeRoot, rendered: RenderedObject, value: JsonValue) {
    this.#root = root;
    this.#rendered = rendered;
    this.#value = value;
  }

  place(path: FieldPath, part: Parameters<Decision['place']>[0]): SourceLocation {
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

  /** The deciding source first; then the others, the latest first. */
  #chain(path: FieldPath): readonly Decision[] {
    const key = JSON.stringify(path);
    let chain = this.#chains.get(key);
    if (chain === undefined) {
      chain = ordered(this.#decisions(path));
      this.#chains.set(key, chain);
    }
    return chain;
  }

  #decisions(path: FieldPath): readonly Decision[] {
    const origin = this.#originDocument();
    const before = origin && alignedPath(this.#value, path, origin.value);
    const asked: AskedField = {
      path,
      value: valueAt(this.#value, path),
      object: this.#value,
      before: origin && before?.length === path.length ? valueAt(origin.value, before) : undefined,
      names: this.#allNames(),
      namespaces: this.#namespaces(origin),
    };
    const written = origin === undefined || before === undefined ? [] : [originDecision(origin, before, asked)];
    if (path[0] === 'kind' || path[0] === 'apiVersion') return [...written, ...this.#generated(asked)];
    const names = this.#root.kustomizations().flatMap((file) => generatedNameDecision(file, asked));
    const isOwnName = path.length === 2 && path[0] === 'metadata' && path[1] === 'name';
    const generated = this.#generated(asked);
    const transformed = this.#stepsOf().flatMap((step) => this.#stepDecisions(step, asked));
    return isOwnName
      ? [...generated, ...transformed, ...written]
      : [...names, ...transformed, ...generated, ...written];
  }

  #stepDecisions(step: Step, asked: AskedField): readonly Decision[] {
    const { kind, file } = step;
    if (PATCHES.has(kind)) {
      let patches = this.#patches.get(step);
      if (patches === undefined) {
        patches = patchesOf(file.patches(kind), asked);
        this.#patches.set(step, patches);
      }
      return patchDecisions(patches, asked);
    }
    if (kind === 'ReplacementTransformer') return replacementDecisions(file, asked);
    return SETTING_DECISIONS.get(kind)?.(file, asked) ?? [];
  }

  #generated(asked: AskedField): readonly Decision[] {
    if (this.#originDocument() !== undefined) return [];
    return this.#root.kustomizations().flatMap((file) => generatorDecisions(file, this.#root.files, asked));
  }

  /** The last transformation first, each kind of one file once. */
  #stepsOf(): readonly Step[] {
    if (this.#steps !== undefined) return this.#steps;
    if (isLost(this.#rendered.origin)) return this.#root.allSteps();
    const steps: Step[] = [];
    const seen = new Set<string>();
    for (const { configuredIn, configuredBy } of [...(this.#rendered.transformations ?? [])].reverse()) {
      const kind = configuredBy?.kind ?? '';
      const key = [configuredIn, kind, configuredBy?.name].join('\0');
      if (configuredIn === undefined || seen.has(key)) continue;
      seen.add(key);
      steps.push({ kind, file: this.#root.transformerFile(configuredIn, kind, configuredBy?.name) });
    }
    this.#steps = steps;
    return steps;
  }

  /** The object in the file that it was written in, by the name that it had before prefixes and suffixes. */
  #originDocument(): Written | undefined {
    this.#origin ??= { document: this.#findOrigin(this.#rendered.origin) };
    return this.#origin.document;
  }

  #findOrigin(origin: KustomizeOrigin | undefined): Written | undefined {
    const { kind, name, namespace } = identityOf(this.#value);
    if (isLost(origin)) return this.#root.findObject(kind, [...this.#withoutAffixes(name), name]);
    if (origin?.path === undefined) return undefined;
    const objects = this.#root.files.objects(origin.path);
    const candidates = [...this.#withoutAffixes(name), name].flatMap((each) => objects.named(kind, each));
    const inNamespace = candidates.find((each) => identityOf(each.value).namespace === namespace);
    const [named] = candidates;
    if (named !== undefined) return inNamespace ?? named;
    const ofKind = objects.ofKind(kind);
    const [only] = ofKind;
    if (ofKind.length === 1) return only;
    return ofKind.slice(0, MAXIMUM_TRIED).find((each) => name.includes(identityOf(each.value).name));
  }

  /** Names that the rendered one may have been made of, from the innermost on. */
  #withoutAffixes(rendered: string): readonly string[] {
    const names = [rendered];
    for (const { kind, file } of this.#stepsOf()) {
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
    const { name } = identityOf(this.#value);
    const isGenerated = origin === undefined;
    const bare = isGenerated ? [name, name.replace(/-[a-z0-9]{10}$/, '')] : [name];
    const written = origin === undefined ? [] : [identityOf(origin.value).name];
    this.#names = [...new Set([...written, ...bare.flatMap((each) => this.#withoutAffixes(each))])];
    return this.#names;
  }

  #namespaces(origin: Written | undefined): readonly string[] {
    const namespaces = [this.#value, ...(origin === undefined ? [] : [origin.value])].map(
      (value) => identityOf(value).namespace,
    );
    return namespaces.includes('') ? [...namespaces, 'default'] : namespaces;
  }
}

/** A patch that sets all annotations takes those about origins away; kustomize then takes the transformer for the origin. */
function isLost(origin: KustomizeOrigin | undefined): boolean {
  return origin === undefined || (origin.path === undefined && /Transformer$/.test(origin.configuredBy?.kind ?? ''));
}

function affixOf(kind: string, file: TransformerFile): string {
  if (kind !== 'PrefixTransformer' && kind !== 'SuffixTransformer') return '';
  const setting =
    kind === 'PrefixTransformer' ? file.field(['namePrefix'], ['prefix']) : file.field(['nameSuffix'], ['suffix']);
  return typeof setting?.value === 'string' ? setting.value : '';
}

function originDecision(origin: Written, aligned: FieldPath, { value, before }: AskedField): Decision {
  const isExact = value !== undefined && before !== undefined && isSameJson(before, value);
  return writtenAs('written in', origin, aligned, { isExact, depth: aligned.length });
}

/** What gives the value comes first; without one, what has the most of the path, where it was written before all others. */
function ordered(decisions: readonly Decision[]): readonly Decision[] {
  const exact = decisions.filter(({ isExact }) => isExact);
  const others = decisions
    .filter(({ isExact, depth }) => !isExact && depth > 0)
    .map((decision, index) => ({ decision, index }))
    .sort((one, other) => other.decision.depth - one.decision.depth || other.index - one.index)
    .map(({ decision }) => decision);
  const rest = decisions.filter(({ isExact, depth }) => !isExact && depth === 0);
  return [...exact, ...others, ...rest];
}
