// Builds kustomizations in a worker and evaluates the result. Loads the module for the first request, from the folder of this file.
import {
  type Configuration,
  checkState,
  loadConfiguration,
  type Report,
  type ResourceName,
  renderingEngine,
  SourceFile,
  treeOf,
} from '../../src/browser.ts';
import { type Answer, READY, type Reply, type Told } from './answer.ts';
import { moduleBytes } from './fetched-module.ts';
import { listed, type RequestState } from './request-state.ts';
import { MAX_TOLD, ofFinding, ofProblem, ofSkipped, type Whereabouts } from './told.ts';
import { filesIn, PLAYGROUND, type WrittenFile } from './written-files.ts';

/** MiB, and milliseconds per rendering. The time is below the page's limit, so that a timeout does not force a reload of the module. */
const LIMITS = { memory: 256, milliseconds: 15_000 } as const;
type Engine = ReturnType<typeof renderingEngine>;

let loaded: Promise<Engine> | undefined;

addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly state: RequestState }>) => {
  void answer(data.id, data.state);
});

async function answer(id: number, state: RequestState): Promise<void> {
  const written = filesIn(state.object);
  if ('mistake' in written) return reply({ id, mistake: written.mistake });
  if (loaded === undefined) reply({ id, doing: 'loading' });
  try {
    loaded ??= load();
    const engine = await loaded;
    reply({ id, doing: 'rendering' });
    reply({ id, answer: answerOf(reportOf(written.files, state, engine), written.files) });
  } catch (reason) {
    loaded = undefined;
    reply({ id, mistake: `kustomize could not be loaded or failed: ${String(reason)}` });
  }
}

function reply(message: Reply): void {
  postMessage(message);
}

async function load(): Promise<Engine> {
  const wasm = await moduleBytes(await fetch('engine.wasm.gz'));
  return renderingEngine({ wasm, elapsed: () => performance.now(), ...LIMITS });
}

const OTHERS = ['policies', 'resources'] as const;

function reportOf(written: readonly WrittenFile[], state: RequestState, engine: Engine): Report {
  const built = written.map(({ path, text }) => new SourceFile(path, text));
  const others = OTHERS.map((name) => new SourceFile(`${PLAYGROUND}/${name}.yaml`, state[name]));
  const files = [...built, ...others];
  return checkState({
    files: files.map((file) => ({ file, selected: true })),
    paths: new Set(files.map(({ path }) => path)),
    notRead: [],
    configuration: configurationOf(state),
    rendering: { tree: treeOf({ files: new Map(built.map(({ path, text }) => [path, text])) }), engine: () => engine },
  });
}

function configurationOf({ kubernetesVersion, username, groups }: RequestState): Configuration {
  const text = JSON.stringify({
    kubernetesVersion,
    clusterFacts: [`${PLAYGROUND}/resources.yaml`],
    ...(username !== '' && { user: { username, ...(groups !== '' && { groups: listed(groups) }) } }),
  });
  const { configuration, diagnostics } = loadConfiguration(new SourceFile('.preadmit.yaml', text));
  if (configuration === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return configuration;
}

/** Reasons of skipped documents that are expected, or that a diagnostic already reports. */
const EXPECTED: ReadonlySet<string> = new Set([
  'rendered',
  'not-rendered',
  'kustomization',
  'kustomize-patch',
  'kustomize-input',
  'empty-document',
  'exempt-kind',
]);

function answerOf(
  { verdict, findings, diagnostics, coverage, targets }: Report,
  written: readonly WrittenFile[],
): Answer {
  const files = new Map(written.map((file) => [file.path, file]));
  const others = new Map<string, (typeof OTHERS)[number]>(OTHERS.map((name) => [`${PLAYGROUND}/${name}.yaml`, name]));
  const at: Whereabouts = (place) => {
    const before = files.get(place.path)?.before;
    if (before === undefined) return { text: others.get(place.path), place };
    const { startLine, endLine, startColumn, endColumn } = place;
    const moved = { startLine: startLine + before, endLine: endLine + before, startColumn, endColumn };
    return { text: 'object', place: moved };
  };
  const skipped = coverage.skipped.filter(
    ({ path, reason }) => !EXPECTED.has(reason) && others.get(path) !== 'resources',
  );
  const told: readonly Told[] = [
    ...diagnostics.map((each) => ofProblem(each, at)),
    ...findings.map((each) => ofFinding({ ...each, message: `${nameOf(each.resource)}: ${each.message}` }, at)),
    ...skipped.map((each) => ofSkipped(each, at)),
  ];
  return {
    ...conclusionOf(verdict, coverage.evaluated),
    told: told.slice(0, MAX_TOLD),
    untold: Math.max(0, told.length - MAX_TOLD),
    objects: [],
    unknowns: targets.flatMap(({ unknowns }) => unknowns),
  };
}

/** Names the object, because several built objects can share one location. */
function nameOf({ kind, namespace, name }: ResourceName): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** As for a single request: errors leave the verdict undecided. */
function conclusionOf(
  { conclusion, denied, errors, notRendered, incomplete }: Report['verdict'],
  evaluated: number,
): Pick<Answer, 'verdict' | 'heading'> {
  const built = `${evaluated === 1 ? 'the object' : `${evaluated} objects`} that kustomize builds`;
  const some = evaluated === 1 ? built : `${denied} of ${built}`;
  if (denied > 0) return { verdict: 'denied', heading: `Denied: ${some}` };
  if (errors > 0) return { verdict: 'undecided', heading: `Undecided: ${counted(errors, 'error')}` };
  if (notRendered > 0)
    return { verdict: 'undecided', heading: `Undecided: ${counted(notRendered, 'kustomization')} cannot be built` };
  if (incomplete > 0) return { verdict: 'undecided', heading: 'Undecided: a part of the kustomization is unknown' };
  if (evaluated === 0) return { verdict: 'undecided', heading: 'Nothing to evaluate: kustomize builds no object' };
  if (conclusion === 'allowed') return { verdict: 'allowed', heading: `Allowed: ${built}` };
  const isAsked = conclusion !== 'nothing-checked';
  const heading = isAsked ? `Undecided: ${built}` : 'No policy yet: write a policy and its binding';
  return { verdict: 'undecided', heading };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

postMessage(READY);
