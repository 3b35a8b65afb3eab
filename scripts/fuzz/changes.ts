// Applies typical changes to an in-memory copy of a repository. The results must be equal whether only affected roots are rendered or all.
// `npm run fuzz -- changes DIR...`, with `--count` per repository and `--seed` to select other files.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exitCodeOf } from '../../src/door/run/exit-code.ts';
import { compareStates } from '../../src/pipeline/compare-states.ts';
import type { RepositoryState } from '../../src/pipeline/scope/reading-scope.ts';
import type { RenderEngine } from '../../src/render/engine/render-engine.ts';
import { RootBuilder } from '../../src/render/sources/root/root-builder.ts';
import type { Report } from '../../src/report/report.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { treeOf } from '../../src/source/tree/file-tree.ts';
import { KnownTexts } from '../../src/workspace/cache/known-texts.ts';
import { openEngine } from '../../src/workspace/render/open-engine.ts';
import { judgement } from '../../test/support/judgement.ts';

type Texts = ReadonlyMap<string, string>;
type Apply = (texts: Map<string, string>, path: string) => void;
type Edit = (text: string, path: string) => string | undefined;

interface Change {
  readonly name: string;
  /** A typical edit of the file's text; undefined if the file has nothing to edit. */
  readonly edit?: Edit;
  /** Replaces `edit` if a file is added, deleted or renamed. */
  readonly apply?: Apply;
  /** Selects the files that the change applies to. */
  readonly isFor: (path: string, text: string) => boolean;
}

const YAML = /\.ya?ml$/;
const KUSTOMIZATION = /(?:^|\/)kustomization\.ya?ml$/;
const isYaml = (path: string): boolean => YAML.test(path);
const isObject = (path: string, text: string): boolean =>
  YAML.test(path) && !KUSTOMIZATION.test(path) && /^kind: /m.test(text) && /^metadata:/m.test(text);
const isOf = (kind: RegExp) => (path: string, text: string) => isObject(path, text) && kind.test(text);
const isKustomization = (path: string): boolean => KUSTOMIZATION.test(path);

function replaced(pattern: RegExp, by: string): Edit {
  return (text) => {
    const changed = text.replace(pattern, by);
    return changed === text ? undefined : changed;
  };
}

const POD = (namespace: string): string => `apiVersion: v1
kind: Pod
metadata: {name: added-by-a-change, namespace: ${namespace}}
spec:
  hostNetwork: true
  containers: [{name: web, image: web, securityContext: {privileged: true}}]
`;
const CONFIG_MAP = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: added-by-a-change}\ndata: {most: "1"}\n`;

function added(name: string, text: string): Apply {
  return (texts, path) => texts.set(join(path, '..', name), text);
}

const CHANGES: readonly Change[] = [
  { name: 'comment', isFor: isObject, edit: (text) => `# a comment\n${text}` },
  { name: 'comment in a kustomization', isFor: isKustomization, edit: (text) => `${text}# a comment\n` },
  {
    name: 'comment in a patch',
    isFor: (path) => /patch[^/]*\.ya?ml$/.test(path),
    edit: (text) => `# a comment\n${text}`,
  },
  {
    name: 'image',
    isFor: isOf(/^\s+image: \S+/m),
    edit: replaced(/^(\s+image: )\S+/m, '$1registry.example.com/other:2'),
  },
  { name: 'replicas', isFor: isOf(/^ {2}replicas: \d+/m), edit: replaced(/^( {2}replicas: )\d+/m, '$10') },
  { name: 'finalizer', isFor: isObject, edit: replaced(/^metadata:\n/m, 'metadata:\n  finalizers: [example.com/a]\n') },
  { name: 'name', isFor: isObject, edit: replaced(/^( {2}name: )(\S+)$/m, '$1renamed-$2') },
  { name: 'namespace', isFor: isOf(/^ {2}namespace: /m), edit: replaced(/^( {2}namespace: )\S+/m, '$1elsewhere') },
  { name: 'pod that policies deny', isFor: isObject, apply: added('added-pod.yaml', POD('default')) },
  { name: 'pod in a new namespace', isFor: isObject, apply: added('added-pod.yaml', POD('added-space')) },
  { name: 'new ConfigMap', isFor: isObject, apply: added('added-map.yaml', CONFIG_MAP) },
  { name: 'deleted file', isFor: isObject, apply: (texts, path) => void texts.delete(path) },
  {
    name: 'renamed file',
    isFor: isObject,
    apply: (texts, path) => {
      texts.set(path.replace(YAML, '-moved.yaml'), texts.get(path) ?? '');
      texts.delete(path);
    },
  },
  { name: 'prefix in a kustomization', isFor: isKustomization, edit: (text) => `${text}\nnamePrefix: changed-\n` },
  {
    name: 'patch in a kustomization',
    isFor: isKustomization,
    edit: (text) => `${text}\ncommonAnnotations: {changed: "yes"}\n`,
  },
  { name: 'resource less', isFor: isKustomization, edit: replaced(/^ *- [\w./-]+\.yaml\n/m, '') },
  { name: 'param', isFor: isOf(/^kind: ConfigMap$/m), edit: replaced(/^( {2}[\w.-]+: )\S.*$/m, '$1changed') },
  {
    name: 'label of a Namespace',
    isFor: isOf(/^kind: Namespace$/m),
    edit: replaced(/^( {4}[\w./-]+: )\S+$/m, '$1changed'),
  },
  {
    name: 'policy',
    isFor: isOf(/^kind: (?:ValidatingAdmissionPolicy|ClusterPolicy|ValidatingPolicy)$/m),
    edit: replaced(/^(\s+-? *expression: ).*$/m, '$1"false"'),
  },
  {
    name: 'deleted policy',
    isFor: isOf(/^kind: (?:ValidatingAdmissionPolicyBinding|ClusterPolicy)$/m),
    apply: (texts, path) => void texts.delete(path),
  },
  {
    name: 'values of a chart',
    isFor: (path) => /(?:^|\/)values\.ya?ml$/.test(path),
    edit: (text) => `${text}\nadded: 1\n`,
  },
  { name: 'file that does not parse', isFor: isYaml, edit: (text) => `${text}\n}: [\n` },
];

