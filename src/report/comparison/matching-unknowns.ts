// Warnings about objects that cannot be matched by name between two states.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { Unknown } from '../../policy/evaluation/unknown.ts';
import { resourceName } from '../finding/finding.ts';
import { count, resourceLabel } from '../wording/wording.ts';

export interface UncertainMatches {
  /** One object of each identity that is defined more than once. */
  readonly repeated: readonly Resource[];
  /** One object of each generated name with changes or deletions. */
  readonly unmatched: readonly Resource[];
}

export function matchingUnknowns({ repeated, unmatched }: UncertainMatches): readonly Unknown[] {
  const unknowns: Unknown[] = [];
  if (repeated.length > 0) {
    const verb = repeated.length === 1 ? 'is' : 'are';
    const after = `${verb} defined more than once; each copy is compared as a separate object, and a removed copy is reported as deleted`;
    unknowns.push({ before: `${listOfObjects(repeated)} ${after}`, after: '' });
  }
  if (unmatched.length > 0) {
    const after = 'the server generates the name, so a changed object is reported as created, and none as deleted';
    unknowns.push({ before: `${listOfObjects(unmatched)}: ${after}`, after: '' });
  }
  return unknowns;
}

const MAX_LISTED_OBJECTS = 5;

function listOfObjects(resources: readonly Resource[]): string {
  const labels = resources.map((resource) => resourceLabel(resourceName(resource, resource.namespace)));
  const rest = labels.length - MAX_LISTED_OBJECTS;
  return rest > 0
    ? `${labels.slice(0, MAX_LISTED_OBJECTS).join(', ')} and ${count(rest, 'more object')}`
    : labels.join(', ');
}
