// Objects that a change adds although base has them in another file: for one cluster, the server sees an update.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';

/** Base's version of each created object. */
export function copiedObjects(
  created: readonly Resource[],
  base: readonly Resource[],
  identityOf: (resource: Resource) => string | undefined,
): ReadonlyMap<Resource, Resource> {
  const copies = new Map<Resource, Resource>();
  if (created.length === 0) return copies;
  const wanted = new Map<string, Resource[]>();
  for (const resource of created) {
    const identity = identityOf(resource);
    if (identity !== undefined) wanted.set(identity, [...(wanted.get(identity) ?? []), resource]);
  }
  for (const old of base) {
    const identity = identityOf(old);
    for (const resource of (identity !== undefined && wanted.get(identity)) || []) {
      if (!copies.has(resource)) copies.set(resource, old);
    }
  }
  return copies;
}

/** The denials of the update alone. They are undecided, because nothing says whether both files are for one cluster. */
export function openUpdate(
  update: EvaluatedResource,
  created: EvaluatedResource,
  { manifest }: Resource,
): EvaluatedResource {
  const { path } = update.resource.manifest.file;
  return openAnswer(update, created, `whether ${path} and ${manifest.file.path} define it for one cluster`);
}

/** The denials of `other` that `certain` does not have. They are undecided, because of `missing`. */
export function openAnswer(other: EvaluatedResource, certain: EvaluatedResource, missing: string): EvaluatedResource {
  const known = new Set(certain.outcomes.flatMap(({ evaluations }) => evaluations.map(keyOf)));
  const outcomes = other.outcomes.map((outcome) => ({
    ...outcome,
    denial: undefined,
    evaluations: outcome.evaluations
      .filter((evaluation) => !known.has(keyOf(evaluation)))
      .map((evaluation) => ({ ...evaluation, result: 'unknown' as const, missing: [...evaluation.missing, missing] })),
  }));
  return { ...other, outcomes };
}

function keyOf({ policy, binding, param, rule }: Evaluation): string {
  return JSON.stringify([policy.kind, policy.resource.namespace, policy.name, binding?.name, param?.name, rule]);
}
