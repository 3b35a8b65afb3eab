// Answers the recordings of kustomize and Helm: from a root or chart to its rendered objects, or to the class of the failure.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { Resource, resourcesOf } from '../../src/kubernetes/api/resource.ts';
import { documentStream } from '../../src/pipeline/state/document-stream.ts';
import type { RenderEngine } from '../../src/render/engine/render-engine.ts';
import type { RenderRequest } from '../../src/render/engine/render-request.ts';
import { fluxKustomization } from '../../src/render/flux/flux-kustomization.ts';
import { overlaid } from '../../src/render/sources/root/recorded-tree.ts';
import { isJsonObject } from '../../src/source/json/json.ts';
import { objectOrEmpty } from '../../src/source/json/json-field.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import type { FileTree } from '../../src/source/tree/file-tree.ts';
import { folderTree } from '../../src/workspace/render/folder-tree.ts';
import { SHARED } from './recordings.ts';

export const RENDERED = join(SHARED, 'conformance', 'rendered');

export interface RenderedLine {
  readonly id: string;
  /** Folder of the repository on disk. */
  readonly tree: string;
  readonly request: RenderRequest;
  /** A Flux Kustomization to build instead of the request. */
  readonly flux?: FluxRun;
  readonly ok: boolean;
  /** The output of the tool. */
  readonly output?: string;
  /** The recording keeps only the hash. */
  readonly withheld?: boolean;
  /** Hash of the tool's output. */
  readonly sha256?: string;
  /** The class and the last words of a recorded failure. */
  readonly reason?: string;
  readonly error?: string;
}

interface FluxRun {
  /** The file that declares it. */
  readonly file: string;
  readonly name: string;
  readonly namespace: string;
  /** The folder to build, independent of its `path`. */
  readonly path: string;
}

export interface RenderedAnswer {
  readonly id: string;
  readonly ok: boolean;
  readonly output?: string;
  /** The output of `preadmit render`; absent if a controller changes the objects afterwards. */
  readonly stream?: string;
  readonly failure?: string;
  readonly message?: string;
}

interface Run {
  readonly root: string;
  readonly kind: 'kustomize' | 'helm' | 'flux';
  readonly args: readonly string[];
  readonly ok: boolean;
  readonly expected?: string;
  readonly reason?: string;
  readonly errorEnd?: string;
  readonly sha256?: string;
  readonly withheld?: boolean | string;
  /** For Flux Kustomizations. */
  readonly file?: string;
  readonly name?: string;
  readonly namespace?: string;
}

let unpacked: string | undefined;

/** All recordings, unpacked into a folder that is deleted at exit; undefined if absent. */
export function renderedLines(): readonly string[] | undefined {
  if (!existsSync(RENDERED)) return undefined;
  unpacked ??= unpack();
  const lines = [
    ...corpusLines(unpacked),
    ...caseLines(unpacked),
    ...probeLines(unpacked),
    ...fluxProbeLines(unpacked),
  ];
  return lines.map((line) => JSON.stringify(line));
}

function unpack(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-rendered-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const archive of ['cases.tar.xz', 'corpus-outputs.tar.xz', 'probes.tar.xz']) {
    execFileSync('tar', ['xJf', join(RENDERED, archive), '-C', folder]);
  }
  const corpus = join(SHARED, 'corpus');
  for (const archive of existsSync(corpus) ? readdirSync(corpus).filter((name) => name.endsWith('.tar.gz')) : []) {
    execFileSync('tar', ['xzf', join(corpus, archive), '-C', folder]);
  }
  return folder;
}

function* corpusLines(folder: string): Iterable<RenderedLine> {
  for (const index of readdirSync(folder).filter((name) => name.endsWith('.index.jsonl'))) {
    const repository = index.slice(0, -'.index.jsonl'.length);
    const tree = join(folder, repository);
    if (!existsSync(tree)) continue;
    const outputs = new Map<string, string>();
    for (const text of linesOf(join(folder, `${repository}.outputs.jsonl`))) {
      const { root, sameAs = [], yaml } = JSON.parse(text) as { root: string; sameAs?: string[]; yaml: string };
      for (const name of [root, ...sameAs]) outputs.set(name, yaml);
    }
    for (const text of linesOf(join(folder, index))) {
      const run = JSON.parse(text) as Run;
      const output = outputs.get(run.root);
      yield lineOf(`${repository}/${run.root}`, tree, run, output);
    }
  }
}

