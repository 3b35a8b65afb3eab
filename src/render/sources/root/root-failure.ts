// Messages and advice for roots that cannot be rendered, completely or in part.
import type { FailureClass, RenderFailure, Rendering } from '../../engine/render-request.ts';
import type { Hole } from '../../holes/hole.ts';
import type { Build } from '../controller.ts';
import { remoteBaseMessage } from '../remote/remote-base.ts';
import type { RootFailure } from './rendered-root.ts';

const HELP: Partial<Record<FailureClass, string>> = {
  'remote-base': 'copy the remote base into the repository with `kustomize localize`, or check the rendered manifests',
  plugin:
    'plugins run programs, and preadmit never runs programs: commit the output of the plugin, or check the rendered manifests',
  'helm-chart': 'the chart is not in the repository: vendor it, or check the rendered manifests',
  'missing-file': 'add the file, or correct the path',
  'missing-input': 'add the file, or correct the path',
  'missing-dependency': 'run `helm dependency build`, and commit `charts/`',
  'required-value': 'the chart requires a value: set it where the chart is used',
  'library-chart': 'a library chart renders no objects: check a chart that uses it',
  busy: 'the machine was too slow: run the check again with less load on the machine',
  budget: 'check fewer files at once, or allow more with `rendering.processorSeconds` in `.preadmit.yaml`',
  limit: 'rendering exceeds a limit for time, memory or output: split the render target',
};

export function renderingHelp(reason: FailureClass): string {
  return HELP[reason] ?? 'render it with kustomize or Helm to see the whole message';
}

export function failureOf(reason: FailureClass, message: string): RootFailure {
  // Memory addresses of the engine vary between runs.
  const words = message.replaceAll(/\b0x[0-9a-f]+\b/g, '0x…');
  return { reason, message: reason === 'remote-base' ? remoteBaseMessage(words) : words, help: renderingHelp(reason) };
}

/** The failure of a root whose objects are all unknown because of a hole. */
export function failureAbout({ reason, what, because, path }: Hole, ownPath: string | undefined): RootFailure {
  const where = path === ownPath ? '' : `, named in ${path}`;
  const message = reason === 'helm-chart' ? because : `it builds on ${what}${where}, and ${because}`;
  return { reason, message, help: renderingHelp(reason) };
}

/** A chart can fail because of the values that it lacks. */
export function failureWithout({ lacks = [] }: Build, { failure, message }: RenderFailure): RootFailure {
  const [lack] = lacks;
  if (lack === undefined) return failureOf(failure, message);
  const { help, ...told } = failureOf(failure, `${message}; it is rendered without ${lack.lacking}`);
  return { ...told, help: `${lack.help}; ${help}` };
}

/** Why the cluster may have other objects than those that are rendered. */
export function doubtsOf({ lacks = [] }: Build, { usedChance, reads }: Rendering): readonly RootFailure[] {
  const ofValues = lacks.map(({ lacking, help }): RootFailure => {
    return { reason: 'unknown-source', message: `it is rendered without ${lacking}`, help, isDoubt: true };
  });
  const [template] = usedChance === true ? (reads?.chance ?? []) : [];
  if (template === undefined) return ofValues;
  const message = `a condition in ${template} depends on the time or on a random value`;
  const help = 'pass the value to the chart, so that the repository decides';
  return [...ofValues, { reason: 'template', message, help, isDoubt: true }];
}
