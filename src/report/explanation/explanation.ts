// Explanation of how the policies judge one object, as plain JSON.
import { type ObservedValue, observedValue } from '../../kubernetes/cel/observed-values.ts';
import type {
  ExplanationStep,
  PatchedField,
  PolicyExplanation,
  StepResult,
} from '../../policy/explanation/explanation.ts';
import { formatFieldPath } from '../../source/node/field-path.ts';
import { placeOf } from '../location/place.ts';
import type { Place, ResourceName, Severity } from '../report.ts';
import type { ValueMask } from './value-mask.ts';

/** Increases when a field changes meaning or disappears; new fields do not increase it. */
export const EXPLANATION_SCHEMA_VERSION = 1;

/** A location without its excerpt. */
export type Lines = Omit<Place, 'excerpt'>;

export interface Explanation {
  readonly schemaVersion: typeof EXPLANATION_SCHEMA_VERSION;
  /** Version of Preadmit that wrote the explanation. */
  readonly preadmit: string;
  /** The object in each target, in the order of targets and documents. */
  readonly objects: readonly ExplainedObject[];
}

export interface ExplainedObject {
  readonly target: string;
  readonly resource: ResourceName;
  readonly place: Lines;
  /** Display name of the root that renders the object. */
  readonly root?: string;
  /** Why no policy was evaluated; absent if policies were. */
  readonly notEvaluated?: { readonly reason: string; readonly detail: string };
  /** Problems that the API server would report for the object itself. */
  readonly problems: readonly ExplainedProblem[];
  /** Changes by mutating policies, in order of application. */
  readonly changes: readonly ExplainedChange[];
  /** All policies or the requested one; sorted by result, most severe first. */
  readonly policies: readonly ExplainedPolicy[];
}

export interface ExplainedProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly place?: Lines;
}

export interface ExplainedChange {
  readonly policy: string;
  readonly fieldPaths: readonly string[];
}

/** How one policy reaches its result: its steps in the server's order. */
export interface ExplainedPolicy {
  readonly kind: string;
  readonly name: string;
  readonly place: Lines;
  /** The most significant result of its steps. */
  readonly result: StepResult;
  readonly steps: readonly ExplainedStep[];
}

/** One step: the compared values, their location, and the values of the evaluated expression. */
export interface ExplainedStep {
  readonly result: StepResult;
  readonly says: string;
  readonly place?: Lines;
  /** Cost units of the expression. The limits are one million per expression and ten million per policy. */
  readonly cost?: number;
  /** The evaluated expression with the values of its parts. */
  readonly value?: ObservedValue;
  /** For a mutation: the changed fields. */
  readonly patch?: readonly ExplainedPatchedField[];
  readonly steps?: readonly ExplainedStep[];
}

/** Values are JSON texts. Without `before` the field was added, without `after` it was removed. */
export interface ExplainedPatchedField {
  readonly fieldPath: string;
  readonly before?: string;
  readonly after?: string;
}

/** `mask` hides the values of Secrets. */
export function explainedPolicy({ policy, result, steps }: PolicyExplanation, mask: ValueMask): ExplainedPolicy {
  const { kind, name, resource } = policy;
  const place = linesOf(resource.locate(['metadata', 'name'], 'value'));
  return { kind, name, place, result, steps: steps.map((step) => explainedStep(step, mask)) };
}

/** Failing policies first, inapplicable ones last; otherwise the given order. */
export function byHardness(policies: readonly ExplainedPolicy[]): readonly ExplainedPolicy[] {
  const order: readonly StepResult[] = ['fails', 'error', 'unknown', 'passes', 'stops'];
  return policies.toSorted((one, other) => order.indexOf(one.result) - order.indexOf(other.result));
}

function explainedStep({ result, says, by, observed, patch, steps }: ExplanationStep, mask: ValueMask): ExplainedStep {
  const value = observed && observedValue(observed, (name) => observed.variable(name));
  return {
    result,
    says: mask.text(says),
    ...(by && { place: linesOf(by.resource.locate(by.field, 'value')) }),
    ...(observed && value && { cost: observed.cost, value: mask.value(value) }),
    ...(patch && patch.length > 0 && { patch: patch.map((change) => explainedPatchedField(change, mask)) }),
    ...(steps && { steps: steps.map((step) => explainedStep(step, mask)) }),
  };
}

function explainedPatchedField({ path, before, after }: PatchedField, mask: ValueMask): ExplainedPatchedField {
  return {
    fieldPath: formatFieldPath(path),
    ...(before !== undefined && { before: mask.json(before) }),
    ...(after !== undefined && { after: mask.json(after) }),
  };
}

export function linesOf(location: Parameters<typeof placeOf>[0]): Lines {
  const { excerpt: _, ...place } = placeOf(location);
  return place;
}
