// Shares the rendering of sibling roots built of equal files, e.g. overlays of many clusters: one is rendered, the others reuse it.

import { folderOf } from '../../../source/text/repository-path.ts';
import { maySay, type SearchableText, searchableText } from '../../../source/text/searchable-text.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';
import type { KustomizeRequest, RenderOutcome } from '../../engine/render-request.ts';
import type { Build } from '../controller.ts';
import type { Reach } from '../kustomization/kustomization-graph.ts';
import type { RecordedTree } from './recorded-tree.ts';

interface BuiltRoot {
  readonly tree: RecordedTree;
  readonly outcome: RenderOutcome;
}

interface AlikeBuild extends Pick<Build, 'request' | 'postRender'> {
  readonly overlay?: Build['overlay'] | undefined;
}

/** A rendered root, with the parts that may depend on its name. */
interface Rendered<B extends BuiltRoot> {
  readonly root: string;
  readonly built: B;
  /** True if a root with another name and equal files has the same objects. */
  readonly isNameless: boolean;
}

export class AlikeRoots<B extends BuiltRoot> {
  readonly #shapes = new WeakMap<FileTree, Map<string, string>>();
  readonly #first = new Map<string, Rendered<B>[]>();
  readonly #digests = new WeakMap<Uint8Array, number>();
  readonly #texts = new WeakMap<Uint8Array, SearchableText>();

  /** True if another root probably gives the same result, so this one need not start early. `key`: identifies the build. */
  expect(key: string, build: AlikeBuild, own: Reach, tree: FileTree): boolean {
    const { request } = build;
    if (!isNamedKustomization(request) || build.postRender !== undefined) return false;
    const shape = this.#shapeOf(request, build, own, tree);
    const shapes = this.#shapes.get(tree) ?? new Map<string, string>();
    this.#shapes.set(tree, shapes.set(key, shape));
    const isExpected = this.#first.has(shape);
    if (!isExpected) this.#first.set(shape, []);
    return isExpected;
  }

  /**
   * The result of another root, if this root certainly gives the same: all queries of that rendering have equal answers here, and neither
   * its input nor its output contains one of the two folder names.
   */
  find(key: string, { request, overlay }: AlikeBuild, tree: FileTree): B | undefined {
    const others = this.#others(key, tree);
    if (others === undefined || request.engine !== 'kustomize' || saysName(overlay, request.root)) return undefined;
    for (const { root, built, isNameless } of others) {
      if (!isNameless || root === request.root || this.#mayName(built, request.root)) continue;
      const record = built.tree.renamedIn(tree, (path) => renamed(path, root, request.root));
      if (record !== undefined) return { ...built, tree: record };
    }
    return undefined;
  }

  add(key: string, { request, overlay }: AlikeBuild, tree: FileTree, built: B): void {
    if (request.engine !== 'kustomize') return;
    const isNameless = !mayBeOther(built) && !saysName(overlay, request.root) && !this.#mayName(built, request.root);
    this.#others(key, tree)?.push({ root: request.root, built, isNameless });
  }

  #others(key: string, tree: FileTree): Rendered<B>[] | undefined {
    const shape = this.#shapes.get(tree)?.get(key);
    return shape === undefined ? undefined : this.#first.get(shape);
  }

  /** Equal for roots in one folder with equal requests and probably equal files. */
  #shapeOf(request: KustomizeRequest, { overlay }: AlikeBuild, own: Reach, tree: FileTree): string {
    const { root } = request;
    const short = (path: string): string => (isIn(path, root) ? `./${path.slice(root.length)}` : path);
    const files = [...own.files].map((path) =>
      isIn(path, root) ? `${short(path)}=${this.#digestOf(tree.read(path))}` : path,
    );
    const written = [...(overlay ?? [])].map(([path, text]) => [short(path), text]);
    const folders = [...own.folders].map(short);
    return JSON.stringify([folderOf(root), { ...request, root: '' }, written, files.sort(), folders.sort()]);
  }

  /** The digest only preselects; `find` compares the content. */
  #digestOf(bytes: Uint8Array | undefined): number {
    if (bytes === undefined) return 0;
    let digest = this.#digests.get(bytes);
    if (digest === undefined) {
      digest = bytes.length;
      for (const byte of bytes) digest = (Math.imul(digest, 31) + byte) | 0;
      this.#digests.set(bytes, digest);
    }
    return digest;
  }

  #mayName({ tree, outcome }: BuiltRoot, root: string): boolean {
    const name = nameOf(root);
    const isNamed = (text: string): boolean => text.includes(name);
    if ('failure' in outcome || outcome.objects.some(({ text }) => isNamed(text)) || outcome.warnings.some(isNamed)) {
      return true;
    }
    for (const [, answer] of tree.answers()) {
      if (answer instanceof Uint8Array && maySay(this.#textOf(answer), isNamed)) return true;
    }
    return false;
  }

  #textOf(bytes: Uint8Array): SearchableText {
    const text = this.#texts.get(bytes) ?? searchableText(new TextDecoder().decode(bytes));
    this.#texts.set(bytes, text);
    return text;
  }
}

function nameOf(root: string): string {
  return root.slice(root.lastIndexOf('/') + 1);
}

/** Texts that the controller writes are not among the queries. */
function saysName(overlay: AlikeBuild['overlay'], root: string): boolean {
  return [...(overlay?.values() ?? [])].some((text) => text.includes(nameOf(root)));
}

/** The top has no name. Names with other characters may be escaped in texts, which the search for names does not cover. */
function isNamedKustomization(request: Build['request']): request is KustomizeRequest {
  if (request.engine !== 'kustomize' || request.provenance === true) return false;
  return /(?:^|\/)[A-Za-z0-9._:-]+$/.test(request.root);
}

/** Links and folder listings may contain names, and charts generate more than kustomizations do. */
function mayBeOther({ tree, outcome }: BuiltRoot): boolean {
  if ('failure' in outcome || outcome.usedChance === true || outcome.lookedUp === true) return true;
  for (const [[about, path], answer] of tree.answers()) {
    if (about === 'list' || about === 'target' || answer === 'link') return true;
    if (about === 'read' && path.endsWith('Chart.yaml')) return true;
  }
  return false;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function renamed(path: string, from: string, to: string): string {
  return isIn(path, from) ? to + path.slice(from.length) : path;
}
