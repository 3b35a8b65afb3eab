// Why the policies of a repository say what they say of one object, as plain JSON.
import { type ObservedValue, observedValue } from '../../kubernetes/cel/observed-values.ts';
import type { ExplanationStep, PolicyExplanation, StepResult } from '../../policy/explanation/explanation.ts';
import { placeOf } from '../location/place.ts';
import type { Place, ResourceName, Severity } from '../report.ts';
import type { ValueMask } from './value-mask.ts';

/** Raised when a field changes meaning or disappears; adding fields does not raise it. */
export const EXPLANATION_SCHEMA_VERSION = 1;

/** A place without the text around it. */
export type Lines = Omit<Place, 'excerpt'>;

export interface Explanation {
  readonly schemaVersion: typeof EXPLANATION_SCHEMA_VERSION;
  /** Version of Preadmit that wrote it. */
  readonly preadmit: string;
  /** The object in each target that has it, in the order of targets and documents. */
  readonly objects: readonly ExplainedObject[];
}

export interface ExplainedObject {
  readonly target: string;
  readonly resource: ResourceName;
  readonly place: Lines;
  /** What renders the object, as people call it. */
  readonly root?: string;
  /** Why no policy was asked; absent where they were. */
  readonly notEvaluated?: { readonly reason: string; readonly detail: string };
  /** What the API server would say of the object itself. */
  readonly problems: readonly ExplainedProblem[];
  /** What mutating policies made of it, in the order of their doing. */
  readonly changes: readonly ExplainedChange[];
  /** Of all policies, or the one that was asked about; those that have something to say first. */
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

/** How one policy came to what it says: its steps in the order of the server. */
export interface ExplainedPolicy {
  readonly kind: string;
  readonly name: string;
  readonly place: Lines;
  /** Of its steps the one that says most. */
  readonly result: StepResult;
  readonly steps: readonly ExplainedStep[];
}

/** One step: what was compared with what, where that is written, and the values of the expression that ran. */
export interface ExplainedStep {
  readonly result: StepResult;
  readonly says: string;
  readonly place?: Lines;
  /** Cost units of the expression, out of a million for each and ten million for a policy. */
  readonly cost?: number;
  /** The expression that ran, its parts with their values inside it. */
  readonly value?: ObservedValue;
  readonly steps?: readonly ExplainedStep[];
}

/** `mask` hides the values of Secrets. */
export function explainedPolicy({ policy, result, steps }: PolicyExplanation, mask: ValueMask): ExplainedPolicy {
  const { kind, name, resource } = policy;
  const place = linesOf(resource.locate(['metadata', 'name'], 'value'));
  return { kind, name, place, result, steps: steps.map((step) => explainedStep(step, mask)) };
}

/** Those that fail first, those that do not apply last; otherwise as they were. */
export function byHardness(policies: readonly ExplainedPolicy[]): readonly ExplainedPolicy[] {
  const order: readonly StepResult[] = ['fails', 'error', 'unknown', 'passes', 'stops'];
  return policies.toSorted((one, other) => order.indexOf(one.result) - order.indexOf(other.result));
}

function explainedStep({ result, says, by, observed, steps }: ExplanationStep, mask: ValueMask): ExplainedStep {
  const value = observed && observedValue(observed, (name) => observed.variable(name));
  return {
    result,
    says: mask.text(says),
    ...(by && { place: linesOf(by.resource.locate(by.field, 'value')) }),
    ...(observed && value && { cost: observed.cost, value: mask.value(value) }),
    ...(steps && { steps: steps.map((step) => explainedStep(step, mask)) }),
  };
}

export function linesOf(location: Parameters<typeof placeOf>[0]): Lines {
  const { excerpt: _, ...place } = placeOf(location);
  return place;
}
