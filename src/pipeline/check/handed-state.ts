// What one thread knows of a state, handed to others that evaluate objects of it: texts that all share, and which resources are in them.
import { UNOBSERVED } from '../../engine/stages.ts';
import type { Target } from '../../engine/target.ts';
import type { Aside } from '../../inventory/aside.ts';
import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import { Resource } from '../../kubernetes/api/resource.ts';
import { RunBudget } from '../../kubernetes/request/run-budget.ts';
import type { ConfiguredTarget } from '../../settings/configuration.ts';
import { HeldValues } from '../../source/manifest/held-values.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import { RelocatedManifest } from '../../source/manifest/relocated-manifest.ts';
import { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import { serverOf } from '../clusters/targets.ts';
import { languagesOf } from '../state/languages.ts';
import type { FoundResource } from '../state/read-repository.ts';
import { HandedManifest, type KnownManifest, PlacelessManifest } from './handed-manifest.ts';
import { blocksOf, type EvaluatedState, type PartWork, StateEvaluator, type StatePart } from './state-evaluator.ts';

/** Characters of the texts whose values a thread holds: it goes through the objects in their order. */
const HELD_CHARACTERS = 8 * 1024 * 1024;

/** Plain data. */
export interface HandedState {
  /** All texts in UTF-8, one after the other. */
  readonly texts: SharedArrayBuffer;
  readonly files: readonly HandedFile[];
  readonly manifests: readonly HandedDocument[];
  /** By their numbers. */
  readonly resources: readonly HandedResource[];
  readonly targets: readonly HandedTarget[];
  /** By the number of the resource. */
  readonly changedBy: ReadonlyMap<number, string>;
  readonly asides: ReadonlyMap<number, Aside>;
  readonly block: number;
  readonly workLimit: number;
  readonly options: EvaluatedState['options'];
  readonly explainsMutations: boolean;
}

interface HandedFile {
  readonly path: string;
  /** In bytes. */
  readonly start: number;
  readonly end: number;
}

type HandedDocument =
  /** Number of the file, and of the document in it. */
  | { readonly file: number; readonly index: number }
  /** Rendered: where it comes from is known to the thread that rendered it. */
  | { readonly known: KnownManifest };

interface HandedResource {
  readonly manifest: number;
  readonly rootPath: FieldPath;
  readonly gvk: GroupVersionKind;
  readonly name: string;
  readonly generateName: string;
  readonly namespace: string;
}

interface HandedTarget {
  readonly configured: ConfiguredTarget;
  readonly name: string;
  readonly manifests: readonly number[];
  readonly policies: readonly number[];
  readonly facts: readonly number[];
}

export interface StateToHand extends Pick<HandedState, 'block' | 'workLimit' | 'options' | 'explainsMutations'> {
  readonly targets: readonly { readonly target: Target; readonly configured: ConfiguredTarget }[];
  numberOf(resource: Resource): number | undefined;
}

/** Undefined: there is something in it that cannot be handed. */
export function handedState(found: readonly FoundResource[], state: StateToHand): HandedState | undefined {
  const files = new TextTable();
  const manifests = new Map<Manifest, number>();
  const documents: HandedDocument[] = [];
  const resources: HandedResource[] = [];
  for (const { resource } of found) {
    const { manifest, rootPath, gvk, name, generateName, namespace } = resource;
    let number = manifests.get(manifest);
    if (number === undefined) {
      number = documents.push(documentOf(manifest, files)) - 1;
      manifests.set(manifest, number);
    }
    resources.push({ manifest: number, rootPath, gvk, name, generateName, namespace });
  }
  const texts = files.encoded();
  if (texts === undefined) return undefined;
  const all = state.targets.flatMap(({ target }) => [...target.manifests, ...target.policies, ...target.facts]);
  if (all.some((each) => state.numberOf(each) === undefined)) return undefined;
  const numbersOf = (list: readonly Resource[]): readonly number[] => list.map((each) => state.numberOf(each) ?? -1);
  const { block, workLimit, options, explainsMutations } = state;
  return {
    ...texts,
    manifests: documents,
    resources,
    targets: state.targets.map(({ target, configured: { location: _, ...configured } }) => ({
      configured,
      name: target.name,
      manifests: numbersOf(target.manifests),
      policies: numbersOf(target.policies),
      facts: numbersOf(target.facts),
    })),
    changedBy: new Map(
      found.flatMap(({ changedBy }, number) => (changedBy === undefined ? [] : [[number, changedBy] as const])),
    ),
    asides: new Map(found.flatMap(({ aside }, number) => (aside === undefined ? [] : [[number, aside] as const]))),
    block,
    workLimit,
    options,
    explainsMutations,
  };
}

function documentOf(manifest: Manifest, files: TextTable): HandedDocument {
  const written = manifest instanceof RelocatedManifest ? manifest.original : manifest;
  if (written instanceof WrittenManifest) return { file: files.numberOf(manifest.file), index: written.index };
  return { known: PlacelessManifest.known(manifest) };
}

/** Texts, each once. */
class TextTable {
  readonly #numbers = new Map<SourceFile, number>();

  numberOf(file: SourceFile): number {
    const number = this.#numbers.get(file) ?? this.#numbers.size;
    this.#numbers.set(file, number);
    return number;
  }

  /** Undefined: a text cannot be written in UTF-8. */
  encoded(): Pick<HandedState, 'texts' | 'files'> | undefined {
    const encoder = new TextEncoder();
    const encoded: { readonly path: string; readonly bytes: Uint8Array }[] = [];
    let length = 0;
    for (const { path, text } of this.#numbers.keys()) {
      if (!isWellFormed(text)) return undefined;
      const bytes = encoder.encode(text);
      encoded.push({ path, bytes });
      length += bytes.length;
    }
    const texts = new SharedArrayBuffer(length);
    const view = new Uint8Array(texts);
    let start = 0;
    const files = encoded.map(({ path, bytes }) => {
      view.set(bytes, start);
      const file = { path, start, end: start + bytes.length };
      start = file.end;
      return file;
    });
    return { texts, files };
  }
}

/** Half of a pair stands for nothing in UTF-8. */
function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Evaluates the blocks that `take` gives, in ascending order. `asked`: told of every request. */
export function evaluateHanded(
  handed: HandedState,
  take: (work: PartWork, blocks: number) => number | undefined,
  asked: (requests: number) => void,
): StatePart {
  const files = handed.files.map(
    ({ path, start, end }) => new LazyFile(path, new Uint8Array(handed.texts, start, end - start)),
  );
  const held = new HeldValues(HELD_CHARACTERS);
  const manifests = handed.manifests.map((document): Manifest => {
    if ('known' in document) return new PlacelessManifest(document.known);
    return new HandedManifest(() => (files[document.file] as LazyFile).file, document.index, held);
  });
  const resources = handed.resources.map(({ manifest, rootPath, gvk, ...names }) => {
    return new Resource(manifests[manifest] as Manifest, rootPath, gvk, undefined, names);
  });
  const numbers = new Map(resources.map((resource, number) => [resource, number]));
  const work = new RunBudget(handed.workLimit);
  const listed = (list: readonly number[]): readonly Resource[] => list.flatMap((number) => resources[number] ?? []);
  const { explainsMutations, options, changedBy, asides } = handed;
  const targets = handed.targets.map((target) => ({
    ...serverOf(target.configured),
    name: target.name,
    manifests: listed(target.manifests),
    policies: listed(target.policies),
    facts: listed(target.facts),
    work,
    explainsMutations,
  }));
  const ofNumbers = <T>(byNumber: ReadonlyMap<number, T>): Map<Resource, T> =>
    new Map([...byNumber].map(([number, value]) => [resources[number] as Resource, value]));
  const evaluator = new StateEvaluator({
    targets: targets.map((target, index) => ({
      target,
      languages: languagesOf((handed.targets[index] as HandedTarget).configured, options.today),
    })),
    work,
    options,
    stages: {
      ...UNOBSERVED,
      count: (stage, what, number) => {
        if (stage === 'evaluate' && what === 'requests') asked(number);
      },
    },
    hasAllPlaces: handed.manifests.every((document) => !('known' in document)),
    hasFixes: false,
    changedBy: ofNumbers(changedBy),
    asideOf: ofNumbers(asides),
    numberOf: (resource) => numbers.get(resource),
  });
  const blocks = blocksOf(targets, handed.block);
  return evaluator.evaluate((done) => {
    const next = take(done, blocks.length);
    return next === undefined ? undefined : blocks[next];
  });
}

/** A text that is decoded when somebody asks for it. */
class LazyFile {
  readonly #path: string;
  readonly #bytes: Uint8Array;
  #file: SourceFile | undefined;

  constructor(path: string, bytes: Uint8Array) {
    this.#path = path;
    this.#bytes = bytes;
  }

  get file(): SourceFile {
    // What is shared cannot be decoded where it is.
    this.#file ??= new SourceFile(
      this.#path,
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.slice()),
    );
    return this.#file;
  }
}
