// What is to be said of objects that cannot be told from others by their names, where two states are compared.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { Unknown } from '../../policy/evaluation/unknown.ts';
import { resourceName } from '../finding/finding.ts';
import { count, resourceLabel } from '../wording/wording.ts';

export interface UncertainMatches {
  /** One of each identity that is written more than once. */
  readonly repeated: readonly Resource[];
  /** One of each name the server completes of which something changed or went. */
  readonly unmatched: readonly Resource[];
}

export function matchingUnknowns({ repeated, unmatched }: UncertainMatches): readonly Unknown[] {
  const unknowns: Unknown[] = [];
  if (repeated.length > 0) {
    const verb = repeated.length === 1 ? 'is' : 'are';
    const after = `${verb} written more than once; each copy counts as an object of its own, and one that goes is a deletion`;
    unknowns.push({ before: `${listOfObjects(repeated)} ${after}`, after: '' });
  }
  if (unmatched.length > 0) {
    const after = 'the server completes the name, so one that is changed counts as created, and none as deleted';
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
