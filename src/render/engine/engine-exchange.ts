// Encodes requests for the engine's program and decodes its answers (the other side is render/main.go).

import { MOUNT } from '../../sandbox/sandbox-files.ts';
import { failureClass } from './failure-class.ts';
import type {
  ChartReads,
  FieldChange,
  HelmRequest,
  KustomizeOrigin,
  KustomizeRequest,
  RenderChance,
  RenderedObject,
  RenderOutcome,
  RenderRequest,
  RenderStep,
  TemplateRequest,
} from './render-request.ts';

/** Recursion in a chart repeats a message a thousand times, with the cause at the end. */
const MAXIMUM_MESSAGE = 8000;

export function encodeRequest(request: RenderRequest | TemplateRequest, { seed }: RenderChance): Uint8Array {
  const head = { seed, directory: MOUNT };
  return new TextEncoder().encode(
    request.engine === 'template'
      ? templateRequest(head, request)
      : JSON.stringify({
          ...head,
          ...(request.engine === 'helm' ? { helm: helmRequest(request) } : { kustomize: kustomizeRequest(request) }),
        }),
  );
}

/** The parameters are already JSON; inserting them as text keeps numbers exactly as written. */
function templateRequest(head: object, { texts, parameterSets, options }: TemplateRequest): string {
  const rest = JSON.stringify({ ...head, template: { texts, options } });
  return `${rest.slice(0, -2)},"parameterSets":[${parameterSets.join(',')}]}}`;
}

function kustomizeRequest(request: KustomizeRequest) {
  const { root, anyFile, enableHelm, order, kubernetesVersion, apiVersions, provenance } = request;
  return {
    root: mounted(root),
    anyFile,
    enableHelm: enableHelm === true,
    fileOrder: order === 'files',
    kubeVersion: kubernetesVersion,
    apiVersions,
    provenance: provenance === true,
  };
}

function helmRequest({ chart, valuesFiles, kubernetesVersion, engine: _, ...rest }: HelmRequest) {
  return { ...rest, chart: mounted(chart), valuesFiles: valuesFiles?.map(mounted), kubeVersion: kubernetesVersion };
}

function mounted(path: string): string {
  return path === '' ? MOUNT : `${MOUNT}/${path}`;
}

/** Messages of the engine with paths relative to the top, and WASI errors worded as on Linux. */
export function unmounted(text: string): string {
  return text
    .replaceAll(`${MOUNT}/`, '')
    .replaceAll(MOUNT, '.')
    .replace(/(?<=: )(?:No such file|Is a directory|Not a directory|Read-only file)/g, (words) =>
      words.replace(/^./, (letter) => letter.toLowerCase()),
    )
    .replaceAll(': Too many symbolic links', ': too many levels of symbolic links')
    .replaceAll(': I/O error', ': input/output error');
}

interface WireObject extends Omit<RenderedObject, 'text' | 'changes'> {
  readonly length: number;
  readonly changes?: readonly WireChange[] | null;
}

/** A negative `step` means that no step made the change (see render/trace.go). */
type WireChange = Omit<FieldChange, 'step'> & { readonly step: number };

interface WireAnswer {
  readonly error?: string;
  readonly objects: readonly WireObject[] | null;
  readonly steps?: readonly RenderStep[];
  readonly drewNumbers?: boolean;
  readonly lookedUp?: boolean;
  readonly reads?: ChartReads;
}

/**
 * `usedChance`: whether the host saw the engine read random bytes or the time. `head` is JSON; the texts of objects that have one follow in
 * order.
 */
export function decodeAnswer(
  request: RenderRequest | TemplateRequest,
  [head, ...texts]: readonly Uint8Array[],
  warnings: readonly string[],
  usedChance: boolean,
): RenderOutcome {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const { error, objects, steps, drewNumbers, lookedUp, reads } = JSON.parse(decoder.decode(head)) as WireAnswer;
  if (error !== undefined) {
    const message = unmounted(error);
    const failure = request.engine === 'template' ? 'template' : failureClass(request.engine, message);
    return { failure, message: shortened(message), warnings };
  }
  const rendered: RenderedObject[] = [];
  let next = 0;
  for (const { length, changes, ...about } of objects ?? []) {
    const text = length === 0 ? '' : decoder.decode(texts[next++]);
    if (request.engine === 'template') rendered.push({ text });
    else if (request.engine === 'kustomize') {
      rendered.push({ text, ...fromTop(request.root, about), ...changesOf(changes) });
    } else for (const document of documentsOf(text)) rendered.push({ text: document.replace(/^\s*\n/, ''), ...about });
  }
  return {
    objects: rendered,
    ...(steps && { steps: steps.map(stepFromTop) }),
    ...((usedChance || drewNumbers === true) && { usedChance: true }),
    ...(lookedUp === true && { lookedUp }),
    ...(reads && { reads }),
    warnings,
  };
}

/** A CRD file may hold several documents. Helm also returns documents with only comments; these are not objects. */
function documentsOf(text: string): readonly string[] {
  return text.split(/^---(?=[ \t\r\n]|$)/m).filter((document) => /^[ \t]*[^\s#]/m.test(document));
}

/** The origin annotation is relative to the folder that was built. */
function fromTop<T extends Pick<RenderedObject, 'origin'>>(root: string, about: T): T {
  return { ...about, ...(about.origin && { origin: originFromTop(root, about.origin) }) };
}

function changesOf(changes: readonly WireChange[] | null | undefined): Pick<RenderedObject, 'changes'> {
  if (changes === undefined || changes === null) return {};
  return { changes: changes.map((change) => ({ ...change, step: change.step < 0 ? 'rename' : change.step })) };
}

function stepFromTop(step: RenderStep): RenderStep {
  return { ...step, in: step.in === MOUNT ? '' : step.in.slice(MOUNT.length + 1) };
}

function originFromTop(root: string, { path, configuredIn, configuredBy }: KustomizeOrigin): KustomizeOrigin {
  return {
    ...(path !== undefined && { path: joined(root, path) }),
    ...(configuredIn !== undefined && { configuredIn: joined(root, configuredIn) }),
    ...(configuredBy && { configuredBy }),
  };
}

function joined(folder: string, path: string): string {
  const steps: string[] = [];
  for (const step of `${folder}/${path}`.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function shortened(message: string): string {
  if (message.length <= MAXIMUM_MESSAGE) return message;
  const half = MAXIMUM_MESSAGE / 2;
  return `${message.slice(0, half)} … ${message.slice(-half)}`;
}