export interface ChangeOptions {
  /** Per repository. */
  readonly count: number;
  readonly seed: number;
  /** Folder of cached renderings. */
  readonly cache?: string;
}

/** Prints a row for each change, and returns true if all results are equal. */
export function runChanges(folders: readonly string[], { count, seed, cache }: ChangeOptions): boolean {
  console.log('| repository | change | file | exit | new findings | rendered | same |\n|---|---|---|--:|--:|---|---|');
  const results = folders.flatMap((folder) => {
    const base = textsIn(folder);
    const options = cache === undefined ? undefined : { folder: cache, root: folder, version: 'changes' };
    const { engine } = openEngine({ cache: options });
    const comparer = new Comparer(base, engine, () => options && new KnownTexts({ ...options, of: 'change' }));
    return Array.from({ length: count }, (_, index) => {
      const change = CHANGES[index % CHANGES.length] as Change;
      const paths = [...base].filter(([path, text]) => change.isFor(path, text)).map(([path]) => path);
      const path = paths[(seed * 7919 + index * 104_729) % Math.max(paths.length, 1)];
      const head = path === undefined ? undefined : changed(base, change, path);
      if (path === undefined || head === undefined) return true;
      const [part, whole] = [comparer.compare(head), comparer.compare(head, 'repository')];
      const [one, other] = [part, whole].map((report) => JSON.stringify(concluded(report), undefined, 1));
      const isSame = one === other;
      const news = whole.findings.filter(({ status }) => status === 'new').length;
      const cells = [basename(folder), change.name, path, exitCodeOf(whole), news, part.comparison?.scope, isSame];
      console.log(`| ${cells.join(' | ')} |`);
      if (!isSame) console.log(firstDifference(one ?? '', other ?? ''));
      return isSame;
    });
  });
  console.log(`${results.length} changes, ${results.filter((isSame) => !isSame).length} judged differently`);
  return results.every((isSame) => isSame);
}

function changed(base: Texts, { edit, apply }: Change, path: string): Texts | undefined {
  const head = new Map(base);
  if (apply !== undefined) apply(head, path);
  const text = edit?.(base.get(path) ?? '', path);
  if (edit !== undefined && text === undefined) return undefined;
  if (text !== undefined) head.set(path, text);
  return head;
}

function textsIn(folder: string): Texts {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('.git/'))
    .sort();
  return new Map(entries.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Shares equal files of both states, and reuses renderings. */
class Comparer {
  readonly #base: Texts;
  readonly #engine: () => RenderEngine;
  readonly #builder = new RootBuilder();
  readonly #files = new Map<string, SourceFile>();

  readonly #openTexts: () => KnownTexts | undefined;

  constructor(base: Texts, engine: () => RenderEngine, openTexts: () => KnownTexts | undefined) {
    this.#base = base;
    this.#engine = engine;
    this.#openTexts = openTexts;
  }

  compare(head: Texts, extent?: 'repository'): Report {
    const texts = extent === undefined ? this.#openTexts() : undefined;
    const report = compareStates({
      base: this.#stateOf(this.#base),
      head: this.#stateOf(head),
      names: { base: 'base', head: 'head' },
      configuration: defaultConfiguration(),
      policiesFrom: 'base',
      only: 'new',
      ...(extent && { extent }),
      engine: this.#engine,
      builder: this.#builder,
      ...(texts && { texts }),
    });
    texts?.keep();
    return report;
  }

  #stateOf(texts: Texts): RepositoryState {
    const written = [...texts].filter(([path]) => /\.(?:ya?ml|json)$/.test(path));
    return {
      files: written.map(([path, text]) => {
        const known = this.#files.get(path);
        const file = known?.text === text ? known : new SourceFile(path, text);
        if (known === undefined) this.#files.set(path, file);
        return { file, selected: true };
      }),
      paths: new Set(texts.keys()),
      notRead: [],
      tree: treeOf({ files: texts }),
    };
  }
}

function concluded(report: Report): unknown {
  return { ...judgement(report), verdict: report.verdict, exitCode: exitCodeOf(report) };
}

function firstDifference(one: string, other: string): string {
  const [part, whole] = [one.split('\n'), other.split('\n')];
  const at = part.findIndex((line, index) => line !== whole[index]);
  const from = Math.max(at - 3, 0);
  const shown = (lines: readonly string[]): string => lines.slice(from, at + 5).join('\n');
  return `  part:\n${shown(part)}\n  whole:\n${shown(whole)}`;
}