function* caseLines(folder: string): Iterable<RenderedLine> {
  for (const repository of readdirSync(join(folder, 'cases'))) {
    const base = join(folder, 'cases', repository);
    for (const run of JSON.parse(readFileSync(join(base, 'index.json'), 'utf8')) as Run[]) {
      const output = run.expected && readFileSync(join(base, 'expected', run.expected), 'utf8');
      const line = lineOf(`${repository}/${run.root}`, join(base, 'tree'), run, output);
      const { file = '', name = '', namespace = '', root } = run;
      if (run.kind !== 'flux') yield line;
      else yield { ...line, id: `${repository}/${file}@flux/${name}`, flux: { file, name, namespace, path: root } };
    }
  }
}

function* probeLines(folder: string): Iterable<RenderedLine> {
  const base = join(folder, 'kustomize');
  interface Probe {
    readonly name: string;
    readonly root: string;
    readonly ok: boolean;
    readonly rootOnly: boolean;
    readonly error?: string;
  }
  for (const probe of JSON.parse(readFileSync(join(base, 'index.json'), 'utf8')) as Probe[]) {
    const tree = join(base, probe.name, 'tree');
    const output = probe.ok ? readFileSync(join(base, probe.name, 'expected.yaml'), 'utf8') : undefined;
    const root = probe.root === '.' ? '' : probe.root;
    for (const anyFile of [true, false]) {
      yield {
        id: `probe/${probe.name}${anyFile ? '' : '@root-only'}`,
        tree,
        request: { engine: 'kustomize', root, anyFile },
        ok: anyFile ? probe.ok : probe.rootOnly,
        ...(output !== undefined && (anyFile || probe.rootOnly) && { output }),
        ...(probe.error !== undefined && { error: probe.error }),
      };
    }
  }
}

function* fluxProbeLines(folder: string): Iterable<RenderedLine> {
  const base = join(folder, 'flux');
  interface Probe {
    readonly name: string;
    readonly ok: boolean;
    readonly error?: string;
  }
  for (const { name, ok, error } of JSON.parse(readFileSync(join(base, 'index.json'), 'utf8')) as Probe[]) {
    const output = ok ? readFileSync(join(base, name, 'expected.yaml'), 'utf8') : undefined;
    yield {
      id: `flux-probe/${name}`,
      tree: join(base, name, 'tree'),
      request: { engine: 'kustomize', root: 'app', anyFile: true },
      flux: { file: 'ks.yaml', name: 'app', namespace: 'flux-system', path: 'app' },
      ok,
      ...(output !== undefined && { output }),
      ...(error !== undefined && { error }),
    };
  }
}

function lineOf(id: string, tree: string, run: Run, output: string | undefined): RenderedLine {
  const root = run.root === '.' ? '' : run.root;
  const request: RenderRequest =
    run.kind === 'helm' ? chartRequest(root, run.args) : { engine: 'kustomize', root, anyFile: true };
  return {
    id: `${id}${run.kind === 'helm' ? `@helm${run.args.slice(7).join(',')}` : ''}`,
    tree,
    request,
    ok: run.ok,
    ...(run.ok && output !== undefined && { output }),
    ...(run.ok && output === undefined && { withheld: true }),
    ...(run.reason !== undefined && { reason: run.reason }),
    ...(run.ok && run.sha256 !== undefined && { sha256: run.sha256 }),
    ...(run.errorEnd !== undefined && { error: run.errorEnd }),
  };
}

/** `helm template rel CHART --namespace ns --kube-version 1.36.0 [--include-crds] [-f FILE]`. */
function chartRequest(chart: string, args: readonly string[]): RenderRequest {
  const valuesFiles = args.flatMap((arg, i) => (args[i - 1] === '-f' ? [arg] : []));
  return {
    engine: 'helm',
    chart,
    releaseName: 'rel',
    namespace: 'ns',
    kubernetesVersion: '1.36.0',
    includeCrds: args.includes('--include-crds'),
    valuesFiles,
  };
}

