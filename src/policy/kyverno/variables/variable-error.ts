// Why a variable has no value.
import type { SearchErrorKind } from '../jmespath/search-error.ts';

export class VariableError {
  /** `failure` also for a missing key once more words are around it; `unknown` and `limit` are never Kyverno's own answer. */
  readonly kind: SearchErrorKind;
  readonly message: string;
  /** Texts are not put around it: policy validation names a variable that it does not allow. */
  readonly isInvalidVariable: boolean;

  constructor(kind: SearchErrorKind, message: string, isInvalidVariable = false) {
    this.kind = kind;
    this.message = message;
    this.isInvalidVariable = isInvalidVariable;
  }

  /** With words around the message, as Go's `fmt.Errorf` puts them; what is no answer of Kyverno's stays as it is. */
  within(wrap: (message: string) => string): VariableError {
    if (!this.isAnswer) return this;
    const kind = this.kind === 'not-found' ? 'failure' : this.kind;
    return new VariableError(kind, wrap(this.message));
  }

  /** Kyverno goes on with something else after this error, such as a default. */
  get isAnswer(): boolean {
    return this.kind === 'failure' || this.kind === 'not-found';
  }
}

export function variableFailure(message: string): VariableError {
  return new VariableError('failure', message);
}
