// A request with open fields, for policies of CEL expressions: cel-go's partial evaluation.
import { UnknownValue, type Value } from '../../../cel/value/value.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import { openView } from '../../expression/open-view.ts';
import { openFieldsOf, undecidedBy } from '../rule/open-request.ts';
import type { Undecided } from '../rule/rule-response.ts';

export class OpenFields {
  /** With a possible value in each open field. */
  readonly request: AdmissionRequest;
  readonly #paths: readonly FieldPath[];
  /** From the request's object to the value whose fields `#paths` are. */
  readonly #steps: FieldPath;

  private constructor(request: AdmissionRequest, paths: readonly FieldPath[], steps: FieldPath = []) {
    this.request = request;
    this.#paths = paths;
    this.#steps = steps;
  }

  /** Undefined if nothing is open. */
  static of(request: AdmissionRequest): OpenFields | undefined {
    const paths = openFieldsOf(request);
    return paths.length === 0 ? undefined : new OpenFields(request, paths);
  }

  /** For a request about the value at `steps`. Throws `Undecided` if the value itself is open. */
  within(steps: FieldPath, request: AdmissionRequest): OpenFields {
    const around = this.#paths.find(
      (path) => path.length <= steps.length && path.every((step, index) => step === steps[index]),
    );
    if (around !== undefined) throw undecidedBy(this.request, around);
    const inside = this.#paths.filter((path) => steps.every((step, index) => step === path[index]));
    return new OpenFields(
      request,
      inside.map((path) => path.slice(steps.length)),
      steps,
    );
  }

  /** The variables `object`, `oldObject` and, if no file says it, the namespace. */
  values(): { readonly object: Value; readonly oldObject: Value; readonly namespace: UnknownValue | undefined } {
    const isNamespaceOpen = this.#paths.some((path) => formatFieldPath(path) === NAMESPACE);
    return {
      ...openView(this.request, this.#paths),
      namespace: isNamespaceOpen ? new UnknownValue(NAMESPACE, true) : undefined,
    };
  }

  undecided({ name }: UnknownValue): Undecided {
    const path = this.#paths.find((each) => formatFieldPath(each) === name) ?? [];
    return undecidedBy(this.request, [...this.#steps, ...path]);
  }
}

const NAMESPACE = 'metadata.namespace';
