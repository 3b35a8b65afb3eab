// Values of the audit annotations that policies define, for a target: by annotation and value.
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import { resourceName, shownText } from '../finding/finding.ts';
import { compareText } from '../finding/finding-order.ts';
import type { AuditAnnotationValue, ReportedAuditAnnotation, ResourceName } from '../report.ts';
import { resourceLabel } from '../wording/wording.ts';

/** Listed values of an annotation. */
const MAX_VALUES = 50;
/** Distinct values of an annotation that are counted one by one during the run. */
const MAX_COUNTED = 1_000;

interface CountedValue {
  objects: number;
  example: ResourceName;
}

interface CountedAnnotation {
  readonly policy: ReportedAuditAnnotation['policy'];
  readonly values: Map<string, CountedValue>;
  others: number;
}

export class AuditAnnotationsOfTarget {
  /** By the server's key: `<policy>/<key>`. */
  readonly #annotations = new Map<string, CountedAnnotation>();

  add(evaluated: EvaluatedResource): void {
    for (const { auditAnnotations, matched } of evaluated.outcomes) {
      for (const [key, value] of auditAnnotations) {
        // The server adds annotations of its own, which name no policy.
        const policy = matched.find(({ name }) => key.startsWith(`${name}/`));
        if (policy === undefined) continue;
        this.#count(key, policy, shownText(value, policy, evaluated), evaluated);
      }
    }
  }

  /** Sorted by key; values by number of objects, most first. Empty: no policy defines one. */
  summary(): readonly ReportedAuditAnnotation[] {
    return [...this.#annotations]
      .map(([key, { policy, values, others }]) =>
        listed({
          key,
          policy,
          values: [...values].map(([value, counted]) => ({ value, ...counted })),
          ...(others > 0 && { others }),
        }),
      )
      .sort(byKey);
  }

  #count(
    key: string,
    { kind, name }: ReportedAuditAnnotation['policy'],
    value: string,
    { resource, request }: EvaluatedResource,
  ): void {
    let annotation = this.#annotations.get(key);
    if (annotation === undefined) {
      annotation = { policy: { kind, name }, values: new Map(), others: 0 };
      this.#annotations.set(key, annotation);
    }
    const counted = annotation.values.get(value);
    const example = resourceName(resource, request.namespace);
    if (counted !== undefined) {
      counted.objects += 1;
      counted.example = firstByName(counted.example, example);
    } else if (annotation.values.size === MAX_COUNTED) annotation.others += 1;
    else annotation.values.set(value, { objects: 1, example });
  }
}

/** Joins the annotations of one target from several parts. */
export function mergedAuditAnnotations(
  parts: readonly (readonly ReportedAuditAnnotation[] | undefined)[],
): readonly ReportedAuditAnnotation[] {
  const joined = new Map<string, ReportedAuditAnnotation>();
  for (const annotation of parts.flatMap((part) => part ?? [])) {
    const known = joined.get(annotation.key);
    joined.set(annotation.key, known === undefined ? annotation : joinedAnnotation(known, annotation));
  }
  return [...joined.values()].sort(byKey);
}

function joinedAnnotation(one: ReportedAuditAnnotation, other: ReportedAuditAnnotation): ReportedAuditAnnotation {
  const values = new Map<string, AuditAnnotationValue>(one.values.map((value) => [value.value, value]));
  for (const value of other.values) {
    const known = values.get(value.value);
    const objects = (known?.objects ?? 0) + value.objects;
    const example = known === undefined ? value.example : firstByName(known.example, value.example);
    values.set(value.value, { value: value.value, objects, example });
  }
  const others = (one.others ?? 0) + (other.others ?? 0);
  return listed({ ...one, values: [...values.values()], ...(others > 0 && { others }) });
}

/** Keeps the most frequent values and counts the objects with the rest. */
function listed(annotation: ReportedAuditAnnotation): ReportedAuditAnnotation {
  const sorted = [...annotation.values].sort((a, b) => b.objects - a.objects || compareText(a.value, b.value));
  const rest = sorted.slice(MAX_VALUES).reduce((total, { objects }) => total + objects, annotation.others ?? 0);
  return { ...annotation, values: sorted.slice(0, MAX_VALUES), ...(rest > 0 && { others: rest }) };
}

/** So that the order of files does not matter. */
function firstByName(one: ResourceName, other: ResourceName): ResourceName {
  const key = (name: ResourceName): string => `${resourceLabel(name)}\0${name.apiVersion}`;
  return compareText(key(one), key(other)) <= 0 ? one : other;
}

function byKey(a: ReportedAuditAnnotation, b: ReportedAuditAnnotation): number {
  return compareText(a.key, b.key);
}