export function answerRendered(text: string, engine: RenderEngine): RenderedAnswer {
  const { id, tree, request, flux } = JSON.parse(text) as RenderedLine;
  if (flux !== undefined) return { id, ...answerFlux(folderTree(tree), flux, engine) };
  const outcome = engine.render(request, folderTree(tree), { seed: 1, now: 0 });
  if ('failure' in outcome) return { id, ok: false, failure: outcome.failure, message: outcome.message };
  const texts = outcome.objects.map((object) => object.text);
  return { id, ok: true, output: texts.join('\n---\n'), stream: documentStream(outcome.objects, true) };
}

/** Like `flux build kustomization --dry-run`, which ignores `substituteFrom`. */
function answerFlux(tree: FileTree, run: FluxRun, engine: RenderEngine): Omit<RenderedAnswer, 'id'> {
  const failed = (message: string) => ({ ok: false, failure: 'other', message });
  const file = new SourceFile(run.file, new TextDecoder().decode(tree.read(run.file)));
  const declared = readManifests(file).manifests.flatMap((manifest) =>
    resourcesOf(manifest).flatMap((result) => ('resource' in result ? [result.resource] : [])),
  );
  const written = declared.find(
    ({ gvk, name, namespace }) =>
      gvk.group === 'kustomize.toolkit.fluxcd.io' && name === run.name && ['', run.namespace].includes(namespace),
  );
  if (written === undefined) return failed('it is not declared');
  const spec = new Map(objectOrEmpty(written.value.get('spec'))).set('path', run.path);
  const postBuild = spec.get('postBuild');
  if (isJsonObject(postBuild))
    spec.set('postBuild', new Map([...postBuild].filter(([key]) => key !== 'substituteFrom')));
  const declaration = new Resource(
    written.manifest,
    written.rootPath,
    written.gvk,
    new Map([...written.value, ['spec', spec]]),
  );
  const known = {
    find: () => undefined,
    all: () => [],
    clusterData: () => undefined,
    rendered: () => [],
    repository: () => ({ unknown: 'nothing is fetched', help: '' }),
    chart: () => ({ unknown: 'no chart is fetched', help: '' }),
    engine: () => engine,
    cluster: () => ({ minor: 36, kubernetesVersion: '1.36.0' }),
    apiVersions: [],
  };
  const plan = fluxKustomization().plan(declaration, known, tree);
  if ('unknown' in plan) return failed(plan.unknown);
  const build = 'builds' in plan ? plan.builds[0] : undefined;
  if (build === undefined || build.request.engine === 'files') return { ok: true, output: '' };
  const outcome = engine.render(build.request, overlaid(tree, build.overlay), { seed: 1, now: 0 });
  if ('failure' in outcome) return { ok: false, failure: outcome.failure, message: outcome.message };
  const texts = outcome.objects.map((object) => object.text);
  const finished = build.finish?.(texts, outcome.objects) ?? { texts };
  if ('failure' in finished) return failed(finished.failure);
  // The command writes the label with the namespace in the manifest; in a cluster, every object has a namespace.
  const label = (namespace: string): string => `"kustomize.toolkit.fluxcd.io/namespace":"${namespace}"`;
  const output = finished.texts.map((text) =>
    text?.replace(label(written.namespace || 'default'), label(written.namespace)),
  );
  return { ok: true, output: output.join('\n---\n') };
}

/**
 * Requires the same objects in the same order. Failures match with any message, because messages contain addresses and
 * folders.
 */
export function agreesWithRecording(text: string, answer: string): boolean {
  const line = JSON.parse(text) as RenderedLine;
  const { ok, output } = JSON.parse(answer) as RenderedAnswer;
  if (line.ok !== ok) return false;
  if (line.output === undefined || output === undefined) return true;
  return canonical(line.output) === canonical(output);
}

/** Every object as JSON with sorted keys. */
function canonical(stream: string): string {
  // This parser resolves a dot as a number; Kubernetes does not.
  const documents = parseAllDocuments(stream.replace(/: \.$/gm, ": '.'"), {
    version: '1.1',
    merge: true,
    logLevel: 'silent',
    uniqueKeys: false,
  });
  const values = [...documents].map((document) => document.toJS({ maxAliasCount: -1 }) as unknown);
  return JSON.stringify(values.filter((value) => value !== null).map(sorted));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]): [string, unknown] => [key, sorted(item)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
