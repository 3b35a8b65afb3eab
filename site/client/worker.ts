// Evaluates requests in a worker, so that typing never blocks and a slow expression can be stopped.
import { type EvaluateResult, evaluate, InputError, SourceFile, validationEngine } from '../../src/browser.ts';
import { type Answer, READY, type Reply, TEXT_NAMES, type TextName } from './answer.ts';
import { moduleBytes } from './fetched-module.ts';
import { labelsOf, listed, type RequestState } from './request-state.ts';
import { MAX_TOLD, ofFinding, ofProblem, ofSkipped, type Whereabouts } from './told.ts';

const MAX_OBJECTS = 20;

addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly state: RequestState }>) => {
  void answer(data.id, data.state);
});

/** Thrown for the first object that the plain check does not prove valid. */
class ModuleMissing extends Error {}

let wasm: Uint8Array | undefined;

const serverValidation = validationEngine({
  wasm: () => {
    if (wasm === undefined) throw new ModuleMissing();
    return wasm;
  },
  elapsed: () => performance.now(),
  memory: 256,
});

async function answer(id: number, state: RequestState): Promise<void> {
  try {
    reply({ id, answer: answerOf(evaluate({ ...inputOf(state), serverValidation }), state) });
  } catch (reason) {
    if (!(reason instanceof ModuleMissing)) return reply(mistakeOf(id, reason));
    reply({ id, doing: 'loading-validation' });
    await answerLoaded(id, state);
  }
}

/** Loads the module first. Without it, the types and metadata of built-in kinds are validated. */
async function answerLoaded(id: number, state: RequestState): Promise<void> {
  let unknowns: readonly string[] = [];
  try {
    wasm = await moduleBytes(await fetch('validation.wasm.gz'));
    return reply({ id, answer: answerOf(evaluate({ ...inputOf(state), serverValidation }), state) });
  } catch (reason) {
    if (reason instanceof InputError) return reply(mistakeOf(id, reason));
    wasm = undefined;
    unknowns = [`whether the server accepts the object: its validation could not be loaded (${String(reason)})`];
  }
  try {
    const answered = answerOf(evaluate(inputOf(state)), state);
    reply({ id, answer: { ...answered, unknowns: [...unknowns, ...answered.unknowns] } });
  } catch (reason) {
    reply(mistakeOf(id, reason));
  }
}

function reply(message: Reply): void {
  postMessage(message);
}

function mistakeOf(id: number, reason: unknown): Reply {
  if (reason instanceof InputError) return { id, mistake: reason.message };
  return { id, mistake: `internal error, please report it: ${String(reason)}` };
}

function inputOf(state: RequestState): Parameters<typeof evaluate>[0] {
  const { operation, username, groups, kubernetesVersion } = state;
  const file = (name: TextName): SourceFile => new SourceFile(`${name}.yaml`, state[name]);
  return {
    policies: file('policies'),
    object: file('object'),
    ...(operation === 'UPDATE' && { oldObject: file('oldObject') }),
    resources: file('resources'),
    operation,
    namespaceLabels: labelsOf(state.namespaceLabels),
    ...(username !== '' && { user: { username, ...(groups !== '' && { groups: listed(groups) }) } }),
    kubernetesVersion,
    explain: true,
  };
}

function answerOf({ verdict, findings, problems, objects, report }: EvaluateResult, state: RequestState): Answer {
  const skipped = report.coverage.skipped.filter(({ reason }) => reason !== 'empty-document');
  const told = [
    ...problems.map((each) => ofProblem(each, placeOf)),
    ...findings.map((each) => ofFinding(each, placeOf)),
    ...skipped.map((each) => ofSkipped(each, placeOf)),
  ];
  return {
    verdict,
    heading: headingOf(verdict, objects, state),
    told: told.slice(0, MAX_TOLD),
    untold: Math.max(0, told.length - MAX_TOLD),
    objects: objects.slice(0, MAX_OBJECTS),
    unknowns: report.targets.flatMap(({ unknowns }) => unknowns),
  };
}

function headingOf(
  verdict: EvaluateResult['verdict'],
  objects: EvaluateResult['objects'],
  { operation, policies }: RequestState,
): string {
  if (objects.length === 0) return 'No object yet: write an object';
  if (policies.trim() === '') return 'No policy yet: write a policy and its binding';
  const [first] = objects;
  const denied = objects.filter((each) => each.verdict === 'denied').length;
  const what =
    objects.length === 1 && first !== undefined
      ? `${operation} of ${first.resource.kind} ${first.resource.name}`
      : `${denied > 0 ? `${denied} of ` : ''}${objects.length} requests`;
  return { denied: `Denied: ${what}`, allowed: `Allowed: ${what}`, undecided: `Undecided: ${what}` }[verdict];
}

const placeOf: Whereabouts = (place) => ({ text: TEXT_NAMES.find((name) => place.path === `${name}.yaml`), place });

// Must come last: the constants above must be initialized before the first message.
postMessage(READY);
