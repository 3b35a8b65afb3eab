// Both states as read, and what every later step of a comparison needs from them.
import { type StageObserver, UNOBSERVED } from '../../engine/stages.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { RunBudget } from '../../kubernetes/request/run-budget.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { stringifyJson } from '../../source/json/json.ts';
import { changedRoots } from '../scope/changed-roots.ts';
import { touchedRoots } from '../scope/touched-roots.ts';
import type { ComparisonInput } from './comparison-input.ts';
import { type ReadStates, readStates } from './read-states.ts';

export interface ComparedStates extends ReadStates {
  readonly input: ComparisonInput;
  /** True if both states were read completely, not only what the change can reach. */
  readonly isAll: boolean;
  readonly work: RunBudget;
  readonly stages: StageObserver;
  /** Names of the roots that apply different objects than before. */
  readonly changedRoots: ReadonlySet<string>;
  /** Names of the roots that the change touches and that could not be rendered. */
  readonly touchedRoots: ReadonlySet<string>;
  readonly rootOf: ReadonlyMap<Resource, RenderedRoot>;
  /** The kustomization that changes a resource of head before it is applied. */
  readonly changedBy: ReadonlyMap<Resource, string | undefined>;
}

export function comparedStates(input: ComparisonInput): ComparedStates {
  const states = readStates(input);
  const { base, head } = states;
  let data: ReadonlySet<string> | undefined;
  const resources = [...base.resources, ...head.resources];
  return {
    ...states,
    input,
    isAll: states.scope.extent === 'repository',
    work: RunBudget.of(input.configuration.workLimit, [...input.base.files, ...input.head.files]),
    stages: input.stages ?? UNOBSERVED,
    changedRoots: changedRoots(base.roots, head.roots),
    touchedRoots: touchedRoots(base.roots, head.roots, {
      paths: states.scope.changed,
      data: () => {
        data ??= changedData(states);
        return data;
      },
    }),
    rootOf: new Map(resources.flatMap(({ resource, root }) => (root === undefined ? [] : [[resource, root]]))),
    changedBy: new Map(head.resources.map(({ resource, changedBy }) => [resource, changedBy])),
  };
}

/** True if the comparison judges the object. The scope also reads others, which policies need as facts. */
export function isExamined({ scope, isAll, rootOf, changedRoots: changed }: ComparedStates, object: Resource): boolean {
  const root = rootOf.get(object);
  if (root === undefined) return scope.examined.has(object.manifest.file.path);
  return isAll || changed.has(root.name) || scope.isConcerned(object);
}

/** Names of ConfigMaps and Secrets with other content in the two states. */
function changedData({ base, head }: ReadStates): ReadonlySet<string> {
  const textsOf = ({ resources }: ReadStates['base']): ReadonlySet<string> =>
    new Set(
      resources.flatMap(({ resource: { gvk, name, value } }) =>
        gvk.group === '' && (gvk.kind === 'ConfigMap' || gvk.kind === 'Secret')
          ? [`${name}\0${stringifyJson(value, { sortKeys: true, escapeHtml: false })}`]
          : [],
      ),
    );
  const [before, after] = [textsOf(base), textsOf(head)];
  const differing = [...before, ...after].filter((text) => !before.has(text) || !after.has(text));
  return new Set(differing.map((text) => text.slice(0, text.indexOf('\0'))));
}
