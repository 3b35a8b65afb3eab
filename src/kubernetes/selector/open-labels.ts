// Label keys of a Namespace that decide whether a selector matches, and whose values in the cluster are unknown.
import { type LabelSelector, type Labels, selectorMatches, undecidedKeys } from './label-selector.ts';

/**
 * Why the labels of a Namespace are unknown. `undefined`: no file defines it. `claimed`: only the judged change does, so
 * the cluster may hold it with other labels. `unnamed`: no file says which Namespace it is. `valued`: its file has labels
 * whose values the repository does not contain.
 */
export type OpenNamespaceReason = 'undefined' | 'claimed' | 'unnamed' | 'valued';

export interface OpenNamespaceLabels {
  readonly reason: OpenNamespaceReason;
  /** Labels of the file without a known value. */
  readonly valueless: ReadonlySet<string>;
}

export const METADATA_NAME_LABEL = 'kubernetes.io/metadata.name';

/** The author of a change chooses the labels of a claimed Namespace. They may put an object under a rule, but not take it out of one. */
export function openLabelKeys(
  selector: LabelSelector,
  labels: Labels,
  openLabels: OpenNamespaceLabels | undefined,
  use: 'match' | 'exclude' = 'match',
): readonly string[] {
  if (openLabels === undefined) return [];
  const { reason, valueless } = openLabels;
  if (reason === 'valued') return valuelessKeys(selector, labels, valueless);
  const certain = new Map([...labels].filter(([key]) => key === METADATA_NAME_LABEL && reason !== 'unnamed'));
  const open = undecidedKeys(selector, certain);
  if (reason !== 'claimed') return open;
  const written = selector.requirements.filter(({ key }) => labels.has(key) && !valueless.has(key));
  const failing = written.filter((each) => !selectorMatches({ requirements: [each] }, labels));
  if (use === 'exclude') return failing.length > 0 ? [] : open;
  const settled = new Set(written.filter((each) => !failing.includes(each)).map(({ key }) => key));
  return open.filter((key) => !settled.has(key) || failing.some((each) => each.key === key));
}

/** The keys that decide if the labels exist and the values of some are unknown. */
export function valuelessKeys(
  { requirements }: LabelSelector,
  labels: Labels,
  valueless: ReadonlySet<string>,
): readonly string[] {
  const open = requirements.filter(
    ({ key, operator }) => valueless.has(key) && (operator === 'In' || operator === 'NotIn'),
  );
  const others = requirements.filter((each) => !open.includes(each));
  return selectorMatches({ requirements: others }, labels) ? open.map(({ key }) => key) : [];
}
